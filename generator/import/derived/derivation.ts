import { type PathDocument, pointerTo, type ResourceDocument, record } from '../../../spec/language/index.js'
import { fileName, memberIdentifier, typeIdentifier, valueIdentifier } from '../../names/identifiers.js'
import type { ImportedElement } from '../container.js'
import { localName } from '../csdl/csdl-element.js'
import { omission } from '../finding.js'
import type { ImportContext } from '../names.js'
import type { ImportedOperation } from '../operations.js'
import type { QueryTable, RestrictionSource } from './restrictions.js'
import type { CallableOperation, Relation, TypeMembers } from './type-members.js'

/** The input of the derivation of paths. */
export interface ImportedModel {
  readonly resources: Readonly<Record<string, ResourceDocument>>
  readonly container: ReadonlyMap<string, ImportedElement>
  readonly operations: ReadonlyMap<string, ImportedOperation>
  /** Names of operation imports, and the qualified names of their operations. */
  readonly imports: ReadonlyMap<string, string>
}

/** A position in a path. */
export interface Position {
  readonly path: string
  readonly variables: readonly string[]
  readonly node: EndpointNode
  readonly type: string
  /** Relations from the container element on. */
  readonly trail: readonly Relation[]
  /** The path of the relations and casts that lead here, with a slash at its end. */
  readonly navigationPath: string
  /** Restrictions of relations by path, from the container element. */
  readonly restricted: ReadonlyMap<string, RestrictionSource>
  readonly restrictionSources: readonly RestrictionSource[]
  /** Those of the relation that leads here, without those of its target. */
  readonly relationSources: readonly RestrictionSource[]
}

/** How paths write the key of one part: `/Set/{key}` or `/Set({key})`. @see OData URL Conventions 4.01, 4.3.1 and 4.3.6 */
export type KeyStyle = 'segment' | 'parentheses'

/** The options for paths. */
export interface PathLimits {
  /** The maximum number of relations in a path. */
  readonly depth: number
  /** The maximum number of paths. The rest is omitted. */
  readonly most: number
  readonly keyStyle: KeyStyle
}

export interface Derivation extends PathLimits {
  readonly context: ImportContext
  readonly members: (type: string) => TypeMembers
  readonly queries: QueryTable
  readonly paths: Map<string, PathDocument>
  readonly scopes: Set<string>
  /** The annotations of the container, which hold for everything in it. */
  readonly containerSource: RestrictionSource
  /** What the metadata say about upserts, for each entity set with updates. */
  readonly upserts: Set<boolean | undefined>
  /** The names of the operations that have a path. */
  readonly reachedOperations: Set<string>
  /** The names of the functions that are paths `delta`, or would be if the metadata did not rule them out. */
  readonly changeFunctions: Set<string>
  /** The names of the functions that no path can call. */
  readonly uncallable: Set<string>
  /** The contained relations that have a path: `type/relation`. */
  readonly reachedRelations: Set<string>
  /** Those of both that have a path with a key: a path without one leads to one item only. */
  readonly reachedByKey: Set<string>
  /** The positions whose type has paths for its operations and contained relations. */
  readonly owners: { readonly at: Position; readonly isCollection: boolean }[]
  readonly isStructured: (type: string) => boolean
  readonly endpointName: (node: EndpointNode, candidates: readonly string[]) => string
  readonly childNode: (node: EndpointNode, name: string) => EndpointNode
}

/** The members of a path in their order, without those that are undefined. */
export function addMethods(
  { paths }: Derivation,
  path: string,
  methods: Readonly<Record<string, object | undefined>>,
): void {
  const given = Object.entries(methods).filter(([, method]) => method !== undefined)
  if (given.length > 0) paths.set(path, { ...paths.get(path), ...record(given) })
}

type Scoped = { readonly scopes?: readonly string[] }

export function scopesMember({ scopes }: Derivation, all: readonly string[]): Scoped {
  for (const scope of all) scopes.add(scope)
  return all.length === 0 ? {} : { scopes: all }
}

export const queryMember = (query: string | undefined): { readonly query?: string } =>
  query === undefined ? {} : { query }

/** `name`, if the endpoint cannot have the name that follows from its path. */
export function nameMember(derivation: Derivation, { node, path }: Position, verb: string): { readonly name?: string } {
  const name = derivation.endpointName(node, [verb])
  return name === [...plainNames(path), verb].join('.') ? {} : { name }
}

/** The names in a path that determine the names of endpoints. */
function plainNames(path: string): readonly string[] {
  return path.split('/').flatMap(part => {
    const name = part.replace(/\(.*$/, '')
    return name === '' || name.startsWith('{') ? [] : name === '$value' ? ['value'] : [localName(name)]
  })
}

/** A step of the dotted names of endpoints: `messages` in `users.messages.list`. */
interface EndpointNode {
  /** Names from the service on. */
  readonly names: readonly string[]
  /** Its child nodes, by their names in the path. */
  readonly children: Map<string, EndpointNode>
  /** The names of its members: endpoints, and the nodes below. */
  readonly taken: Set<string>
}

/** Names endpoints without clashes in generated code. */
interface EndpointNames {
  readonly root: EndpointNode
  /** The node of a relation, entity set or singleton, with the same name if that is free. */
  readonly childNode: (node: EndpointNode, name: string) => EndpointNode
  /**
   * The name of an endpoint, dotted.
   *
   * @param candidates possible names, the best first
   */
  readonly endpointName: (node: EndpointNode, candidates: readonly string[]) => string
}

/** The names of endpoints on a node. A relation with such a name gets another. */
const verbs = ['list', 'get', 'create', 'update', 'replace', 'delete', 'count', 'delta']

export function endpointNames(): EndpointNames {
  const identifiers = new Set<string>()
  const files = new Set<string>()
  const root: EndpointNode = { names: [], children: new Map(), taken: new Set() }
  const identifierOf = (names: readonly string[]): string => names.map(typeIdentifier).join('')
  const below = (node: EndpointNode, name: string): EndpointNode => {
    const known = node.children.get(name)
    if (known !== undefined) return known
    const isFree = (candidate: string): boolean =>
      !node.taken.has(candidate) &&
      !verbs.includes(candidate) &&
      !identifiers.has(identifierOf([...node.names, candidate])) &&
      !(node === root && files.has(fileName(candidate)))
    const own = firstFree([memberIdentifier(name), name], isFree)
    const child: EndpointNode = { names: [...node.names, own], children: new Map(), taken: new Set() }
    node.children.set(name, child)
    node.taken.add(own)
    identifiers.add(identifierOf(child.names))
    if (node === root) files.add(fileName(own))
    return child
  }
  const endpoint = (node: EndpointNode, candidates: readonly string[]): string => {
    const identifier = (name: string): string => `${identifierOf([...node.names, name])}()`
    const own = firstFree(candidates, name => !node.taken.has(name) && !identifiers.has(identifier(name)))
    node.taken.add(own)
    identifiers.add(identifier(own))
    return [...node.names, own].join('.')
  }
  return { root, childNode: below, endpointName: endpoint }
}

/** The first candidate that is free, or the last of them with an underscore, and a number if necessary. */
function firstFree(candidates: readonly string[], isFree: (name: string) => boolean): string {
  const found = candidates.find(name => valueIdentifier(name) !== '' && isFree(name))
  if (found !== undefined) return found
  const last = candidates.at(-1) ?? ''
  let name = `${last}_`
  for (let number = 2; !isFree(name); number++) name = `${last}_${number}`
  return name
}

/** The path that calls a bound operation; written with its namespace, which every service must support. */
export function addBoundCall(derivation: Derivation, at: Position, operation: CallableOperation): void {
  const segment = callSegment(derivation, operation, operation.qualifiedName, at.variables)
  if (segment !== undefined) {
    if (at.variables.length > 0) derivation.reachedByKey.add(operation.name)
    addCall(derivation, `${at.path}/${segment}`, at.node, operation, localName(operation.qualifiedName))
  }
}

/** @param name its name in the path, without its namespace */
function addCall(
  derivation: Derivation,
  path: string,
  node: EndpointNode,
  { document, name: calls, scopes }: CallableOperation,
  name: string,
): void {
  const parameters = Object.keys(document.parameters ?? {}).map(each => each.slice(0, 1).toUpperCase() + each.slice(1))
  const longer = parameters.length === 0 ? [] : [`${name}By${parameters.join('And')}`]
  const own = derivation.endpointName(node, [name, ...longer])
  const method = document.kind === 'function' ? 'get' : 'post'
  derivation.reachedOperations.add(calls)
  addMethods(derivation, path, {
    [method]: {
      calls,
      ...(own === plainNames(path).join('.') ? {} : { name: own }),
      ...scopesMember(derivation, scopes),
    },
  })
}

/**
 * The paths that call an unbound operation, by the name of its import: one for each overload.
 *
 * @param nameInCode the name of the endpoints
 */
export function addImportCalls(
  derivation: Derivation,
  { operations }: ImportedModel,
  importName: string,
  nameInCode: string,
  qualifiedName: string,
  root: EndpointNode,
): void {
  const { paths } = derivation
  for (const [name, operation] of operations) {
    if (operation.qualifiedName !== qualifiedName || operation.document.binding !== undefined) continue
    const callable = { name, ...operation }
    const segment = callSegment(derivation, callable, importName, [])
    if (segment === undefined) continue
    addCall(derivation, `/${segment}`, root, callable, nameInCode)
    const local = localName(qualifiedName)
    const resource = importName === local ? {} : { resource: local + segment.slice(importName.length) }
    paths.set(`/${segment}`, { ...resource, ...paths.get(`/${segment}`) })
  }
}

/**
 * The segment that calls an operation, `ns.near(lat={lat})`; undefined for a function whose parameters a path cannot hold.
 *
 * @param name its name in the path
 * @param variables the template variables before it
 */
function callSegment(
  { context, isStructured, uncallable }: Derivation,
  operation: CallableOperation,
  name: string,
  variables: readonly string[],
): string | undefined {
  const { document } = operation
  if (document.kind === 'action') return name
  const given: string[] = []
  for (const [parameter, { collection, type, optional }] of Object.entries(document.parameters ?? {})) {
    if (optional) continue
    if (collection || isStructured(type)) {
      if (uncallable.has(operation.name)) return undefined
      uncallable.add(operation.name)
      const message = 'A function gets no path if a path cannot hold its parameters (collections, structured values)'
      const location = context.origins.get(pointerTo('/operations', operation.name)) ?? 0
      context.report(omission('function-parameter', message, `${operation.qualifiedName}: ${parameter}`, location))
      return undefined
    }
    let variable = parameter
    while (variables.includes(variable)) variable += '_'
    given.push(`${parameter}={${variable}}`)
  }
  return `${name}(${given.join(',')})`
}
