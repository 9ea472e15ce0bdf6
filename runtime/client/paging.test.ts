import { describe, expect, it } from 'vitest'
import { connect } from './connection.js'
import { ServiceError } from './errors.js'
import { pagedOperation } from './paging.js'
import { errorResponse, recordingFetch } from './testing/recording-fetch.js'

const base = 'https://service.example/v1.0'
type Pages = Readonly<Record<string, object>>

/** A list over pages, given by their paths, and the requested URLs. */
const listOf = (pages: Pages) => {
  const page = (url: string) => Response.json(pages[url.replace(base, '')] ?? {}, { status: 200 })
  const { fetch, sent } = recordingFetch(...Array.from({ length: 20 }, () => page))
  const list = pagedOperation<string>(
    connect({ baseUrl: base, fetch, token: 't' }),
    () => '/users',
    undefined,
    query => (query.includes('$count') ? { ConsistencyLevel: 'eventual' } : {}),
  )
  return { list, requested: () => sent.map(request => request.url.replace(base, '')), sent }
}

const three: Pages = {
  '/users': { value: [1, 2], '@odata.count': 3, '@odata.nextLink': `${base}/users?$skiptoken=a` },
  '/users?$skiptoken=a': { value: [], '@odata.nextLink': 'users?$skiptoken=b' },
  '/users?$skiptoken=b': { value: [3] },
}

const collect = async (items: AsyncIterable<unknown>): Promise<readonly unknown[]> => {
  const all: unknown[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('a paged list', () => {
  it('sends nothing until it is read', () => {
    const { list, requested } = listOf(three)
    list().byPage()
    expect(requested()).toEqual([])
  })

  it('returns every item, across empty pages and relative links', async () => {
    const { list, requested } = listOf(three)
    expect(await collect(list())).toEqual([1, 2, 3])
    expect(requested()).toEqual(Object.keys(three))
  })

  it('reads only the pages that are needed', async () => {
    const { list, requested } = listOf(three)
    for await (const item of list()) if (item === 2) break
    expect(requested()).toEqual(['/users'])
  })

  it('can be read twice', async () => {
    const { list } = listOf(three)
    const users = list()
    expect([await collect(users), await collect(users)]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  it('returns pages with absolute links', async () => {
    const { list } = listOf(three)
    expect(await collect(list().byPage())).toMatchObject([
      { value: [1, 2], count: 3, nextLink: `${base}/users?$skiptoken=a` },
      { value: [], count: undefined, nextLink: `${base}/users?$skiptoken=b` },
      { value: [3], nextLink: undefined },
    ])
  })

  it('returns the first page only', async () => {
    const { list, requested } = listOf(three)
    expect(await list().page()).toMatchObject({ value: [1, 2], count: 3 })
    expect(await list().page().result()).toMatchObject({ ok: true, value: { value: [1, 2] } })
    expect(requested()).toEqual(['/users', '/users'])
  })

  it('resumes from a link, absolute or relative to the list', async () => {
    const { list } = listOf(three)
    expect(await collect(list().resume(`${base}/users?$skiptoken=a`))).toEqual([3])
    expect(await collect(list().resume('users?$skiptoken=b'))).toEqual([3])
  })

  it('follows links unchanged and repeats the headers', async () => {
    const { list, sent } = listOf({
      '/users?$count=true': { value: [1], '@odata.nextLink': `${base}/users?$skiptoken=%26a%2Fb` },
      '/users?$skiptoken=%26a%2Fb': { value: [] },
    })
    await collect(list({ count: true, prefer: { a: 'b' }, headers: { 'x-app': 'c' } }))
    expect(sent).toHaveLength(2)
    expect(sent[1]?.url).toBe(`${base}/users?$skiptoken=%26a%2Fb`)
    for (const { headers } of sent) {
      expect(headers).toEqual({
        accept: 'application/json',
        authorization: 'Bearer t',
        consistencylevel: 'eventual',
        prefer: 'a="b"',
        'x-app': 'c',
      })
    }
  })

  it.each(['https://evil.example/v1.0/users', '//evil.example/', 'http://service.example/v1.0/users', 'data:,x'])(
    'never follows a link to another origin: %s',
    async link => {
      const { list, requested } = listOf({ '/users': { value: [1], '@odata.nextLink': link } })
      await expect(collect(list())).rejects.toThrow(TypeError)
      expect(() => list().resume(link)).toThrow('Expected a link like')
      expect(requested()).toEqual(['/users'])
    },
  )

  it.each(['/v1.0/users', `${base}/users#again`.replace('#again', '')])(
    'refuses a link back to a page it has read: %s',
    async link => {
      const { list } = listOf({ '/users': { value: [1], '@odata.nextLink': link } })
      await expect(collect(list())).rejects.toThrow(`Expected a new link, found '${base}/users'.`)
    },
  )

  it('throws the error of the service', async () => {
    const { fetch } = recordingFetch(errorResponse(400, { code: 'A', message: 'No.' }))
    const list = pagedOperation<string>(connect({ baseUrl: base, fetch }), () => '/users')
    await expect(collect(list())).rejects.toThrow(ServiceError)
  })

  it('fails with the same error after a failure and sends nothing more', async () => {
    const { list, requested } = listOf({ '/users': { value: [1], '@odata.nextLink': 'https://evil.example/' } })
    for (const items of [list()[Symbol.asyncIterator](), list().byPage()[Symbol.asyncIterator]()]) {
      await expect(items.next()).rejects.toThrow(TypeError)
      await expect(items.next()).rejects.toThrow(TypeError)
    }
    expect(requested()).toEqual(['/users', '/users'])
  })

  it('returns each item once and in order to overlapping calls', async () => {
    const { list, requested } = listOf(three)
    const items = list()[Symbol.asyncIterator]()
    const results = await Promise.all(Array.from({ length: 8 }, () => items.next()))
    const all = await collect(list())
    expect(results.flatMap(({ done, value }) => (done ? [] : [value]))).toEqual(all)
    expect(results.slice(all.length)).toEqual(Array(8 - all.length).fill({ done: true, value: undefined }))
    const pages = list().byPage()[Symbol.asyncIterator]()
    const read = await Promise.all([pages.next(), pages.next(), pages.next(), pages.next()])
    expect(read.map(({ done }) => done ?? false)).toEqual([false, false, false, true])
    expect(requested()).toHaveLength(9)
  })

  it('can be read page by page twice', async () => {
    const pages = listOf(three).list().byPage()
    expect(await collect(pages)).toHaveLength(3)
    expect(await collect(pages)).toHaveLength(3)
  })

  it('returns the delta link of the last page', async () => {
    const { list } = listOf({ '/users': { value: [], '@odata.deltaLink': 'users/delta?$deltatoken=a' } })
    expect(await list().page()).toMatchObject({ nextLink: undefined, deltaLink: `${base}/users/delta?$deltatoken=a` })
  })
})
