import { type AnyCall, JsonText, RequestFault } from '../../runtime/server/index.js'
import type { Session } from '../store/engine/engine.js'
import type { SlotValues } from '../store/engine/sql-value.js'
import type { CollectionPlan } from '../store/read/collection-plan.js'
import type { PageWanted } from '../store/read/page-statements.js'
import type { TokenSealer } from '../store/read/token.js'
import { isObject } from '../store/value/json-object.js'
import { queryHash } from './query-hash.js'

/** Where a page begins, as its link says. */
interface PageStart {
  /** Sort keys of the item before it. */
  readonly after: readonly unknown[]
  /** Items that are left of all pages together; undefined: no limit. */
  readonly left: number | undefined
}

/** What a request is answered from. */
export interface PageSource {
  readonly plan: CollectionPlan
  readonly session: Session
  readonly values: SlotValues
  readonly sealer: TokenSealer
}

/** A page as handlers return it. */
export interface ReadPage<Value> {
  readonly value: Value
  /** Items on it. */
  readonly length: number
  readonly count: number | undefined
  readonly skipToken: string | undefined
}

/** One page of a collection. Nothing that is written between two pages makes an item appear twice, or hides another. */
export function readPage(call: AnyCall, source: PageSource): Promise<ReadPage<readonly Record<string, unknown>[]>> {
  const { plan, session, values } = source
  return pageBy(call, source, async wanted => {
    const { items, last } = await plan.page(session, values, wanted)
    return { value: items.map(item => item.entity), length: items.length, last }
  })
}

/** The same as text, where nobody has to look into the items. */
export function readTextPage(
  call: AnyCall,
  source: PageSource,
  read: NonNullable<CollectionPlan['text']>,
): Promise<ReadPage<JsonText>> {
  const { session, values } = source
  return pageBy(call, source, async wanted => {
    const { text, length, last } = await read(session, values, wanted)
    return { value: new JsonText(text), length, last }
  })
}

interface Found<Value> {
  readonly value: Value
  readonly length: number
  readonly last: readonly unknown[] | undefined
}

async function pageBy<Value>(
  call: AnyCall,
  { plan, session, values, sealer }: PageSource,
  read: (wanted: PageWanted) => Promise<Found<Value>>,
): Promise<ReadPage<Value>> {
  const { query, pageSize, limit } = call
  const start = query.skiptoken === undefined ? undefined : pageStart(query.skiptoken, call, sealer)
  const left = start === undefined ? limit : start.left
  const size = Math.min(pageSize ?? Number.POSITIVE_INFINITY, left ?? Number.POSITIVE_INFINITY)
  const { value, length, last } = await read({
    after: start?.after,
    skip: start === undefined ? (query.skip ?? 0) : 0,
    limit: Number.isFinite(size) ? size : undefined,
  })
  const count = query.count === true ? await plan.count(session, values) : undefined
  const remaining = left === undefined ? undefined : left - length
  const hasNext = last !== undefined && (remaining === undefined || remaining > 0)
  return { value, length, count, skipToken: hasNext ? pageToken(last, remaining, call, sealer) : undefined }
}

function pageToken(last: readonly unknown[], left: number | undefined, call: AnyCall, sealer: TokenSealer): string {
  const after = last.map(value =>
    typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value,
  )
  return sealer.seal({ q: queryHash(call), after, left })
}

function pageStart(token: string, call: AnyCall, sealer: TokenSealer): PageStart {
  const opened = sealer.open(token)
  const content = typeof opened === 'string' ? undefined : opened.content
  if (!isObject(content) || !Array.isArray(content['after']))
    throw notOfThisService('$skiptoken comes from no link of this service.')
  if (content['q'] !== queryHash(call))
    throw notOfThisService('$skiptoken belongs to another query: follow the link as it is.')
  const left = content['left']
  return { after: content['after'].map(afterValue), left: typeof left === 'number' ? left : undefined }
}

/** Infinity has no place in JSON. */
function afterValue(value: unknown): unknown {
  return isObject(value) ? Number(value['number']) : value
}

function notOfThisService(reason: string): RequestFault {
  return new RequestFault('malformedQueryOption', {
    target: '$skiptoken',
    values: { option: '$skiptoken', reason },
  })
}
