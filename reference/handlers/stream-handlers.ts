import type { AnyCall, AnyHandler, Route, StreamContent } from '../../runtime/server/index.js'
import { type EntityType, isStream, type Property } from '../../spec/language/index.js'
import {
  idColumn,
  instantOf,
  isObject,
  itemByIdReader,
  itemFinder,
  lockedItemReader,
  type Scope,
  storedProperties,
} from '../../sql/index.js'
import type { Store } from '../store/store.js'
import { zeroValue } from '../store/values/normaliser.js'
import { insertRelated, insertWithRelated } from '../store/write/related-items.js'
import { removeStream, streamReader, streamTag, writeStream } from '../store/write/streams.js'
import { updateItem } from '../store/write/write-item.js'
import { type HandlerContext, placeholderValues } from './handler-context.js'
import { faultOf, runRead, writeFault } from './request-faults.js'

/** The name under which the store keeps the stream of a route. */
const nameOf = ({ stream }: Route): string => stream?.property ?? ''

/** Answers with a stream; null if the item has none. */
export function readStreamHandler(route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  const read = streamReader(scope, nameOf(route), store)
  return call => runRead(store, session => read(session, placeholderValues(call, store)))
}

/**
 * Stores a stream. Its entity tag is compared inside the transaction. The item changes as well: what it says about the stream
 * is part of it.
 */
export function replaceStreamHandler(route: Route, scope: Scope, context: HandlerContext): AnyHandler {
  return changeHandler(scope, nameOf(route), context, async (session, item, call) => {
    const { store } = context
    const etag = await writeStream(store, session, scope, Number(item.id), nameOf(route), contentOf(call))
    return { etag }
  })
}

/** Deletes a stream: the property is null then. */
export function deleteStreamHandler(route: Route, scope: Scope, context: HandlerContext): AnyHandler {
  return changeHandler(scope, nameOf(route), context, (session, item) =>
    removeStream(context.store, session, scope, Number(item.id), nameOf(route)),
  )
}

type LockedItem = NonNullable<Awaited<ReturnType<ReturnType<typeof lockedItemReader>>>>
type Session = Parameters<Parameters<Store['engine']['write']>[0]>[0]

function changeHandler(
  scope: Scope,
  name: string,
  { store }: HandlerContext,
  change: (session: Session, item: LockedItem, call: AnyCall) => Promise<unknown>,
): AnyHandler {
  const readLocked = lockedItemReader(scope, store)
  return async call => {
    try {
      return await store.engine.write(async session => {
        const item = await readLocked(session, placeholderValues(call, store))
        if (item === undefined) throw faultOf('itemNotFound', call, store.table)
        const tag = await streamTag(store, session, scope, Number(item.id), name)
        if (!call.precondition.holds(tag)) throw faultOf('preconditionFailed', call, store.table)
        const changed = await change(session, item, call)
        await updateItem(store, session, item.type, Number(item.id), new Map())
        return changed
      })
    } catch (error) {
      throw writeFault(error, call, store.table)
    }
  }
}

/**
 * Creates a media entity from its stream. The properties that no default determines are null, or zero and empty texts where
 * null is not allowed: the caller updates them afterwards.
 *
 * @see OData Protocol 4.01, 11.4.7.1 (create a media entity)
 */
export function createMediaHandler(_route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  const read = itemByIdReader(scope.type, store)
  const parent = scope.parent
  const findParent = parent === undefined ? undefined : itemFinder(parent.scope, store)
  return async call => {
    const { type } = scope
    if (type.abstract) {
      const reason = `${type.name} is abstract. Create an item of a derived type at a path that ends in its name.`
      throw faultOf('invalidBody', call, store.table, { values: { reason } })
    }
    try {
      return await store.engine.write(async session => {
        const owner = findParent === undefined ? undefined : await findParent(session, placeholderValues(call, store))
        if (findParent !== undefined && owner === undefined) throw faultOf('itemNotFound', call, store.table)
        const body = initialValues(type, store)
        const id =
          owner === undefined || parent === undefined
            ? await insertWithRelated(store, session, type, body, async () => undefined)
            : await insertRelated(store, session, owner, parent.relation.navigation, type, body, async () => undefined)
        await writeStream(store, session, scope, id, '', contentOf(call))
        return (await read(session, { [idColumn]: id }))?.entity
      })
    } catch (error) {
      throw writeFault(error, call, store.table)
    }
  }
}

/** The values that a media stream lacks and that a new item must have. */
function initialValues(type: EntityType, store: Store): Readonly<Record<string, unknown>> {
  const now = `${instantOf(store.now())}Z`
  const needsValue = (property: Property): boolean =>
    !property.nullable &&
    !property.collection &&
    !property.computed &&
    property.default === undefined &&
    !isStream(property.type) &&
    !type.key.includes(property)
  return Object.fromEntries(
    storedProperties(type)
      .filter(needsValue)
      .map(property => [property.name, zeroValue(property.type, now)]),
  )
}

/** The content that the server core has read. */
function contentOf({ body }: AnyCall): StreamContent {
  const mediaType = isObject(body) ? body['mediaType'] : undefined
  const bytes = isObject(body) ? body['bytes'] : undefined
  if (typeof mediaType !== 'string' || !(bytes instanceof Uint8Array))
    throw new TypeError('The server core gave the handler no stream.')
  return { mediaType, bytes }
}
