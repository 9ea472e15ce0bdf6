import type { EntityRecord } from '../store/store.js'

/** Texts that engines are known to treat differently. */
export const texts = [
  '',
  'a',
  'A',
  'ä',
  'Ä',
  'straße',
  'STRASSE',
  'İ',
  'ΑΣ',
  'ας',
  'Ა',
  'ა',
  '😀',
  '\ufffd',
  '\uff21',
  '%',
  '_',
  'a%',
  'a_b',
  'a\\b',
  "O'Neil",
  '"q"',
  ' a ',
  '\u00a0x\u3000',
  'a b',
  'ab c',
  'zz',
  'e\u0301',
  'é',
] as const

export const days = ['0001-01-01', '1999-12-31', '2000-02-29', '2024-02-29', '2024-03-01', '9999-12-31'] as const
export const moments = [
  '2024-02-29T23:59:59Z',
  '2024-02-29T23:59:59.5Z',
  '2024-02-29T23:59:59.123456Z',
  '2024-03-01T00:00:00Z',
  '2024-03-01T01:00:00+01:00',
  '1969-12-31T23:59:59.999Z',
  '2024-03-01T00:00:01-05:30',
] as const
export const clocks = ['00:00:00', '00:00', '12:30:00', '12:30:00.25', '23:59:59.999999'] as const
export const spans = ['PT0S', 'P1D', 'PT24H', '-PT1M', 'PT0.25S', 'P1DT2H3M4.5S'] as const
export const codes = [
  '00000000-0000-0000-0000-000000000000',
  '0FFFFFFF-0000-4000-8000-00000000000A',
  'f0000000-0000-4000-8000-00000000000a',
] as const
export const prices = [0, 0.1, 0.3, -0.1, 1, 2.5, -2.5, 1e-7, 123456789.25] as const
export const scores = [0, 0.5, -0.5, 1e300, -1e300, 0.1, 'NaN', 'INF', '-INF'] as const
export const integers = [0, 1, -1, 2, 7, -7, 2147483647, -2147483648] as const
export const bigs = [0, 1, 9007199254740991, -9007199254740991] as const
export const moods = ['low', 'even', 'high'] as const
export const rights = ['none', 'read', 'write', 'both', 'share', 'read,share'] as const

/** A sample as JSON. */
export type SampleRow = Readonly<Record<string, unknown>>

/** Picks values deterministically. */
function picker(seed: number): <Value>(values: readonly Value[]) => Value | null {
  let state = seed
  return values => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const index = (state >> 8) % (values.length + 1)
    return values[index] ?? null
  }
}

function partOf(pick: ReturnType<typeof picker>): SampleRow {
  return {
    label: pick(texts),
    size: pick(integers),
    weight: pick(prices),
    ready: pick([true, false]),
    made: pick(moments),
    lasts: pick(spans),
    mood: pick(moods),
    rights: pick(rights),
    words: [pick(texts), pick(texts)].filter(word => word !== null),
    inner: pick([true, false]) === null ? null : { label: pick(texts) },
  }
}

/** Rows in which every value meets null and its neighbours. */
export function sampleRows(count: number): readonly SampleRow[] {
  const pick = picker(7)
  return Array.from({ length: count }, (_, index) => ({
    id: `s${String(index).padStart(3, '0')}`,
    name: pick(texts) ?? 'none',
    note: pick(texts),
    flag: pick([true, false]),
    count: pick(integers),
    big: pick(bigs),
    price: pick(prices),
    score: pick(scores),
    code: pick(codes),
    day: pick(days),
    moment: pick(moments),
    clock: pick(clocks),
    span: pick(spans),
    mood: pick(moods),
    rights: pick(rights),
    part: pick([true, false]) === null ? null : partOf(pick),
    tags: [pick(texts), pick(texts), pick(texts)].filter(tag => tag !== null),
    numbers: [pick(integers), pick(integers)].filter(number => number !== null),
    parts: [partOf(pick), partOf(pick), partOf(pick)].slice(0, index % 4),
  }))
}

/** The row that a row refers to. A third of the rows refer to none, and one refers to itself. */
function nextOf(index: number, count: number): number | undefined {
  return index % 3 === 2 ? undefined : (index * 2) % count
}

function friendsOf(index: number, count: number): readonly number[] {
  return Array.from({ length: index % 4 }, (_, step) => (index + step * 5) % count)
}

/** The rows as records for the store. */
export function sampleRecords(rows: readonly SampleRow[]): readonly EntityRecord[] {
  const idOf = (index: number): readonly [string] => [String(rows[index]?.['id'])]
  return rows.map((properties, index) => {
    const next = nextOf(index, rows.length)
    const friends = [...new Set(friendsOf(index, rows.length))].map(idOf)
    return { type: 'sample', properties, links: { next: next === undefined ? [] : [idOf(next)], friends } }
  })
}

/** The instants of a row in UTC, as the store returns them. */
function inUtc(value: unknown): unknown {
  if (typeof value === 'string') return /T.*[+-]\d\d:\d\d$/.test(value) ? new Date(value).toISOString() : value
  if (Array.isArray(value)) return value.map(inUtc)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inUtc(member)]))
}

/** The rows with the targets of their relations, one level deep, as the evaluator expects them. */
export function expandedRows(given: readonly SampleRow[]): readonly SampleRow[] {
  const rows = given.map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, inUtc(value)])))
  return rows.map((row, index) => {
    const next = nextOf(index, rows.length)
    const friends = [...new Set(friendsOf(index, rows.length))].map(friend => rows[friend] ?? {})
    return { ...row, next: next === undefined ? null : (rows[next] ?? null), friends }
  })
}
