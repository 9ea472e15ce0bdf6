import { type Finding, importError, omission, type ReportFinding } from '../finding.js'
import { type CsdlElement, childrenOf, isTrue, namespaceOf, typeReference } from './csdl-element.js'

/** A type or operation with the name by which others refer to it. */
export interface NamedElement {
  readonly qualifiedName: string
  readonly element: CsdlElement
}

/** All declarations of a document, from all its schemas, with aliases resolved. */
export interface Catalogue {
  /** The namespace of the schema with the container. */
  readonly namespace: string
  /** Types by qualified name, in the order of the document. */
  readonly types: ReadonlyMap<string, NamedElement>
  /** Overloads are adjacent. */
  readonly operations: readonly NamedElement[]
  readonly container: {
    readonly qualifiedName: string
    readonly element: CsdlElement
    /** Its own name, then those of the containers of the document that it extends. */
    readonly names: readonly string[]
    /** Its own, then those of the containers that it extends. */
    readonly children: readonly CsdlElement[]
  }
  /** `graph.user` -> `microsoft.graph.user`; a name without an alias stays unchanged. */
  readonly qualify: (name: string) => string
  readonly schemas: readonly CsdlElement[]
}

const typeKinds: ReadonlySet<string> = new Set(['EntityType', 'ComplexType', 'EnumType', 'TypeDefinition'])

/** Collects the declarations of a document. A document without a container is an error. */
export function buildCatalogue(root: CsdlElement, report: ReportFinding): Catalogue | Finding {
  const services = childrenOf(root, 'DataServices')
  const schemas = services.flatMap(element => childrenOf(element, 'Schema'))
  noteReferences(root, schemas, report)
  const aliases = aliasesOf(root, schemas)
  const qualify = (name: string): string => {
    const dot = name.lastIndexOf('.')
    const namespace = aliases.get(name.slice(0, Math.max(0, dot)))
    return namespace === undefined ? name : namespace + name.slice(dot)
  }
  const types = new Map<string, NamedElement>()
  const operations: NamedElement[] = []
  const unboundActions = new Set<string>()
  for (const schema of schemas) {
    const namespace = schema.attributes.get('Namespace') ?? ''
    for (const element of schema.children) {
      const name = element.attributes.get('Name')
      if (name === undefined) continue
      const qualifiedName = `${namespace}.${name}`
      if (element.name === 'Term') {
        report(omission('term', 'A spec cannot declare vocabulary terms', qualifiedName, element.location))
        continue
      }
      if (element.name === 'Action' && !isTrue(element, 'IsBound')) {
        // @see OData CSDL 4.01, 12.2 (action overloads)
        const message = 'The standard forbids overloads of an unbound action; the import keeps the first'
        if (unboundActions.has(qualifiedName)) {
          report(omission('duplicate', message, qualifiedName, element.location))
          continue
        }
        unboundActions.add(qualifiedName)
      }
      if (element.name === 'Action' || element.name === 'Function') operations.push({ qualifiedName, element })
      if (!typeKinds.has(element.name)) continue
      if (types.has(qualifiedName)) {
        report(omission('duplicate', 'Duplicate types; the import keeps the first', qualifiedName, element.location))
        continue
      }
      types.set(qualifiedName, { qualifiedName, element })
    }
  }
  const containers = schemas.flatMap(schema =>
    childrenOf(schema, 'EntityContainer').map(element => ({
      qualifiedName: `${schema.attributes.get('Namespace') ?? ''}.${element.attributes.get('Name') ?? ''}`,
      element,
    })),
  )
  const main = serviceContainer(containers, root, qualify)
  if (main === undefined) {
    const message =
      'The document has no EntityContainer, so it describes types but no service. Import the response of a service to $metadata.'
    return importError('no-container', message, root.location)
  }
  const line = containerAndBases(main, containers, qualify)
  noteMissingBase(line, containers, report, qualify)
  for (const container of containers) {
    const { qualifiedName, element } = container
    if (!line.includes(container)) {
      report(
        omission('container', 'A spec has one entity container; others are left out', qualifiedName, element.location),
      )
    }
  }
  const namespace = namespaceOf(main.qualifiedName)
  const names = line.map(({ qualifiedName }) => qualifiedName)
  const container = { ...main, names, children: line.flatMap(({ element }) => element.children) }
  return { namespace, types, operations, container, qualify, schemas }
}

/** Reports the referenced documents with types that this document uses. Without them, nothing but annotations is missing. */
function noteReferences(root: CsdlElement, schemas: readonly CsdlElement[], report: ReportFinding): void {
  const references = childrenOf(root, 'Reference')
  const used = references.length === 0 ? new Set<string>() : usedNamespaces(schemas)
  for (const reference of references) {
    const isUsed = childrenOf(reference, 'Include').some(({ attributes }) =>
      [attributes.get('Namespace'), attributes.get('Alias')].some(name => name !== undefined && used.has(name)),
    )
    const uri = reference.attributes.get('Uri') ?? ''
    if (isUsed) report(omission('reference', 'The import does not read referenced documents', uri, reference.location))
  }
}

/** The attributes that name types, containers and operations. */
const naming = ['Type', 'BaseType', 'UnderlyingType', 'EntityType', 'Extends', 'Action', 'Function']

/** The namespaces and aliases of the names in a document, except for those of terms. */
function usedNamespaces(schemas: readonly CsdlElement[]): ReadonlySet<string> {
  const used = new Set<string>()
  const visit = ({ name, attributes, children }: CsdlElement): void => {
    if (name === 'Annotation' || name === 'Annotations' || name === 'Term') return
    for (const attribute of naming) {
      const named = attributes.get(attribute)
      if (named !== undefined) used.add(namespaceOf(typeReference(named).name))
    }
    for (const child of children) visit(child)
  }
  for (const schema of schemas) visit(schema)
  return used
}

function aliasesOf(root: CsdlElement, schemas: readonly CsdlElement[]): ReadonlyMap<string, string> {
  const includes = childrenOf(root, 'Reference').flatMap(reference => childrenOf(reference, 'Include'))
  const aliases = new Map<string, string>()
  for (const { attributes } of [...includes, ...schemas]) {
    const [alias, namespace] = [attributes.get('Alias'), attributes.get('Namespace')]
    if (alias !== undefined && namespace !== undefined) aliases.set(alias, namespace)
  }
  return aliases
}

type Containers = readonly { readonly qualifiedName: string; readonly element: CsdlElement }[]

/** The container of the service: the one that JSON names, else the first that no other container of the document extends. */
function serviceContainer(
  containers: Containers,
  root: CsdlElement,
  qualify: (name: string) => string,
): Containers[number] | undefined {
  const stated = qualify(root.attributes.get('EntityContainer') ?? '')
  const extended = new Set(containers.map(({ element }) => qualify(element.attributes.get('Extends') ?? '')))
  return (
    containers.find(({ qualifiedName }) => qualifiedName === stated) ??
    containers.find(({ qualifiedName }) => !extended.has(qualifiedName)) ??
    containers[0]
  )
}

/** Reports that the last container of a chain extends one that the document does not have. */
function noteMissingBase(
  line: Containers,
  containers: Containers,
  report: ReportFinding,
  qualify: (name: string) => string,
): void {
  const last = line.at(-1)
  const base = last?.element.attributes.get('Extends')
  if (last === undefined || base === undefined) return
  if (containers.some(({ qualifiedName }) => qualifiedName === qualify(base))) return
  const message = 'A container lacks what it inherits from another document, which the import does not read'
  report(omission('extends', message, `${last.qualifiedName} extends ${base}`, last.element.location))
}

/** A container, the one that it extends, and so on. */
function containerAndBases(
  main: Containers[number],
  containers: Containers,
  qualify: (name: string) => string,
): Containers {
  const line = [main]
  for (let last = main; ; ) {
    const base = qualify(last.element.attributes.get('Extends') ?? '')
    const next = containers.find(({ qualifiedName }) => qualifiedName === base)
    if (next === undefined || line.includes(next)) return line
    line.push(next)
    last = next
  }
}
