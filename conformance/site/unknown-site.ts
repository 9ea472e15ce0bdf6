import type { PathKey, Property } from '../../spec/language/index.js'
import { primitiveOf } from '../rule/primitive-of.js'
import type { Session } from '../session/session.js'
import type { Site } from './site.js'
import { sitePath } from './site-path.js'

/**
 * The same endpoint at an address of an item that does not exist, with a key in the form of the keys that do. Absent when
 * no such key can be made up.
 */
export function unknownSite(site: Site, session: Pick<Session, 'sites' | 'snapshot'>): Site | undefined {
  const last = site.endpoint.keys.at(-1)
  const like = last === undefined ? undefined : site.keys[last.variable]
  if (last === undefined || like === undefined) return undefined
  const key = unknownKey(last, like, knownValues(last, session))
  if (key === undefined) return undefined
  const keys = { ...site.keys, [last.variable]: key }
  return { ...site, id: `${site.endpoint.name}(unknown)`, keys, path: sitePath(site.endpoint, keys) }
}

/** Values of a key in the collections of its type, of which few are looked at: what is looked at is read again to confirm. */
function knownValues({ property, type }: PathKey, session: Pick<Session, 'sites' | 'snapshot'>): ReadonlySet<string> {
  const collections = session.sites.filter(({ endpoint, type: of }) => endpoint.kind === 'collection' && of === type)
  const values = new Set<string>()
  for (const each of collections.slice(0, 1)) {
    for (const row of session.snapshot(each)?.rows ?? []) {
      if (Object.hasOwn(row, property.name)) values.add(String(row[property.name]).toLowerCase())
    }
  }
  return values
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** Characters at the end of a text that are changed: what stands before may say what kind of key it is. */
const changed = 6

function unknownKey({ property }: PathKey, like: string, known: ReadonlySet<string>): string | undefined {
  const primitive = primitiveOf(property.type)
  if (primitive === 'String' || primitive === 'Guid') {
    const base = primitive === 'Guid' ? 16 : 26
    for (let step = 1; step < 200; step++) {
      const text = turned(like, step, base)
      if (text !== like && !known.has(text.toLowerCase()) && fits(text, property)) return text
    }
    return undefined
  }
  const largest = largestOf.get(primitive ?? '')
  for (let number = largest ?? -1; largest !== undefined && number > largest - 500; number--) {
    if (!known.has(String(number))) return String(number)
  }
  return undefined
}

/** Whether a text may be a value of a property, as far as its pattern says. */
function fits(text: string, { pattern, type }: Property): boolean {
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
function turned(text: string, step: number, base: 16 | 26): string {
  const start = text.length - changed
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
