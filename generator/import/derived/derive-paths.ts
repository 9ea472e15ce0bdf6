import { byProperties, type PathDocument, pointerTo, record, type SpecDocument } from '../../../spec/language/index.js'
import { localName, memberOf, recordsOf, textOf } from '../csdl/csdl-element.js'
import { omission } from '../finding.js'
import type { ImportContext } from '../names.js'
import {
  addBoundCall,
  addImportCalls,
  addMethods,
  type Derivation,
  endpointNames,
  type ImportedModel,
  nameMember,
  type PathLimits,
  type Position,
  queryMember,
  scopesMember,
} from './derivation.js'
import {
  capabilityTerm,
  isInsertable,
  queryTable,
  type RestrictionSource,
  type Restrictions,
  restrictionsOf,
} from './restrictions.js'
import { type CallableOperation, derivedTypes, type Relation, type StreamMember, typeMembers } from './type-members.js'

/** Paths, and which operations and contained relations they reach. */
interface DerivedPaths extends Pick<SpecDocument, 'paths' | 'queryOptions'> {
  readonly scopes: readonly string[]
  /** The names of operations. */
  readonly reachedOperations: ReadonlySet<string>
  /** The functions that paths `delta` stand for: no operations of the spec. */
  readonly changeFunctions: ReadonlySet<string>
  /** `type/relation`. */
  readonly reachedRelations: ReadonlySet<string>
  /** Whether all sets with updates say that an update creates nothing. */
  readonly neverUpserts: boolean
}

/**
 * The paths of an OData 4 service, unless its metadata restricts them: for each entity set and singleton, and for the
 * contained relations below them. A type cast leads to what a derived type adds, unless another path leads there.
 *
 * @see OData 4.01 Protocol, 11; Capabilities vocabulary
 */
export function derivePaths(context: ImportContext, imported: ImportedModel, limits: PathLimits): DerivedPaths {
  const tree = endpointNames()
  const { element, qualifiedName: container } = context.catalogue.container
  const ofContainer = context.annotations.of(element, container)
  const containerSource: RestrictionSource = term => ofContainer(capabilityTerm(term))
  const derivation: Derivation = {
    context,
    containerSource,
    members: typeMembers(context, imported.resources, imported.operations),
    queries: queryTable(),
    paths: new Map(),
    scopes: new Set(),
    upserts: new Set(),
    reachedOperations: new Set(),
    changeFunctions: new Set(),
    uncallable: new Set(),
    reachedRelations: new Set(),
    reachedByKey: new Set(),
    owners: [],
    ...limits,
    isStructured: type => /^(?:entity|complex)Type$/.test(imported.resources[type]?.kind ?? ''),
    endpointName: tree.endpointName,
    childNode: tree.childNode,
  }
  const nameInCode = (name: string): string => context.chosen.of(`${container}/${name}`, name) ?? name
  for (const [name, { document, annotations: lookup }] of imported.container) {
    const source: RestrictionSource = term => lookup(capabilityTerm(term))
    const type = document.entitySet ?? document.singleton ?? ''
    const start: Position = {
      path: `/${name}`,
      variables: [],
      node: tree.childNode(tree.root, nameInCode(name)),
      type,
      trail: [],
      navigationPath: '',
      restricted: restrictedRelations(source),
      relationSources: [],
      restrictionSources: [source, derivation.members(type).source, containerSource],
    }
    if (document.entitySet === undefined) addItem(derivation, start, 'singleton')
    else addCollection(derivation, start, true)
  }
  for (const [name, qualifiedName] of imported.imports)
    addImportCalls(derivation, imported, name, nameInCode(name), qualifiedName, tree.root)
  addDerivedMembers(derivation, imported.resources)
  const queryOptions = derivation.queries.all()
  const names = derivation.queries.finalNames()
  return {
    paths: record([...derivation.paths].map(([path, document]) => [path, withNames(document, names)] as const)),
    ...(Object.keys(queryOptions).length === 0 ? {} : { queryOptions }),
    scopes: [...derivation.scopes],
    reachedOperations: derivation.reachedOperations,
    changeFunctions: derivation.changeFunctions,
    reachedRelations: derivation.reachedRelations,
    neverUpserts: derivation.upserts.size === 1 && derivation.upserts.has(false),
  }
}

/**
 * Type casts to the operations and contained relations that only derived types have, as far as no path leads there yet.
 * What a cast leads to can have derived types itself.
 */
function addDerivedMembers(derivation: Derivation, resources: ImportedModel['resources']): void {
  const { members, owners, depth, most, paths, reachedOperations, uncallable, reachedRelations, reachedByKey } =
    derivation
  const derived = derivedTypes(resources)
  // The list grows during the loop.
  for (const { at, isCollection } of owners) {
    const byKey = !isCollection && at.variables.length > 0
    for (const type of derived(at.type)) {
      if (paths.size > most) return
      const { own, qualifiedName: qualified } = members(type)
      const operations = (isCollection ? own.onCollection : own.onItem).filter(
        ({ name }) => !(byKey ? reachedByKey : reachedOperations).has(name) && !uncallable.has(name),
      )
      const relations = own.relations.filter(
        ({ id, document }) =>
          !isCollection &&
          document.contained &&
          at.trail.length < depth &&
          !(byKey ? reachedByKey : reachedRelations).has(id),
      )
      if (operations.length + relations.length === 0) continue
      const cast: Position = {
        ...at,
        path: `${at.path}/${qualified}`,
        node: derivation.childNode(at.node, localName(qualified)),
        type,
        navigationPath: `${at.navigationPath}${qualified}/`,
      }
      for (const operation of operations) addBoundCall(derivation, cast, operation)
      for (const relation of relations) addRelation(derivation, cast, relation)
    }
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

const changesWithoutPath =
  'A set whose changes are tracked has no path for them without a function `delta`; callers can send Prefer: odata.track-changes to its list'

/** A collection: list, create, count, delta, its operations, and its items. */
function addCollection(derivation: Derivation, at: Position, isHome: boolean): void {
  const { members, queries, context } = derivation
  const { key, alternateKeys, relations, onCollection } = members(at.type)
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
      key.length > 0 && (isHome ? restrictions.insertable : isInsertable(at.relationSources))
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
  derivation.owners.push({ at, isCollection: true })
  for (const operation of onCollection) {
    if (isDeltaFunction(operation, at.type) && key.length > 0 && !context.isExport) {
      // Without change tracking, the metadata rule the operation out.
      derivation.reachedOperations.add(operation.name)
      derivation.changeFunctions.add(operation.name)
      if (restrictions.tracksChanges === false) continue
      const query = restrictions.select ? { query: { select: true } } : {}
      addMethods(derivation, `${at.path}/delta`, {
        get: { returns: 'delta', ...query, ...nameMember(derivation, at, 'delta') },
      })
    } else addBoundCall(derivation, at, operation)
  }
  if (restrictions.tracksChanges === true && !derivation.paths.has(`${at.path}/delta`)) {
    const location = context.origins.get(pointerTo('/container', at.path.slice(1))) ?? 0
    context.report(omission('changes', changesWithoutPath, at.path.slice(1), location))
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
  for (const names of alternateKeys) addItemByAlternateKey(derivation, at, names, restrictions)
}

/** An item by an alternate key: read, update, delete. What is below it has paths with the key. */
function addItemByAlternateKey(
  derivation: Derivation,
  at: Position,
  names: readonly string[],
  restrictions: Restrictions,
): void {
  const variables = keyVariables(names, at)
  const path = `${at.path}(${names.map((name, index) => `${name}={${variables[index]}}`).join(',')})`
  const there = { ...at, path, variables: [...at.variables, ...variables] }
  const by = byProperties(names)
  const relationNames = derivation.members(at.type).relations.map(({ name }) => name)
  const { scopes, readableByKey, updatable, updateMethods, deletable } = restrictions
  addMethods(derivation, path, {
    get: readableByKey
      ? {
          returns: 'item',
          ...queryMember(derivation.queries.item(restrictions, relationNames, at.node.names.join('.'))),
          ...nameMember(derivation, there, `get${by}`),
          ...scopesMember(derivation, scopes.readByKey),
        }
      : undefined,
    patch:
      updatable && updateMethods.includes('patch')
        ? {
            updates: 'item',
            ...nameMember(derivation, there, `update${by}`),
            ...scopesMember(derivation, scopes.update),
          }
        : undefined,
    put:
      updatable && updateMethods.includes('put')
        ? {
            updates: 'item',
            ...nameMember(derivation, there, `replace${by}`),
            ...scopesMember(derivation, scopes.update),
          }
        : undefined,
    delete: deletable
      ? {
          deletes: 'item',
          ...nameMember(derivation, there, `delete${by}`),
          ...scopesMember(derivation, scopes.delete),
        }
      : undefined,
  })
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
  const { relations, streams, onItem } = members(at.type)
  const restrictions = given ?? restrictionsOf(at.restrictionSources)
  const isOwn = kind !== 'related'
  const canRead = kind === 'keyed' ? restrictions.readableByKey : restrictions.readable
  const relationNames = relations.map(({ name }) => name)
  const update = { updates: 'item', ...scopesMember(derivation, restrictions.scopes.update) }
  const mayUpdate = (method: 'patch' | 'put'): boolean =>
    isOwn && restrictions.updatable && restrictions.updateMethods.includes(method)
  if (kind === 'keyed' && restrictions.updatable) derivation.upserts.add(restrictions.upsertable)
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
  derivation.owners.push({ at, isCollection: false })
  for (const stream of streams) addStream(derivation, at, stream, canRead, restrictions)
  for (const operation of onItem) addBoundCall(derivation, at, operation)
  if (at.trail.length >= derivation.depth) return
  for (const relation of relations) addRelation(derivation, at, relation)
}

/** A stream of an item. Metadata say whether the item can be updated, but not whether its streams can. */
function addStream(
  derivation: Derivation,
  at: Position,
  { name, isReadOnly, isNullable }: StreamMember,
  canRead: boolean,
  { updatable, scopes }: Restrictions,
): void {
  const node = derivation.childNode(at.node, name === '$value' ? 'value' : name)
  const there = { ...at, node, path: `${at.path}/${name}` }
  const canChange = updatable && !isReadOnly
  const changed = { support: 'optional', ...scopesMember(derivation, scopes.update) } as const
  addMethods(derivation, there.path, {
    get: canRead
      ? { returns: 'stream', ...nameMember(derivation, there, 'get'), ...scopesMember(derivation, scopes.read) }
      : undefined,
    put: canChange ? { updates: 'stream', ...nameMember(derivation, there, 'replace'), ...changed } : undefined,
    delete:
      canChange && isNullable
        ? { deletes: 'stream', ...nameMember(derivation, there, 'delete'), ...changed }
        : undefined,
  })
}

/** A relation: contained items support all methods; others can be read, and created if the metadata says so. */
function addRelation(derivation: Derivation, at: Position, relation: Relation): void {
  const { name, document } = relation
  if (at.trail.includes(relation) || derivation.paths.size > derivation.most) return
  const trail = [...at.trail, relation]
  const navigationPath = `${at.navigationPath}${name}`
  const restricted = at.restricted.get(navigationPath)
  const sources = [...(restricted === undefined ? [] : [restricted]), relation.source]
  derivation.reachedRelations.add(relation.id)
  if (at.variables.length > 0) derivation.reachedByKey.add(relation.id)
  if (!restrictionsOf(sources).navigable) return
  const next: Position = {
    ...at,
    path: `${at.path}/${name}`,
    node: derivation.childNode(at.node, name),
    type: document.to,
    trail,
    navigationPath: `${navigationPath}/`,
    relationSources: sources,
    restrictionSources: [...sources, derivation.members(document.to).source, derivation.containerSource],
  }
  if (document.collection) addCollection(derivation, next, document.contained === true)
  else addItem(derivation, next, document.contained !== true ? 'related' : document.nullable ? 'optional' : 'contained')
}
