import { isSamePath, type PathKey, type Property } from '../../spec/language/index.js'
import { isKindOf, primitiveOf } from '../lists/properties.js'
import { isBelow } from '../lists/related-items.js'
import type { Session } from '../session/session.js'
import { type Site, sitePath } from './site.js'

/**
 * The same endpoint at the path of an item that does not exist. The key has the same format as existing keys. Absent if
 * there is no such key.
 */
export function absentItemSite(site: Site, session: Pick<Session, 'sites' | 'snapshot'>): Site | undefined {
  const last = site.endpoint.keys.at(-1)
  const like = last === undefined ? undefined : site.keys[last.variable]
  if (last === undefined || like === undefined) return undefined
  const use = site.endpoint.method === 'GET' ? 'read' : 'change'
  const key = absentKey(last, like, existingKeyValues(site, last, session), use)
  if (key === undefined) return undefined
  const keys = { ...site.keys, [last.variable]: key }
  return { ...site, id: `${site.endpoint.name}(unknown)`, keys, path: sitePath(site.endpoint, keys) }
}

/** Whether no item has a text as the last part of its key. False if that is not known. */
export function isAbsentKey(site: Site, text: string, session: Pick<Session, 'sites' | 'snapshot'>): boolean {
  const last = site.endpoint.keys.at(-1)
  if (last === undefined) return false
  const existing = existingKeyValues(site, last, session)
  return existing.complete && !existing.has(text)
}

/** The values of one part of a key. */
interface ExistingKeyValues {
  readonly has: (value: string) => boolean
  /** In lower case. */
  readonly all: readonly string[]
  /** Whether these are all values. */
  readonly complete: boolean
}

/** The values in the collection that the path leads through, and in the entity set of its type. */
function existingKeyValues(
  site: Site,
  { property, type, segment }: PathKey,
  { sites, snapshot }: Pick<Session, 'sites' | 'snapshot'>,
): ExistingKeyValues {
  const prefix = site.endpoint.resolved.slice(0, segment)
  const isAkin = (of: Site['type']): boolean => of !== undefined && (isKindOf(of, type) || isKindOf(type, of))
  const collections = sites.filter(each => each.endpoint.kind === 'collection' && isAkin(each.type))
  const own = collections.filter(each => isSamePath(each.endpoint.resolved, prefix) && isBelow(site, each))
  const sets = collections.filter(each => each.endpoint.resolved.length === 1)
  const whole = [...own.slice(0, 1), ...sets]
  // Use few collections: confirmation reads each of them again.
  const looked = (whole.length > 0 ? whole : collections.slice(0, 1)).flatMap(each => snapshot(each) ?? [])
  const values = new Set(
    looked.flatMap(({ rows }) =>
      rows.flatMap(row => (Object.hasOwn(row, property.name) ? [String(row[property.name]).toLowerCase()] : [])),
    ),
  )
  return {
    has: value => values.has(value.toLowerCase()),
    all: [...values],
    complete: whole.length > 0 && looked.length === whole.length && looked.every(({ complete }) => complete),
  }
}

const latin = 'abcdefghijklmnopqrstuvwxyz'
const hexadecimal = 'abcdef'
/** So many letters show which ones keys are made of. */
const minSeenLetters = 20
/** Only the last characters change: a prefix may encode the kind of key. */
const changedLength = 6
/** Numeric keys may be assigned consecutively; keys with several letters rarely are. */
const minLetters = 2
/**
 * How many texts of a format must exist before an unseen one counts as unused. Writes need more certainty than reads.
 */
const minAlternatives = { read: 50_000, change: 100_000_000 } as const

/** The letters that keys are made of: a service may reject others as malformed. */
function lettersOf(like: string, { all }: ExistingKeyValues): string {
  if (guid.test(like)) return hexadecimal
  const seen = [like.toLowerCase(), ...all].join('').replace(/[^a-z]/g, '')
  if (seen.length < minSeenLetters) return latin
  const letters = [...new Set(seen)].sort().join('')
  // Few letters are those of a word that all keys share.
  return letters.length < 4 ? latin : letters
}

const guid = /^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i

/** Whether a format has so many texts that guessing an existing one is unlikely. */
function hasManyAlternatives(text: string, use: keyof typeof minAlternatives, letters: string): boolean {
  const end = text.slice(-changedLength)
  const count = (kind: RegExp): number => end.match(kind)?.length ?? 0
  const inLetters = count(/[a-z]/gi)
  return inLetters >= minLetters && letters.length ** inLetters * 10 ** count(/[0-9]/g) >= minAlternatives[use]
}

/** A GUID that ends in digits only may be a counter, whose next values may exist. */
function isRandom(guid: string, use: keyof typeof minAlternatives): boolean {
  return use === 'read' || /[a-f]/i.test(guid.slice(-changedLength))
}

function absentKey(
  { property }: PathKey,
  like: string,
  known: ExistingKeyValues,
  use: keyof typeof minAlternatives,
): string | undefined {
  const primitive = primitiveOf(property.type)
  if (primitive === 'String' || primitive === 'Guid') {
    const letters = primitive === 'Guid' ? hexadecimal : lettersOf(like, known)
    const isUnlikely = guid.test(like) ? isRandom(like, use) : hasManyAlternatives(like, use, letters)
    if (!known.complete && !isUnlikely) return undefined
    for (let step = 1; step < 200; step++) {
      const text = rotateCharacters(like, step, letters)
      if (text !== like && !known.has(text) && matchesPattern(text, property)) return text
    }
    return undefined
  }
  const largest = largestOf.get(primitive ?? '')
  if (largest === undefined || (!known.complete && isSmall.has(primitive ?? ''))) return undefined
  const near = known.complete ? numberLike(known.all) : undefined
  const from = near !== undefined && near < largest ? near : largest
  for (let number = from; number > from - 500; number--) if (!known.has(String(number))) return String(number)
  return undefined
}

/** So many new items a run, and other clients meanwhile, may create. */
const roomForNew = 2_000

/** A number with as many digits as existing keys, which keys that are assigned consecutively do not reach soon. */
function numberLike(existing: readonly string[]): number | undefined {
  const numbers = existing.map(Number).filter(Number.isSafeInteger)
  if (numbers.length === 0) return undefined
  const most = Math.max(...numbers)
  const nines = 10 ** String(Math.abs(most)).length - 1
  return nines - 500 - most > roomForNew ? nines : undefined
}

/** Types with so few values that all may be in use. */
const isSmall: ReadonlySet<string> = new Set(['Byte', 'SByte', 'Int16'])

/** Whether a text matches the property's pattern. */
function matchesPattern(text: string, { pattern, type }: Property): boolean {
  const inherited = type.kind === 'typeDefinition' ? type.pattern : undefined
  return [pattern, inherited].every(each => each === undefined || new RegExp(each, 'u').test(text))
}

/** Not the largest values: a service may reject those as overflow. */
const largestOf: ReadonlyMap<string, number> = new Map([
  ['Byte', 251],
  ['SByte', 121],
  ['Int16', 32_111],
  ['Int32', 2_147_000_111],
  ['Int64', 9_007_199_250_000_111],
])

/** Replaces each trailing letter and digit by another one of its kind, so the key keeps its format. */
function rotateCharacters(text: string, step: number, letters: string): string {
  const start = text.length - changedLength
  if (!/[0-9a-z]/i.test(text.slice(Math.max(start, 0)))) return `${text}${step}`
  return [...text]
    .map((character, index) => {
      if (index < start) return character
      const by = step * (1 + (index % 3))
      if (/[0-9]/.test(character)) return String((Number(character) + by) % 10)
      const at = letters.indexOf(character.toLowerCase())
      if (at < 0) return character
      const next = letters.charAt((at + by) % letters.length)
      return character === character.toLowerCase() ? next : next.toUpperCase()
    })
    .join('')
}
