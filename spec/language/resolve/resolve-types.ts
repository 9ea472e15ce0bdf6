import type { EnumTypeDocument, StructuredTypeDocument, TypeDefinitionDocument } from '../document/index.js'
import { derivesFrom } from '../model/derives-from.js'
import { isPrimitiveTypeName } from '../model/is-primitive-type-name.js'
import type { ComplexType, EntityType, EnumType, StructuredType, TypeDefinition, ValueType } from '../model/types.js'
import { pointerTo } from '../source/pointer.js'
import type { Draft } from './draft.js'
import { fillStructuredType } from './fill-structured-type.js'
import { type Resolution, refer } from './resolution.js'
import { referToPrimitive } from './value-type.js'

/** The types of a service by name. */
export interface Types {
  /** Everything declared under `resources`. */
  readonly all: ReadonlyMap<string, NamedType>
  readonly entityTypes: ReadonlyMap<string, EntityType>
}

/** A type that the spec declares. */
export type NamedType = Exclude<ValueType, { readonly kind: 'primitive' }>

/** Resolves the chapter `resources`. */
export function resolveTypes(resolution: Resolution): Types {
  const all = new Map<string, NamedType>()
  const entityTypes = new Map<string, EntityType>()
  const structured: { readonly type: Draft<StructuredType>; readonly document: StructuredTypeDocument }[] = []
  for (const [name, document] of Object.entries(resolution.document.resources)) {
    const pointer = pointerTo('/resources', name)
    if (isPrimitiveTypeName(name)) {
      const message = `"${name}" is a primitive type; give the resource another name.`
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
    ? { ...common, kind: 'entityType', key: [], entityTag: document.entityTag ?? 'none' }
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
  const base = refer(resolution, { kind: 'type', name: document.base, at, chapter: '/resources', known: all })
  if (base === undefined) return
  if (type.kind === 'entityType' && base.kind === 'entityType' && !derivesFrom(base, type)) type.base = base
  else if (type.kind === 'complexType' && base.kind === 'complexType' && !derivesFrom(base, type)) type.base = base
  else if (base.kind === type.kind) {
    const message = `"${type.name}" derives from itself by way of "${base.name}"; break the circle.`
    resolution.report({ code: 'spec/base-cycle', message, at })
  } else {
    const message = `"${base.name}" is no ${type.kind}, so "${type.name}" cannot derive from it.`
    resolution.report({ code: 'spec/base-kind', message, at })
  }
}

function enumType(resolution: Resolution, name: string, document: EnumTypeDocument, pointer: string): EnumType {
  return {
    ...resolution.annotations(document, pointer),
    kind: 'enumType',
    name,
    qualifiedName: resolution.qualified(name, document),
    flags: document.flags ?? false,
    underlying: document.underlying ?? 'Int32',
    members: Object.entries(document.members).map(([member, value]) => {
      const at = pointerTo(pointerTo(pointer, 'members'), member)
      return typeof value === 'number'
        ? { ...resolution.annotations({}, at), name: member, value }
        : { ...resolution.annotations(value, at), name: member, value: value.value }
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
  const underlying = referToPrimitive(resolution, type, pointerTo(pointer, 'type'))
  return {
    ...resolution.annotations(document, pointer),
    ...facets,
    kind,
    name,
    qualifiedName: resolution.qualified(name, document),
    underlying: underlying ?? 'String',
  }
}
