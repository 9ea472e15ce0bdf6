import { derivesFrom, type EntityType, type NavigationProperty, type Service } from '../../../spec/language/index.js'
import type { ItemKey } from '../../store/entity-record.js'
import type { Random } from './random.js'
import type { SeedKeys } from './seed-keys.js'
import { SeedError, type SeededSet, typeOfItem } from './seed-rows.js'

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
    if (key !== undefined) found.set(JSON.stringify(key), key)
  }
  return [...found.values()]
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

/** An earlier item of the same set, or an earlier sibling; undefined for the first item. */
function earlier(
  { index, random }: LinkSource,
  navigation: NavigationProperty,
  keyOf: (index: number) => ItemKey,
): ItemKey | undefined {
  if (index === 0) return undefined
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
