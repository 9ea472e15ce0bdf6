import { type PathDocument, record, type SpecDocument } from '../../../spec/language/index.js'
import { memberOf, recordsOf, textOf } from '../csdl/csdl-element.js'
import { localName } from '../csdl/qualified-name.js'
import { omission } from '../finding.js'
import type { ImportContext } from '../import-context.js'
import {
  addMethods,
  type Derivation,
  type EndpointNode,
  endpointNames,
  type ImportedModel,
  nameMember,
  type PathLimits,
  type Position,
  plainNames,
  queryMember,
  scopesMember,
} from './derivation.js'
import { queryTable } from './query-table.js'
import { type RestrictionSource, type Restrictions, restrictionsOf } from './restrictions.js'
import { type CallableOperation, type Relation, typeMembers } from './type-members.js'

/**
 * The paths of an OData 4 service, unless its metadata restricts them: for each entity set and singleton, and for the
 * contained relations below them.
 *
 * @see OData 4.01 Protocol, 11; Capabilities vocabulary
 */
export function derivePaths(
  context: ImportContext,
  imported: ImportedModel,
  limits: PathLimits,
): Pick<SpecDocument, 'paths' | 'queryOptions'> & { readonly scopes: readonly string[] } {
  const tree = endpointNames()
  const derivation: Derivation = {
    context,
    members: typeMembers(context, imported.resources, imported.operations),
    queries: queryTable(),
    paths: new Map(),
    scopes: new Set(),
    ...limits,
    isStructured: type => /^(?:entity|complex)Type$/.test(imported.resources[type]?.kind ?? ''),
    endpointName: tree.endpointName,
    childNode: tree.childNode,
  }
  for (const [name, { document, annotations: lookup }] of imported.container) {
    const source: RestrictionSource = term => lookup(`Capabilities.${term}`)
    const type = document.entitySet ?? document.singleton ?? ''
    const start: Position = {
      path: `/${name}`,
      variables: [],
      node: tree.childNode(tree.root, name),
      type,
      trail: [],
      restricted: restrictedRelations(source),
      restrictionSources: [source, derivation.members(type).source],
    }
    if (document.entitySet === undefined) addItem(derivation, start, 'singleton')
    else addCollection(derivation, start, true)
  }
  for (const [name, qualifiedName] of imported.imports)
    addImportCalls(derivation, imported, name, qualifiedName, tree.root)
  const queryOptions = derivation.queries.all()
  const names = derivation.queries.finalNames()
  return {
    paths: record([...derivation.paths].map(([path, document]) => [path, withNames(document, names)] as const)),
    ...(Object.keys(queryOptions).length === 0 ? {} : { queryOptions }),
    scopes: [...derivation.scopes],
  }
}

/** `NavigationRestrictions/RestrictedProperties`, by path. */
function restrictedRelations(source: RestrictionSource): ReadonlyMap<string, RestrictionSource> {
  const restricted = new Map<string, RestrictionSource>()
  for (const each of recordsOf(memberOf(source('NavigationRestrictions'), 'RestrictedProperties'))) {
    const path = textOf(memberOf(each, 'NavigationProperty'))
    if (path === undefined) continue
    restricted.set(path, term =>
      // The navigability of a relation is there without its own record.
      term === 'NavigationRestrictions' ? each : memberOf(each, term),
    )
  }
  return restricted
}

/** A path whose reads refer to query options by their final names. */
function withNames(document: PathDocument, names: ReadonlyMap<string, string>): PathDocument {
  const query = document.get?.query
  const name = typeof query === 'string' ? names.get(query) : undefined
  return name === undefined ? document : { ...document, get: { ...document.get, query: name } }
}

/** A collection: list, create, count, delta, its operations, and its items. */
function addCollection(derivation: Derivation, at: Position, isHome: boolean): void {
  const { members, queries, context } = derivation
  const { key, relations, onCollection } = members(at.type)
  const restrictions = restrictionsOf(at.restrictionSources)
  const relationNames = relations.map(({ name }) => name)
  const queryName = at.node.names.join('.')
  const canRead = restrictions.readable
  addMethods(derivation, at.path, {
    get: canRead
      ? {
          returns: 'collection',
          ...queryMember(queries.collection(restrictions, relationNames, queryName)),
          ...nameMember(derivation, at, 'list'),
          ...scopesMember(derivation, restrictions.scopes.read),
        }
      : undefined,
    post:
      isHome && restrictions.insertable
        ? {
            creates: at.type,
            ...nameMember(derivation, at, 'create'),
            ...scopesMember(derivation, restrictions.scopes.insert),
          }
        : undefined,
  })
  if (canRead && restrictions.countable) {
    addMethods(derivation, `${at.path}/$count`, {
      get: {
        returns: 'count',
        ...queryMember(queries.count(restrictions, queryName)),
        ...nameMember(derivation, at, 'count'),
        ...scopesMember(derivation, restrictions.scopes.read),
      },
    })
  }
  if (!isHome) return
  for (const operation of onCollection) {
    if (isDeltaFunction(operation, at.type) && !context.isExport) {
      if (!restrictions.tracksChanges) continue
      const query = restrictions.select ? { query: { select: true } } : {}
      addMethods(derivation, `${at.path}/delta`, {
        get: { returns: 'delta', ...query, ...nameMember(derivation, at, 'delta') },
      })
    } else addBoundCall(derivation, at, operation)
  }
  if (key.length === 0) return
  const variables = keyVariables(key, at)
  const segment =
    variables.length > 1
      ? `(${key.map((name, index) => `${name}={${variables[index]}}`).join(',')})`
      : derivation.keyStyle === 'segment'
        ? `/{${variables[0]}}`
        : `({${variables[0]}})`
  addItem(
    derivation,
    { ...at, path: at.path + segment, variables: [...at.variables, ...variables] },
    'keyed',
    restrictions,
  )
}

/** A function that returns the changes of a collection: `delta` in the spec language. */
function isDeltaFunction({ qualifiedName, document }: CallableOperation, type: string): boolean {
  const { kind, returns, parameters = {} } = document
  return (
    localName(qualifiedName) === 'delta' &&
    kind === 'function' &&
    returns?.collection === true &&
    returns.type === type &&
    Object.keys(parameters).length === 0
  )
}

/** Each variable of a path has a unique name: `{id}`, below `{messageId}`. */
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

/** An item: read, update, delete, its operations and its relations. */
function addItem(derivation: Derivation, at: Position, kind: ItemKind, given?: Restrictions): void {
  const { members, queries } = derivation
  const { relations, onItem } = members(at.type)
  const restrictions = given ?? restrictionsOf(at.restrictionSources)
  const isOwn = kind !== 'related'
  const canRead = kind === 'keyed' ? restrictions.readableByKey : restrictions.readable
  const relationNames = relations.map(({ name }) => name)
  const update = { updates: 'item', ...scopesMember(derivation, restrictions.scopes.update) }
  const mayUpdate = (method: 'patch' | 'put'): boolean =>
    isOwn && restrictions.updatable && restrictions.updateMethods.includes(method)
  addMethods(derivation, at.path, {
    get: canRead
      ? {
          returns: 'item',
          ...queryMember(queries.item(restrictions, relationNames, at.node.names.join('.'))),
          ...nameMember(derivation, at, 'get'),
          ...scopesMember(derivation, kind === 'keyed' ? restrictions.scopes.readByKey : restrictions.scopes.read),
        }
      : undefined,
    patch: mayUpdate('patch') ? { ...update, ...nameMember(derivation, at, 'update') } : undefined,
    put: mayUpdate('put') ? { ...update, ...nameMember(derivation, at, 'replace') } : undefined,
    delete:
      (kind === 'keyed' || kind === 'optional') && restrictions.deletable
        ? {
            deletes: 'item',
            ...nameMember(derivation, at, 'delete'),
            ...scopesMember(derivation, restrictions.scopes.delete),
          }
        : undefined,
  })
  if (!isOwn) return
  for (const operation of onItem) addBoundCall(derivation, at, operation)
  if (at.trail.length >= derivation.depth) return
  for (const relation of relations) addRelation(derivation, at, relation)
}

/** A relation: contained items support all methods, other items only reads. */
function addRelation(derivation: Derivation, at: Position, relation: Relation): void {
  const { name, document } = relation
  if (at.trail.includes(relation) || derivation.paths.size > derivation.most) return
  const trail = [...at.trail, relation]
  const restricted = at.restricted.get(trail.map(each => each.name).join('/'))
  const sources = [...(restricted === undefined ? [] : [restricted]), relation.source]
  if (!restrictionsOf(sources).navigable) return
  const next: Position = {
    ...at,
    path: `${at.path}/${name}`,
    node: derivation.childNode(at.node, name),
    type: document.to,
    trail,
    restrictionSources: [...sources, derivation.members(document.to).source],
  }
  if (document.collection) addCollection(derivation, next, document.contained === true)
  else addItem(derivation, next, document.contained !== true ? 'related' : document.nullable ? 'optional' : 'contained')
}

/** The path that calls a bound operation; written with its namespace, which every service must support. */
function addBoundCall(derivation: Derivation, at: Position, operation: CallableOperation): void {
  const { context, isStructured } = derivation
  const segment = callSegment(context, operation, operation.qualifiedName, at.variables, isStructured)
  if (segment !== undefined) {
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
  addMethods(derivation, path, {
    [method]: {
      calls,
      ...(own === plainNames(path).join('.') ? {} : { name: own }),
      ...scopesMember(derivation, scopes),
    },
  })
}

/** The paths that call an unbound operation, by the name of its import: one for each overload. */
function addImportCalls(
  derivation: Derivation,
  { operations }: ImportedModel,
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

/**
 * The segment that calls an operation, `ns.near(lat={lat})`; undefined for a function whose parameters a path cannot hold.
 *
 * @param name its name in the path
 * @param variables the template variables before it
 * @param isStructured whether values of a type are structured
 */
function callSegment(
  context: ImportContext,
  operation: CallableOperation,
  name: string,
  variables: readonly string[],
  isStructured: (type: string) => boolean,
): string | undefined {
  const { document } = operation
  if (document.kind === 'action') return name
  const given: string[] = []
  for (const [parameter, { collection, type, optional }] of Object.entries(document.parameters ?? {})) {
    if (optional) continue
    if (collection || isStructured(type)) {
      const message = 'A function gets no path if a path cannot hold its parameters (collections, structured values)'
      const location = context.origins.get(`/operations/${operation.name}`) ?? 0
      context.report(omission('function-parameter', message, `${operation.qualifiedName}: ${parameter}`, location))
      return undefined
    }
    let variable = parameter
    while (variables.includes(variable)) variable += '_'
    given.push(`${parameter}={${variable}}`)
  }
  return `${name}(${given.join(',')})`
}
