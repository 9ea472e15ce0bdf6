import type { ResourceDocument, StructuredTypeDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import { pointerTo } from '../../../spec/language/source/pointer.js'
import type { NamedElement } from '../csdl/catalogue.js'
import { childrenOf } from '../csdl/csdl-element.js'
import { basesOf, lineAbove } from './bases.js'
import { importEnumType } from './enum-type.js'
import type { ImportContext } from './import-context.js'
import { importPartners } from './partners.js'
import { importStructuredType } from './structured-type.js'
import { importTypeDefinition } from './type-definition.js'

/** All types of a document, by their names in the spec. */
export function importResources(context: ImportContext): Readonly<Record<string, ResourceDocument>> {
  const { catalogue, names, origins } = context
  const bases = basesOf(context)
  const members = new Map<NamedElement, Set<string>>()
  const structured = new Map<NamedElement, StructuredTypeDocument>()
  const nameOf = (type: NamedElement): string => names.types.get(type.qualifiedName) ?? ''
  const add = (type: NamedElement): void => {
    const base = bases.get(type)
    const inherited = new Set(base === undefined ? [] : members.get(base))
    members.set(type, inherited)
    const hasKey = lineAbove(type, bases).some(({ element }) => childrenOf(element, 'Key').length > 0)
    const baseName = base === undefined ? undefined : nameOf(base)
    structured.set(type, importStructuredType(context, type, nameOf(type), baseName, inherited, hasKey))
  }
  const resources: (readonly [string, ResourceDocument])[] = []
  for (const type of catalogue.types.values()) {
    const name = names.types.get(type.qualifiedName)
    if (name === undefined) continue
    origins.set(pointerTo('/resources', name), type.element.spot)
    const isStructured = type.element.name === 'EntityType' || type.element.name === 'ComplexType'
    // Bases first: the names of their members are taken.
    const line = isStructured ? [...lineAbove(type, bases)].reverse() : []
    for (const each of isStructured ? [...line, type] : []) if (!structured.has(each)) add(each)
    const imported =
      structured.get(type) ??
      (type.element.name === 'EnumType' ? importEnumType(context, type) : importTypeDefinition(context, type))
    if (imported === undefined) continue
    const isOwn = type.qualifiedName === `${catalogue.namespace}.${name}`
    resources.push([name, isOwn ? imported : named(imported, type.qualifiedName)])
  }
  return importPartners(context, record(resources), structured)
}

/** What it is called in CSDL stands at the top. */
function named(resource: ResourceDocument, qualifiedName: string): ResourceDocument {
  const head = { kind: resource.kind, qualifiedName }
  return Object.assign(head, resource)
}
