import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createReferenceService } from '../reference-service.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { sampleService } from '../testing/sample-service.js'
import { idsOf, itemsOf, linkOf, memberOf, openService, type TestedService } from '../testing/test-service.js'

const given = { id: 'x', name: 'one', note: 'n', count: 1, part: { label: 'l', size: 1 }, tags: ['t'] }

describe.each(engineNames)('a write on %s', engine => {
  let maker: StoreMaker
  let service: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
  })
  beforeEach(async () => {
    await service?.reference.close()
    service = await openService(sampleService(), await maker.make())
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  const create = (body: object = given) => service.request('/samples', { method: 'POST', body })
  const patch = (body: object, headers: Readonly<Record<string, string>> = {}) =>
    service.request('/samples/x', { method: 'PATCH', body, headers })

  it('returns what a read returns afterwards', async () => {
    const created = await create()
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe('http://service.test/v1/samples/x')
    expect((await service.request('/samples/x')).text).toBe(created.text)
    expect(memberOf(created.json, 'part')).toEqual({
      label: 'l',
      size: 1,
      weight: null,
      ready: null,
      made: null,
      lasts: null,
      mood: null,
      rights: null,
      words: [],
      inner: null,
    })
  })

  it('patches only what the body names, inside complex values as well', async () => {
    await create()
    const changed = await patch({ count: null, part: { size: 2 }, tags: [] })
    expect(changed.status).toBe(200)
    expect([memberOf(changed.json, 'count'), memberOf(changed.json, 'tags')]).toEqual([null, []])
    expect(memberOf(memberOf(changed.json, 'part'), 'label')).toBe('l')
    expect(memberOf(memberOf(changed.json, 'part'), 'size')).toBe(2)
    expect(memberOf(changed.json, 'name')).toBe('one')
    expect((await service.request('/samples/x')).text).toBe(changed.text)
    expect(memberOf((await patch({ part: null })).json, 'part')).toBeNull()
  })

  it('replaces everything with PUT', async () => {
    await create()
    const put = await service.request('/samples/x', {
      method: 'PUT',
      body: { ...given, id: 'x', name: 'two', note: undefined },
    })
    expect(put.status, put.text).toBe(200)
    expect([memberOf(put.json, 'name'), memberOf(put.json, 'note')]).toEqual(['two', null])
  })

  it('keeps the key', async () => {
    await create()
    const changed = await patch({ id: 'y', count: 9 })
    expect([memberOf(changed.json, 'id'), memberOf(changed.json, 'count')]).toEqual(['x', 9])
  })

  it('keeps dynamic properties of an open type', async () => {
    const body = { text: 't', colour: 'red', nested: { deep: [1, null] } }
    const created = await service.request('/notes', { method: 'POST', body })
    expect([created.status, memberOf(created.json, 'id')]).toEqual([201, 1])
    expect(memberOf(created.json, 'nested')).toEqual({ deep: [1, null] })
    const changed = await service.request('/notes/1', { method: 'PATCH', body: { colour: null, size: 3 } })
    expect(changed.text).toContain('"text":"t","nested":{"deep":[1,null]},"size":3')
    expect((await service.request('/notes/1')).text).toBe(changed.text)
    const put = await service.request('/notes/1', { method: 'PUT', body: { text: 'u' } })
    expect(memberOf(put.json, 'nested')).toBeUndefined()
  })

  it('rejects an item whose key exists', async () => {
    await create()
    const again = await create()
    expect(again.status).toBe(409)
    expect(memberOf(memberOf(again.json, 'error'), 'target')).toBe('id')
  })

  it('is rolled back completely if it fails', async () => {
    await create()
    await create({ ...given, name: 'other' })
    expect(itemsOf(await service.request('/samples')).map(item => memberOf(item, 'name'))).toEqual(['one'])
    expect(itemsOf(await service.request('/samples?$search=other'))).toEqual([])
  })

  it('updates the search index', async () => {
    await create()
    await patch({ name: 'drei vier', note: 'Über' })
    expect(idsOf(await service.request('/samples?$search=one'))).toEqual([])
    expect(idsOf(await service.request('/samples?$search=VIER'))).toEqual(['x'])
    expect(idsOf(await service.request('/samples?$search=üb'))).toEqual(['x'])
    await service.request('/samples/x', { method: 'DELETE' })
    expect(idsOf(await service.request('/samples?$search=vier'))).toEqual([])
  })

  it('requires the current entity tag', async () => {
    const tag = (await create()).headers.get('etag') ?? ''
    expect((await patch({ count: 2 }, { 'if-match': 'W/"999"' })).status).toBe(412)
    const changed = await patch({ count: 2 }, { 'if-match': tag })
    expect(changed.status).toBe(200)
    expect((await patch({ count: 3 }, { 'if-match': tag })).status).toBe(412)
    const stale = await service.request('/samples/x', { method: 'DELETE', headers: { 'if-match': tag } })
    expect(stale.status).toBe(412)
    const headers = { 'if-match': changed.headers.get('etag') ?? '' }
    expect((await service.request('/samples/x', { method: 'DELETE', headers })).status).toBe(204)
    expect((await create()).headers.get('etag')).not.toBe(tag)
  })

  it('succeeds for exactly one of many callers with the same tag', async () => {
    const tag = (await create()).headers.get('etag') ?? ''
    const tries = Array.from({ length: 12 }, (_, count) => patch({ count }, { 'if-match': tag }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 11 }, () => 412)])
  })

  it('is not lost among many concurrent ones', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `n${index}`)
    const answers = await Promise.all(ids.map(id => create({ ...given, id })))
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 201))
    const counted = await service.request('/samples/$count')
    expect(counted.text).toBe('40')
  })

  it.each([
    [{ name: 'a\0b' }, 'name'],
    [{ part: { label: 'a\0b' } }, 'part'],
    [{ note: 'x'.repeat(1281) }, 'note'],
    [{ day: '-0044-03-15' }, 'day'],
    [{ moment: '9999-12-31T23:59:59-01:00' }, 'moment'],
  ])('rejects what the store cannot keep: %j', async (body, target) => {
    await create()
    const refused = await patch(body)
    expect(refused.status, refused.text).toBe(400)
    expect(memberOf(memberOf(refused.json, 'error'), 'target')).toBe(target)
  })

  it('appears once in a delta query', async () => {
    await create()
    await create({ ...given, id: 'y' })
    const first = await service.request('/samples/delta')
    expect(idsOf(first)).toEqual(['x', 'y'])
    const link = linkOf(first, 'deltaLink') ?? ''
    expect(idsOf(await service.request(link))).toEqual([])
    await patch({ count: 5 })
    await service.request('/samples/y', { method: 'DELETE' })
    await create({ ...given, id: 'z' })
    const next = await service.request(link)
    expect(idsOf(next)).toEqual(['x', 'y', 'z'])
    expect(memberOf(itemsOf(next)[1], '@removed')).toEqual({ reason: 'deleted' })
    expect(memberOf(itemsOf(next)[0], 'count')).toBe(5)
    const last = await service.request(linkOf(next, 'deltaLink') ?? '')
    expect([idsOf(last), linkOf(last, 'nextLink')]).toEqual([[], undefined])
  })

  it('appears in the changes of a list that was read with Prefer: odata.track-changes', async () => {
    const ids = Array.from({ length: 150 }, (_, index) => `n${String(index).padStart(3, '0')}`)
    for (const id of ids) await create({ id, name: id })
    const headers = { prefer: 'odata.track-changes' }
    const first = await service.request('/samples', { headers })
    expect(first.headers.get('preference-applied')).toBe('odata.track-changes')
    const rest = await service.request(linkOf(first, 'nextLink') ?? '', { headers })
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids)
    await service.request('/samples/n007', { method: 'PATCH', body: { note: 'new' } })
    await service.request('/samples/n008', { method: 'DELETE' })
    const changes = await service.request(linkOf(rest, 'deltaLink') ?? '')
    expect(idsOf(changes)).toEqual(['n007', 'n008'])
    const filtered = await service.request("/samples?$filter=id eq 'n007'", { headers })
    expect([idsOf(filtered), filtered.headers.get('preference-applied')]).toEqual([['n007'], null])
  })

  it('appears on one page of such a list, and of the changes, if the caller prefers small pages', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await create({ ...given, id })
    const pagesFrom = async (path: string, prefer: string) => {
      const pages: unknown[] = []
      for (let next: string | undefined = path; next !== undefined; ) {
        const page = await service.request(next, { headers: { prefer } })
        pages.push(idsOf(page))
        next = linkOf(page, 'nextLink')
        if (next === undefined) return { pages, link: linkOf(page, 'deltaLink') ?? '' }
      }
      return { pages, link: '' }
    }
    const all = await pagesFrom('/samples', 'odata.track-changes, odata.maxpagesize=2')
    expect(all.pages).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    for (const id of ['b', 'd']) await service.request(`/samples/${id}`, { method: 'PATCH', body: { note: 'new' } })
    const changes = await pagesFrom(all.link, 'odata.maxpagesize=1')
    expect(changes.pages).toEqual([['b'], ['d']])
  })

  it('during a round of changes appears in the next round', async () => {
    const ids = Array.from({ length: 150 }, (_, index) => `n${String(index).padStart(3, '0')}`)
    for (const id of ids) await create({ id, name: id })
    const first = await service.request('/samples/delta')
    expect(idsOf(first)).toEqual(ids.slice(0, 100))
    await service.request('/samples/n120', { method: 'PATCH', body: { note: 'new' } })
    const rest = await service.request(linkOf(first, 'nextLink') ?? '')
    expect(idsOf(rest)).toEqual(ids.slice(100).filter(id => id !== 'n120'))
    expect(idsOf(await service.request(linkOf(rest, 'deltaLink') ?? ''))).toEqual(['n120'])
  })

  it('is reported by delta links for a week', async () => {
    let time = Date.UTC(2024, 0, 1)
    const address = await maker.make()
    const open = () => openService(sampleService(), address, [], undefined, () => new Date(time))
    const aged = await open()
    await aged.request('/samples', { method: 'POST', body: given })
    const link = linkOf(await aged.request('/samples/delta'), 'deltaLink') ?? ''
    time += 6 * 24 * 60 * 60 * 1000
    expect((await aged.request(link)).status).toBe(200)
    time += 2 * 24 * 60 * 60 * 1000
    const expired = await aged.request(link)
    expect([expired.status, expired.headers.get('location')]).toEqual([410, 'http://service.test/v1/samples/delta'])
    await aged.reference.close()
    const reference = await createReferenceService({
      spec: sampleService(),
      store: address,
      authenticate: () => ({ id: 'nobody', scopes: [] }),
      publicUrl: 'https://api.example/samples/v1',
      now: () => new Date(time),
    })
    const { headers } = await reference.fetch(new Request(link))
    expect(headers.get('location')).toBe('https://api.example/samples/v1/samples/delta')
    await reference.close()
  })

  it('before a link with deltatoken=latest is not reported', async () => {
    await create()
    const latest = await service.request('/samples/delta?$deltatoken=latest')
    expect(itemsOf(latest)).toEqual([])
    await create({ ...given, id: 'y' })
    expect(idsOf(await service.request(linkOf(latest, 'deltaLink') ?? ''))).toEqual(['y'])
  })
})
