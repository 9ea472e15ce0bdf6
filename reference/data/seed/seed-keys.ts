import { type EntityType, isNumericType, type Property } from '../../../spec/language/index.js'
import { rootOf } from '../../../sql/index.js'
import type { ItemKey } from '../../store/entity-record.js'
import { guidOf } from '../keys.js'
import { SeedError, type SeededSet } from './seed-rows.js'
import { numberedTexts } from './seed-text.js'

/** Computes the key of a seeded item from its position, so that any item can link to any other without generating it. */
export interface SeedKeys {
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
    if (primitive === 'Guid' || (primitive === 'String' && property.computed)) {
      return guidOf(`${seed}/${place}/${number}`)
    }
    const index = before + number
    // An enumeration or a Boolean alone has too few values for a key.
    if (type.key.some(isCounted)) {
      if (primitive === 'Boolean') return index % 2 === 1
      const members = property.type.kind === 'enumType' ? property.type.members : []
      const member = members[index % members.length]
      if (member !== undefined) return member.name
    }
    if (primitive !== undefined && isNumericType(primitive)) return (property.minimum ?? 1) + index
    switch (primitive) {
      case 'String':
        return textOf(property, type)(index)
      case 'Date':
        return dayOf(index)
      case 'DateTimeOffset':
        return `${dayOf(index)}T00:00:00Z`
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

  const inSet = (set: SeededSet, index: number): ItemKey => {
    const { type, name } = set
    const values = new Map<string, string | number | boolean>()
    let number = index
    for (const { constraint, type: target } of type.navigation) {
      const own = constraint.filter(({ dependent }) => type.key.some(property => property.name === dependent))
      // A key that refers to an item of its own kind refers to its own item.
      if (own.length === 0 || sharesKeySpace(target, type)) continue
      const targets = sets.find(other => other !== set && other.type === target && other.count > 0)
      if (targets === undefined) {
        throw new SeedError(
          `The key of a ${type.name} refers to a ${target.name}. Request rows of ${target.name} as well.`,
        )
      }
      const key = inSet(targets, number % targets.count)
      number = Math.floor(number / targets.count)
      for (const { dependent, principal } of own) {
        const value = key[target.key.findIndex(property => property.name === principal)]
        if (value !== undefined) values.set(dependent, value)
      }
    }
    return type.key.map(property => values.get(property.name) ?? part(property, type, name, number, before.get(set)))
  }

  return {
    inSet,
    contained: (type, place, index) => type.key.map(property => part(property, type, place, index)),
  }
}

/** Whether items of two types need different keys: they are in one table, so siblings that derive from one type do, too. */
export function sharesKeySpace(one: EntityType, other: EntityType): boolean {
  return rootOf(one) === rootOf(other)
}

const dayLength = 86_400_000
const firstDay = Date.UTC(2020, 0, 1)

function dayOf(index: number): string {
  return new Date(firstDay + index * dayLength).toISOString().slice(0, 10)
}

/** Whether every number gives a different value. */
function isCounted(property: Property): boolean {
  return property.type.kind !== 'enumType' && primitiveOf(property) !== 'Boolean'
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
