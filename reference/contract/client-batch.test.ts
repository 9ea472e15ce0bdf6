import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { createLibrary, type Library } from '../../generated/library/client.js'
import type { Book } from '../../generated/library/types.js'
import type { Result } from '../../runtime/client/index.js'
import { loadSpec } from '../../spec/language/index.js'
import { createReferenceService, type ReferenceService } from '../reference-service.js'
import { type StoreMaker, storeMaker } from '../testing/engines.js'

describe.each(['sqlite', 'postgres'])('a batch of typed calls on %s', engine => {
  let maker: StoreMaker | undefined
  let service: ReferenceService
  let library: Library
  const sent: string[] = []

  beforeAll(async () => {
    maker = engine === 'postgres' ? await storeMaker('postgres') : undefined
    const { service: spec } = await loadSpec('spec/library.yaml')
    if (spec === undefined) throw new Error('The Library has errors.')
    service = await createReferenceService({
      spec,
      store: (await maker?.make()) ?? 'sqlite::memory:',
    })
    library = createLibrary({
      baseUrl: 'http://service.test/v1/',
      fetch: (url, request) => {
        sent.push(`${request.method} ${url}`)
        return service.fetch(new Request(url, request))
      },
      // Interceptors see each call of a batch, in whatever order they let them go.
      interceptors: [
        next => async (url, request) => {
          if (url.includes('9780000000101')) await Promise.resolve()
          return next(url, request)
        },
      ],
    })
  })
  afterAll(async () => {
    await service.close()
    await maker?.stop()
  })

  it('is one request, whose results are those of the calls alone', async () => {
    sent.length = 0
    const results = await library.batch(
      {
        made: c => c.books.create({ isbn: '9780000000101', title: 'One', pages: 12 }),
        read: c => c.books.get('9780000000101'),
        list: c => c.books.list({ select: ['title'], filter: f => f.eq('title', 'One'), count: true }).page(),
        number: c => c.books.count({ filter: f => f.eq('title', 'One') }),
        title: c => c.books.property('9780000000101', 'title').get(),
        absent: c => c.books.get('9780000000999'),
      },
      { dependsOn: { read: ['made'], list: ['made'], number: ['made'], title: ['made'] } },
    )
    expect(sent).toEqual(['POST http://service.test/v1/$batch'])
    expectTypeOf(results.read).toExtend<Result<Book, { readonly code: string }>>()
    expectTypeOf(results.number).toExtend<Result<number, unknown>>()
    const { made, read, list, number, title, absent } = results
    expect(made).toMatchObject({ ok: true, value: { title: 'One', pages: 12 } })
    expect(read.ok && read.value).toEqual(await library.books.get('9780000000101'))
    expect(list).toMatchObject({ ok: true, value: { value: [{ title: 'One' }], count: 1 } })
    expect(number).toMatchObject({ ok: true, value: 1 })
    expect(title).toMatchObject({ ok: true, value: 'One' })
    const alone = await library.books.get('9780000000999').result()
    expect(absent).toMatchObject({ ok: false, error: { name: 'ServiceError', status: 404 } })
    expect(!absent.ok && absent.error.code).toBe(!alone.ok && alone.error.code)
  })

  it('undoes an atomicity group if one of its calls fails, and does not make what depends on it', async () => {
    const { first, other, invalid, later } = await library.batch(
      {
        first: c => c.books.create({ isbn: '9780000000102', title: 'Two' }),
        other: c => c.books.count(),
        invalid: c => c.books.create({ isbn: '9780000000102', title: 'Again' }),
        later: c => c.books.get('9780000000102'),
      },
      { atomicityGroups: { both: ['first', 'invalid'] }, dependsOn: { later: ['first'] } },
    )
    const statuses = [first, other, invalid, later].map(({ response }) => response.status)
    expect(statuses).toEqual([424, 200, 409, 424])
    expect((await library.books.get('9780000000102').result()).ok).toBe(false)
  })

  it('rejects if the service refuses it as a whole', async () => {
    const calls = Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`c${index}`, (c: Omit<Library, 'batch'>) => c.books.count()] as const),
    )
    await expect(library.batch(calls)).rejects.toMatchObject({ name: 'ServiceError', status: 400 })
  })

  it('rejects if a function makes more than one call', async () => {
    const refused = library.batch({
      two: c => {
        c.books.count().catch(() => {})
        return c.books.count()
      },
    })
    await expect(refused).rejects.toThrow('one call in each function of a batch')
  })
})
