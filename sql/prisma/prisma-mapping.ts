import type { ServiceTable } from '../../runtime/server/index.js'
import type { EntityType, NavigationProperty, Property } from '../../spec/language/index.js'
import { serviceTypes } from '../mapping/mapped-schema.js'
import type { CallOf, TableMapping } from '../mapping/mapping.js'
import { unsupportedQuery } from '../query-faults.js'
import { type StoredType, storedProperties, storedTypeOfProperty } from '../schema/stored-type.js'
import type { Where } from './where.js'

/** Where the types of a service are in a Prisma schema. */
export interface PrismaMapping<Context = unknown> extends Pick<TableMapping<Context>, 'secret'> {
  /** The model of each entity type, by the name of the type in the spec. */
  readonly models: Readonly<Record<string, PrismaModel<Context>>>
}

/** The items of an entity type. */
export interface PrismaModel<Context = unknown> {
  /** The name of the model in the client: `case` for `prisma.case`. */
  readonly model: string
  /**
   * Fields by property, if their names differ. `account.mail`: a field of the item behind a relation to one. `null`: there is
   * no field, the value is null.
   */
  readonly fields?: Readonly<Record<string, string | PrismaField | null>>
  /** The relations behind navigation properties. */
  readonly relations?: Readonly<Record<string, string | PrismaThrough>>
  /** Only items that meet this condition of Prisma exist: soft deletes, the tenant of the caller. */
  readonly where?: (call: CallOf<Context>) => object
  /** A field that changes with the item, for entity tags. */
  readonly version?: string
  /** Properties and relations that are nullable in the spec, but required in the Prisma schema. */
  readonly required?: readonly string[]
}

export interface PrismaField {
  readonly field: string
  /** The path of members in a JSON field. Such properties are read only: Prisma cannot filter them as OData does. */
  readonly path: readonly string[]
}

/** A relation through a model that refers to both: `field` leads to that model, and `to` from there to the related item. */
export interface PrismaThrough {
  readonly field: string
  readonly to: string
}

/** A mapping for one call. */
export interface PrismaSchema {
  readonly modelOf: (type: EntityType) => Model
  readonly typeNamed: (name: string) => EntityType
}

export interface Model {
  readonly type: EntityType
  /** The name of the model in the client. */
  readonly name: string
  readonly visible: Where
  readonly version: string | undefined
  readonly fields: ReadonlyMap<string, Field>
  readonly relationOf: (navigation: NavigationProperty) => Relation
}

/** A place of the values of a property. */
export interface Field {
  readonly property: Property
  readonly type: StoredType
  /** The relations to one that lead to the field; undefined: there is no field. */
  readonly place: readonly string[] | undefined
  readonly name: string
  readonly path: readonly string[] | undefined
  readonly nullable: boolean
}

export interface Relation {
  readonly navigation: NavigationProperty
  readonly field: string
  readonly through: string | undefined
  readonly nullable: boolean
}

/**
 * Prepares a mapping.
 *
 * @returns the mapping for a call
 * @throws {TypeError} if it does not fit the service
 */
export function prismaSchema<Context>(
  service: Pick<ServiceTable, 'types' | 'namespace'>,
  { models: given }: PrismaMapping<Context>,
): (call: CallOf<Context>) => PrismaSchema {
  const types = serviceTypes(service.types, service.namespace)
  const prepared = Object.entries(given).map(([name, model]) => {
    const type = types.entityTypes.get(name)
    if (type === undefined) throw new TypeError(`The mapping has a model for '${name}', which is not an entity type.`)
    if (type.base !== undefined || [...types.entityTypes.values()].some(({ base }) => base === type))
      throw new TypeError(`'${name}' takes part in inheritance, which Prisma does not have. Leave it out.`)
    if (type.open) throw new TypeError(`'${name}' is open. Undeclared properties cannot be mapped to fields.`)
    if (type.entityTag !== 'none' && model.version === undefined)
      throw new TypeError(`'${name}' has entity tags. Name a field in 'version' that changes with the item.`)
    const relations = relationsOf(type, model, given)
    const prepared = { type, name: model.model, version: model.version, fields: fieldsOf(type, model) }
    const relationOf = (navigation: NavigationProperty): Relation =>
      found(relations.get(navigation.name), `relation '${navigation.name}'`)
    return { ...prepared, where: model.where, relationOf }
  })
  return call => {
    const models = new Map(
      prepared.map(({ where, ...model }) => [model.type, { ...model, visible: { ...where?.(call) } }] as const),
    )
    return {
      modelOf: type => found(models.get(type), `model for '${type.name}'`),
      typeNamed: name => found(types.entityTypes.get(name), `model for '${name}'`),
    }
  }
}

/** What the mapping leaves out is not supported: the service answers 501. */
function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw unsupportedQuery('query', `The mapping of the database has no ${what}.`)
  return value
}

function fieldsOf<Context>(type: EntityType, { fields, required = [] }: PrismaModel<Context>): Map<string, Field> {
  const all = new Map<string, Field>()
  for (const property of storedProperties(type)) {
    const { name } = property
    const given = fields?.[name]
    const stored = storedTypeOfProperty(property)
    if (given === null && !property.nullable)
      throw new TypeError(`'${type.name}/${name}' cannot be null, so it needs a field.`)
    if (stored.kind === 'duration' && given !== null)
      throw new TypeError(`Prisma has no type for '${type.name}/${name}', which is a duration. Map it to null.`)
    if (stored.enumType?.flags === true && given !== null)
      throw new TypeError(`Prisma has no type for '${type.name}/${name}', which has flags. Map it to null.`)
    const path = typeof given === 'object' && given !== null ? given.path : undefined
    const steps = (typeof given === 'object' ? (given?.field ?? name) : (given ?? name)).split('.')
    const place = given === null ? undefined : steps.slice(0, -1)
    all.set(name, {
      ...{ property, type: stored, place, name: steps.at(-1) ?? name, path },
      nullable: property.nullable && !required.includes(name),
    })
  }
  const unknown = Object.keys(fields ?? {}).find(name => !all.has(name))
  if (unknown !== undefined)
    throw new TypeError(`The mapping of '${type.name}' names '${unknown}'. The type has ${[...all.keys()].join(', ')}.`)
  return all
}

function relationsOf<Context>(
  type: EntityType,
  { relations = {}, required = [] }: PrismaModel<Context>,
  models: PrismaMapping<Context>['models'],
): Map<string, Relation> {
  return new Map(
    Object.entries(relations).map(([name, given]) => {
      const navigation = type.navigation.find(candidate => candidate.name === name)
      if (navigation === undefined)
        throw new TypeError(`The mapping of '${type.name}' has the relation '${name}', which the type does not have.`)
      if (!Object.hasOwn(models, navigation.type.name))
        throw new TypeError(`'${type.name}/${name}' needs a model for '${navigation.type.name}'.`)
      const { field, to } = typeof given === 'string' ? { field: given, to: undefined } : given
      const nullable = navigation.nullable && !required.includes(name)
      return [name, { navigation, field, through: to, nullable }]
    }),
  )
}
