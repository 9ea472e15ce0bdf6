import type { Random } from './random.js'

interface Write {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const book = {
  isbn: '9780000009999',
  title: 'Made up',
  subtitle: null,
  summary: 'A summary.',
  language: 'en',
  genres: 'fiction,poetry',
  keywords: ['a', 'b'],
  published: '2001-02-03',
  edition: { number: 2, publisher: { name: 'P', seat: { street: 's', city: 'c', position: null } } },
  pages: 10,
  readingTime: 'PT1H',
  minimumAge: 3,
  price: 9.99,
  rating: 4.5,
  dewey: 823.7,
  prequelIsbn: null,
}
const member = {
  name: { given: 'G', family: 'F' },
  born: '1999-12-31',
  cardNumber: '12345678',
  address: {
    street: 's',
    city: 'c',
    position: { type: 'Point', coordinates: [1, 2] },
    postalCode: '1',
    country: { code: 'DE', name: null },
  },
  contact: { email: 'a@b.example', phones: [{ kind: 'home', number: '+1 2' }] },
  joined: '2020-01-01',
  photo: 'AAEC',
  homeBranchCode: 'MAIN',
  lastVisit: '2024-01-01T00:00:00.123Z',
}
const copy = {
  isbn: '9780000000019',
  number: 77,
  branchCode: 'MAIN',
  condition: 'good',
  acquired: '2020-01-01',
  paid: 1.25,
  shelf: { type: 'Point', coordinates: [0, 0] },
  storage: { lowest: -1, highest: 5 },
}
const loan = {
  isbn: '9780000000019',
  copyNumber: 1,
  memberId: '0b6a1d1e-7c55-4f0e-9d0a-000000000001',
  due: '2030-01-01',
  returned: null,
}

/** Values that are sound for one type and not for the next, at the edge of what a type has, or hostile. */
const values: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  0.005,
  9.999,
  127,
  128,
  255,
  256,
  32767,
  2147483648,
  9007199254740991,
  1e21,
  1e308,
  5e-324,
  '',
  ' ',
  'x',
  'a\0b',
  '\ud800',
  'ß😀\u0301',
  "'; DROP TABLE book; --",
  'x'.repeat(41),
  'x'.repeat(301),
  'NaN',
  'INF',
  '9223372036854775808',
  '2023-02-29',
  '0000-01-01',
  '9999-12-31',
  '2024-01-01T24:00:00Z',
  '2024-06-30T23:59:60Z',
  '2024-01-01T00:00:00.1234567+14:00',
  'P1M',
  'PT0.5S',
  '-P99999999D',
  'poetry',
  'fiction,fiction',
  'nope',
  '9780000000026',
  '9780000000040',
  'NORTH',
  '0B6A1D1E-7C55-4F0E-9D0A-000000000001',
  '!!!!',
  'AA==',
  'AA',
  [],
  ['a', 'a'],
  [null],
  [[]],
  {},
  { nope: 1 },
  { type: 'Point', coordinates: [1] },
  { type: 'Point', coordinates: [1, 2, 3] },
  { number: 1, publisher: { name: 'Q' } },
]
const names = [
  'nope',
  'timesBorrowed',
  '__proto__',
  'constructor',
  '@odata.type',
  'title@odata.type',
  'authors',
  'authors@odata.bind',
  'prequel@odata.bind',
  'prequel',
  'reviews',
  'id',
  '@odata.etag',
  '$id',
  'isbn',
] as const

/** A write of which some of the values were changed, and that may meet what other writes left. */
export function randomWrite(random: Random): Write {
  const any = { 'if-match': '*' }
  const choices: readonly [Write, ...Write[]] = [
    { method: 'POST', path: '/books', headers: {}, body: book },
    { method: 'PATCH', path: "/books('9780000000019')", headers: any, body: book },
    { method: 'PATCH', path: "/books('9780000009999')", headers: any, body: book },
    { method: 'PUT', path: "/books('9780000009999')", headers: any, body: book },
    { method: 'DELETE', path: "/books('9780000009999')", headers: any, body: undefined },
    { method: 'POST', path: '/members', headers: {}, body: member },
    { method: 'POST', path: '/copies', headers: {}, body: copy },
    { method: 'PATCH', path: "/copies(isbn='9780000000019',number=77)", headers: any, body: copy },
    { method: 'DELETE', path: "/copies(isbn='9780000000019',number=77)", headers: any, body: undefined },
    { method: 'POST', path: '/loans', headers: {}, body: loan },
    { method: 'POST', path: "/books('9780000000019')/reviews", headers: {}, body: { stars: 3, text: 't' } },
  ]
  const write = random.pick(choices)
  if (write.body === undefined) return write
  // A change of one property meets its own rules; a whole body meets the ones that come first.
  const whole = write.method === 'PATCH' ? chosenOf(write.body, random) : write.body
  const body = random.below(4) === 0 ? whole : altered(whole, random)
  return { ...write, body: write.method === 'PATCH' ? withoutKeys(body) : body }
}

/** One or two members of an object. */
function chosenOf(json: unknown, random: Random): unknown {
  const members = entriesOf(json)
  return Object.fromEntries(
    Array.from({ length: 1 + random.below(2) }, () => members[random.below(members.length)] ?? []),
  )
}

/** Keys of items cannot be changed: whoever sends them with a change is refused, whatever else there is. */
function withoutKeys(json: unknown): unknown {
  return Object.fromEntries(entriesOf(json).filter(([name]) => name !== 'isbn' && name !== 'number'))
}

/** The same with one value replaced, at any depth, or with a member more or less. */
function altered(json: unknown, random: Random): unknown {
  const members = entriesOf(json)
  const [name, value] = members[random.below(Math.max(members.length, 1))] ?? []
  if (name === undefined || Array.isArray(json)) return random.pick(values)
  switch (random.below(8)) {
    case 0:
      return Object.fromEntries(members.filter(([other]) => other !== name))
    case 1:
      return Object.fromEntries([...members, [random.pick(names), random.pick(values)]])
    default: {
      const isDeep = typeof value === 'object' && value !== null && random.below(2) === 0
      const changed = isDeep ? altered(value, random) : random.pick(values)
      return Object.fromEntries(members.map(([other, kept]) => [other, other === name ? changed : kept]))
    }
  }
}

function entriesOf(json: unknown): readonly (readonly [string, unknown])[] {
  return typeof json === 'object' && json !== null ? Object.entries(json) : []
}
