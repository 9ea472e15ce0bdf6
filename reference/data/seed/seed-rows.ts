import {
  derivesFrom,
  type EntityType,
  type Property,
  primitiveOf,
  type Service,
  suggest,
} from '../../../spec/language/index.js'

/** An entity set that gets items. */
export interface SeededSet {
  readonly name: string
  readonly type: EntityType
  /** The types of its items: the declared type unless it is abstract, and derived types without a set of their own. */
  readonly types: readonly [EntityType, ...EntityType[]]
  readonly count: number
}

/**
 * The entity sets that get items. A set whose derived types have sets of their own shows the items of those sets.
 *
 * @throws SeedError for an unknown name
 */
export function seededSets(service: Service, rows: RowCounts): readonly SeededSet[] {
  const sets = service.container.filter(element => element.kind === 'entitySet')
  const own = new Set(sets.map(({ type }) => type))
  const seeded = sets.flatMap(({ name, type }) => {
    const isUnion = sets.some(other => other.type !== type && derivesFrom(other.type, type))
    const derived = service.entityTypes.filter(each => each !== type && !own.has(each) && derivesFrom(each, type))
    const [first, ...others] = [...(isUnion ? [] : [type]), ...(isUnion ? [] : derived)].filter(each => !each.abstract)
    return first === undefined
      ? []
      : [
          {
            name,
            type,
            types: [first, ...others] as const,
            count: rows.exceptions.get(name) ?? Math.min(rows.default, keyCount(type)),
          },
        ]
  })
  const names = [...seeded.map(({ name }) => name), ...seeded.flatMap(set => containedPaths(set, service))]
  for (const name of rows.exceptions.keys()) {
    if (names.includes(name)) continue
    const meant = suggest(name, names)
    const help = meant === undefined ? `Expected one of ${names.join(', ')}.` : `Did you mean "${meant}"?`
    throw new SeedError(`Cannot generate rows for "${name}". ${help}`)
  }
  return seeded
}

/** The values of a part of a key, if there are few: an enumeration, or a Boolean. */
export function choicesOf({ type }: Property): readonly (string | boolean)[] | undefined {
  if (type.kind === 'enumType') return type.members.map(({ name }) => name)
  return primitiveOf(type) === 'Boolean' ? [false, true] : undefined
}

/** How many keys a type has, if all parts have few values. */
export function keyCount({ key }: EntityType): number {
  if (key.length === 0) return Number.POSITIVE_INFINITY
  return key.reduce((count, part) => count * (choicesOf(part)?.length ?? Number.POSITIVE_INFINITY), 1)
}

/**
 * The type of an item of a set, by its number from 0. Every tenth item, and the last ones, have the other types, so that
 * each type occurs if there are enough items.
 */
export function typeOfItem({ types: [usual, ...others], count }: SeededSet, index: number): EntityType {
  const fromEnd = count - 1 - index
  if (fromEnd < others.length && count > others.length) return others[fromEnd] ?? usual
  return index % 10 === 9 ? (others[Math.floor(index / 10) % others.length] ?? usual) : usual
}

/** The names that `--rows` accepts: entity sets and the paths of contained items. */
export function rowCountNames(service: Service): readonly string[] {
  const seeded = seededSets(service, { default: 0, exceptions: new Map() })
  return [...seeded.map(({ name }) => name), ...seeded.flatMap(set => containedPaths(set, service))]
}

/** Paths such as `users/messages` and `users/messages/attachments`. */
function containedPaths({ name, types }: SeededSet, service: Service): readonly string[] {
  const below = (path: string, type: EntityType, open: readonly EntityType[]): readonly string[] =>
    type.navigation
      .filter(({ contained }) => contained)
      .flatMap(navigation => {
        const inner = `${path}/${navigation.name}`
        const nested = open.includes(navigation.type) ? [] : below(inner, navigation.type, [...open, navigation.type])
        return navigation.collection ? [inner, ...nested] : nested
      })
  return service.container.some(element => element.name === name)
    ? [...new Set(types.flatMap(type => below(name, type, [type])))]
    : []
}

/** How many items to generate. */
export interface RowCounts {
  /** The number of items in each entity set. */
  readonly default: number
  /**
   * Exceptions by name: the number of items in an entity set (`groups`), or of contained items per owner (`users/messages`).
   */
  readonly exceptions: ReadonlyMap<string, number>
}

/** Parses `100000,groups=1000,users/messages=10`. Returns a message if the text is invalid. */
export function parseRowCounts(text: string): RowCounts | string {
  let each: number | undefined
  const of = new Map<string, number>()
  for (const part of text.split(',')) {
    const [first = '', second, ...more] = part.split('=')
    const count = (second ?? first).trim()
    if (more.length > 0 || !/^\d{1,9}$/.test(count)) return `"${part}" is not a number. Expected N or NAME=N.`
    if (second === undefined) each = Number(count)
    else of.set(first.trim(), Number(count))
  }
  return each === undefined
    ? 'Expected the number of rows for all sets, such as 1000,groups=10.'
    : { default: each, exceptions: of }
}

/** The requested data cannot be generated. The message says why, and what to do instead. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
}

/** Pseudorandom numbers that are determined by a seed. */
export interface Random {
  /** An integer from 0 to `limit` - 1. */
  readonly below: (limit: number) => number
  /** True with the given probability, in percent. */
  readonly percent: (cases: number) => boolean
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item
}

/** Creates a generator. The same text gives the same numbers on every machine. */
export function randomOf(text: string): Random {
  let state = hashOf(text)
  /** The algorithm mulberry32, with 32 bits of state. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    percent: cases => below(100) < cases,
    pick: items => items[below(items.length)] ?? items[0],
  }
}

/** A 32-bit hash (FNV-1a with a final mix). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) | 0
}
