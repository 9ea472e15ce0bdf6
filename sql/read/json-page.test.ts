import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '../../reference/store/open-store.js'
import type { Store } from '../../reference/store/store.js'
import { loadRecords } from '../../reference/store/write/load-records.js'
import { parseQueryOptions } from '../../runtime/query/index.js'
import { projectionOf, projectionRules, returnedProperties, structuredType } from '../../runtime/server/index.js'
import { loadSpecText, type Service } from '../../spec/language/index.js'
import { type CollectionPlan, collectionPlan, type Page } from './collection-plan.js'
import type { JsonPage } from './json-page.js'
import type { PageRequest } from './keyset-pagination.js'
import { queryContext } from './query-frame.js'
import { scopeOf } from './scope.js'

const spec = `
specwright: 1
service: { name: oddities, title: Oddities, namespace: oddities, version: v1 }
authentication: { scheme: none }
resources:
  oddity:
    kind: entityType
    key: [id]
    entityTag: weak
    properties:
      id: { type: Int64 }
      text: { type: String, nullable: true }
      'constructor': { type: String, nullable: true }
      flag: { type: Boolean, nullable: true }
      byte: { type: Byte, nullable: true }
      big: { type: Int64, nullable: true }
      price: { type: Decimal, nullable: true, scale: variable }
      score: { type: Double, nullable: true }
      ratio: { type: ratio, nullable: true }
      code: { type: Guid, nullable: true }
      day: { type: Date, nullable: true }
      moment: { type: DateTimeOffset, nullable: true }
      clock: { type: TimeOfDay, nullable: true }
      bytes: { type: Binary, nullable: true }
      mood: { type: mood, nullable: true }
      part: { type: part, nullable: true }
      texts: { type: String, collection: true }
      rare: { type: String, nullable: true, returned: onSelect }
      span: { type: Duration, nullable: true, returned: onSelect }
      rights: { type: rights, nullable: true, returned: onSelect }
  part:
    kind: complexType
    properties:
      label: { type: String, nullable: true }
      weight: { type: Double, nullable: true }
  ratio: { kind: typeDefinition, type: Double }
  mood: { kind: enumType, members: { low: -1, even: 0, high: 10 } }
  rights: { kind: enumType, flags: true, members: { none: 0, read: 1, write: 2 } }
container: { oddities: { entitySet: oddity } }
queryOptions:
  oddities.list: { select: true, orderby: true, top: { default: 5, max: 100 }, skip: true }
paths:
  /oddities: { get: { returns: collection, query: oddities.list } }
errors:
  notFound: { status: 404, code: not-found, message: There is no such item. }
`

function service(entityTag: 'weak' | 'none'): Service {
  const { service: loaded, diagnostics } = loadSpecText(
    spec.replace('entityTag: weak', `entityTag: ${entityTag}`),
    'oddities.yaml',
  )
  if (loaded === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return loaded
}

/** Every character that JSON escapes, and those that some writers escape. */
const character = fc.oneof(
  fc.integer({ min: 1, max: 0x7f }).map(code => String.fromCharCode(code)),
  fc.constantFrom(
    '\u0080',
    '\u009f',
    '\u00a0',
    'é',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\uffff',
    '\ufffd',
    '😀',
    "'",
    '\\u0041',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter(text => text !== '\0'),
)
/** Texts that look like the boundary between two items. */
const boundary = fc.constantFrom(
  '},{',
  '"},{"',
  '},{"@odata.etag":"W/\\"',
  '\\"},{"@odata.etag":"W/\\"1',
  '},{"id":1',
  '},{"text":"',
  '},{"text":',
  '\\',
)
const text = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: character, maxLength: 12 }) },
  { weight: 1, arbitrary: boundary },
)
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1, -0, 0.1, 1e21, 1e-7, 123456789012345680, 5e-324, 1.7976931348623157e308),
  fc.constantFrom('NaN', 'INF', '-INF'),
)
const whole = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(2 ** 53, 2 ** 53 + 2, 2 ** 60, -(2 ** 62), 9_007_199_254_740_991),
)
const hex = fc.stringMatching(/^[0-9a-fA-F]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9A-F]{12}$/)

const oddity = fc.record(
  {
    text,
    constructor: text,
    flag: fc.boolean(),
    byte: fc.nat(255),
    big: whole,
    price: fc.double({ noNaN: true, noDefaultInfinity: true }),
    score: double,
    ratio: double,
    code: hex,
    day: fc.constantFrom('0001-01-01', '2024-02-29', '9999-12-31'),
    moment: fc.constantFrom('2024-02-29T23:59:59.123456789Z', '1969-12-31T23:59:59+05:30', '0001-01-01T00:00:00Z'),
    clock: fc.constantFrom('00:00', '12:30:00.25', '23:59:59.999999'),
    bytes: fc.base64String({ maxLength: 8 }),
    mood: fc.constantFrom('low', 'even', 'high', '7'),
    part: fc.record({ label: fc.option(text), weight: fc.option(double) }),
    texts: fc.array(text, { maxLength: 3 }),
    rare: text,
    span: fc.constantFrom('PT0S', 'P1DT2H'),
    rights: fc.constantFrom('none', 'read,write'),
  },
  { requiredKeys: [] },
)

let store: Store
let untagged: Store
beforeAll(async () => {
  store = await openStore({ spec: service('weak'), store: 'sqlite::memory:' })
  untagged = await openStore({ spec: service('none'), store: 'sqlite::memory:' })
})
afterAll(() => Promise.all([store.engine.close(), untagged.engine.close()]))

interface Planned {
  readonly plan: CollectionPlan
  /** The JSON that a page of items is sent as. */
  readonly sent: (page: Page) => string
}

function planned(query: string, store: Store): Planned {
  const { options } = parseQueryOptions(query)
  const [route] = store.table.routes
  const scope = route === undefined ? undefined : scopeOf(route, store)
  const type = structuredType(store.table.types, 'oddity')
  if (scope === undefined || type === undefined) throw new Error('The spec lost its only path.')
  const rules = projectionRules(store.table.choices, false)
  const shown = returnedProperties(options, type, rules)
  const projection = projectionOf(options, 'oddity', store.table.types, rules)
  return {
    plan: collectionPlan(scope, { options, context: queryContext(undefined), searchedProperties: [], shown }, store),
    sent: ({ items }) => `[${items.map(({ entity }) => projection.text(entity)).join(',')}]`,
  }
}

/** Reads the pages of a query in both ways. */
async function pages(
  query: string,
  store: Store,
  limit: number | undefined,
  skip = 0,
  bytes: number | undefined = undefined,
): Promise<readonly (readonly [page: JsonPage, same: JsonPage])[]> {
  const { plan, sent } = planned(query, store)
  const { json: read } = plan
  if (read === undefined) throw new Error(`No text for ${query}.`)
  const found: (readonly [JsonPage, JsonPage])[] = []
  let wanted: PageRequest = { after: undefined, skip, limit, bytes }
  for (;;) {
    const both = await store.engine.read(async session => {
      const page = await plan.page(session, {}, wanted)
      const same = { json: sent(page), length: page.items.length, last: page.last }
      return [await read(session, {}, wanted), same] as const
    })
    found.push(both)
    const [{ last }] = both
    if (last === undefined) return found
    wanted = { after: last, skip: 0, limit, bytes }
  }
}

const everything = '$select=*'
const common = 'id,text,constructor,flag,byte,big,price,score,ratio,code,day,moment,clock,bytes,mood,part,texts,rare'

it.each([
  ['weak', () => store],
  ['none', () => untagged],
])('the engine writes the same JSON, byte for byte, as this process, with entity tags: %s', async (_tags, storeOf) => {
  const store = storeOf()
  let key = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(oddity, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(
        '',
        `$select=${common}`,
        '$select=text',
        '$select=text,constructor',
        '$orderby=text desc',
        '$orderby=flag,big desc,moment',
        '$orderby=part/label,tolower(text) desc,mood',
      ),
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      fc.nat(2),
      fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
      async (oddities, query, limit, skip, bytes) => {
        await store.engine.write(async session => {
          await session.run({ sql: 'DELETE FROM oddity', parameters: [] })
        })
        await loadRecords(
          store,
          oddities.map(properties => ({ type: 'oddity', properties: { ...properties, id: ++key } })),
        )
        const read = await pages(query, store, limit, skip, bytes)
        expect(read.map(([page]) => page)).toEqual(read.map(([, same]) => same))
        expect(read.reduce((sum, [{ length }]) => sum + length, 0)).toBe(Math.max(oddities.length - skip, 0))
        for (const [{ json, length }] of read) expect(JSON.parse(json)).toHaveLength(length)
      },
    ),
    { numRuns: 250 },
  )
})

it('every character is written as JSON.stringify writes it', async () => {
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code + 1)).join('')
  await store.engine.write(async session => {
    await session.run({ sql: 'DELETE FROM oddity', parameters: [] })
  })
  await loadRecords(store, [{ type: 'oddity', properties: { id: 1, text: all } }])
  const [first] = await pages('$select=text', store, 1)
  expect(first?.[0].json.endsWith(`,"text":${JSON.stringify(all)}}]`)).toBe(true)
})

it.each(['$select=span', '$select=rights', everything, '$select=part/label', '$orderby=score', '$orderby=price desc'])(
  'this process writes what the engine cannot write exactly: %s',
  query => {
    expect(planned(query, store).plan.json).toBeUndefined()
  },
)

it('an empty page is an empty list without a next page', async () => {
  const { plan } = planned('', store)
  const nothing = { after: undefined, skip: 100, limit: 3, bytes: undefined }
  const none = { after: undefined, skip: 0, limit: 0, bytes: 1 }
  const read = await store.engine.read(async session => [
    await plan.json?.(session, {}, nothing),
    await plan.json?.(session, {}, none),
  ])
  expect(read).toEqual([
    { json: '[]', length: 0, last: undefined },
    { json: '[]', length: 0, last: undefined },
  ])
})
