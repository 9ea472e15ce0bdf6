import type { PathDocument, ResourceDocument, SpecDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import { memberOf, recordsOf, textOf } from '../annotations/value.js'
import type { ImportedElement } from '../container/import-container.js'
import { localName } from '../csdl/qualified-name.js'
import type { ImportedOperation } from '../operations/import-operations.js'
import type { ImportContext } from '../types/import-context.js'
import { callSegment } from './call-path.js'
import { type EndpointNode, endpointTree } from './endpoint-tree.js'
import { type QueryTable, queryTable } from './query-table.js'
import { type Restrictions, restrictionsOf, type Source } from './restrictions.js'
import { type CallableOperation, type Relation, type TypeMembers, typeMembers } from './type-members.js'

/** What paths are derived from. */
export interface Imported {
  readonly resources: Readonly<Record<string, ResourceDocument>>
  readonly container: ReadonlyMap<string, ImportedElement>
  readonly operations: ReadonlyMap<string, ImportedOperation>
  /** Names of operation imports, and the qualified names of what they call. */
  readonly imports: ReadonlyMap<string, string>
}

/** Where a path has got to. */
interface Position {
  readonly path: string
  readonly variables: readonly string[]
  readonly node: EndpointNode
  readonly type: string
  /** Relations from the container element on. */
  readonly trail: readonly Relation[]
  /** Restrictions of relations by path, as the container element has them. */
  readonly restricted: ReadonlyMap<string, Source>
  readonly sources: readonly Source[]
}

interface Derivation {
  readonly context: ImportContext
  readonly members: (type: string) => TypeMembers
  readonly queries: QueryTable
  readonly paths: Map<string, PathDocument>
  readonly scopes: Set<string>
  readonly depth: number
  readonly most: number
  readonly isStructured: (type: string) => boolean
  readonly endpoint: (node: EndpointNode, candidates: readonly string[]) => string
  readonly below: (node: EndpointNode, name: string) => EndpointNode
}

/**
 * The paths that a service of OData 4 has, as far as its metadata does not restrict them: for each entity set and singleton,
 * and for the relations from there on that are contained.
 *
 * @param depth how many relations a path may lead through
 * @param most paths; when there are more, the rest is left out
 * @see OData 4.01 Protocol, 11; Capabilities vocabulary
 */
export function derivePaths(
  context: ImportContext,
  imported: Imported,
  depth: number,
  most: number,
): Pick<SpecDocument, 'paths' | 'queryOptions'> & { readonly scopes: readonly string[] } {
  const tree = endpointTree()
  const derivation: Derivation = {
    context,
    members: typeMembers(context, imported.resources, imported.operations),
    queries: queryTable(),
    paths: new Map(),
    scopes: new Set(),
    depth,
    most,
    isStructured: type => /^(?:entity|complex)Type$/.test(imported.resources[type]?.kind ?? ''),
    endpoint: tree.endpoint,
    below: tree.below,
  }
  for (const [name, { document, said }] of imported.container) {
    const source: Source = term => said(`Capabilities.${term}`)
    const type = document.entitySet ?? document.singleton ?? ''
    const start: Position = {
      path: `/${name}`,
      variables: [],
      node: tree.below(tree.root, name),
      type,
      trail: [],
      restricted: restrictedRelations(source),
      sources: [source, derivation.members(type).source],
    }
    if (document.entitySet === undefined) item(derivation, start, 'singleton')
    else collection(derivation, start, true)
  }
  for (const [name, qualifiedName] of imported.imports) addImport(derivation, imported, name, qualifiedName, tree.root)
  const queryOptions = derivation.queries.all()
  return {
    paths: record(derivation.paths),
    ...(Object.keys(queryOptions).length === 0 ? {} : { queryOptions }),
    scopes: [...derivation.scopes],
  }
}

/** `NavigationRestrictions/RestrictedProperties`, by path. */
function restrictedRelations(source: Source): ReadonlyMap<string, Source> {
  const restricted = new Map<string, Source>()
  for (const each of recordsOf(memberOf(source('NavigationRestrictions'), 'RestrictedProperties'))) {
    const path = textOf(memberOf(each, 'NavigationProperty'))
    if (path === undefined) continue
    restricted.set(path, term =>
      // The navigability of a relation stands there without a record of its own.
      term === 'NavigationRestrictions' ? each : memberOf(each, term),
    )
  }
  return restricted
}

/** The members of a path in their order, without those that are undefined. */
function add({ paths }: Derivation, path: string, methods: Readonly<Record<string, object | undefined>>): void {
  const given = Object.entries(methods).filter(([, method]) => method !== undefined)
  if (given.length > 0) paths.set(path, { ...paths.get(path), ...record(given) })
}

type Scoped = { readonly scopes?: readonly string[] }

function scoped({ scopes }: Derivation, all: readonly string[]): Scoped {
  for (const scope of all) scopes.add(scope)
  return all.length === 0 ? {} : { scopes: all }
}

const queried = (query: string | undefined): { readonly query?: string } => (query === undefined ? {} : { query })

/** `name`, where the endpoint cannot have the one that follows from its path. */
function named(derivation: Derivation, { node, path }: Position, verb: string): { readonly name?: string } {
  const name = derivation.endpoint(node, [verb])
  return name === [...plainNames(path), verb].join('.') ? {} : { name }
}

/** The names in a path that endpoints get theirs from. */
function plainNames(path: string): readonly string[] {
  return path.split('/').flatMap(part => {
    const name = part.replace(/\(.*$/, '')
    return name === '' || name.startsWith('{') ? [] : [localName(name)]
  })
}

/** A collection: the list, creates, the number, changes, operations on it, and each item of it. */
function collection(derivation: Derivation, at: Position, isHome: boolean): void {
  const { members, queries, context } = derivation
  const { key, relations, onCollection } = members(at.type)
  const restrictions = restrictionsOf(at.sources)
  const relationNames = relations.map(({ name }) => name)
  const queryName = at.node.names.join('.')
  const canRead = restrictions.readable
  add(derivation, at.path, {
    get: canRead
      ? {
          returns: 'collection',
          ...queried(queries.collection(restrictions, relationNames, queryName)),
          ...named(derivation, at, 'list'),
          ...scoped(derivation, restrictions.scopes.read),
        }
      : undefined,
    post:
      isHome && restrictions.insertable
        ? { creates: at.type, ...named(derivation, at, 'create'), ...scoped(derivation, restrictions.scopes.insert) }
        : undefined,
  })
  if (canRead && restrictions.countable) {
    add(derivation, `${at.path}/$count`, {
      get: {
        returns: 'count',
        ...queried(queries.count(restrictions, queryName)),
        ...named(derivation, at, 'count'),
        ...scoped(derivation, restrictions.scopes.read),
      },
    })
  }
  if (!isHome) return
  for (const operation of onCollection) {
    if (isDelta(operation, at.type) && !context.isExport) {
      if (!restrictions.tracksChanges) continue
      const query = restrictions.select ? { query: { select: true } } : {}
      add(derivation, `${at.path}/delta`, { get: { returns: 'delta', ...query, ...named(derivation, at, 'delta') } })
    } else call(derivation, at, operation)
  }
  if (key.length === 0) return
  const variables = keyVariables(key, at)
  const segment =
    variables.length === 1
      ? `/{${variables[0]}}`
      : `(${key.map((name, index) => `${name}={${variables[index]}}`).join(',')})`
  item(
    derivation,
    { ...at, path: at.path + segment, variables: [...at.variables, ...variables] },
    'keyed',
    restrictions,
  )
}

/** A function that tells the changes of a collection: what the language knows as `delta`. */
function isDelta({ qualifiedName, document }: CallableOperation, type: string): boolean {
  const { kind, returns, parameters = {} } = document
  return (
    localName(qualifiedName) === 'delta' &&
    kind === 'function' &&
    returns?.collection === true &&
    returns.type === type &&
    Object.keys(parameters).length === 0
  )
}

/** Each variable of a path has a name of its own: `{id}`, below `{messageId}`. */
function keyVariables(key: readonly string[], { variables, type }: Position): readonly string[] {
  const taken = new Set(variables)
  return key.map(name => {
    const [first = ''] = name
    const qualified = type + first.toUpperCase() + name.slice(first.length)
    let variable = taken.has(name) ? qualified : name
    for (let number = 2; taken.has(variable); number++) variable = `${qualified}${number}`
    taken.add(variable)
    return variable
  })
}

/** How a path leads to an item: by key, as a singleton, or by a relation that leads to one. */
type ItemKind = 'keyed' | 'singleton' | 'contained' | 'optional' | 'related'

/** An item: reading and changing it, operations on it, and what it leads to. */
function item(derivation: Derivation, at: Position, kind: ItemKind, given?: Restrictions): void {
  const { members, queries } = derivation
  const { relations, onItem } = members(at.type)
  const restrictions = given ?? restrictionsOf(at.sources)
  const isOwn = kind !== 'related'
  const canRead = kind === 'keyed' ? restrictions.readableByKey : restrictions.readable
  const relationNames = relations.map(({ name }) => name)
  const update = { updates: 'item', ...scoped(derivation, restrictions.scopes.update) }
  const mayUpdate = (method: 'patch' | 'put'): boolean =>
    isOwn && restrictions.updatable && restrictions.updateMethods.includes(method)
  add(derivation, at.path, {
    get: canRead
      ? {
          returns: 'item',
          ...queried(queries.item(restrictions, relationNames, at.node.names.join('.'))),
          ...named(derivation, at, 'get'),
          ...scoped(derivation, kind === 'keyed' ? restrictions.scopes.readByKey : restrictions.scopes.read),
        }
      : undefined,
    patch: mayUpdate('patch') ? { ...update, ...named(derivation, at, 'update') } : undefined,
    put: mayUpdate('put') ? { ...update, ...named(derivation, at, 'replace') } : undefined,
    delete:
      (kind === 'keyed' || kind === 'optional') && restrictions.deletable
        ? { deletes: 'item', ...named(derivation, at, 'delete'), ...scoped(derivation, restrictions.scopes.delete) }
        : undefined,
  })
  if (!isOwn) return
  for (const operation of onItem) call(derivation, at, operation)
  if (at.trail.length >= derivation.depth) return
  for (const relation of relations) follow(derivation, at, relation)
}

/** A relation: what is contained is at home there, anything else can only be read. */
function follow(derivation: Derivation, at: Position, relation: Relation): void {
  const { name, document } = relation
  if (at.trail.includes(relation) || derivation.paths.size > derivation.most) return
  const trail = [...at.trail, relation]
  const restricted = at.restricted.get(trail.map(each => each.name).join('/'))
  const sources = [...(restricted === undefined ? [] : [restricted]), relation.source]
  if (!restrictionsOf(sources).navigable) return
  const next: Position = {
    ...at,
    path: `${at.path}/${name}`,
    node: derivation.below(at.node, name),
    type: document.to,
    trail,
    sources: [...sources, derivation.members(document.to).source],
  }
  if (document.collection) collection(derivation, next, document.contained === true)
  else item(derivation, next, document.contained !== true ? 'related' : document.nullable ? 'optional' : 'contained')
}

/** The path that calls a bound operation; it is written with its namespace, as every service must understand. */
function call(derivation: Derivation, at: Position, operation: CallableOperation): void {
  const { context, isStructured } = derivation
  const segment = callSegment(context, operation, operation.qualifiedName, at.variables, isStructured)
  if (segment !== undefined) {
    addCall(derivation, `${at.path}/${segment}`, at.node, operation, localName(operation.qualifiedName))
  }
}

/** @param name what the path calls it, without its namespace */
function addCall(
  derivation: Derivation,
  path: string,
  node: EndpointNode,
  { document, name: calls, scopes }: CallableOperation,
  name: string,
): void {
  const parameters = Object.keys(document.parameters ?? {}).map(each => each.slice(0, 1).toUpperCase() + each.slice(1))
  const longer = parameters.length === 0 ? [] : [`${name}By${parameters.join('And')}`]
  const own = derivation.endpoint(node, [name, ...longer])
  const method = document.kind === 'function' ? 'get' : 'post'
  add(derivation, path, {
    [method]: {
      calls,
      ...(own === plainNames(path).join('.') ? {} : { name: own }),
      ...scoped(derivation, scopes),
    },
  })
}

/** The paths that call an operation that is bound to nothing, by the name of its import: one for each overload. */
function addImport(
  derivation: Derivation,
  { operations }: Imported,
  importName: string,
  qualifiedName: string,
  root: EndpointNode,
): void {
  const { context, isStructured, paths } = derivation
  for (const [name, operation] of operations) {
    if (operation.qualifiedName !== qualifiedName || operation.document.binding !== undefined) continue
    const callable = { name, ...operation }
    const segment = callSegment(context, callable, importName, [], isStructured)
    if (segment === undefined) continue
    addCall(derivation, `/${segment}`, root, callable, importName)
    const local = localName(qualifiedName)
    const resource = importName === local ? {} : { resource: local + segment.slice(importName.length) }
    paths.set(`/${segment}`, { ...resource, ...paths.get(`/${segment}`) })
  }
}
