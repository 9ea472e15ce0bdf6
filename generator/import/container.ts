import { type ContainerElementDocument, pointerTo, type ResourceDocument, record } from '../../spec/language/index.js'
import { descriptionsOf, renameOf, type TermLookup } from './csdl/annotations.js'
import { type CsdlElement, childrenOf, isUsableName, localName } from './csdl/csdl-element.js'
import { note, omission, type ReportFinding } from './finding.js'
import { type ImportContext, importType } from './names.js'
import { entitySetPathMessage } from './operations.js'
import { compact } from './spec-document.js'
import { typeAndBases } from './types/type-definitions.js'

/** An entity set or singleton, with its annotations. */
export interface ImportedElement {
  readonly document: ContainerElementDocument
  readonly annotations: TermLookup
}

type Resources = Readonly<Record<string, ResourceDocument>>

/** The entity sets and singletons by name. */
export function importContainer(context: ImportContext, resources: Resources): ReadonlyMap<string, ImportedElement> {
  const { catalogue, report, origins, annotations } = context
  const elements = new Map<string, ImportedElement>()
  const sets = new Set(
    catalogue.container.children.flatMap(({ name, attributes }) =>
      name === 'EntitySet' ? [attributes.get('Name')] : [],
    ),
  )
  for (const element of catalogue.container.children) {
    if (element.name !== 'EntitySet' && element.name !== 'Singleton') continue
    const name = element.attributes.get('Name') ?? ''
    const type = importType(context, element, name, element.name === 'EntitySet' ? 'EntityType' : 'Type')
    // importType has reported the missing type.
    if (type === undefined) continue
    if (!isUsableName(name) || elements.has(name) || resources[type.type]?.kind !== 'entityType') {
      const message = 'Entity sets and singletons must have unique names, and entity types that a spec can hold'
      report(omission('container-element', message, name, element.location))
      continue
    }
    reportUnsupported(element, report)
    const places = catalogue.container.names.map(container => annotations.of(element, `${container}/${name}`))
    const lookup: TermLookup = term => firstValue(places, term)
    const word = element.name === 'EntitySet' ? 'entitySet' : 'singleton'
    origins.set(pointerTo('/container', name), element.location)
    const document = compact({
      [word]: type.type,
      bound: lookup('Specwright.Principal') === true ? ('principal' as const) : undefined,
      bindings: bindingsOf(context, element, sets, path => usablePath(path, type.type, resources, context)),
      ...descriptionsOf(lookup),
      ...renameOf(lookup),
    })
    elements.set(name, { document, annotations: lookup })
  }
  return elements
}

/** The annotation under any of the names of an element: an inherited element also has the name in its own container. */
function firstValue(places: readonly TermLookup[], term: string): ReturnType<TermLookup> {
  for (const lookup of places) {
    const value = lookup(term)
    if (value !== undefined) return value
  }
  return undefined
}

/** Reports what a spec cannot express about an element of the container. */
function reportUnsupported({ name: kind, attributes, location }: CsdlElement, report: ReportFinding): void {
  const name = attributes.get('Name') ?? ''
  const isListed = attributes.get('IncludeInServiceDocument')
  if (isListed !== undefined && isListed !== String(kind === 'EntitySet')) {
    const message = 'A spec cannot change the service document, which lists entity sets and singletons but no imports'
    report(omission('service-document', message, name, location))
  }
  if (kind === 'Singleton' && attributes.get('Nullable') === 'true')
    report(omission('singleton', 'A spec has no nullable singletons', name, location))
  if (attributes.has('EntitySet')) report(note('entity-set-path', entitySetPathMessage, name, location))
}

/** The maximum number of complex values in a binding, which is that of the spec checker. */
const deepestBinding = 4

/**
 * A path that leads to a relation, as the spec writes it: its cast to a derived type has the full name. Undefined: it leads to
 * no relation.
 */
function usablePath(
  path: string,
  type: string,
  resources: Resources,
  { catalogue, names }: ImportContext,
): string | undefined {
  if (leadsToRelation(resources, type, path)) return path
  const end = path.indexOf('/')
  const cast = catalogue.qualify(path.slice(0, Math.max(0, end)))
  const derived = names.types.get(cast)
  if (derived === undefined || !typeAndBases(resources, derived).slice(1).includes(type)) return undefined
  const rest = path.slice(end + 1)
  return leadsToRelation(resources, derived, rest) ? `${cast}/${rest}` : undefined
}

/** Whether a path leads to a relation, through single complex values alone. */
function leadsToRelation(resources: Resources, type: string, path: string): boolean {
  const [name = '', ...rest] = path.split('/')
  if (rest.length > deepestBinding) return false
  const line = typeAndBases(resources, type).flatMap(each => resources[each] ?? [])
  for (const resource of line) {
    if (rest.length === 0 && 'navigation' in resource && resource.navigation?.[name] !== undefined) return true
    const property = 'properties' in resource ? resource.properties?.[name] : undefined
    if (property === undefined || rest.length === 0) continue
    return !property.collection && leadsToRelation(resources, property.type, rest.join('/'))
  }
  return false
}

/** Bindings to entity sets. A spec has no bindings to contained items. */
function bindingsOf(
  { catalogue, report }: ImportContext,
  element: CsdlElement,
  sets: ReadonlySet<string | undefined>,
  usable: (path: string) => string | undefined,
): Readonly<Record<string, string>> | undefined {
  const bindings = childrenOf(element, 'NavigationPropertyBinding').flatMap(({ attributes, location }) => {
    const [path = '', target = ''] = [attributes.get('Path'), attributes.get('Target')]
    const [container = ''] = target.split('/')
    const set = catalogue.container.names.includes(catalogue.qualify(container)) ? localPath(target) : target
    const written = sets.has(set) ? usable(path) : undefined
    if (written !== undefined) return [[written, set] as const]
    const message =
      'A binding must start at a relation of the items, or of their single complex values, and lead to an entity set'
    report(omission('binding-path', message, `${element.attributes.get('Name')}/${path}: ${target}`, location))
    return []
  })
  return bindings.length === 0 ? undefined : record(bindings)
}

const localPath = (target: string): string => target.slice(target.indexOf('/') + 1)

/** Unbound operations by the names of their imports. */
export function operationImports({ catalogue, report }: ImportContext): ReadonlyMap<string, string> {
  const imports = new Map<string, string>()
  for (const element of catalogue.container.children) {
    const { name: kind, attributes, location } = element
    if (kind !== 'ActionImport' && kind !== 'FunctionImport') continue
    const name = attributes.get('Name') ?? ''
    reportUnsupported(element, report)
    const called = catalogue.qualify(attributes.get(kind === 'ActionImport' ? 'Action' : 'Function') ?? '')
    if (isUsableName(name) && !imports.has(name)) imports.set(name, called)
    else report(omission('name', 'Operation imports must have unique names', `${name || localName(called)}`, location))
  }
  return imports
}
