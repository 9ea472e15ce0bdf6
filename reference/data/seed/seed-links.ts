import { derivesFrom, type EntityType, type NavigationProperty, type Service } from '../../../spec/language/index.js'
import type { ItemKey } from '../../store/entity-record.js'
import type { Random } from './random.js'
import type { SeedKeys } from './seed-keys.js'
import { SeedError, type SeededSet } from './seed-rows.js'

/** The item whose links are made. */
export interface LinkSource {
  readonly type: EntityType
  /** Undefined for a contained item. */
  readonly set: SeededSet | undefined
  /** What a contained item's key follows from. */
  readonly place: string
  readonly index: number
  readonly random: Random
}

/** Items that lead to one of their set: trees rather than chains. */
const branching = 8

/**
 * The links of an item, as data writes them. Links within a set, or among siblings, lead to items that came before, so
 * that nothing goes round in circles. A relation that has a partner is told at one end.
 */
export function linkGenerator(
  service: Service,
  sets: readonly SeededSet[],
  keys: SeedKeys,
): (item: LinkSource) => Readonly<Record<string, unknown>> {
  const order = service.entityTypes.flatMap(({ ownNavigation }) => ownNavigation)
  const isTold = (navigation: NavigationProperty): boolean => {
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
      // A part of the key that another item gives makes the link by itself.
      if (!isTold(navigation) || navigation.constraint.some(({ dependent }) => taken.has(dependent))) continue
      for (const { dependent } of navigation.constraint) taken.add(dependent)
      const targets = targetsOf(navigation, item, setsFor(navigation.type), keys)
      if (!navigation.collection && !navigation.nullable && !targets?.length) throw lacking(item.type, navigation)
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

/** An item of the same set, or a sibling, that came before; undefined for the first. */
function earlier(
  { index, random }: LinkSource,
  navigation: NavigationProperty,
  keyOf: (index: number) => ItemKey,
): ItemKey | undefined {
  if (index === 0) return undefined
  if (isOneToOne(navigation)) return keyOf(index - 1)
  return keyOf(navigation.collection ? random.below(index) : Math.floor((index - 1) / branching))
}

function lacking(type: EntityType, { name, type: target }: NavigationProperty): SeedError {
  return new SeedError(
    `A ${type.name} needs a ${target.name} as its ${name}, and there is none to link to; ask for rows of it, or for none of ${type.name}.`,
  )
}

const isOneToOne = ({ collection, partner }: NavigationProperty): boolean =>
  !collection && partner !== undefined && !partner.collection

function writeKey(type: EntityType, key: ItemKey): unknown {
  if (key.length === 1) return key[0]
  return Object.fromEntries(type.key.map(({ name }, index) => [name, key[index]]))
}
