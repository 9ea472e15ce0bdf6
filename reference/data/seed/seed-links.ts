import { derivesFrom, type EntityType, type NavigationProperty, type Service } from '../../../spec/language/index.js'
import type { ItemKey } from '../../store/entity-record.js'
import type { Random } from './random.js'
import type { SeedKeys } from './seed-keys.js'
import { SeedError, type SeededSet } from './seed-rows.js'

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
    if (contained) return false
    if (partner === undefined || !collection) return true
    return partner.collection && order.indexOf(navigation) < order.indexOf(partner)
  }
  const setsFor = (type: EntityType): readonly SeededSet[] =>
    sets.filter(set => set.count > 0 && derivesFrom(set.type, type))

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
  const { random, index, set, type, place } = item
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
          ? earlier(item, navigation, number => keys.inSet(target, number))
          : keys.inSet(target, isOneToOne(navigation) ? index % target.count : random.below(target.count))
    if (key !== undefined) found.set(JSON.stringify(key), key)
  }
  return [...found.values()]
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
