import type { QueryOptions } from '../../runtime/query/index.js'
import { type AnyCall, keyPredicate, type RelatedList } from '../../runtime/server/index.js'
import { derivesFrom, type NavigationProperty } from '../../spec/language/index.js'
import type { ExpandedCollection, ExpansionLink, StoredItem } from '../../sql/index.js'
import type { Store } from '../store/store.js'
import { pageToken, type TokenSigner } from './continuation-token.js'

/**
 * The links of a response to where its expanded collections go on: the path of the collection below the path of the request
 * or below an entity set, with the options that it has in `$expand`, after the last item in the response.
 */
export function expansionLinks(call: AnyCall, store: Store, signer: TokenSigner): ExpansionLink {
  return (collection, after, left) => {
    const options = optionsOf(collection, call.query)
    const list = options === undefined ? undefined : findList(collection, options, call, store)
    if (list === undefined) return undefined
    if (after !== undefined) return list.link(pageToken(after, left, list, signer))
    // Without a token, `$top` would be the size of a page.
    return options?.top !== undefined && store.table.choices['topMeaning'] === 'pageSize'
      ? undefined
      : list.link(undefined)
  }
}

/** The options of a collection, with its values. Plans are shared by queries that differ in their values. */
function optionsOf({ place, levels }: ExpandedCollection, query: QueryOptions): QueryOptions | undefined {
  let options: QueryOptions | undefined = query
  let item: NonNullable<QueryOptions['expand']>[number] | undefined
  for (const index of place) {
    item = options?.expand?.[index]
    options = item?.options ?? {}
  }
  // A cast is not part of the path of the collection.
  if (item === undefined || item.path.length > 1) return undefined
  const { levels: _levels, ...nested } = options
  const again = levels > 0 ? [{ ...item, options: { ...nested, levels } }] : []
  const expand = [...(nested.expand ?? []), ...again]
  return {
    ...nested,
    ...(expand.length === 0 ? {} : { expand }),
    ...(query.aliases === undefined ? {} : { aliases: query.aliases }),
  }
}

function findList(
  { item, relation }: ExpandedCollection,
  options: QueryOptions,
  call: AnyCall,
  store: Store,
): RelatedList | undefined {
  for (const address of addressesOf(item, call, store)) {
    const list = call.relatedList(`${address}/${relation.name}`, relation.name, options)
    if (list !== undefined && (options.search === undefined || searchesAll(list, relation, store))) return list
  }
  return undefined
}

/** Whether an endpoint searches all searchable properties, as `$search` in `$expand` does. */
function searchesAll({ route }: RelatedList, { type }: NavigationProperty, { schema }: Store): boolean {
  const searched = route.query?.search.properties ?? []
  const all = schema.tableOf(type).words?.properties ?? []
  return searched.length === 0 || all.every(({ name }) => searched.includes(name))
}

/** Paths that lead to an item: below the path of the request, and below entity sets. */
function addressesOf(item: StoredItem, call: AnyCall, store: Store): readonly string[] {
  const found: string[] = []
  let below = ''
  for (let current = item; ; ) {
    const key = keyPredicate(current.entity, current.type.name, store.table)
    if (key !== undefined)
      found.push(...setsOf(current, store).flatMap(set => withCast(`/${set}${key}`, current, below)))
    if (current.from === undefined) {
      const own = ownAddress(key, call)
      return own === undefined ? found : [...withCast(own, current, below), ...found]
    }
    const { relation } = current.from
    if (relation.collection && key === undefined) return found
    below = `/${relation.name}${relation.collection ? key : ''}${below}`
    current = current.from.item
  }
}

/** The path of an item at the top of the response. */
function ownAddress(key: string | undefined, { route, path }: AnyCall): string | undefined {
  if (route.kind === 'item') return path
  return route.kind === 'collection' && key !== undefined ? path + key : undefined
}

/** A relation of a derived type can be below a cast. */
function withCast(address: string, { type }: StoredItem, below: string): readonly string[] {
  return type.base === undefined ? [address + below] : [address + below, `${address}/${type.qualifiedName}${below}`]
}

/** The entity sets that certainly have an item. A contained item is in none. */
function setsOf({ type }: StoredItem, { table, schema, service }: Store): readonly string[] {
  if (schema.tableOf(type).owners.length > 0) return []
  return Object.entries(table.container).flatMap(([name, { kind, type: of }]) => {
    const declared = service.entityTypes.find(each => each.name === of)
    return kind === 'entitySet' && declared !== undefined && derivesFrom(type, declared) ? [name] : []
  })
}
