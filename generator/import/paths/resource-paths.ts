import { localName } from '../csdl/qualified-name.js'
import { call } from './call-paths.js'
import { add, type Derivation, named, type Position, queried, scoped } from './derivation.js'
import { type Restrictions, restrictionsOf } from './restrictions.js'
import type { CallableOperation, Relation } from './type-members.js'

/** A collection: the list, creates, the number, changes, operations on it, and each item of it. */
export function collection(derivation: Derivation, at: Position, isHome: boolean): void {
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
    variables.length > 1
      ? `(${key.map((name, index) => `${name}={${variables[index]}}`).join(',')})`
      : derivation.keyStyle === 'segment'
        ? `/{${variables[0]}}`
        : `({${variables[0]}})`
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
export function item(derivation: Derivation, at: Position, kind: ItemKind, given?: Restrictions): void {
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
