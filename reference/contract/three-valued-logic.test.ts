import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../store/store.js'
import { sampleService } from '../testing/sample-service.js'
import { type BothEngines, idsOf, openBoth } from '../testing/test-service.js'

/** Two values of a property, the lower one first, as bodies and filters write them. */
interface Pair {
  readonly path: string
  readonly low: unknown
  readonly high: unknown
  readonly literals: readonly [low: string, high: string]
}

const pair = (path: string, low: unknown, high: unknown, ...literals: readonly [string, string] | []): Pair => {
  return { path, low, high, literals: literals.length === 0 ? [String(low), String(high)] : literals }
}
const quoted = (path: string, low: string, high: string): Pair => pair(path, low, high, `'${low}'`, `'${high}'`)

const ordered: readonly Pair[] = [
  // In code-point order, which differs from UTF-16 order.
  quoted('note', '\uff21', '😀'),
  pair('flag', false, true),
  pair('count', -1, 5),
  pair('big', 9007199254740990, 9007199254740991),
  pair('price', 0.1, 0.3),
  pair('score', -0.5, 1e300, '-5e-1', '1e300'),
  pair('code', '00000000-0000-4000-8000-00000000000a', 'F0000000-0000-4000-8000-00000000000A'),
  pair('day', '2024-02-29', '2024-03-01'),
  pair('moment', '2024-02-29T23:30:00.25-01:00', '2024-03-01T00:30:00.2500001Z'),
  pair('clock', '09:30', '09:30:00.5'),
  pair('span', 'PT24H', 'P1DT0.5S', "duration'P1D'", "duration'PT24H0.5S'"),
  pair('mood', 'low', 'high', "samples.mood'low'", "'high'"),
  quoted('part/label', '\uffee', '\u{10000}'),
  pair('part/size', -2147483648, 2147483647),
  pair('part/weight', -0.1, 1e-7, '-0.1', '0.0000001'),
  pair('part/ready', false, true),
  pair('part/made', '1969-12-31T23:59:59.999Z', '1970-01-01T01:00:00+01:00'),
  pair('part/lasts', '-PT1S', 'PT0S', "duration'-PT1S'", "duration'PT0S'"),
  pair('part/mood', 'low', 'even', "'low'", "samples.mood'even'"),
]
const rights = pair('rights', 'read', 'read,write', "'read'", "samples.rights'both'")

type Level = 'L' | 'H' | 'N'
const levels: readonly Level[] = ['L', 'H', 'N']

/** All properties with the low value, the high value, or null. */
function propertiesAt(level: Level): Readonly<Record<string, unknown>> {
  const valueAt = ({ low, high }: Pair): unknown => (level === 'L' ? low : level === 'H' ? high : null)
  const of = (prefix: string): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      [...ordered, rights]
        .filter(({ path }) => path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
        .map(each => [each.path.slice(prefix.length), valueAt(each)]),
    )
  return { ...of(''), part: of('part/') }
}

/** One item per pair of levels: of its own values, and of the item that it refers to. */
const pairs = levels.flatMap(left => levels.map(right => `${left}${right}`))
const records: readonly EntityRecord[] = [
  ...levels.map(level => ({ type: 'sample', properties: { id: level, name: level, ...propertiesAt(level) } })),
  ...levels.flatMap(left =>
    levels.map(right => ({
      type: 'sample',
      properties: { id: `${left}${right}`, name: left, ...propertiesAt(left) },
      links: { next: [[right] as const] },
    })),
  ),
]

const greater = ['HL']
const less = ['LH']
const equal = ['LL', 'HH', 'NN']
const known = ['LL', 'HH']
const comparisons: readonly (readonly [operator: string, holds: readonly string[]])[] = [
  ['eq', equal],
  ['ne', pairs.filter(each => !equal.includes(each))],
  ['gt', greater],
  ['ge', [...greater, ...known]],
  ['lt', less],
  ['le', [...less, ...known]],
]

describe('three-valued logic', () => {
  let both: BothEngines
  beforeAll(async () => {
    both = await openBoth(sampleService(), records)
  })
  afterAll(() => both.stop())

  /** The ids that both engines return for a filter, in order. */
  const found = async (filter: string, length: 1 | 2): Promise<readonly string[]> => {
    const query = `/samples?$select=id&$top=100&$filter=${encodeURIComponent(filter)}`
    const response = await both.services.sqlite.request(query)
    expect(response.status, `${filter} ${response.text}`).toBe(200)
    expect((await both.services.postgres.request(query)).text, filter).toBe(response.text)
    return idsOf(response)
      .map(String)
      .filter(id => id.length === length)
  }
  const sorted = (ids: readonly string[]): readonly string[] => ids.toSorted()
  const others = (ids: readonly string[]): readonly string[] => pairs.filter(each => !ids.includes(each))

  it.each(ordered)('holds for each comparison of $path with another value', async ({ path }) => {
    for (const [operator, holds] of comparisons) {
      const filter = `${path} ${operator} next/${path}`
      expect(await found(filter, 2), filter).toEqual(sorted(holds))
      // A comparison is never unknown.
      expect(await found(`not (${filter})`, 2), `not (${filter})`).toEqual(sorted(others(holds)))
    }
  })

  it.each(ordered)('holds for each comparison of $path with a literal and with null', async ({ path, literals }) => {
    const expected = { eq: 'L', ne: 'HN', gt: 'H', ge: 'HL', lt: '', le: 'L' }
    const turned = { eq: 'L', ne: 'HN', gt: '', ge: 'L', lt: 'H', le: 'HL' }
    const withNull = { eq: 'N', ne: 'HL', gt: '', ge: '', lt: '', le: '' }
    for (const operator of ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const) {
      const answers = [
        await found(`${path} ${operator} ${literals[0]}`, 1),
        await found(`${literals[0]} ${operator} ${path}`, 1),
        await found(`${path} ${operator} null`, 1),
        await found(`null ${operator} ${path}`, 1),
        await found(`not (${path} ${operator} ${literals[1]})`, 1),
      ].map(ids => ids.join(''))
      const high = { eq: 'LN', ne: 'H', gt: 'HLN', ge: 'LN', lt: 'HN', le: 'N' }
      const wanted = [expected, turned, withNull, withNull, high].map(each => each[operator])
      expect(answers, operator).toEqual(wanted)
    }
  })

  it.each(ordered)('holds for lists with $path', async ({ path, literals: [low, high] }) => {
    const answers = [`${path} in (${low})`, `${path} in (${low},null)`, `not (${path} in (${high},${low}))`]
    expect(await Promise.all(answers.map(async filter => (await found(filter, 1)).join('')))).toEqual(['L', 'LN', 'N'])
  })

  it.each(ordered)('orders null before $path, and values in ascending order', async ({ path }) => {
    for (const [direction, wanted] of [
      ['asc', 'NLH'],
      ['desc', 'HLN'],
    ]) {
      const query = `/samples?$select=id&$top=100&$filter=${encodeURIComponent('length(id) eq 1')}&$orderby=${path} ${direction}`
      const response = await both.services.sqlite.request(query)
      expect((await both.services.postgres.request(query)).text).toBe(response.text)
      expect(idsOf(response).join(''), direction).toBe(wanted)
    }
  })

  it.each<[condition: string, holds: string, fails: string]>([
    ['flag', 'HL HH HN', 'LL LH LN'],
    ['not flag', 'LL LH LN', 'HL HH HN'],
    ['flag and next/flag', 'HH', 'LL LH LN HL NL'],
    ['flag or next/flag', 'HH HL HN LH NH', 'LL'],
    ['flag and not next/flag', 'HL', 'LL LH LN HH NH'],
    ['flag or not next/flag', 'HL HH HN LL NL', 'LH'],
    ['flag and null', '', 'LL LH LN'],
    ['flag or null', 'HL HH HN', ''],
    ['not (flag and next/flag or flag)', 'LL LH LN', 'HL HH HN'],
    ['rights has next/rights', 'LL HL HH', 'LH'],
    ['contains(note,next/note)', 'LL HH', 'LH HL'],
    ['startswith(note,next/note)', 'LL HH', 'LH HL'],
    ['endswith(note,next/note)', 'LL HH', 'LH HL'],
    ["contains(concat(note,'x'),next/note)", 'LL HH', 'LH HL'],
    ['flag eq next/flag and flag', 'HH', 'LL LH LN HL HN NL NH'],
    ['contains(note,null)', '', ''],
    ['startswith(note,null)', '', ''],
    ['rights has null', '', ''],
  ])('makes %s true for %s, and false for %s', async (condition, holds, fails) => {
    const words = (text: string): readonly string[] => sorted(text.split(' ').filter(word => word !== ''))
    expect(await found(condition, 2)).toEqual(words(holds))
    expect(await found(`not (${condition})`, 2)).toEqual(words(fails))
    const unknown = pairs.filter(each => !words(holds).includes(each) && !words(fails).includes(each))
    expect(await found(`(${condition}) eq null`, 2)).toEqual(sorted(unknown))
    expect(await found(`(${condition}) eq true`, 2)).toEqual(words(holds))
    expect(await found(`(${condition}) ne false`, 2)).toEqual(sorted([...words(holds), ...unknown]))
  })

  it.each<[call: string, low: string]>([
    ['tolower(note)', "'\uff41'"],
    ['toupper(note)', "'\uff21'"],
    ["trim(concat(' ',note))", "'\uff21'"],
    ["concat(note,'x')", "'\uff21x'"],
    ["concat('x',note)", "'x\uff21'"],
    ['length(note)', '1'],
    ["indexof(note,'x')", '-1'],
    ["indexof('x',note)", '-1'],
    ['substring(note,0)', "'\uff21'"],
    ['substring(note,0,1)', "'\uff21'"],
    ["substring('abc',count)", "'c'"],
    ["substring('abc',0,count)", "''"],
    ['year(day)', '2024'],
    ['month(day)', '2'],
    ['day(day)', '29'],
    ['year(moment)', '2024'],
    ['month(moment)', '3'],
    ['day(moment)', '1'],
    ['hour(moment)', '0'],
    ['minute(moment)', '30'],
    ['second(moment)', '0'],
    ['fractionalseconds(moment)', '0.25'],
    ['date(moment)', '2024-03-01'],
    ['time(moment)', '00:30:00.25'],
    ['totaloffsetminutes(moment)', '0'],
    ['hour(clock)', '9'],
    ['minute(clock)', '30'],
    ['second(clock)', '0'],
    ['fractionalseconds(clock)', '0'],
    ['totalseconds(span)', '86400'],
    ['round(price)', '0'],
    ['floor(price)', '0'],
    ['ceiling(price)', '1'],
    ['round(score)', '-1'],
    ['floor(score)', '-1'],
    ['ceiling(score)', '0'],
    ['count add 1', '0'],
    ['1 sub count', '2'],
    ['count mul 3', '-3'],
    ['count div 2', '0'],
    ['count divby 2', '-0.5'],
    ['count mod 2', '-1'],
    ['-count', '1'],
    ['price add 0.2', '0.3'],
    ['price mul 3', '0.3'],
    ['score mul 2', '-1'],
    ["day add duration'P1D'", '2024-03-01'],
    ["moment sub duration'PT30M0.25S'", '2024-03-01T00:00:00Z'],
    ['moment sub moment', "duration'PT0S'"],
    ["span add duration'PT1S'", "duration'P1DT1S'"],
    ['span mul 2', "duration'P2D'"],
    ['-span', "duration'-P1D'"],
  ])('makes %s null for null only, and %s for the low value', async (call, low) => {
    expect(await found(`(${call}) eq null`, 1), call).toEqual(['N'])
    expect(await found(`(${call}) ne null`, 1), call).toEqual(['H', 'L'])
    expect(await found(`(${call}) eq ${low}`, 1), call).toContain('L')
    expect(await found(`(${call}) ne ${low}`, 1), call).toContain('N')
    expect(await found(`not ((${call}) eq ${low})`, 1), call).not.toContain('L')
  })
})
