import {
  type AnyCall,
  type AnyHandler,
  type DeltaResult,
  RequestFault,
  type Route,
} from '../../runtime/server/index.js'
import { isObject, responseLimits, type Scope, type Session } from '../../sql/index.js'
import { changePlan, deltaRetention } from '../store/read/changes.js'
import { queryHash } from './continuation-token.js'
import { type HandlerContext, parentCheck, placeholderValues } from './handler-context.js'
import { planCache } from './query-shape.js'
import { faultOf, runRead } from './request-faults.js'

type Entity = Readonly<Record<string, unknown>>

/** The page size of endpoints that define none. */
const defaultPageSize = 100

/** One round of changes: those after `since` up to `until`. Those up to `position` are on earlier pages. */
interface Round {
  readonly since: number
  readonly until: number
  readonly position: number
  /** When the round began, in milliseconds since 1970. */
  readonly startedAt: number
}

/**
 * Answers with the changes since a delta link was issued, or with all items if there is no link. A round ends at the last
 * change that was visible when the round began; later changes are part of the next round.
 */
export function deltaHandler(
  _route: Route,
  scope: Scope,
  { store, signer, publicAddress }: HandlerContext,
): AnyHandler {
  const planOf = planCache(options => changePlan(scope, options, store))
  const hasParent = parentCheck(scope, store)
  const bytes = responseLimits(store.table).responseBytes

  const roundOf = (call: AnyCall, latest: number): Round => {
    const now = store.now().getTime()
    const { skiptoken, deltatoken } = call.query
    if (skiptoken !== undefined) return roundOfToken(skiptoken, '$skiptoken', call)
    if (deltatoken === undefined) return { since: 0, until: latest, position: 0, startedAt: now }
    if (deltatoken === 'latest') return { since: latest, until: latest, position: latest, startedAt: now }
    const last = roundOfToken(deltatoken, '$deltatoken', call)
    return { since: last.until, until: latest, position: last.until, startedAt: now }
  }
  const roundOfToken = (token: string, option: string, call: AnyCall): Round => {
    const found = signer.verify(token)
    if (found === 'foreign') throw expired(call)
    const content = found === 'malformed' ? undefined : found.content
    if (!isObject(content) || content['option'] !== option)
      throw malformedToken(option, `This service did not issue the ${option}.`)
    if (content['q'] !== queryHash(call))
      throw malformedToken(option, `The ${option} belongs to another query. Follow the link unchanged.`)
    const [since = 0, until = 0, position = 0, startedAt = 0] = ['since', 'until', 'position', 'startedAt'].map(name =>
      Number(content[name]),
    )
    if (![since, until, position, startedAt].every(Number.isSafeInteger))
      throw malformedToken(option, `This service did not issue the ${option}.`)
    if (store.now().getTime() - startedAt > deltaRetention) throw expired(call)
    return { since, until, position, startedAt }
  }
  const expired = (call: AnyCall): Error => {
    const [address = ''] = call.request.url.split('?', 1)
    const location = publicAddress?.(address) ?? address
    const reason = 'Start again without a token.'
    return faultOf('expiredToken', call, store.table, { headers: { location }, values: { reason } })
  }
  const signedToken = (round: Round, option: string, call: AnyCall): string =>
    signer.sign({ q: queryHash(call), option, ...round })

  return call => {
    const plan = planOf(call)
    const values = placeholderValues(call, store)
    const size = call.pageSize ?? defaultPageSize
    const read = async (session: Session): Promise<DeltaResult<Entity>> => {
      const { latest, purged } = await plan.limits(session)
      const round = roundOf(call, latest)
      if (round.since > 0 && round.since < purged) throw expired(call)
      const range = { after: round.position, until: round.until, limit: size + 1, bytes, removals: round.since > 0 }
      const { found: changes, isCut } = await plan.changes(session, values, range)
      const isEmpty = changes.length === 0 && round.position === 0
      if (isEmpty && !(await hasParent(session, values))) throw faultOf('itemNotFound', call, store.table)
      const page = changes.slice(0, size)
      const value = page.map(change => change.entity)
      const position = page.at(-1)?.version
      return (isCut || changes.length > page.length) && position !== undefined
        ? { value, skipToken: signedToken({ ...round, position }, '$skiptoken', call) }
        : { value, deltaToken: signedToken(round, '$deltatoken', call) }
    }
    // A replica can show a write a moment before the primary does, and a round must not begin before the last one ended.
    return runRead(store, read, 'primary')
  }
}

function malformedToken(option: string, reason: string): RequestFault {
  return new RequestFault('malformedQueryOption', { target: option, values: { option, reason } })
}
