import type { PropertyInfo, StructuredTypeInfo, TypeTable } from '../../runtime/query/index.js'
import {
  type ComplexType,
  type EntityType,
  type EnumType,
  isPrimitiveTypeName,
  type NavigationProperty,
  type Property,
  type StructuredType,
  type TypeDefinition,
  type ValueType,
} from '../../spec/language/index.js'

/** The types of a service as queries need them. */
export interface ServiceTypes {
  readonly entityTypes: ReadonlyMap<string, EntityType>
  readonly complexTypes: readonly ComplexType[]
  readonly enumTypes: ReadonlyMap<string, EnumType>
  readonly named: ReadonlyMap<string, ValueType>
}

/** Types under construction: they can refer to each other. */
type Draft<Type> = { -readonly [Name in keyof Type]: Type[Name] }

const location = { pointer: '' }

/** Reads the types of generated code. */
export function serviceTypes(table: TypeTable, namespace: string): ServiceTypes {
  const entityTypes = new Map<string, Draft<EntityType>>()
  const complexTypes = new Map<string, Draft<ComplexType>>()
  const enumTypes = new Map<string, EnumType>()
  const definitions = new Map<string, TypeDefinition>()
  for (const [name, info] of Object.entries(table)) {
    const common = { name, qualifiedName: info.qualifiedName ?? `${namespace}.${name}`, location }
    if (info.kind === 'enumType') {
      const members = Object.entries(info.members).map(([member, value]) => ({ name: member, value, location }))
      enumTypes.set(name, { ...common, kind: 'enumType', flags: info.flags === true, underlying: 'Int32', members })
    } else if (info.kind === 'typeDefinition') {
      definitions.set(name, { ...common, kind: 'typeDefinition', underlying: primitiveName(info.type) })
    } else {
      const structured = {
        ...common,
        abstract: info.abstract === true,
        open: info.open === true,
        ...{ ownProperties: [], ownNavigation: [], properties: [], navigation: [] },
      }
      if (info.kind === 'complexType') complexTypes.set(name, { ...structured, kind: 'complexType' })
      else
        entityTypes.set(name, {
          ...structured,
          kind: 'entityType',
          key: [],
          entityTag: info.entityTag ?? 'none',
          // Streams are no columns of a table of others.
          hasStream: false,
          mediaTypes: [],
        })
    }
  }
  const named = new Map<string, ValueType>([...entityTypes, ...complexTypes, ...enumTypes, ...definitions])
  const add = (type: Draft<EntityType> | Draft<ComplexType>, info: StructuredTypeInfo): void => {
    const base: StructuredType | undefined =
      type.kind === 'entityType' ? entityTypes.get(info.base ?? '') : complexTypes.get(info.base ?? '')
    // A derived type shares the properties of its base, by identity.
    if (base !== undefined && base.properties.length + base.navigation.length === 0) fill(base.name)
    type.ownProperties = Object.entries(info.properties)
      .filter(([name]) => !base?.properties.some(inherited => inherited.name === name))
      .map(([name, property]) => propertyOf(name, property, named))
    type.ownNavigation = Object.entries(info.navigation)
      .filter(([name]) => !base?.navigation.some(inherited => inherited.name === name))
      .map(([name, navigation]): NavigationProperty => {
        const target = entityTypes.get(navigation.type)
        if (target === undefined) throw new TypeError(`The service has no entity type ${navigation.type}.`)
        return {
          ...{ kind: 'navigationProperty', name, location, type: target, constraint: [] },
          collection: navigation.collection === true,
          nullable: navigation.nullable === true,
          contained: navigation.contained === true,
        }
      })
    type.properties = [...(base?.properties ?? []), ...type.ownProperties]
    type.navigation = [...(base?.navigation ?? []), ...type.ownNavigation]
    if (type.kind === 'entityType') {
      if (base?.kind === 'entityType') type.base = base
      const { properties } = type
      type.key = info.key.flatMap(name => properties.find(property => property.name === name) ?? [])
    } else if (base?.kind === 'complexType') type.base = base
  }
  const filled = new Set<string>()
  const fill = (name: string): void => {
    const info = table[name]
    const type = entityTypes.get(name) ?? complexTypes.get(name)
    if (filled.has(name) || type === undefined || info === undefined) return
    filled.add(name)
    if (info.kind === 'entityType' || info.kind === 'complexType') add(type, info)
  }
  for (const name of named.keys()) fill(name)
  return { entityTypes, complexTypes: [...complexTypes.values()], enumTypes, named }
}

function propertyOf(name: string, info: PropertyInfo, named: ReadonlyMap<string, ValueType>): Property {
  return {
    ...{ kind: 'property', name, location, type: valueType(info.type, named) },
    collection: info.collection === true,
    nullable: info.nullable === true,
    computed: info.computed === true,
    createOnly: info.createOnly === true,
    required: info.required === true,
    returned: info.onSelect === true ? 'onSelect' : info.always === true ? 'always' : 'byDefault',
    ...{ unique: false, search: 'none', index: false },
    ...(info.maxLength === undefined ? {} : { maxLength: info.maxLength }),
    ...(info.maxItems === undefined ? {} : { maxItems: info.maxItems }),
  }
}

function valueType(name: string, named: ReadonlyMap<string, ValueType>): ValueType {
  return named.get(name) ?? { kind: 'primitive', name: primitiveName(name) }
}

function primitiveName(name: string) {
  const plain = name.replace(/^Edm\./, '')
  if (!isPrimitiveTypeName(plain)) throw new TypeError(`The service has no type ${name}.`)
  return plain
}
