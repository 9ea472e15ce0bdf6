import { suggest } from '../diagnostics/suggest.js'
import type {
  EnumTypeDocument,
  NavigationDocument,
  PropertyDocument,
  StructuredTypeDocument,
  TypeDefinitionDocument,
} from '../document.js'
import {
  type ComplexType,
  derivesFrom,
  type EntityType,
  type EnumType,
  isPrimitiveTypeName,
  isStream,
  type NavigationProperty,
  type PrimitiveTypeName,
  type Property,
  primitiveTypeNames,
  type StructuredType,
  type TypeDefinition,
  type ValueType,
} from '../model/types.js'
import { pointerTo } from '../source/json-pointer.js'
import { type Draft, type Resolution, renamed, resolveReference } from './resolution.js'

/** The types of a service by name. */
export interface Types {
  /** Everything declared under `resources`. */
  readonly all: ReadonlyMap<string, NamedType>
  readonly entityTypes: ReadonlyMap<string, EntityType>
}

/** A type that the spec declares. */
type NamedType = Exclude<ValueType, { readonly kind: 'primitive' }>

/** Resolves the chapter `resources`. */
export function resolveTypes(resolution: Resolution): Types {
  const all = new Map<string, NamedType>()
  const entityTypes = new Map<string, EntityType>()
  const structured: { readonly type: Draft<StructuredType>; readonly document: StructuredTypeDocument }[] = []
  for (const [name, document] of Object.entries(resolution.document.resources)) {
    const pointer = pointerTo('/resources', name)
    if (isPrimitiveTypeName(name)) {
      const message = `"${name}" is a primitive type. Give the resource another name.`
      resolution.report({ code: 'spec/primitive-type-name', message, at: pointer, on: 'key' })
      continue
    }
    switch (document.kind) {
      case 'enumType':
        all.set(name, enumType(resolution, name, document, pointer))
        break
      case 'typeDefinition':
        all.set(name, typeDefinition(resolution, name, document, pointer))
        break
      default: {
        const type = emptyType(resolution, name, document, pointer)
        all.set(name, type)
        structured.push({ type, document })
        if (type.kind === 'entityType') entityTypes.set(name, type)
      }
    }
  }
  const types = { all, entityTypes }
  for (const { type, document } of structured) resolveBase(resolution, type, document, all)
  const filled = new Set<string>()
  const documents = new Map(structured.map(entry => [entry.type.name, entry]))
  for (const { type } of structured) {
    // Bases first, so that what they declare can be folded in.
    const chain: StructuredType[] = []
    for (let each: StructuredType | undefined = type; each && !filled.has(each.name); each = each.base) chain.push(each)
    for (const { name } of chain.reverse()) {
      filled.add(name)
      const entry = documents.get(name)
      if (entry) fillStructuredType(resolution, entry.type, entry.document, types)
    }
  }
  return types
}

function emptyType(
  resolution: Resolution,
  name: string,
  document: StructuredTypeDocument,
  pointer: string,
): Draft<EntityType> | Draft<ComplexType> {
  const common = {
    ...resolution.annotations(document, pointer),
    ...renamed(document),
    name,
    qualifiedName: resolution.qualified(name, document),
    abstract: document.abstract ?? false,
    open: document.open ?? false,
    ownProperties: [],
    ownNavigation: [],
    properties: [],
    navigation: [],
  }
  return document.kind === 'entityType'
    ? {
        ...common,
        kind: 'entityType',
        key: [],
        alternateKeys: [],
        keyless: document.keyless ?? false,
        entityTag: document.entityTag ?? 'none',
        hasStream: document.hasStream ?? false,
        mediaTypes: document.mediaTypes ?? [],
      }
    : { ...common, kind: 'complexType' }
}

function resolveBase(
  resolution: Resolution,
  type: Draft<StructuredType>,
  document: StructuredTypeDocument,
  all: ReadonlyMap<string, NamedType>,
): void {
  if (document.base === undefined) return
  const at = pointerTo(pointerTo('/resources', type.name), 'base')
  const base = resolveReference(resolution, {
    kind: 'type',
    name: document.base,
    at,
    chapter: '/resources',
    known: all,
  })
  if (base === undefined) return
  if (type.kind === 'entityType' && base.kind === 'entityType' && !derivesFrom(base, type)) type.base = base
  else if (type.kind === 'complexType' && base.kind === 'complexType' && !derivesFrom(base, type)) type.base = base
  else if (base.kind === type.kind) {
    const message = `"${type.name}" derives from itself by way of "${base.name}". Break the cycle.`
    resolution.report({ code: 'spec/base-cycle', message, at })
  } else {
    const message = `"${base.name}" is of the kind ${base.kind}, not ${type.kind}, so "${type.name}" cannot derive from it.`
    resolution.report({ code: 'spec/base-kind', message, at })
  }
}

function enumType(resolution: Resolution, name: string, document: EnumTypeDocument, pointer: string): EnumType {
  return {
    ...resolution.annotations(document, pointer),
    ...renamed(document),
    kind: 'enumType',
    name,
    qualifiedName: resolution.qualified(name, document),
    flags: document.flags ?? false,
    underlying: document.underlying ?? 'Int32',
    members: Object.entries(document.members).map(([member, value]) => {
      const at = pointerTo(pointerTo(pointer, 'members'), member)
      return typeof value === 'number'
        ? { ...resolution.annotations({}, at), name: member, value }
        : { ...resolution.annotations(value, at), ...renamed(value), name: member, value: value.value }
    }),
  }
}

function typeDefinition(
  resolution: Resolution,
  name: string,
  document: TypeDefinitionDocument,
  pointer: string,
): TypeDefinition {
  const { kind, type, qualifiedName, ref, description, assumed, ...facets } = document
  const underlying = resolvePrimitiveType(resolution, type, pointerTo(pointer, 'type'))
  return {
    ...resolution.annotations(document, pointer),
    ...facets,
    kind,
    name,
    qualifiedName: resolution.qualified(name, document),
    underlying: underlying ?? 'String',
  }
}

/** Gives a type its properties, relations and key, and folds in those of its base, which must be filled already. */
function fillStructuredType(
  resolution: Resolution,
  type: Draft<StructuredType>,
  document: StructuredTypeDocument,
  types: Types,
): void {
  const { pointer } = type.location
  type.ownProperties = Object.entries(document.properties ?? {}).flatMap(
    ([name, property]) =>
      resolveProperty(resolution, name, property, pointerTo(`${pointer}/properties`, name), types) ?? [],
  )
  type.ownNavigation = Object.entries(document.navigation ?? {}).flatMap(
    ([name, relation]) =>
      resolveNavigation(resolution, name, relation, pointerTo(`${pointer}/navigation`, name), types) ?? [],
  )
  type.properties = type.base ? [...type.base.properties, ...type.ownProperties] : type.ownProperties
  type.navigation = type.base ? [...type.base.navigation, ...type.ownNavigation] : type.ownNavigation
  type.open = isOpen(resolution, type, document)
  if (type.kind === 'entityType') {
    type.keyless = document.keyless ?? type.base?.keyless ?? false
    type.entityTag = document.entityTag ?? type.base?.entityTag ?? 'none'
    type.hasStream = document.hasStream ?? type.base?.hasStream ?? false
    type.mediaTypes = document.mediaTypes ?? type.base?.mediaTypes ?? []
    type.key = resolveKey(resolution, type, document.key, 'key') ?? type.base?.key ?? []
    const own = (document.alternateKeys ?? []).map((names, index) =>
      resolveKey(resolution, type, names, `alternateKeys/${index}`),
    )
    type.alternateKeys = [...(type.base?.alternateKeys ?? []), ...own.filter(key => key !== undefined)]
  }
}

/** What derives from an open type is open. @see CSDL XML 4.01, 6.3 and 9.3 */
function isOpen(
  resolution: Resolution,
  { base, name, location }: Draft<StructuredType>,
  { open }: StructuredTypeDocument,
): boolean {
  if (open === false && base?.open === true) {
    const message = `"${base.name}" is open, so "${name}", which derives from it, is also open. Remove "open: false".`
    resolution.report({ code: 'spec/open-base', message, at: pointerTo(location.pointer, 'open') })
  }
  return base?.open === true || (open ?? false)
}

function resolveProperty(
  resolution: Resolution,
  name: string,
  document: PropertyDocument,
  pointer: string,
  types: Types,
): Property | undefined {
  const type = resolveValueType(resolution, document.type, `${pointer}/type`, types.all)
  if (type === undefined) return undefined
  const { ref, description, assumed, collection = false, nullable = false, computed = false, ...rest } = document
  const { createOnly = false, unique = false, index = false, returned = 'byDefault', search = 'none', ...facets } = rest
  return {
    ...resolution.annotations(document, pointer),
    ...facets,
    kind: 'property',
    name,
    type,
    collection,
    nullable,
    computed,
    createOnly,
    required:
      document.required ?? !(nullable || collection || computed || document.default !== undefined || isStream(type)),
    unique,
    returned,
    search,
    index,
  }
}

function resolveNavigation(
  resolution: Resolution,
  name: string,
  document: NavigationDocument,
  pointer: string,
  types: Types,
): NavigationProperty | undefined {
  const type = resolveReference(resolution, {
    kind: 'entity type',
    name: document.to,
    at: `${pointer}/to`,
    chapter: '/resources',
    known: types.entityTypes,
  })
  if (type === undefined) return undefined
  return {
    ...resolution.annotations(document, pointer),
    ...renamed(document),
    kind: 'navigationProperty',
    name,
    type,
    collection: document.collection ?? false,
    nullable: document.nullable ?? false,
    contained: document.contained ?? false,
    constraint: Object.entries(document.constraint ?? {}).map(([dependent, principal]) => ({ dependent, principal })),
    ...(document.onDelete === undefined ? {} : { onDelete: document.onDelete }),
  }
}

/** The properties that a key names. @param place where the type declares it */
function resolveKey(
  resolution: Resolution,
  type: EntityType,
  names: readonly string[] | undefined,
  place: string,
): readonly Property[] | undefined {
  if (names === undefined) return undefined
  const known = new Map(type.properties.map(property => [property.name, property]))
  return names.flatMap((name, index) => {
    const at = `${type.location.pointer}/${place}/${index}`
    return (
      resolveReference(resolution, {
        kind: 'property',
        name,
        at,
        chapter: `${type.location.pointer}/properties`,
        known,
      }) ?? []
    )
  })
}

const primitives: ReadonlyMap<PrimitiveTypeName, ValueType> = new Map(
  primitiveTypeNames.map(name => [name, { kind: 'primitive', name }]),
)

/** The type that a property, parameter or result names. An unknown one is reported. */
export function resolveValueType(
  resolution: Resolution,
  name: string,
  at: string,
  all: ReadonlyMap<string, NamedType>,
): ValueType | undefined {
  const found = isPrimitiveTypeName(name) ? primitives.get(name) : all.get(name)
  if (found === undefined) reportUnknown(resolution, name, at, [...primitiveTypeNames, ...all.keys()])
  return found
}

/** The primitive type that a type definition names. Another one is reported. */
function resolvePrimitiveType(resolution: Resolution, name: string, at: string): PrimitiveTypeName | undefined {
  if (isPrimitiveTypeName(name)) return name
  reportUnknown(resolution, name, at, primitiveTypeNames)
  return undefined
}

function reportUnknown(resolution: Resolution, name: string, at: string, known: readonly string[]): void {
  if (resolution.isIncomplete(pointerTo('/resources', name))) return
  const unqualified = name.startsWith('Edm.') ? name.slice('Edm.'.length) : name
  const suggestion = known.includes(unqualified) ? unqualified : suggest(unqualified, known)
  const declare = suggestion === undefined ? ' Declare it under `resources`, or name a primitive type of CSDL.' : ''
  resolution.report({ code: 'spec/unknown-type', message: `There is no type "${name}".${declare}`, at, suggestion })
}

/** Resolves `partner` of every relation, once all types have theirs. */
export function resolvePartners(resolution: Resolution, types: Iterable<StructuredType>): void {
  const relations = new Map<EntityType, ReadonlyMap<string, NavigationProperty>>()
  const relationsOf = (type: EntityType): ReadonlyMap<string, NavigationProperty> => {
    let found = relations.get(type)
    if (found === undefined) {
      found = new Map(type.navigation.map(relation => [relation.name, relation]))
      relations.set(type, found)
    }
    return found
  }
  for (const type of types) {
    const document = resolution.document.resources[type.name]
    if (document === undefined || !('navigation' in document)) continue
    for (const relation of type.ownNavigation) {
      const name = document.navigation?.[relation.name]?.partner
      if (name === undefined) continue
      const draft: Draft<NavigationProperty> = relation
      const partner = resolveReference(resolution, {
        kind: 'relation',
        name,
        at: `${relation.location.pointer}/partner`,
        chapter: `${relation.type.location.pointer}/navigation`,
        known: relationsOf(relation.type),
      })
      if (partner) draft.partner = partner
    }
  }
}
