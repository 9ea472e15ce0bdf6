import {
  derivesFrom,
  type EntityType,
  isNumericType,
  type NavigationProperty,
  type Property,
  type Service,
} from '../../../spec/language/index.js'
import { rootOf } from '../../../sql/index.js'
import type { ItemKey } from '../../store/store.js'
import { guidOf } from '../integrity.js'
import { choicesOf, keyCount, type Random, SeedError, type SeededSet, typeOfItem } from './seed-rows.js'
import { numberedTexts } from './seed-text.js'

/** Whether the key of a target is enough to link to it. A constraint on other properties needs their values. */
export function leadsToKey({ constraint, type }: NavigationProperty): boolean {
  return constraint.every(({ principal }) => type.key.some(({ name }) => name === principal))
}

const numbers = new WeakMap<SeededSet, Map<EntityType, readonly number[]>>()

/** The numbers of the items of a set that have a type, in ascending order. Undefined: all items have it. */
function itemsOfType(set: SeededSet, type: EntityType): readonly number[] | undefined {
  if (set.types.every(each => derivesFrom(each, type))) return undefined
  const known = numbers.get(set) ?? new Map<EntityType, readonly number[]>()
  numbers.set(set, known)
  const all = Array.from({ length: set.count }, (_, index) => index)
  const found = known.get(type) ?? all.filter(index => derivesFrom(typeOfItem(set, index), type))
  known.set(type, found)
  return found
}

/** The item whose links are generated. */
export interface LinkSource {
  readonly type: EntityType
  /** Undefined for a contained item. */
  readonly set: SeededSet | undefined
  /** The path from which the key of a contained item is derived. */
  readonly place: string
  readonly index: number
  readonly random: Random
}

/** The number of items that link to the same item of their set. The links form a tree instead of a chain. */
const branching = 8

/**
 * Generates the links of an item in the format of data files. Links within a set or among siblings point to earlier items, so
 * that there are no cycles. Of two partner relations, only one is written.
 */
export function linkGenerator(
  service: Service,
  sets: readonly SeededSet[],
  keys: SeedKeys,
): (item: LinkSource) => Readonly<Record<string, unknown>> {
  const order = service.entityTypes.flatMap(({ ownNavigation }) => ownNavigation)
  const isWritten = (navigation: NavigationProperty): boolean => {
    const { collection, contained, partner } = navigation
    // Containment implies the link to the owner.
    if (contained || partner?.contained === true || !leadsToKey(navigation)) return false
    if (partner === undefined || !collection) return true
    return partner.collection && order.indexOf(navigation) < order.indexOf(partner)
  }
  const setsFor = (type: EntityType): readonly SeededSet[] =>
    sets.filter(set => set.count > 0 && set.types.some(each => derivesFrom(each, type)))

  return item => {
    const links: Record<string, unknown> = {}
    const taken = new Set(item.type.key.map(({ name }) => name))
    for (const navigation of item.type.navigation) {
      // A key part that another item provides implies the link.
      if (!isWritten(navigation) || navigation.constraint.some(({ dependent }) => taken.has(dependent))) continue
      for (const { dependent } of navigation.constraint) taken.add(dependent)
      const targets = targetsOf(navigation, item, setsFor(navigation.type), keys)
      if (!navigation.collection && !navigation.nullable && !targets?.length) throw missingTarget(item.type, navigation)
      if (targets === undefined) continue
      const written = targets.map(key => writeKey(navigation.type, key))
      if (navigation.collection) links[navigation.name] = written
      else if (written.length > 0) links[navigation.name] = written[0]
    }
    return links
  }
}

function targetsOf(
  navigation: NavigationProperty,
  item: LinkSource,
  sets: readonly SeededSet[],
  keys: SeedKeys,
): readonly ItemKey[] | undefined {
  const { random, set, type, place } = item
  const isSibling = sets.length === 0 && set === undefined && derivesFrom(type, navigation.type)
  if (sets.length === 0 && !isSibling) return undefined
  if (navigation.nullable && random.percent(5)) return []
  const count = navigation.collection ? random.below(4) : 1
  const found = new Map<string, ItemKey>()
  for (let each = 0; each < count; each++) {
    const target = sets[random.below(sets.length)]
    const key =
      target === undefined
        ? earlier(item, navigation, number => keys.contained(type, place, number))
        : target === set
          ? earlierInSet(item, navigation, target, keys)
          : elsewhere(item, navigation, target, keys)
    if (key !== undefined && fits(key, navigation, type)) found.set(JSON.stringify(key), key)
  }
  return [...found.values()]
}

/** Whether the properties that a constraint sets can have the values of a key: they can be shorter. */
function fits(key: ItemKey, { constraint, type: target }: NavigationProperty, type: EntityType): boolean {
  return constraint.every(({ dependent, principal }) => {
    const value = key[target.key.findIndex(({ name }) => name === principal)]
    const property = type.properties.find(({ name }) => name === dependent)
    const { maxLength = Number.POSITIVE_INFINITY } = property === undefined ? {} : facetsOf(property)
    return typeof value !== 'string' || value.length <= maxLength
  })
}

/** An item of another set. */
function elsewhere(
  { index, random }: LinkSource,
  navigation: NavigationProperty,
  target: SeededSet,
  keys: SeedKeys,
): ItemKey | undefined {
  const some = itemsOfType(target, navigation.type)
  const count = some?.length ?? target.count
  if (count === 0) return undefined
  const number = isOneToOne(navigation) ? index % count : random.below(count)
  return keys.inSet(target, some?.[number] ?? number)
}

/** An earlier item of the same set that has the type of the relation. */
function earlierInSet(
  item: LinkSource,
  navigation: NavigationProperty,
  set: SeededSet,
  keys: SeedKeys,
): ItemKey | undefined {
  const some = itemsOfType(set, navigation.type)
  if (some === undefined) return earlier(item, navigation, number => keys.inSet(set, number))
  const before = some.filter(number => number < item.index)
  const inOrder = { ...item, index: before.length }
  return earlier(inOrder, navigation, number => keys.inSet(set, before[number] ?? 0))
}

/** An earlier item of the same set, or an earlier sibling. The first item has none, and leads to itself where it must. */
function earlier(
  { index, random }: LinkSource,
  navigation: NavigationProperty,
  keyOf: (index: number) => ItemKey,
): ItemKey | undefined {
  if (index === 0) return navigation.collection || navigation.nullable ? undefined : keyOf(0)
  if (isOneToOne(navigation)) return keyOf(index - 1)
  return keyOf(navigation.collection ? random.below(index) : Math.floor((index - 1) / branching))
}

function missingTarget(type: EntityType, { name, type: target }: NavigationProperty): SeedError {
  return new SeedError(
    `A ${type.name} needs a ${target.name} as its ${name}, but the data has no ${target.name}. Request rows of ${target.name}, or no rows of ${type.name}.`,
  )
}

const isOneToOne = ({ collection, partner }: NavigationProperty): boolean =>
  !collection && partner !== undefined && !partner.collection

function writeKey(type: EntityType, key: ItemKey): unknown {
  if (key.length === 1) return key[0]
  return Object.fromEntries(type.key.map(({ name }, index) => [name, key[index]]))
}

/** Computes the key of a seeded item from its position, so that any item can link to any other without generating it. */
interface SeedKeys {
  /** The key of an item of an entity set, by its number from 0. */
  readonly inSet: (set: SeededSet, index: number) => ItemKey
  /** The key of a contained item. It is unique among its siblings. */
  readonly contained: (type: EntityType, place: string, index: number) => ItemKey
}

/**
 * Creates the keys of a seed. If a referential constraint ties a part of the key to another item, the part is taken from that
 * item's key.
 */
export function seedKeys(sets: readonly SeededSet[], seed: string): SeedKeys {
  const texts = new Map<Property, (index: number) => string>()
  const textOf = (property: Property, type: EntityType): ((index: number) => string) => {
    const known = texts.get(property) ?? numberedTexts(facetsOf(property), `${type.name}/${property.name}`)
    texts.set(property, known)
    return known
  }

  /** @param before the number of items in other sets that share the key space. Keys that contain the place do not need it. */
  const part = (
    property: Property,
    type: EntityType,
    place: string,
    number: number,
    before = 0,
  ): string | number | boolean => {
    const primitive = primitiveOf(property)
    const holdsGuid = (facetsOf(property).maxLength ?? guidLength) >= guidLength
    if (primitive === 'Guid' || (primitive === 'String' && property.computed && holdsGuid)) {
      return guidOf(`${seed}/${place}/${number}`)
    }
    const index = before + number
    const choices = choicesOf(property)
    if (choices !== undefined) {
      // Without a part that counts, the parts are the digits of the number.
      const others = type.key.slice(0, type.key.indexOf(property)).map(each => choicesOf(each)?.length ?? 1)
      const step = keyCount(type) === Number.POSITIVE_INFINITY ? 1 : others.reduce((product, each) => product * each, 1)
      return choices[Math.floor(index / step) % choices.length] ?? false
    }
    if (primitive !== undefined && isNumericType(primitive)) return (property.minimum ?? 1) + index
    switch (primitive) {
      case 'String':
        return textOf(property, type)(index)
      case 'Date':
        return dayOf(index)
      case 'DateTimeOffset':
        return `${dayOf(index)}T00:00:00Z`
      case 'TimeOfDay':
        return new Date(index * 1_000).toISOString().slice(11, 19)
      case 'Duration':
        return `P${index + 1}D`
      default:
        throw new SeedError(
          `The key ${type.name}/${property.name} has a type that is not supported for generated rows. Write its data by hand.`,
        )
    }
  }

  // Sets of related types share one key space.
  const before = new Map(
    sets.map((set, place) => [
      set,
      sets.slice(0, place).reduce((sum, each) => sum + (sharesKeySpace(each.type, set.type) ? each.count : 0), 0),
    ]),
  )

  const inSet = (set: SeededSet, index: number, open: readonly SeededSet[] = []): ItemKey =>
    keyOf(set.type, set.name, index, [...open, set], before.get(set))

  /** @param open the sets whose keys refer to this one, and its own */
  const keyOf = (
    type: EntityType,
    place: string,
    index: number,
    open: readonly SeededSet[],
    shared?: number,
  ): ItemKey => {
    const values = new Map<string, string | number | boolean>()
    let number = index
    const isContained = open.length === 0
    for (const { constraint, type: target, partner } of keyNavigation(type)) {
      const own = constraint.filter(({ dependent }) => type.key.some(property => property.name === dependent))
      if (own.some(({ dependent }) => values.has(dependent))) continue
      const targets = sets.find(other => other !== open.at(-1) && other.type === target && other.count > 0)
      // The item that contains this one has its own part of the key.
      if (isContained && (targets === undefined || partner?.contained === true)) continue
      if (targets === undefined) {
        throw new SeedError(
          `The key of a ${type.name} refers to a ${target.name}. Request rows of ${target.name} as well.`,
        )
      }
      // Keys that refer to each other have to start somewhere.
      if (open.includes(targets)) continue
      const key = inSet(targets, number % targets.count, open)
      number = Math.floor(number / targets.count)
      for (const { dependent, principal } of own) {
        const value = key[target.key.findIndex(property => property.name === principal)]
        if (value !== undefined) values.set(dependent, value)
      }
    }
    return type.key.map(property => values.get(property.name) ?? part(property, type, place, number, shared))
  }

  return {
    inSet: (set, index) => inSet(set, index),
    contained: (type, place, index) => keyOf(type, place, index, []),
  }
}

/** The relations that determine parts of the key of a type, those that determine most of it first. */
function keyNavigation(type: EntityType): readonly NavigationProperty[] {
  const keys = new Set(type.key.map(({ name }) => name))
  const partsOf = ({ constraint }: NavigationProperty): number =>
    constraint.filter(({ dependent }) => keys.has(dependent)).length
  return type.navigation
    .filter(navigation => {
      const { type: target, constraint, nullable } = navigation
      // A key that refers to an item of its own kind refers to its own item.
      if (derivesFrom(target, type) || derivesFrom(type, target)) return false
      // An item needs no link that other properties take part in.
      return partsOf(navigation) > 0 && (partsOf(navigation) === constraint.length || !nullable)
    })
    .toSorted((one, other) => partsOf(other) - partsOf(one))
}

/** Whether items of two types need different keys: they are in one table, so siblings that derive from one type do, too. */
export function sharesKeySpace(one: EntityType, other: EntityType): boolean {
  return rootOf(one) === rootOf(other)
}

/** The number of characters of a Guid. */
const guidLength = 36
const dayLength = 86_400_000
const firstDay = Date.UTC(2020, 0, 1)

function dayOf(index: number): string {
  return new Date(firstDay + index * dayLength).toISOString().slice(0, 10)
}

function primitiveOf({ type }: Property): string {
  if (type.kind === 'primitive') return type.name
  return type.kind === 'typeDefinition' ? type.underlying : type.kind
}

/** The facets of a property, merged with those of its type definition. */
function facetsOf(property: Property): Property {
  if (property.type.kind !== 'typeDefinition') return property
  const { pattern, maxLength } = property.type
  return {
    ...property,
    ...(property.pattern === undefined && pattern !== undefined ? { pattern } : {}),
    ...(property.maxLength === undefined && maxLength !== undefined ? { maxLength } : {}),
  }
}
