import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluate, evaluateFilter, parseFilter } from '../../runtime/query/index.js'
import { loadSpecText } from '../../spec/language/index.js'
import { buildServiceTable } from '../../spec/language/table/service-table.js'
import { compileOperand, isTrue } from '../../sql/filter/expressions.js'
import { queryContext, queryFrame } from '../../sql/read/query-frame.js'
import { openStore } from '../store/open-store.js'
import type { Store } from '../store/store.js'
import { loadRecords } from '../store/write/load-records.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { type BothEngines, idsOf, openBoth } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: casts, title: Casts, namespace: casts, version: v1 }
authentication: { scheme: none }
resources:
  thing:
    kind: entityType
    abstract: true
    key: [id]
    properties:
      id: { type: String }
      text: { type: String, nullable: true }
      flag: { type: Boolean, nullable: true }
      small: { type: Byte, nullable: true }
      count: { type: Int32, nullable: true }
      big: { type: Int64, nullable: true }
      price: { type: Decimal, nullable: true, scale: variable }
      score: { type: Double, nullable: true }
      code: { type: Guid, nullable: true }
      day: { type: Date, nullable: true }
      moment: { type: DateTimeOffset, nullable: true }
      clock: { type: TimeOfDay, nullable: true }
      span: { type: Duration, nullable: true }
      mood: { type: mood, nullable: true }
      rights: { type: rights, nullable: true }
      weight: { type: weight, nullable: true }
      data: { type: Binary, nullable: true }
      place: { type: place, nullable: true }
      scores: { type: Double, collection: true }
      tags: { type: String, collection: true }
    navigation:
      next: { to: thing, nullable: true }
      all: { to: thing, collection: true }
  plain: { kind: entityType, base: thing }
  special: { kind: entityType, base: thing, properties: { extra: { type: String, nullable: true } } }
  rarest: { kind: entityType, base: special }
  mood: { kind: enumType, members: { low: -1, even: 0, high: 10 } }
  rights: { kind: enumType, flags: true, members: { none: 0, read: 1, write: 2, both: 3, share: 8 } }
  weight: { kind: typeDefinition, type: Decimal }
  place: { kind: complexType, properties: { name: { type: String, nullable: true } } }
  town: { kind: complexType, base: place, properties: { size: { type: Int32, nullable: true } } }
container:
  things: { entitySet: thing }
queryOptions:
  things.list:
    select: true
    filter:
      operators: [eq, ne, gt, ge, lt, le, and, or, not, in, has, add, sub, mul, div, divby, mod, negate]
      functions: [cast, isof, concat, hassubset, length]
      lambdas: [any, all]
      properties: { next: true, all: true }
    orderby: true
    top: { default: 100, max: 1000, above: clamp }
paths:
  /things: { get: { returns: collection, query: things.list } }
errors:
  notFound: { status: 404, code: not-found, message: There is no such item. }
`

const { service, diagnostics } = loadSpecText(spec, 'casts.yaml')
if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
const found = service
const { types } = buildServiceTable(found)

/** Literals of every type, near misses, and texts that engines read in their own way. */
const texts = [
  ...['', ' ', 'x', 'true', 'false', 'TRUE', 't', 'null', 'NaN', 'nan', 'INF', '-INF', '+INF', 'Infinity', 'inf'],
  ...[
    '0',
    '-0',
    '+0',
    '1',
    '+1',
    '-1',
    '007',
    ' 1',
    '1 ',
    '1\n',
    '1_000',
    '0x10',
    '1.',
    '.5',
    '1.5',
    '-1.50',
    '2.5',
    '-2.5',
  ],
  ...['255', '256', '-1', '127', '128', '-129', '32768', '2147483647', '2147483648', '-2147483648', '-2147483649'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775808', '99999999999999999999', '٣'],
  ...[
    '1e3',
    '1E3',
    '1e-3',
    '1e+300',
    '1e400',
    '-1e400',
    '1e-400',
    '1e999',
    '1e-999',
    '1e1000',
    '5e-324',
    '1e39',
    '1e-46',
    '3.4028235e38',
  ],
  ...[
    '0.1',
    '0.30000000000000004',
    '0.1000000000000000000000000000001',
    '123456789012345678901234567890.5',
    '9'.repeat(401),
  ],
  ...[
    '0FFFFFFF-0000-4000-8000-00000000000A',
    '0fffffff-0000-4000-8000-00000000000a',
    '0fffffff00004000800000000000000a',
  ],
  ...['{0fffffff-0000-4000-8000-00000000000a}', '0fffffff-0000-4000-8000-00000000000g'],
  ...[
    '2024-02-29',
    '2023-02-29',
    '1900-02-29',
    '2000-02-29',
    '2024-13-01',
    '2024-00-01',
    '2024-04-31',
    '2024-1-1',
    '0000-02-29',
  ],
  ...[
    '2024-02-29T23:59:59Z',
    '2024-02-29t23:59z',
    '2024-02-29T23:59:60Z',
    '2024-02-29T24:00:00Z',
    '2024-02-29 23:59:59Z',
  ],
  ...['2024-02-29T23:59:59.5000+00:00', '2024-02-29T00:30:00.123456789012-00:00', '2024-02-29T00:30:00.1234567890123Z'],
  ...[
    '2024-01-01T00:00:00',
    '2024-01-01T00:00',
    '2024-01-01T00:00:00+24:00',
    '2024-01-01T00:00:00+0100',
    '2023-12-31T23:59:60',
    '0000-03-01T12:00:00Z',
  ],
  ...[
    '12:30',
    '12:30:00',
    '12:30:15.250',
    '12:30:60',
    '23:59:60',
    '24:00',
    '12:3',
    '12:30:15.1234567890123',
    '1:30:00',
  ],
  ...[
    'P1D',
    'p1dt2h3m4.50s',
    '-PT1M',
    'PT36H',
    'PT0S',
    'P',
    'PT',
    'P1Y',
    'P1M',
    'PT1.5H',
    '+P1D',
    'P1DT',
    'PT90061S',
    'PT0.000001S',
  ],
  ...[
    'low',
    'high',
    'LOW',
    'even',
    'low,high',
    '10',
    'read',
    'read,write',
    ' read , write ',
    'read,',
    'both',
    'both,share',
    'none',
  ],
  ...['AQ', 'AQ==', 'AQ=', 'AR', 'AQI', 'AQI=', 'AQID', 'A', 'AQID=', 'A+/A', '-_-_', 'A\n'],
  ...["O'Neil", '%', '😀', '\\', '"', '[1]', '1,2', 'a'.repeat(500)],
] as const

const numbers = {
  small: [0, 255, 7],
  count: [0, -1, 2147483647, -2147483648, 10, 3, 11],
  big: [9007199254740991, -9007199254740991, 2147483648],
  price: [0, 0.1, -0.5, 0.5, 1.5, 2.5, -2.5, 1e-7, 123456789.25, 1e20, 254.5, 255.49],
  score: [
    0,
    -0,
    0.1,
    2.5,
    -2.5,
    0.49999999999999994,
    1e-7,
    1.5e-7,
    1e21,
    123456789012345680000,
    1e300,
    -1e300,
    5e-324,
    3.5e38,
    1e-50,
    'NaN',
    'INF',
    '-INF',
  ],
} as const
const others = {
  flag: [true, false],
  code: ['0FFFFFFF-0000-4000-8000-00000000000A'],
  day: ['0001-01-01', '2024-02-29', '9999-12-31'],
  moment: ['2024-02-29T23:30:00-01:00', '2024-02-29T23:59:59.5Z', '1969-12-31T23:59:59.999Z'],
  clock: ['00:00', '12:30:15.250'],
  span: ['PT0S', 'P1D', 'PT36H', '-PT1M', 'PT0.25S', 'P1DT2H3M4.5S', 'PT59M'],
  mood: ['low', 'even', 'high'],
  rights: ['none', 'read', 'both', 'read,share', 'both,share'],
  weight: [0.5, 1e6],
  data: ['AQID', ''],
} as const

/** One row per text. Every other property takes its values in turn, and null. */
const rows: readonly Readonly<Record<string, unknown>>[] = [
  ...texts.map((text, index) => ({ id: `t${String(index).padStart(3, '0')}`, text })),
  ...Array.from({ length: 20 }, (_, index) => ({
    id: `v${String(index).padStart(3, '0')}`,
    ...Object.fromEntries(
      Object.entries({ ...numbers, ...others }).map(([name, values]) => [name, values[index] ?? null]),
    ),
  })),
]

const primitives = [
  'String',
  'Boolean',
  'SByte',
  'Byte',
  'Int16',
  'Int32',
  'Int64',
  'Decimal',
  'Double',
  'Single',
  'Guid',
  'Date',
  'DateTimeOffset',
  'TimeOfDay',
  'Duration',
  'Binary',
]
const targets = [...primitives.map(name => `Edm.${name}`), 'casts.mood', 'casts.rights', 'casts.weight']

describe.each(engineNames.map(engine => ({ engine })))('casts on $engine', ({ engine }) => {
  let maker: StoreMaker
  let store: Store
  beforeAll(async () => {
    maker = await storeMaker(engine)
    store = await openStore({ spec: found, store: await maker.make(), now: () => new Date(0) })
    await loadRecords(
      store,
      rows.map(properties => ({ type: 'plain', properties })),
    )
  })
  afterAll(async () => {
    await store.engine.close()
    await maker.stop()
  })

  const frameOf = () => queryFrame(store.schema.typeOf('thing'), 't', store, queryContext(undefined), true)

  /** The result of a text expression by row. */
  const textsOf = async (expression: string): Promise<readonly (readonly unknown[])[]> => {
    const operand = compileOperand(parseFilter(expression), frameOf())
    const value = operand.kind === 'scalar' ? operand.sql : sql`NULL`
    const statement = store.engine.compile(sql`SELECT t.id, ${value} FROM thing AS t ORDER BY t.id`)
    return store.engine.read(async session => session.all(statement))
  }
  const evaluated = (expression: string) =>
    rows.map(row => [row['id'], evaluate(parseFilter(expression), inUtc(row), { types, type: 'plain' })])

  it.each(targets)('read strings as %s', async target => {
    const expression = `cast(cast(text,${target}),Edm.String)`
    expect(await textsOf(expression)).toEqual(evaluated(expression))
  })

  it.each(Object.keys({ ...numbers, ...others }))('write %s, and cast it to every other type', async name => {
    for (const target of targets) {
      const expression = `cast(cast(${name},${target}),Edm.String)`
      expect(await textsOf(expression), expression).toEqual(evaluated(expression))
    }
  })

  it.each(['0', '1e0', '0.3', "'x'", 'true', '2024-02-29', "duration'PT1S'", 'null', 'INF', 'NaN', "casts.mood'high'"])(
    'treat literals like stored values: %s',
    async literal => {
      for (const target of targets) {
        const expression = `cast(cast(${literal},${target}),Edm.String)`
        expect(await textsOf(expression), expression).toEqual(evaluated(expression))
      }
    },
  )

  /** The ids of the rows that satisfy a condition, checked against the evaluator. */
  const idsWhere = async (condition: string): Promise<readonly unknown[]> => {
    const where = isTrue(parseFilter(condition), frameOf())
    const statement = store.engine.compile(sql`SELECT t.id FROM thing AS t WHERE ${where} ORDER BY t.id`)
    const ids = (await store.engine.read(async session => session.all(statement))).map(([id]) => id)
    const filter = parseFilter(condition)
    const wanted = rows
      .filter(row => evaluateFilter(filter, inUtc(row), { types, type: 'plain' }))
      .map(row => row['id'])
    expect(ids, condition).toEqual(wanted)
    return ids
  }

  it.each([
    'text',
    'flag',
    'small',
    'count',
    'big',
    'price',
    'score',
    'code',
    'day',
    'moment',
    'clock',
    'span',
    'mood',
    'rights',
    'data',
  ])('test whether a value is %s, and return null for null', async name => {
    for (const target of targets) {
      const can = await idsWhere(`isof(${name},${target})`)
      const cannot = await idsWhere(`not isof(${name},${target})`)
      const unknown = await idsWhere(`isof(${name},${target}) eq null`)
      expect(unknown, target).toEqual(await idsWhere(`${name} eq null`))
      expect([...can, ...cannot, ...unknown]).toHaveLength(rows.length)
    }
  })

  it.each([
    'cast(text,Edm.Int32) gt 5',
    'cast(text,Edm.Int32) add 1 eq 8',
    'cast(text,Edm.Decimal) gt 0.1 and cast(text,Edm.Decimal) lt 0.2',
    'cast(text,Edm.Decimal) eq 0.1000000000000000000000000000001',
    'cast(text,Edm.Double) gt 1e300',
    'cast(text,Edm.Double) eq NaN',
    'cast(text,Edm.Single) eq 0',
    'cast(text,Edm.DateTimeOffset) gt 2024-02-29T23:59:59.25Z',
    "cast('2024-02-29T23:59:59.5000+05:30',Edm.DateTimeOffset) eq 2024-02-29T18:29:59.5Z",
    "cast('0000-01-01T00:30:00+01:00',Edm.DateTimeOffset) lt 0001-01-01T00:00:00Z",
    "cast('9999-12-31T23:30:00-01:00',Edm.DateTimeOffset) gt 9999-12-31T23:59:59Z",
    "cast('12024-02-29',Edm.Date) gt 9999-12-31",
    "cast('-0044-03-15',Edm.Date) lt 0001-01-01",
    'cast(text,Edm.Date) lt 2001-01-01',
    'cast(text,Edm.TimeOfDay) ge 12:30:15.25',
    "cast(text,Edm.Duration) gt duration'P1D'",
    "cast(text,casts.rights) has casts.rights'read'",
    "cast(text,casts.mood) gt casts.mood'low'",
    'cast(text,Edm.Boolean)',
    'not cast(text,Edm.Boolean)',
    "cast(text,Edm.String) gt 'a'",
    "cast(count,Edm.String) lt '5'",
    "cast(flag,Edm.String) in ('true')",
    'cast(count add 1,casts.mood) eq null',
    'cast(score,Edm.Int64) eq 3',
    'cast(big,Edm.Int32) eq null',
    'cast(price,Edm.Double) eq 0.1',
    'cast(price,Edm.Int32) eq cast(score,Edm.Int32)',
    "cast(concat(cast(count,Edm.String),'0'),Edm.Int32) eq 100",
    'cast(null,Edm.String) eq null',
    'cast(1 divby 0,Edm.String) eq null',
    "cast(1 divby 0,Edm.String) eq 'INF'",
    'cast(casts.special) eq null',
    'cast(data,Edm.Binary) ne null',
    "cast(text,Edm.Binary) eq binary'AQI='",
  ])('can be used wherever values can: %s', async condition => {
    await idsWhere(condition)
    await idsWhere(`not (${condition})`)
  })

  it('write doubles with the shortest digits, as JavaScript does', async () => {
    const bits = new DataView(new ArrayBuffer(8))
    const double = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(value => {
      bits.setBigUint64(0, value)
      return bits.getFloat64(0)
    })
    const all = [
      ...Array.from({ length: 2098 }, (_, index) => 2 ** (index - 1074)),
      ...Array.from({ length: 632 }, (_, index) => Number(`1e${index - 323}`)),
      ...fc.sample(double, { numRuns: 1000, seed: 5 }).filter(value => Number.isFinite(value)),
    ]
    const wrong: unknown[] = []
    for (let start = 0; start < all.length; start += 100) {
      const some = all.slice(start, start + 100)
      const list = some.map(value => {
        const literal = compileOperand(parseFilter(`cast(${literalOf(value)},Edm.String)`), frameOf())
        return literal.kind === 'scalar' ? literal.sql : sql`NULL`
      })
      const statement = store.engine.compile(sql`SELECT ${sql.join(list)}`)
      const [found = []] = await store.engine.read(async session => session.all(statement))
      for (const [index, value] of some.entries()) if (found[index] !== String(value)) wrong.push([value, found[index]])
    }
    expect(wrong).toEqual([])
  })
})

describe('types of items and complex values', () => {
  const items: readonly (readonly [type: string, id: string, properties: object, next?: string])[] = [
    ['plain', 'p', { place: { name: 'x' }, scores: [1, 'INF'] }, 's'],
    [
      'special',
      's',
      { place: { '@odata.type': '#casts.town', name: 'y', size: 5 }, extra: 'e', scores: ['NaN', 1] },
      'r',
    ],
    ['rarest', 'r', { place: null, scores: ['-INF', 0.1] }, 'p'],
    ['special', 'z', { scores: [] }],
  ]
  let both: BothEngines
  beforeAll(async () => {
    both = await openBoth(
      found,
      items.map(([type, id, properties, next]) => ({
        type,
        properties: { id, ...properties },
        links: next === undefined ? {} : { next: [[next]], all: [[next], [id]] },
      })),
    )
  })
  afterAll(() => both.stop())

  const request = async (filter: string) => {
    const query = `/things?$select=id&$orderby=id&$filter=${encodeURIComponent(filter)}`
    const [sqlite, postgres] = [await both.services.sqlite.request(query), await both.services.postgres.request(query)]
    expect(postgres.text, filter).toBe(sqlite.text)
    return sqlite
  }

  it.each<[filter: string, holds: string]>([
    ['isof(casts.special)', 'rsz'],
    ['not isof(casts.special)', 'p'],
    ['isof(casts.rarest)', 'r'],
    ['isof(casts.thing)', 'prsz'],
    ['isof($it,casts.plain)', 'p'],
    ['isof(next,casts.special)', 'ps'],
    ['not isof(next,casts.special)', 'r'],
    ['isof(next,casts.special) eq null', 'z'],
    ['cast(next,casts.special) eq null', 'rz'],
    ['cast(next,casts.special) ne null', 'ps'],
    ['all/any(x:isof(x,casts.plain))', 'pr'],
    ['all/all(x:isof(x,casts.special))', 'sz'],
    ['isof(place,casts.town)', 's'],
    ['not isof(place,casts.town)', 'p'],
    ['isof(place,casts.place)', 'ps'],
    ['isof(place,casts.place) eq null', 'rz'],
    ['cast(place,casts.town) ne null', 's'],
    ["cast(casts.special/extra,Edm.String) eq 'e'", 's'],
    ['scores/any(x:x gt 1e300)', 'p'],
    ['scores/any(x:cast(x,Edm.Decimal) eq 0.1)', 'r'],
    ["scores/any(x:cast(x,Edm.String) eq '-INF')", 'r'],
    ['hassubset(scores,[INF])', 'p'],
    ['hassubset(scores,[NaN])', ''],
    ['hassubset(scores,[1e0,1e0])', ''],
  ])('can be tested with %s: %s', async (filter, holds) => {
    const response = await request(filter)
    expect(response.status, response.text).toBe(200)
    expect(idsOf(response).join('')).toBe(holds)
  })

  it.each(['hassubset(cast(tags,Collection(Edm.Int32)),[1])', 'isof(tags,Collection(Edm.String))'])(
    'are refused by both engines if the store cannot cast them: %s',
    async filter => {
      const { status, text } = await request(filter)
      expect(status, text).toBe(501)
    },
  )
})

/** A double in filter syntax, with an exponent. */
function literalOf(value: number): string {
  return value.toExponential().replace('+', '')
}

/** Instants as the store returns them. */
function inUtc(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const moment = row['moment']
  return typeof moment === 'string' ? { ...row, moment: new Date(moment).toISOString() } : row
}
