import type { EntityType, Service } from '../../spec/language/index.js'
import type { Row } from '../json.js'
import { isKindOf } from './properties.js'

/**
 * Whether an item of a derived type must name its type: a clause of the spec says so, or the spec has no clauses, and the
 * sentences of the standard hold.
 *
 * @see OData 4.01 JSON Format, 4.6.3
 */
export function mustNameTypes({ clauses }: Pick<Service, 'clauses'>): boolean {
  return clauses.length === 0 || clauses.some(({ aspects }) => aspects.includes('item.type'))
}

/** The types that derive from another one, without abstract ones. */
export function derivedTypes(base: EntityType, { entityTypes }: Pick<Service, 'entityTypes'>): readonly EntityType[] {
  return entityTypes.filter(type => type !== base && !type.abstract && isKindOf(type, base))
}

/** The qualified name of the type that an item names in `@odata.type`, or in `@type`, the short form of OData 4.01. */
export function namedType(row: Row): string | undefined {
  for (const annotation of ['@odata.type', '@type']) {
    const name = Object.hasOwn(row, annotation) ? row[annotation] : undefined
    if (typeof name === 'string') return name.slice(name.lastIndexOf('#') + 1)
  }
  return undefined
}

/** Whether an item names a type. A single item may do so in its context URL, such as `$metadata#animals/zoo.dog/$entity`. */
export function namesType(row: Row, { qualifiedName }: Pick<EntityType, 'qualifiedName'>): boolean {
  const name = namedType(row)
  if (name !== undefined) return name === qualifiedName
  const context = row['@odata.context'] ?? row['@context']
  return (
    typeof context === 'string' &&
    context
      .slice(context.lastIndexOf('#') + 1)
      .split('/')
      .includes(qualifiedName)
  )
}

/**
 * The type of an item of a collection. Undefined if the item names none and need not, or names an unknown one.
 *
 * @param declared the type of the collection
 */
export function typeOfItem(row: Row, declared: EntityType, service: Service): EntityType | undefined {
  const name = namedType(row)
  if (name !== undefined) return service.entityTypes.find(({ qualifiedName }) => qualifiedName === name)
  return mustNameTypes(service) && !declared.abstract ? declared : undefined
}
