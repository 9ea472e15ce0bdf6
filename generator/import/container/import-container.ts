import type { ContainerElementDocument, ResourceDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import { pointerTo } from '../../../spec/language/source/pointer.js'
import type { Said } from '../annotations/annotation-index.js'
import { descriptionsOf } from '../annotations/said-of.js'
import { type CsdlElement, childrenOf } from '../csdl/csdl-element.js'
import { isUsableName } from '../csdl/is-usable-name.js'
import { localName } from '../csdl/qualified-name.js'
import { loss, type Note } from '../finding.js'
import { homelessResults } from '../operations/homeless-results.js'
import { compact } from '../spec/compact.js'
import type { ImportContext } from '../types/import-context.js'
import { lineOf } from '../types/line-of.js'
import { importType } from '../types/value-type.js'

/** An entity set or singleton, with what is said of it. */
export interface ImportedElement {
  readonly document: ContainerElementDocument
  readonly said: Said
}

type Resources = Readonly<Record<string, ResourceDocument>>

/** The entity sets and singletons by name. */
export function importContainer(context: ImportContext, resources: Resources): ReadonlyMap<string, ImportedElement> {
  const { catalogue, note, origins, annotations } = context
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
    // Why there is no such type is told already.
    if (type === undefined) continue
    if (!isUsableName(name) || elements.has(name) || resources[type.type]?.kind !== 'entityType') {
      const message = 'Entity sets and singletons have names of their own, and entity types that a spec can hold'
      note(loss('container-element', message, name, element.spot))
      continue
    }
    noteUnheld(element, note)
    const places = catalogue.container.names.map(container => annotations.of(element, `${container}/${name}`))
    const said: Said = term => firstSaid(places, term)
    const word = element.name === 'EntitySet' ? 'entitySet' : 'singleton'
    origins.set(pointerTo('/container', name), element.spot)
    const document = compact({
      [word]: type.type,
      bound: said('Specwright.Principal') === true ? ('principal' as const) : undefined,
      bindings: bindingsOf(context, element, sets, path => leadsToRelation(resources, type.type, path)),
      ...descriptionsOf(said),
    })
    elements.set(name, { document, said })
  }
  return elements
}

/** What is said under any of the names that an element has: an inherited one is its container's, too. */
function firstSaid(places: readonly Said[], term: string): ReturnType<Said> {
  for (const said of places) {
    const value = said(term)
    if (value !== undefined) return value
  }
  return undefined
}

/** What a spec cannot say of an element of the container. */
function noteUnheld({ name: kind, attributes, spot }: CsdlElement, note: Note): void {
  const name = attributes.get('Name') ?? ''
  const isListed = attributes.get('IncludeInServiceDocument')
  if (isListed !== undefined && isListed !== String(kind === 'EntitySet')) {
    const message =
      'A spec does not say what is in the service document: entity sets and singletons are, imports are not'
    note(loss('service-document', message, name, spot))
  }
  if (kind === 'Singleton' && attributes.get('Nullable') === 'true')
    note(loss('singleton', 'A singleton is always there in a spec', name, spot))
  if (attributes.has('EntitySet')) note(loss('entity-set-path', homelessResults, name, spot))
}

/** How many complex values a binding may lead through: as many as the checker of specs follows. */
const deepestBinding = 4

/** Whether a path leads to a relation, through single complex values alone. */
function leadsToRelation(resources: Resources, type: string, path: string): boolean {
  const [name = '', ...rest] = path.split('/')
  if (rest.length > deepestBinding) return false
  const line = lineOf(resources, type).flatMap(each => resources[each] ?? [])
  for (const resource of line) {
    if (rest.length === 0 && 'navigation' in resource && resource.navigation?.[name] !== undefined) return true
    const property = 'properties' in resource ? resource.properties?.[name] : undefined
    if (property === undefined || rest.length === 0) continue
    return !property.collection && leadsToRelation(resources, property.type, rest.join('/'))
  }
  return false
}

/** Bindings to entity sets; those to what is contained elsewhere, or by way of a type cast, a spec does not have. */
function bindingsOf(
  { catalogue, note }: ImportContext,
  element: CsdlElement,
  sets: ReadonlySet<string | undefined>,
  isRelation: (path: string) => boolean,
): Readonly<Record<string, string>> | undefined {
  const bindings = childrenOf(element, 'NavigationPropertyBinding').flatMap(({ attributes, spot }) => {
    const [path = '', target = ''] = [attributes.get('Path'), attributes.get('Target')]
    const [container = ''] = target.split('/')
    const set = catalogue.container.names.includes(catalogue.qualify(container)) ? localPath(target) : target
    if (sets.has(set) && isRelation(path)) return [[path, set] as const]
    const message =
      'Bindings are about relations of the items, or of their single complex values, and lead to entity sets'
    note(loss('binding-path', message, `${element.attributes.get('Name')}/${path}: ${target}`, spot))
    return []
  })
  return bindings.length === 0 ? undefined : record(bindings)
}

const localPath = (target: string): string => target.slice(target.indexOf('/') + 1)

/** How operations that are bound to nothing are called: by the names of their imports. */
export function operationImports({ catalogue, note }: ImportContext): ReadonlyMap<string, string> {
  const imports = new Map<string, string>()
  for (const element of catalogue.container.children) {
    const { name: kind, attributes, spot } = element
    if (kind !== 'ActionImport' && kind !== 'FunctionImport') continue
    const name = attributes.get('Name') ?? ''
    noteUnheld(element, note)
    const called = catalogue.qualify(attributes.get(kind === 'ActionImport' ? 'Action' : 'Function') ?? '')
    if (isUsableName(name) && !imports.has(name)) imports.set(name, called)
    else note(loss('name', 'Operation imports have names of their own', `${name || localName(called)}`, spot))
  }
  return imports
}
