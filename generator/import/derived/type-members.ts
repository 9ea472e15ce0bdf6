import type { NavigationDocument, ResourceDocument } from '../../../spec/language/index.js'
import { childrenOf } from '../csdl/csdl-element.js'
import type { ImportContext } from '../names.js'
import type { ImportedOperation } from '../operations.js'
import { typeAndBases } from '../types/type-definitions.js'
import { capabilityTerm, type RestrictionSource } from './restrictions.js'

/** A relation, for the derivation of paths. */
export interface Relation {
  readonly name: string
  /** `type/relation`, with the type that declares it. */
  readonly id: string
  readonly document: NavigationDocument
  /** Its annotations. */
  readonly source: RestrictionSource
}

/** A stream, for the derivation of paths. */
export interface StreamMember {
  /** As in a path: the name of the property, or `$value`. */
  readonly name: string
  readonly isReadOnly: boolean
  readonly isNullable: boolean
}

/** An operation that can be called at a position in a path. */
export interface CallableOperation extends ImportedOperation {
  readonly name: string
}

interface Callable {
  readonly relations: readonly Relation[]
  /** Its streams: stream properties by name, and the media stream as `$value`. */
  readonly streams: readonly StreamMember[]
  readonly onItem: readonly CallableOperation[]
  readonly onCollection: readonly CallableOperation[]
}

/** The members of an entity type, including inherited ones. */
export interface TypeMembers extends Callable {
  readonly qualifiedName: string
  readonly key: readonly string[]
  readonly alternateKeys: readonly (readonly string[])[]
  /** Without inherited ones. */
  readonly own: Callable
  /** The annotations of the type itself, where some documents restrict every collection of it. */
  readonly source: RestrictionSource
}

/** Looks up the members of entity types, each type once. */
export function typeMembers(
  context: ImportContext,
  resources: Readonly<Record<string, ResourceDocument>>,
  operations: ReadonlyMap<string, ImportedOperation>,
): (type: string) => TypeMembers {
  const { catalogue, names, annotations } = context
  const elements = new Map([...catalogue.types.values()].map(each => [names.types.get(each.qualifiedName) ?? '', each]))
  const bound = operationsByBinding(operations)
  const known = new Map<string, TypeMembers>()
  const capability =
    (lookup: (term: string) => ReturnType<RestrictionSource>): RestrictionSource =>
    term =>
      lookup(capabilityTerm(term))

  const relationsOf = (type: string): readonly Relation[] => {
    const declared = elements.get(type)
    const resource = resources[type]
    if (declared === undefined || resource === undefined || !('navigation' in resource)) return []
    const written = new Map(
      childrenOf(declared.element, 'NavigationProperty').map(each => [each.attributes.get('Name'), each]),
    )
    return Object.entries(resource.navigation ?? {}).flatMap(([name, document]) => {
      const element = written.get(name)
      if (element === undefined) return []
      const source = capability(annotations.of(element, `${declared.qualifiedName}/${name}`))
      return [{ name, id: `${type}/${name}`, document, source }]
    })
  }

  return type => {
    const found = known.get(type)
    if (found !== undefined) return found
    const line = typeAndBases(resources, type)
    const key = line.flatMap(each => {
      const resource = resources[each]
      return resource !== undefined && 'key' in resource ? [resource.key ?? []] : []
    })
    const declared = elements.get(type)
    const callable = (types: readonly string[]): Callable => ({
      relations: [...types].reverse().flatMap(relationsOf),
      streams: [...types].reverse().flatMap(each => streamsOf(resources[each])),
      onItem: nearest(types.flatMap(each => bound.get(`${each}/item`) ?? [])),
      onCollection: nearest(types.flatMap(each => bound.get(`${each}/collection`) ?? [])),
    })
    const members: TypeMembers = {
      qualifiedName: declared?.qualifiedName ?? type,
      key: key.at(-1) ?? [],
      alternateKeys: [...line].reverse().flatMap(each => {
        const resource = resources[each]
        return resource?.kind === 'entityType' ? (resource.alternateKeys ?? []) : []
      }),
      ...callable(line),
      own: callable([type]),
      source:
        declared === undefined ? () => undefined : capability(annotations.of(declared.element, declared.qualifiedName)),
    }
    known.set(type, members)
    return members
  }
}

/** Looks up the entity types that derive from a type, also through others, in the order of the document. */
export function derivedTypes(
  resources: Readonly<Record<string, ResourceDocument>>,
): (type: string) => readonly string[] {
  const derived = new Map<string, string[]>()
  for (const [name, { kind }] of Object.entries(resources)) {
    if (kind !== 'entityType') continue
    for (const base of typeAndBases(resources, name).slice(1)) {
      const known = derived.get(base)
      if (known === undefined) derived.set(base, [name])
      else known.push(name)
    }
  }
  return type => derived.get(type) ?? []
}

function streamsOf(resource: ResourceDocument | undefined): readonly StreamMember[] {
  if (resource?.kind !== 'entityType') return []
  const media = resource.hasStream === true ? [{ name: '$value', isReadOnly: false, isNullable: false }] : []
  const properties = Object.entries(resource.properties ?? {}).filter(
    ([, { type, collection }]) => type === 'Stream' && !collection,
  )
  return [
    ...media,
    ...properties.map(([name, { computed, nullable }]) => ({
      name,
      isReadOnly: computed === true,
      isNullable: nullable === true,
    })),
  ]
}

function operationsByBinding(
  operations: ReadonlyMap<string, ImportedOperation>,
): ReadonlyMap<string, readonly CallableOperation[]> {
  const bound = new Map<string, CallableOperation[]>()
  for (const [name, operation] of operations) {
    const { binding, bindingCollection } = operation.document
    if (binding === undefined) continue
    const place = `${binding}/${bindingCollection ? 'collection' : 'item'}`
    const known = bound.get(place)
    if (known === undefined) bound.set(place, [{ name, ...operation }])
    else known.push({ name, ...operation })
  }
  return bound
}

/** Of overloads that a call cannot distinguish, the one that is bound to the nearest type. */
function nearest(operations: readonly CallableOperation[]): readonly CallableOperation[] {
  const first = new Map<string, CallableOperation>()
  for (const operation of operations) {
    const { kind, parameters } = operation.document
    const names = kind === 'action' ? [] : Object.keys(parameters ?? {}).sort()
    const identity = JSON.stringify([operation.qualifiedName, ...names])
    if (!first.has(identity)) first.set(identity, operation)
  }
  return [...first.values()]
}
