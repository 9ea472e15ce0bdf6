import { typeKey } from '../../runtime/query/type-key.js'
import type { AnyHandler, Route } from '../../runtime/server/index.js'
import type { EntityType } from '../../spec/language/index.js'
import type { Scope } from '../store/read/scope.js'
import { itemByIdReader, itemFinder } from '../store/read/select-item.js'
import { idColumn } from '../store/schema/store-schema.js'
import { isObject } from '../store/value/json-object.js'
import { insertItem } from '../store/write/insert-item.js'
import { newValues } from '../store/write/item-values.js'
import { linkItems } from '../store/write/link-items.js'
import { requireReferences } from '../store/write/require-references.js'
import { type HandlerContext, slotValues } from './handler-context.js'
import { refusalOf } from './refuse.js'
import { writeRefusal } from './write-refusal.js'

/** Creates an item in a collection: in its owner, related to the item that the path leads through, or by itself. */
export function createHandler(_route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  // As the type of the collection, so that an item of a derived one says so.
  const read = itemByIdReader(scope.type, store)
  const parent = scope.parent
  const findParent = parent === undefined ? undefined : itemFinder(parent.scope, store)
  return async call => {
    const body = isObject(call.body) ? call.body : {}
    const type = createdType(body, scope, store)
    try {
      return await store.engine.write(async session => {
        const owner = findParent === undefined ? undefined : await findParent(session, slotValues(call, store))
        if (findParent !== undefined && owner === undefined) throw refusalOf('itemNotFound', call, store.table)
        const relation = parent?.relation
        const values = newValues(type, body, store)
        const inOwner = owner !== undefined && relation?.kind === 'contained'
        const id = await insertItem(
          store,
          session,
          type,
          values,
          inOwner ? { owner: { id: owner, relation: relation.navigation } } : {},
        )
        if (owner !== undefined && relation !== undefined && !inOwner)
          await linkItems(store, session, relation, owner, id)
        await requireReferences(store, session, type, id)
        const created = await read(session, { [idColumn]: id })
        return created?.entity
      })
    } catch (error) {
      throw writeRefusal(error, call, store.table)
    }
  }
}

/** The type that the body names, else that of the collection. The core has seen to it that it is one of those. */
function createdType(
  body: Readonly<Record<string, unknown>>,
  scope: Scope,
  { schema, table }: HandlerContext['store'],
): EntityType {
  const name = body['@odata.type']
  if (typeof name !== 'string') return scope.type
  return schema.typeOf(typeKey(name, table.types))
}
