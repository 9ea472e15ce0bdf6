import type { Random } from '../random.js'
import { type RawRequest, rawRequest } from '../wire.js'

const broken = [
  'displayName eq',
  "eq 'x'",
  "displayName 'x'",
  "displayName eq 'x",
  "(displayName eq 'x'",
  "displayName eq 'x')",
  'nope eq 1',
  'displayName eq 5',
  'displayName gt true',
  "accountEnabled eq 'true'",
  'displayName eq 2024-13-45T00:00:00Z',
  "displayName eq datetime'2024-01-01'",
  "nope(displayName) eq 'x'",
  'contains(displayName)',
  "contains(displayName,'a','b')",
  'contains(displayName,5)',
  "contains('a')",
  'startsWith(accountEnabled,true)',
  'tolower() eq 1',
  'assignedLicenses/any(x:)',
  'assignedLicenses/any(x:y/skuId eq null)',
  'assignedLicenses/any(x/skuId eq null)',
  'assignedLicenses/all(x:x/skuId eq null)',
  'assignedLicenses/nope(x:x/skuId eq null)',
  "displayName/any(x:x eq 'a')",
  "assignedLicenses eq 'x'",
  'not',
  'and',
  "displayName eq 'a' and",
  "displayName eq 'a' or or displayName eq 'b'",
  "displayName eq 'a' xor displayName eq 'b'",
  "manager eq 'x'",
  "manager/nope eq 'x'",
  "displayName has 'x'",
  "'a'",
  'displayName',
  '5',
  'length(displayName) eq 1',
  "indexof(displayName,'a') eq 1",
  "concat(displayName,'a') eq 'b'",
  "displayName in ('a','b')",
  'displayName in ()',
  "displayName add 'x' eq 'y'",
  '1 div 0 eq 1',
  '-displayName eq 1',
  "cast(displayName,'Edm.Nope') eq null",
  "isof('directory.nope')",
  '$root/users eq null',
  '@alias eq 1',
  'geo.distance(displayName,displayName) lt 1',
  "displayName eq 'a' eq 'b' eq",
  "displayName eq 'a',displayName eq 'b'",
  'displayName eq "a"',
  'displayName eq `a`',
  'displayName = 1',
  "displayName == 'a'",
  "displayName eq 'a' && true",
  '{"displayName":"a"}',
  'displayName eq null null',
  '()',
  '((((',
  '))))',
  'not not not',
  'displayName/displayName eq null',
  "__proto__ eq 'x'",
  "constructor/prototype eq 'x'",
  'displayName eq 99999999999999999999999999999999',
  'accountEnabled gt 1e999',
] as const

const sound = [
  "startsWith(displayName,'A')",
  "displayName eq 'O''Brien' or mail eq null",
  'not (accountEnabled eq true) and jobTitle ne null',
  "tolower(displayName) ge 'm'",
  'assignedLicenses/any(x:x/skuId eq null)',
] as const

const ends = [
  "'",
  '(',
  ')',
  ',',
  '/',
  ':',
  '@',
  '$',
  '%25',
  ' ',
  'eq',
  ' and ',
  'null',
  '\u0001',
  '😀',
  '\\',
  '"',
  '0',
  '-',
  '%00',
] as const

/** As deep as the URL is long: what recurses without a bound ends here. */
const deep: readonly [(depth: number) => string, ...((depth: number) => string)[]] = [
  depth => '('.repeat(depth),
  depth => `${'('.repeat(depth / 2)}true${')'.repeat(depth / 2)}`,
  depth => 'not '.repeat(depth / 4),
  depth => 'tolower('.repeat(depth / 8),
  depth => '-'.repeat(depth),
  depth => 'a/'.repeat(depth / 2),
  depth => 'assignedLicenses/any(x:'.repeat(depth / 23),
  depth => "displayName eq 'a' and (".repeat(depth / 24),
  depth => "displayName in ('a',".repeat(depth / 20),
]

/** A filter that says nothing: broken, of unfit types, of what is not supported, or 10,000 levels deep. */
export function malformedFilter(random: Random): RawRequest {
  const base = random.pick(['/users?$filter=', '/users/$count?$filter=', '/users?$top=1&$filter='])
  const headers = { ConsistencyLevel: 'eventual' }
  const choice = random.below(40)
  if (choice === 0) return rawRequest({ path: base + random.pick(deep)(10_000), headers })
  if (choice < 12) {
    const text = random.pick(sound)
    const at = random.below(text.length)
    const changed = text.slice(0, at) + random.pick(ends) + text.slice(at + random.below(3))
    return rawRequest({ path: base + changed, headers, expected: 'harmless' })
  }
  const wrapped = random.pick([
    (filter: string) => filter,
    (filter: string) => `(${filter})`,
    (filter: string) => `accountEnabled eq true and (${filter})`,
    (filter: string) => `not (${filter}) or mail eq null`,
  ] as const)
  return rawRequest({ path: base + wrapped(random.pick(broken)), headers })
}
