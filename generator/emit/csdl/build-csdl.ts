import type { ContainerElement, Endpoint, Service } from '../../../spec/language/index.js'
import { ownershipNote } from '../../generated-file.js'
import {
  type Annotation,
  type AnnotationValue,
  annotationsOf,
  type CsdlContainer,
  type CsdlContainerChild,
  type CsdlDocument,
  type CsdlSchema,
  collectionOf,
  descriptionAnnotations,
  nonEmptyCollection,
  recordOf,
  tagValue,
} from './csdl-document.js'
import { applySupported, countRestrictions, restrictionsOf } from './restrictions.js'
import { serviceAnnotations } from './service-annotations.js'
import { csdlOperations, csdlTypes, nameParts } from './types.js'

/** The entity container: where paths begin, and what they allow. */
function csdlContainer(service: Service, annotations: readonly Annotation[]): CsdlContainer {
  const endpoints = endpointsByElement(service)
  return {
    name: containerName(service),
    children: [
      ...service.container.map(element => containerChild(element, endpoints.get(element) ?? [], service)),
      ...operationImports(service),
    ],
    annotations,
  }
}

/** A name that no type or operation has. */
function containerName(service: Service): string {
  const { entityTypes, complexTypes, enumTypes, typeDefinitions, operations } = service
  const taken = new Set(
    [...entityTypes, ...complexTypes, ...enumTypes, ...typeDefinitions, ...operations].map(
      ({ qualifiedName }) => nameParts(qualifiedName).name,
    ),
  )
  let name = 'Container'
  while (taken.has(name)) name += '_'
  return name
}

interface ElementEndpoint {
  /** Relations from the element on, `drive/items`; empty at the element itself. */
  readonly path: string
  readonly endpoint: Endpoint
}

function endpointsByElement(service: Service): ReadonlyMap<ContainerElement, readonly ElementEndpoint[]> {
  const found = new Map<ContainerElement, ElementEndpoint[]>()
  for (const endpoint of service.endpoints) {
    const place = navigationPathOf(endpoint)
    if (place === undefined) continue
    const known = found.get(place.element)
    if (known === undefined) found.set(place.element, [{ path: place.path, endpoint }])
    else known.push({ path: place.path, endpoint })
  }
  return found
}

/** Absent for paths with other segments than keys and relations, which the vocabulary cannot express. */
function navigationPathOf({
  resolved,
}: Endpoint): { readonly element: ContainerElement; readonly path: string } | undefined {
  const [first, ...others] = resolved
  if (first?.kind !== 'entitySet' && first?.kind !== 'singleton') return undefined
  const names: string[] = []
  for (const segment of others) {
    if (segment.kind === 'navigation') names.push(segment.property.name)
    else if (segment.kind !== 'key' && segment.kind !== 'delta') return undefined
  }
  return { element: first.element, path: names.join('/') }
}

function containerChild(
  element: ContainerElement,
  endpoints: readonly ElementEndpoint[],
  service: Service,
): CsdlContainerChild {
  const own = endpoints.filter(({ path }) => path === '').map(({ endpoint }) => endpoint)
  return {
    kind: element.kind === 'entitySet' ? 'EntitySet' : 'Singleton',
    name: element.name,
    type: element.type.qualifiedName,
    bindings: [...element.bindings].map(([path, set]) => ({ path, target: set.name })),
    annotations: [
      ...descriptionAnnotations(element),
      ...annotationsOf([
        ['Specwright.Principal', tagValue(element.kind === 'singleton' && element.principal)],
        ['Capabilities.IndexableByKey', element.kind === 'entitySet' && element.type.keyless ? false : undefined],
        ['Core.OptimisticConcurrency', element.type.entityTag === 'none' ? undefined : collectionOf([])],
        ['Capabilities.ChangeTracking', changeTracking(own)],
        ['Capabilities.CountRestrictions', countRestrictions(own)],
        ['Aggregation.ApplySupported', applySupported(own)],
        ...restrictionsOf(own, service).map(([term, value]) => [`Capabilities.${term}`, value] as const),
        ['Capabilities.NavigationRestrictions', navigationRestrictions(endpoints, service)],
      ]),
    ],
  }
}

function changeTracking(endpoints: readonly Endpoint[]): AnnotationValue | undefined {
  return endpoints.some(({ kind }) => kind === 'delta') ? recordOf([['Supported', true]]) : undefined
}

function navigationRestrictions(endpoints: readonly ElementEndpoint[], service: Service): AnnotationValue | undefined {
  const paths = [...new Set(endpoints.map(({ path }) => path))].filter(path => path !== '')
  const restricted = nonEmptyCollection(
    paths.map(path =>
      recordOf([
        ['NavigationProperty', { kind: 'NavigationPropertyPath', path }],
        ...restrictionsOf(
          endpoints.filter(each => each.path === path).map(({ endpoint }) => endpoint),
          service,
        ),
      ]),
    ),
  )
  return restricted === undefined ? undefined : recordOf([['RestrictedProperties', restricted]])
}

/**
 * The imports through which paths call unbound operations, by their names in the paths. An operation that no path calls has
 * none: its import would lead to a path that does not exist.
 */
function operationImports(service: Service): readonly CsdlContainerChild[] {
  const imports = new Map<string, CsdlContainerChild>()
  for (const { path, resolved } of service.endpoints) {
    const [first] = resolved
    if (first?.kind !== 'operation') continue
    const { kind, qualifiedName } = first.operation
    const [segment = ''] = path.template.slice(1).split('/')
    const name = nameParts(segment.replace(/\(.*$/, '')).name
    const word = kind === 'action' ? 'ActionImport' : 'FunctionImport'
    if (!imports.has(name)) imports.set(name, { kind: word, name, operation: qualifiedName, annotations: [] })
  }
  return [...imports.values()]
}

/**
 * A service as CSDL: its types, operations and container, annotations of the Core, Capabilities and Validation vocabularies,
 * and everything else in our own terms.
 *
 * @see OData CSDL 4.01; docs/csdl-vocabulary.md
 */
export function buildCsdl(service: Service): CsdlDocument {
  const built = documents.get(service) ?? newDocument(service)
  documents.set(service, built)
  return built
}

/** XML and JSON have the same content, and most runs write both. */
const documents = new WeakMap<Service, CsdlDocument>()

function newDocument(service: Service): CsdlDocument {
  const types = csdlTypes(service)
  const operations = csdlOperations(service)
  const schemaOf = (namespace: string): CsdlSchema => ({
    namespace,
    types: types.filter(type => type.namespace === namespace),
    operations: operations.filter(operation => operation.namespace === namespace),
  })
  const others = new Set([...types, ...operations].map(({ namespace }) => namespace))
  others.delete(service.namespace)
  const container = csdlContainer(service, serviceAnnotations(service))
  return {
    comment: ownershipNote(service.name),
    schemas: [{ ...schemaOf(service.namespace), container }, ...[...others].map(schemaOf)],
  }
}

/** The vocabularies that a document refers to, by alias. */
export const vocabularies = [
  { alias: 'Core', namespace: 'Org.OData.Core.V1', address: odata('Org.OData.Core.V1') },
  { alias: 'Capabilities', namespace: 'Org.OData.Capabilities.V1', address: odata('Org.OData.Capabilities.V1') },
  { alias: 'Aggregation', namespace: 'Org.OData.Aggregation.V1', address: odata('Org.OData.Aggregation.V1') },
  { alias: 'Validation', namespace: 'Org.OData.Validation.V1', address: odata('Org.OData.Validation.V1') },
  { alias: 'Specwright', namespace: 'Specwright.V1', address: 'Specwright.V1' },
] as const

function odata(namespace: string): string {
  return `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${namespace}`
}
