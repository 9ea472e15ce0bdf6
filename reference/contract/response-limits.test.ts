import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import type { EntityRecord } from '../store/store.js'
import { type BothEngines, idsOf, linkOf, openBoth } from '../testing/test-service.js'

const limits = { responseBytes: 20_000, expandedItems: 60 }

const spec = `specwright: 1
service: { name: mail, version: v1 }
resources:
  folder:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, maxLength: 10 }
      about: { type: String, nullable: true }
    navigation:
      notes: { to: note, collection: true, partner: folder }
  note:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, maxLength: 10 }
      text: { type: String }
      title: { type: String, nullable: true, maxLength: 20 }
      parts: { type: part, collection: true }
    navigation:
      folder: { to: folder, nullable: true, partner: notes }
      links: { to: note, collection: true }
  part: { kind: complexType, properties: { name: { type: String, nullable: true } } }
container: { folders: { entitySet: folder }, notes: { entitySet: note } }
queryOptions:
  list:
    select: true
    orderby: true
    filter: { operators: [eq, ne] }
    count: true
    skip: true
    top: { default: 50, max: 1000 }
    expand: { maxDepth: 4, nested: [expand, select, top, levels, count, orderby] }
  item: { select: true, expand: { maxDepth: 4, nested: [expand, select, top] } }
paths:
  /notes/delta: { get: { returns: delta, query: list } }
  /folders: { get: { returns: collection, query: list } }
  /folders/{id}: { get: { returns: item, query: item } }
  /notes: { get: { returns: collection, query: list } }
  /notes/{id}: { get: { returns: item, query: item } }
errors: {}
limits: { responseBytes: ${limits.responseBytes}, expandedItems: ${limits.expandedItems} }
`

/** Notes of 3,000 bytes, but for some of 50,000. Two folders have six each; they link to each other. */
const count = 30
const isHuge = (index: number): boolean => index % 11 === 4
const records: readonly EntityRecord[] = [
  ...['a', 'b'].map(id => ({ type: 'folder', properties: { id, about: 'x'.repeat(2_000) } })),
  ...Array.from({ length: count }, (_, index) => ({
    type: 'note',
    properties: {
      id: `n${String(index).padStart(2, '0')}`,
      text: 'é'.repeat(isHuge(index) ? 25_000 : 1_450),
      title: index % 3 === 0 ? null : `t${index % 4}`,
      parts: [{ name: 'p'.repeat(50) }],
    },
    links: {
      ...(index < 12 ? { folder: [[index < 6 ? 'a' : 'b']] } : {}),
      ...(index >= 20 ? { links: [['n00'], ['n01']] } : {}),
    },
  })),
]
const ids = Array.from({ length: count }, (_, index) => `n${String(index).padStart(2, '0')}`)

describe.each(['sqlite', 'postgres'] as const)('on %s', engine => {
  let both: BothEngines
  beforeAll(async () => {
    both = await openBoth(await loadValid(spec), records)
  })
  afterAll(() => both.stop())

  const walk = async (query: string): Promise<readonly (readonly unknown[])[]> => {
    const pages: (readonly unknown[])[] = []
    let link: string | undefined = query
    while (link !== undefined) {
      const page = await both.services[engine].request(link)
      expect(page.status, page.text.slice(0, 500)).toBe(200)
      const isSingle = idsOf(page).length === 1
      if (!isSingle) expect(Buffer.byteLength(page.text)).toBeLessThan(limits.responseBytes + 55_000)
      pages.push(idsOf(page))
      link = linkOf(page, 'nextLink')
    }
    return pages
  }

  it.each([
    '/notes',
    '/notes?$top=1000',
    '/notes?$orderby=title',
    '/notes?$orderby=title desc,id desc',
    '/notes?$select=id,text&$orderby=title',
    '/notes?$expand=folder($select=id)',
    '/notes?$count=true&$top=40',
  ])('a page of %s ends early, and next links lead to all items once', async path => {
    const pages = await walk(path)
    expect(pages.length).toBeGreaterThan(5)
    expect(pages.every(page => page.length > 0)).toBe(true)
    expect(pages.flat().map(String).toSorted()).toEqual(ids)
    if (path.includes('orderby=title desc')) expect(pages.flat()).toEqual((await walk(`${path}&$select=id`)).flat())
  })

  it.each([
    ['/notes?$top=3', 3],
    ['/notes?$top=20', 20],
    ['/notes?$skip=25', 5],
    ["/notes?$filter=title eq 't1'", ids.filter((_, index) => index % 3 !== 0 && index % 4 === 1).length],
  ])('%s still returns %i items', async (path, expected) => {
    expect((await walk(path)).flat()).toHaveLength(expected)
  })

  it('a round of changes ends early, and next links lead to all of them once', async () => {
    const pages = await walk('/notes/delta?$select=id,text')
    expect(pages.length).toBeGreaterThan(5)
    expect(pages.flat().map(String).toSorted()).toEqual(ids)
  })

  it('a page of short values is not affected', async () => {
    expect(await walk('/notes?$select=id,title')).toEqual([ids])
  })

  it('an item is returned whole', async () => {
    const { status, text } = await both.services[engine].request('/notes/n04')
    expect([status, text.length > 25_000]).toEqual([200, true])
  })

  it.each([
    ['a cycle', '/notes?$select=id&$expand=folder($select=id;$expand=notes($select=id;$expand=folder($select=id)))'],
    [
      'an item that many others relate to',
      '/notes?$select=id&$expand=links($select=id;$expand=folder($select=id;$expand=notes($select=id)))',
    ],
  ])('%s in $expand is refused, with the name of the limit', async (_, path) => {
    const { status, text } = await both.services[engine].request(path)
    expect(status, text.slice(0, 500)).toBe(501)
    expect(text).toMatch(/than the limit expandedItems, which is 60\. Request a smaller page with '\$top'/)
  })

  it.each([
    ['expanded items', '/folders?$expand=notes'],
    ['some of the expanded items', '/folders?$expand=notes($top=5)'],
    ['items that occur many times', '/notes?$select=id&$expand=folder'],
    ['expanded items of one item', '/folders/a?$expand=notes'],
  ])('too many bytes of %s are refused, with the name of the limit', async (_, path) => {
    const { status, text } = await both.services[engine].request(path)
    expect(status, text.slice(0, 500)).toBe(501)
    expect(text).toContain('more bytes to the response than the limit responseBytes, which is 20000.')
  })

  it.each(['/folders?$expand=notes($top=1)', '/folders?$expand=notes($select=id)', '/notes?$top=3&$expand=folder'])(
    '%s is within the limits',
    async path => {
      expect((await both.services[engine].request(path)).status).toBe(200)
    },
  )
})
