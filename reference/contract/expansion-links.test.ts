import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import type { EntityRecord } from '../store/store.js'
import { type BothEngines, type Json, memberOf, openBoth, type TestedService } from '../testing/test-service.js'

// Services with a small limit and with none have the same items. Whoever follows all links of the first gets the response of
// the second: nothing is lost, nothing comes twice, and the order is the same.

const specWith = (limits: string): string => `specwright: 1
service: { name: forum, namespace: forum, version: v1 }
authentication: { scheme: none }
resources:
  person:
    kind: entityType
    key: [name]
    properties: { name: { type: String, maxLength: 40 } }
    navigation: { follows: { to: topic, collection: true } }
  moderator:
    kind: entityType
    base: person
    properties: { since: { type: Date, nullable: true } }
    navigation: { closed: { to: topic, collection: true } }
  topic:
    kind: entityType
    key: [id]
    properties:
      id: { type: Int64 }
      title: { type: String, maxLength: 40, search: words }
      opened: { type: DateTimeOffset }
    navigation:
      posts: { to: post, collection: true, contained: true }
      related: { to: topic, collection: true }
      next: { to: topic, nullable: true }
      hidden: { to: topic, collection: true }
  post:
    kind: entityType
    key: [day, number]
    properties:
      day: { type: Date }
      number: { type: Int32 }
      text: { type: String, nullable: true }
      rank: { type: Decimal, scale: variable, nullable: true }
    navigation:
      likes: { to: person, collection: true }
container:
  topics: { entitySet: topic }
  people: { entitySet: person }
queryOptions:
  list:
    select: true
    filter:
      operators: [eq, ne, gt, ge, lt, le, and, or, not]
      functions: [length]
      properties: { next: true }
    orderby: { properties: { next/title: true, related/next/title: true } }
    compute: true
    expand: { maxDepth: 5, nested: [select, filter, orderby, top, skip, count, expand, levels, compute, search] }
    top: { default: 7, max: 1000 }
    skip: true
    count: true
    search: { syntax: words }
  plain: { select: true, top: { default: 5, max: 1000 } }
paths:
  /topics: { get: { returns: collection, query: list } }
  /topics/{id}: { get: { returns: item, query: list } }
  /topics/{id}/posts: { get: { returns: collection, query: list } }
  "/topics/{id}/posts(day={day},number={number})/likes": { get: { returns: collection, query: plain } }
  /topics/{id}/related: { get: { returns: collection, query: list } }
  /people: { get: { returns: collection, query: list } }
  /people/{name}: { get: { returns: item, query: list } }
  /people/{name}/follows: { get: { returns: collection, query: list } }
  /people/forum.moderator: { get: { returns: collection, query: list } }
  /people/{name}/forum.moderator/closed: { get: { returns: collection, query: list } }
errors: {}
limits: ${limits}
`

const records: readonly EntityRecord[] = [
  ...Array.from({ length: 14 }, (_, index) => ({
    type: 'topic',
    properties: {
      id: index === 3 ? '9007199254740993' : index,
      title: `topic ${index % 4} ${'é'.repeat(index)}`,
      opened: `2024-01-${String(index + 1).padStart(2, '0')}T00:00:00Z`,
    },
    links: {
      related: [0, 1, 2, 4, 5, 6].slice(0, index % 6).map(id => [id]),
      hidden: [[1], [2], [4], [5], [6], [7]],
      next: index % 3 === 0 ? [] : [[(index * 5) % 3]],
    },
    contained: {
      posts: Array.from({ length: index === 2 ? 25 : index % 5 }, (_each, number) => ({
        type: 'post',
        properties: {
          day: `2024-02-0${(number % 3) + 1}`,
          number,
          text: number % 4 === 0 ? null : `text ${number % 3}`,
          rank: number % 3 === 0 ? null : `${number}.10`,
        },
        links: { likes: number % 2 === 0 ? [["O'Neil/ä"], ['ada'], ['bob']] : [] },
      })),
    },
  })),
  { type: 'person', properties: { name: "O'Neil/ä" }, links: { follows: [[0], [1], [2], [4]] } },
  { type: 'person', properties: { name: 'ada' }, links: { follows: [[0], [1], [2], [4], [5], [6], [7]] } },
  { type: 'moderator', properties: { name: 'bob' }, links: { closed: [[0], [1], [2], [4], [5]], follows: [[1]] } },
]

const queries: readonly string[] = [
  '/topics?$expand=posts',
  '/topics/2?$expand=posts',
  '/topics/9007199254740993?$expand=posts($select=text),related',
  '/topics?$expand=posts($orderby=rank desc;$select=number)',
  '/topics?$expand=posts($orderby=text,rank;$skip=2;$top=9;$count=true)',
  '/topics/2?$expand=posts($skip=3)',
  '/topics?$expand=posts($top=2)',
  "/topics?$expand=posts($filter=text eq 'text 1';$orderby=text desc)",
  '/topics?$expand=posts($compute=length(text) as size;$orderby=size desc;$select=number,size)',
  '/topics?$expand=posts($expand=likes)',
  '/topics/2?$expand=posts($expand=likes($select=name))',
  '/topics?$expand=related',
  '/topics?$expand=related($expand=posts)',
  '/topics?$expand=related($expand=next)',
  '/topics?$expand=related($expand=next($expand=posts))',
  '/topics?$expand=next,related,posts&$top=5',
  '/topics?$expand=related($levels=3)',
  '/topics?$expand=related($levels=2;$expand=next)&$orderby=title desc&$top=5',
  '/topics?$expand=related($search=topic;$orderby=title desc)',
  '/topics?$expand=related($orderby=next/title,title desc)',
  '/topics?$expand=related($filter=opened gt 2024-01-02T00:00:00Z)',
  '/topics?$expand=related($filter=opened gt 2024-01-01T00:00:00Z)',
  '/topics?$expand=related($filter=id gt @least)&@least=1',
  '/people?$expand=follows',
  "/people/O'Neil%2F%C3%A4?$expand=follows($expand=related)",
  '/people/forum.moderator?$expand=closed($orderby=opened desc)',
]

describe.each(['sqlite', 'postgres'] as const)('an expanded collection that exceeds a limit on %s', engine => {
  let limited: BothEngines
  let unlimited: BothEngines
  beforeAll(async () => {
    const open = async (limits: string): Promise<BothEngines> => openBoth(await loadValid(specWith(limits)), records)
    limited = await open('{ expandedItems: 4, responseBytes: 2000 }')
    unlimited = await open('{ expandedItems: 100000 }')
  })
  afterAll(async () => {
    await limited.stop()
    await unlimited.stop()
  })

  it.each(queries)('goes on at its next link, and nothing is lost or repeated: %s', async path => {
    const expected = await completed(path, unlimited.services[engine])
    const received = await completed(path, limited.services[engine])
    expect(received.body).toEqual(expected.body)
    expect(expected.relatedLinks).toBe(0)
    if (!path.includes('$top=2)')) expect(received.relatedLinks).toBeGreaterThan(0)
  })

  it('has the count of all its items, and the link of the first page if the response has none of them', async () => {
    const { json } = await limited.services[engine].request('/topics?$expand=posts($count=true;$select=number)')
    const topics = memberOf(json, 'value')
    const last = Array.isArray(topics) ? topics.at(-1) : undefined
    expect(memberOf(last, 'posts@odata.count')).toBe(2)
    expect(memberOf(last, 'posts')).toEqual([])
    expect(memberOf(last, 'posts@odata.nextLink')).toMatch(/\/v1\/topics\(7\)\/posts\?\$count=true&\$select=number$/)
  })

  it.each([
    ['no path leads to it', '/topics?$expand=hidden'],
    ['its path does not support the nested options', "/topics/2?$expand=posts($expand=likes($filter=name ne 'x'))"],
    ['its condition refers to the items of the response', '/topics?$expand=posts($filter=$it/id ge 0)'],
    ['it is cast to a type', '/people?$expand=follows/forum.topic'],
  ])('is refused if %s', async (_, path) => {
    const { status, text } = await limited.services[engine].request(path)
    expect([400, 501], text.slice(0, 300)).toContain(status)
  })
})

/** A response without links: pages and collections have the items that their links lead to. */
async function completed(
  path: string,
  service: TestedService,
): Promise<{ readonly body: Json; readonly relatedLinks: number }> {
  let relatedLinks = 0
  const follow = async (link: Json): Promise<readonly Json[]> => {
    const items: Json[] = []
    for (let next = link; typeof next === 'string'; ) {
      const { status, json, text } = await service.request(next)
      expect(status, `${next}: ${text.slice(0, 500)}`).toBe(200)
      const page = memberOf(json, 'value')
      for (const item of Array.isArray(page) ? page : []) items.push(await whole(item))
      next = memberOf(json, '@odata.nextLink')
    }
    return items
  }
  const whole = async (json: Json): Promise<Json> => {
    if (Array.isArray(json)) return Promise.all(json.map(whole))
    if (typeof json !== 'object' || json === null) return json
    const members: Record<string, Json> = {}
    for (const [name, value] of Object.entries(json)) {
      if (name === '@odata.context' || name.endsWith('@odata.nextLink')) continue
      const own = await whole(value)
      const link = memberOf(json, name === 'value' ? '@odata.nextLink' : `${name}@odata.nextLink`)
      if (link !== undefined && name !== 'value') relatedLinks++
      members[name] = Array.isArray(own) ? [...own, ...(await follow(link))] : own
    }
    return members
  }
  const { status, json, text } = await service.request(path)
  expect(status, text.slice(0, 500)).toBe(200)
  return { body: await whole(json), relatedLinks }
}
