import type { ContainerElementDocument } from '../document.js'
import type { ContainerElement, EntitySet, Singleton } from '../model/service.js'
import { derivesFrom, type EntityType, type NavigationProperty, type StructuredType } from '../model/types.js'
import { pointerTo } from '../source/json-pointer.js'
import { type Resolution, renamed, resolveReference } from './resolution.js'
import type { Types } from './resolve-types.js'

/** Resolves the chapter `container`. */
export function resolveContainer(resolution: Resolution, types: Types): ReadonlyMap<string, ContainerElement> {
  const elements = new Map<string, ContainerElement>()
  const bindings = new Map<ContainerElement, Map<string, EntitySet>>()
  for (const [name, document] of Object.entries(resolution.document.container)) {
    const own = new Map<string, EntitySet>()
    const element = containerElement(resolution, name, document, own, types)
    if (element === undefined) {
      resolution.mark(pointerTo('/container', name))
      continue
    }
    elements.set(name, element)
    bindings.set(element, own)
  }
  const sets = setsByType(elements.values())
  for (const [element, own] of bindings) {
    for (const [path, relation] of relationsOf(element.type)) {
      const set = relation.contained ? undefined : onlySetOf(relation.type, sets)
      if (set) own.set(path, set)
    }
    resolveBindings(resolution, element, own, elements, types)
  }
  return elements
}

function containerElement(
  resolution: Resolution,
  name: string,
  document: ContainerElementDocument,
  bindings: ReadonlyMap<string, EntitySet>,
  types: Types,
): ContainerElement | undefined {
  const pointer = pointerTo('/container', name)
  const { entitySet, singleton } = document
  if ((entitySet === undefined) === (singleton === undefined)) {
    const found = entitySet === undefined ? 'neither `entitySet` nor' : 'both `entitySet` and'
    const message = `"${name}" has ${found} \`singleton\`. Give it one of them.`
    resolution.report({ code: 'spec/container-element', message, at: pointer, on: 'key' })
    return undefined
  }
  const word = entitySet === undefined ? 'singleton' : 'entitySet'
  const type = resolveReference(resolution, {
    kind: 'entity type',
    name: entitySet ?? singleton ?? '',
    at: `${pointer}/${word}`,
    chapter: '/resources',
    known: types.entityTypes,
  })
  if (type === undefined) return undefined
  const common = { ...resolution.annotations(document, pointer), ...renamed(document), name, type, bindings }
  return word === 'entitySet'
    ? ({ ...common, kind: 'entitySet' } satisfies EntitySet)
    : ({ ...common, kind: 'singleton', principal: document.bound === 'principal' } satisfies Singleton)
}

function setsByType(elements: Iterable<ContainerElement>): ReadonlyMap<EntityType, readonly EntitySet[]> {
  const sets = new Map<EntityType, EntitySet[]>()
  for (const element of elements) {
    if (element.kind !== 'entitySet') continue
    const same = sets.get(element.type)
    if (same) same.push(element)
    else sets.set(element.type, [element])
  }
  return sets
}

/** The one set that items of a type are in: of the type itself, or else of its nearest base. */
function onlySetOf(type: EntityType, sets: ReadonlyMap<EntityType, readonly EntitySet[]>): EntitySet | undefined {
  for (let each: EntityType | undefined = type; each !== undefined; each = each.base) {
    const found = sets.get(each)
    if (found !== undefined) return found.length === 1 ? found[0] : undefined
  }
  return undefined
}

/** How many complex values a binding may lead through. */
const maxBindingDepth = 4

/** The relations that bindings may name without a cast: by path, also through single complex values. */
function relationsOf(type: StructuredType, depth = 0): readonly (readonly [string, NavigationProperty])[] {
  const own = type.navigation.map(relation => [relation.name, relation] as const)
  if (depth === maxBindingDepth) return own
  const below = type.properties.flatMap(property =>
    property.type.kind === 'complexType' && !property.collection
      ? relationsOf(property.type, depth + 1).map(([path, relation]) => [`${property.name}/${path}`, relation] as const)
      : [],
  )
  return [...own, ...below]
}

function resolveBindings(
  resolution: Resolution,
  element: ContainerElement,
  own: Map<string, EntitySet>,
  elements: ReadonlyMap<string, ContainerElement>,
  types: Types,
): void {
  const written = resolution.document.container[element.name]?.bindings ?? {}
  const entries = Object.entries(written)
  if (entries.length === 0) return
  const pointer = `${element.location.pointer}/bindings`
  const sets = new Map<string, EntitySet>()
  for (const each of elements.values()) if (each.kind === 'entitySet') sets.set(each.name, each)
  const casts = new Set(entries.flatMap(([path]) => (path.includes('.') ? [path.slice(0, path.indexOf('/'))] : [])))
  const derived = [...types.entityTypes.values()].filter(
    type => casts.has(type.qualifiedName) && type !== element.type && derivesFrom(type, element.type),
  )
  const relations = new Map([
    ...relationsOf(element.type),
    ...derived.flatMap(type =>
      relationsOf(type).map(([path, relation]) => [`${type.qualifiedName}/${path}`, relation] as const),
    ),
  ])
  for (const [path, name] of entries) {
    const at = pointerTo(pointer, path)
    const set = resolveReference(resolution, { kind: 'entity set', name, at, chapter: '/container', known: sets })
    const chapter = `${element.type.location.pointer}/navigation`
    const relation = resolveReference(resolution, {
      kind: 'relation',
      name: path,
      at,
      on: 'key',
      chapter,
      known: relations,
    })
    if (set && relation) own.set(path, set)
  }
}
