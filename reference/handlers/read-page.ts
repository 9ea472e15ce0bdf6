import { type AnyCall, JsonText } from '../../runtime/server/index.js'
import type {
  CollectionPlan,
  JsonPage,
  MaybePromise,
  PageRequest,
  PlaceholderValues,
  Session,
} from '../../sql/index.js'
import { pageStart, pageToken, type TokenSigner } from './continuation-token.js'

/** What a page is read with. */
export interface PageSource {
  readonly plan: CollectionPlan
  readonly session: Session
  readonly values: PlaceholderValues
  readonly signer: TokenSigner
  /** The bytes of the items of a page. */
  readonly bytes: number
}

/** A page as handlers return it. */
export interface ReadPage<Value> {
  readonly value: Value
  /** The number of items. */
  readonly length: number
  readonly count: number | undefined
  readonly skipToken: string | undefined
}

/** Reads one page of a collection. Writes between two pages neither repeat an item nor hide another one. */
export function readPage(call: AnyCall, source: PageSource): Promise<ReadPage<readonly Record<string, unknown>[]>> {
  const { plan, session, values } = source
  return readPageWith(call, source, async request => {
    const { items, last } = await plan.page(session, values, request)
    return { value: items.map(item => item.entity), length: items.length, last }
  })
}

/** Reads one page as JSON text, for pages whose items no handler inspects. */
export function readJsonPage(
  call: AnyCall,
  source: PageSource,
  read: NonNullable<CollectionPlan['json']>,
): Promise<ReadPage<JsonText>> {
  const { session, values } = source
  return readPageWith(call, source, request => {
    const page = read(session, values, request)
    return page instanceof Promise ? page.then(jsonPage) : jsonPage(page)
  })
}

function jsonPage({ json: text, length, last }: JsonPage): Found<JsonText> {
  return { value: new JsonText(text), length, last }
}

interface Found<Value> {
  readonly value: Value
  readonly length: number
  readonly last: readonly unknown[] | undefined
}

async function readPageWith<Value>(
  call: AnyCall,
  { plan, session, values, signer, bytes }: PageSource,
  read: (request: PageRequest) => MaybePromise<Found<Value>>,
): Promise<ReadPage<Value>> {
  const { query, pageSize, limit } = call
  const start = query.skiptoken === undefined ? undefined : pageStart(query.skiptoken, call, signer)
  const left = start === undefined ? limit : start.left
  const size = Math.min(pageSize ?? Number.POSITIVE_INFINITY, left ?? Number.POSITIVE_INFINITY)
  const reading = read({
    after: start?.after,
    skip: start === undefined ? (query.skip ?? 0) : 0,
    limit: Number.isFinite(size) ? size : undefined,
    bytes,
  })
  // An embedded engine answers synchronously.
  const { value, length, last } = reading instanceof Promise ? await reading : reading
  const count = query.count === true ? await plan.count(session, values) : undefined
  const remaining = left === undefined ? undefined : left - length
  const hasNext = last !== undefined && (remaining === undefined || remaining > 0)
  return { value, length, count, skipToken: hasNext ? pageToken(last, remaining, call, signer) : undefined }
}
