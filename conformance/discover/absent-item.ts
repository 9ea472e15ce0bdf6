import type { PathKey, Property } from '../../spec/language/index.js'
import { isKindOf, primitiveOf } from '../lists/properties.js'
import { isBelow } from '../lists/related-items.js'
import type { Session } from '../session/session.js'
import { isSamePath, type Site, sitePath } from './site.js'

/**
 * The same endpoint at an address of an item that does not exist, with a key in the form of the keys that do. Absent when
 * no such key can be made up.
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

/** Values that a part of a key has. */
interface ExistingKeyValues {
  readonly has: (value: string) => boolean
  /** Whether no item has another. */
  readonly complete: boolean
}

/** Those of the collection that the path leads through, and of the entity set of its type. */
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
  // Few are looked at: what is looked at is read again to confirm.
  const looked = (whole.length > 0 ? whole : collections.slice(0, 1)).flatMap(each => snapshot(each) ?? [])
  const values = new Set(
    looked.flatMap(({ rows }) =>
      rows.flatMap(row => (Object.hasOwn(row, property.name) ? [String(row[property.name]).toLowerCase()] : [])),
    ),
  )
  return {
    has: value => values.has(value.toLowerCase()),
    complete: whole.length > 0 && looked.length === whole.length && looked.every(({ complete }) => complete),
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** Characters at the end of a text that are changed: what stands before may say what kind of key it is. */
const changedLength = 6
/** Numbers may all be taken, one after the other; letters in more than one place hardly are. */
const minLetters = 2
/** How many texts of a form there must be, so that one that was not seen is none: more where something would be changed. */
const minAlternatives = { read: 50_000, change: 100_000_000 } as const

/** Whether there are so many texts of this form that those of items that were not read are not among the first tried. */
function hasManyAlternatives(text: string, use: keyof typeof minAlternatives): boolean {
  const end = text.slice(-changedLength)
  const count = (kind: RegExp): number => end.match(kind)?.length ?? 0
  const inLetters = count(/[a-z]/gi)
  return inLetters >= minLetters && 26 ** inLetters * 10 ** count(/[0-9]/g) >= minAlternatives[use]
}

/** A Guid that ends in digits alone may be counted: then the next ones may be there. */
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
    if (!known.complete && !(primitive === 'Guid' ? isRandom(like, use) : hasManyAlternatives(like, use)))
      return undefined
    const base = primitive === 'Guid' ? 16 : 26
    for (let step = 1; step < 200; step++) {
      const text = rotateCharacters(like, step, base)
      if (text !== like && !known.has(text) && matchesPattern(text, property)) return text
    }
    return undefined
  }
  const largest = largestOf.get(primitive ?? '')
  if (largest === undefined || (!known.complete && isSmall.has(primitive ?? ''))) return undefined
  for (let number = largest; number > largest - 500; number--) if (!known.has(String(number))) return String(number)
  return undefined
}

/** Types of which all values may be taken. */
const isSmall: ReadonlySet<string> = new Set(['Byte', 'SByte', 'Int16'])

/** Whether a text may be a value of a property, as far as its pattern says. */
function matchesPattern(text: string, { pattern, type }: Property): boolean {
  const inherited = type.kind === 'typeDefinition' ? type.pattern : undefined
  return [pattern, inherited].every(each => each === undefined || new RegExp(each, 'u').test(text))
}

/** Not the very largest: a service may take them for mistakes. */
const largestOf: ReadonlyMap<string, number> = new Map([
  ['Byte', 251],
  ['SByte', 121],
  ['Int16', 32_111],
  ['Int32', 2_147_000_111],
  ['Int64', 9_007_199_250_000_111],
])

/** Each letter and digit at the end moved on, in its own kind: the form of a key stays. */
function rotateCharacters(text: string, step: number, base: 16 | 26): string {
  const start = text.length - changedLength
  if (!/[0-9a-z]/i.test(text.slice(Math.max(start, 0)))) return `${text}${step}`
  return [...text]
    .map((character, index) => {
      if (index < start) return character
      const by = step * (1 + (index % 3))
      if (/[0-9]/.test(character)) return String((Number(character) + by) % 10)
      const at = letters.indexOf(character.toLowerCase())
      if (at < 0) return character
      const next = letters.charAt((at + by) % (base === 16 ? 6 : 26))
      return character === character.toLowerCase() ? next : next.toUpperCase()
    })
    .join('')
}
