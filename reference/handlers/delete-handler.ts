import type { AnyHandler, Route } from '../../runtime/server/index.js'
import type { Scope } from '../store/read/scope.js'
import { lockedItemReader } from '../store/read/select-item.js'
import { deleteItem } from '../store/write/delete-item.js'
import { type HandlerContext, slotValues } from './handler-context.js'
import { refusalOf } from './refuse.js'
import { tagOf } from './update-handler.js'
import { writeRefusal } from './write-refusal.js'

/** Removes an item, with all that is in it. */
export function deleteHandler(_route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  const readLocked = lockedItemReader(scope, store)
  return async call => {
    try {
      await store.engine.write(async session => {
        const item = await readLocked(session, slotValues(call, store))
        if (item === undefined) throw refusalOf('itemNotFound', call, store.table)
        if (!call.precondition.holds(tagOf(item))) throw refusalOf('preconditionFailed', call, store.table)
        await deleteItem(store, session, scope.table, item.id)
      })
    } catch (error) {
      throw writeRefusal(error, call, store.table)
    }
  }
}
