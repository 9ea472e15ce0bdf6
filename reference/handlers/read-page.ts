import { type AnyCall, type ListResult, RequestFault } from '../../runtime/server/index.js'
import type { Session } from '../store/engine/engine.js'
import type { SlotValues } from '../store/engine/sql-value.js'
import type { CollectionPlan } from '../store/read/collection-plan.js'
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

type Entity = Record<string, unknown>

/** One page of a collection. Nothing that is written between two pages makes an item appear twice, or hides another. */
export async function readPage(
  call: AnyCall,
  plan: CollectionPlan,
  session: Session,
  values: SlotValues,
  sealer: TokenSealer,
): Promise<ListResult<Entity>> {
  const { query, pageSize, limit } = call
  const start = query.skiptoken === undefined ? undefined : pageStart(query.skiptoken, call, sealer)
  const left = start === undefined ? limit : start.left
  const size = Math.min(pageSize ?? Number.POSITIVE_INFINITY, left ?? Number.POSITIVE_INFINITY)
  const { items, last } = await plan.page(session, values, {
    after: start?.after,
    skip: start === undefined ? (query.skip ?? 0) : 0,
    limit: Number.isFinite(size) ? size : undefined,
  })
  const count = query.count === true ? await plan.count(session, values) : undefined
  const remaining = left === undefined ? undefined : left - items.length
  const hasNext = last !== undefined && (remaining === undefined || remaining > 0)
  const value = items.map(item => item.entity)
  return { value, count, skipToken: hasNext ? pageToken(last, remaining, call, sealer) : undefined }
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
