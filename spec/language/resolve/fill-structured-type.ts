import type { NavigationDocument, PropertyDocument, StructuredTypeDocument } from '../document/index.js'
import type { EntityType, NavigationProperty, Property, StructuredType } from '../model/types.js'
import { pointerTo } from '../source/pointer.js'
import type { Draft } from './draft.js'
import { type Resolution, refer } from './resolution.js'
import type { Types } from './resolve-types.js'
import { referToValueType } from './value-type.js'

/** Gives a type its properties, relations and key, and folds in those of its base, which must be filled already. */
export function fillStructuredType(
  resolution: Resolution,
  type: Draft<StructuredType>,
  document: StructuredTypeDocument,
  types: Types,
): void {
  const { pointer } = type.place
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
    type.entityTag = document.entityTag ?? type.base?.entityTag ?? 'none'
    type.key = resolveKey(resolution, type, document)
  }
}

/** What derives from an open type is open. @see CSDL XML 4.01, 6.3 and 9.3 */
function isOpen(
  resolution: Resolution,
  { base, name, place }: Draft<StructuredType>,
  { open }: StructuredTypeDocument,
): boolean {
  if (open === false && base?.open === true) {
    const message = `"${base.name}" is open, so "${name}", which derives from it, is open, too; leave out "open: false".`
    resolution.report({ code: 'spec/open-base', message, at: pointerTo(place.pointer, 'open') })
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
  const type = referToValueType(resolution, document.type, `${pointer}/type`, types.all)
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
    required: document.required ?? !(nullable || collection || computed || document.default !== undefined),
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
  const type = refer(resolution, {
    kind: 'entity type',
    name: document.to,
    at: `${pointer}/to`,
    chapter: '/resources',
    known: types.entityTypes,
  })
  if (type === undefined) return undefined
  return {
    ...resolution.annotations(document, pointer),
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

function resolveKey(resolution: Resolution, type: EntityType, document: StructuredTypeDocument): readonly Property[] {
  if (document.key === undefined) return type.base?.key ?? []
  const known = new Map(type.properties.map(property => [property.name, property]))
  return document.key.flatMap((name, index) => {
    const at = `${type.place.pointer}/key/${index}`
    return refer(resolution, { kind: 'property', name, at, chapter: `${type.place.pointer}/properties`, known }) ?? []
  })
}
