import {
  type AnyCall,
  type AnyHandler,
  type DeltaResult,
  RequestFault,
  type Route,
} from '../../runtime/server/index.js'
import { isObject } from '../json-object.js'
import { changePlan, deltaRetention } from '../store/read/changes.js'
import type { Scope } from '../store/read/scope.js'
import { queryHash } from './continuation-token.js'
import { type HandlerContext, parentCheck, placeholderValues } from './handler-context.js'
import { planCache } from './plan-cache.js'
import { faultOf, runRead } from './request-faults.js'

type Entity = Readonly<Record<string, unknown>>

/** Items a page where the endpoint gives no number. */
const defaultPageSize = 100

/** One round: the changes behind `since` up to `until`, of which those up to `position` were told. */
interface Round {
  readonly since: number
  readonly until: number
  readonly position: number
  /** When the round began, in milliseconds. */
  readonly begun: number
}

/**
 * Answers what changed since a delta link was given out; without one, all there is. A round ends at the last change that
 * was visible when it began, so that what changes meanwhile comes in the next one.
 */
export function deltaHandler(
  _route: Route,
  scope: Scope,
  { store, signer: sealer, publicAddress }: HandlerContext,
): AnyHandler {
  const planOf = planCache(options => changePlan(scope, options, store))
  const hasParent = parentCheck(scope, store)

  const roundOf = (call: AnyCall, latest: number): Round => {
    const now = store.now().getTime()
    const { skiptoken, deltatoken } = call.query
    if (skiptoken !== undefined) return opened(skiptoken, '$skiptoken', call)
    if (deltatoken === undefined) return { since: 0, until: latest, position: 0, begun: now }
    if (deltatoken === 'latest') return { since: latest, until: latest, position: latest, begun: now }
    const last = opened(deltatoken, '$deltatoken', call)
    return { since: last.until, until: latest, position: last.until, begun: now }
  }
  const opened = (token: string, option: string, call: AnyCall): Round => {
    const found = sealer.verify(token)
    if (found === 'foreign') throw expired(call)
    const content = found === 'malformed' ? undefined : found.content
    if (!isObject(content) || content['option'] !== option)
      throw malformedToken(option, `${option} comes from no link of this service.`)
    if (content['q'] !== queryHash(call))
      throw malformedToken(option, `${option} belongs to another query: follow the link as it is.`)
    const [since = 0, until = 0, position = 0, begun = 0] = ['since', 'until', 'position', 'begun'].map(name =>
      Number(content[name]),
    )
    if (store.now().getTime() - begun > deltaRetention) throw expired(call)
    return { since, until, position, begun }
  }
  const expired = (call: AnyCall): Error => {
    const [address = ''] = call.request.url.split('?', 1)
    const location = publicAddress?.(address) ?? address
    const reason = 'Start again without a token.'
    return faultOf('expiredToken', call, store.table, { headers: { location }, values: { reason } })
  }
  const sealed = (round: Round, option: string, call: AnyCall): string =>
    sealer.sign({ q: queryHash(call), option, ...round })

  return call => {
    const plan = planOf(call)
    const values = placeholderValues(call, store)
    const size = call.pageSize ?? defaultPageSize
    return runRead(store, async (session): Promise<DeltaResult<Entity>> => {
      const round = roundOf(call, await plan.latest(session))
      const range = { after: round.position, until: round.until, limit: size + 1, removals: round.since > 0 }
      const changes = await plan.changes(session, values, range)
      const isEmpty = changes.length === 0 && round.position === 0
      if (isEmpty && !(await hasParent(session, values))) throw faultOf('itemNotFound', call, store.table)
      const page = changes.slice(0, size)
      const value = page.map(change => change.entity)
      const position = page.at(-1)?.version
      return changes.length > page.length && position !== undefined
        ? { value, skipToken: sealed({ ...round, position }, '$skiptoken', call) }
        : { value, deltaToken: sealed(round, '$deltatoken', call) }
    })
  }
}

function malformedToken(option: string, reason: string): RequestFault {
  return new RequestFault('malformedQueryOption', { target: option, values: { option, reason } })
}
