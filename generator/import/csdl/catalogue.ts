import { type Finding, importError, omission, type ReportFinding } from '../finding.js'
import { type CsdlElement, childrenOf } from './csdl-element.js'
import { namespaceOf } from './qualified-name.js'

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
  noteReferences(root, report)
  const aliases = aliasesOf(root, schemas)
  const qualify = (name: string): string => {
    const dot = name.lastIndexOf('.')
    const namespace = aliases.get(name.slice(0, Math.max(0, dot)))
    return namespace === undefined ? name : namespace + name.slice(dot)
  }
  const types = new Map<string, NamedElement>()
  const operations: NamedElement[] = []
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

function noteReferences(root: CsdlElement, report: ReportFinding): void {
  for (const reference of childrenOf(root, 'Reference')) {
    const uri = reference.attributes.get('Uri') ?? ''
    const isVocabulary = childrenOf(reference, 'Include').every(include =>
      /^(?:Org\.OData\.|Specwright\.V1$)/.test(include.attributes.get('Namespace') ?? ''),
    )
    if (isVocabulary) continue
    report(omission('reference', 'The import does not read referenced documents', uri, reference.location))
  }
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
