import type { ReadEndpoint } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Exchange } from '../exchange.js'
import { contextOf, shown } from '../reply/item-reply.js'
import type { Reply } from '../reply/reply.js'
import type { Entity } from '../world/entity.js'
import { pageSize } from './cut-page.js'
import { linkQuery, linkTo } from './next-link.js'

/** All rows, or those that changed since a delta link was given; a new delta link on the last page. */
export function readDelta(endpoint: ReadEndpoint, rows: readonly Entity[], at: Exchange): Reply {
  const { behaviour, world, service } = at
  const token = tokenOf(at)
  if (token === undefined) return behaviour.error(service.faults.expiredToken, service.faults.expiredToken.message, at)
  const changed = token.since === 0 ? rows : behaviour.changes(rows, token.since, at)
  const gone = token.since === 0 ? [] : behaviour.removals(token.since, at)
  const items = [...changed.map(row => shown(row, endpoint.type, at)), ...gone]
  const end = token.start + pageSize(at)
  const json: Record<string, Json> = { '@odata.context': contextOf(endpoint.type, at) }
  json['value'] = token.isLatest ? [] : items.slice(token.start, end)
  if (end < items.length && !token.isLatest) {
    json['@odata.nextLink'] = linkTo(linkQuery('skiptoken', `${token.since}.${end}.${token.until}`, at), at)
  } else {
    const until = token.isLatest ? world.moment : token.until
    json['@odata.deltaLink'] = linkTo(linkQuery('deltatoken', String(until), at), at)
  }
  return { status: 200, headers: {}, json }
}

interface Token {
  /** The moment from which changes are told; 0: from the beginning. */
  readonly since: number
  readonly start: number
  /** The moment up to which they were told when the round began. */
  readonly until: number
  readonly isLatest: boolean
}

function tokenOf({ options: { skiptoken, deltatoken }, world }: Exchange): Token | undefined {
  const now = { start: 0, until: world.moment, isLatest: false }
  if (skiptoken !== undefined) {
    const parts = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(skiptoken)
    if (parts === null) return undefined
    const [, since = '', start = '', until = ''] = parts
    return { since: Number(since), start: Number(start), until: Number(until), isLatest: false }
  }
  if (deltatoken === undefined) return { since: 0, ...now }
  if (deltatoken === 'latest') return { since: 0, ...now, isLatest: true }
  const since = /^\d{1,9}$/.test(deltatoken) ? Number(deltatoken) : 0
  return since === 0 || since > world.moment ? undefined : { since, ...now }
}

/** The keys of what was deleted since a moment. */
export function removalsSince(since: number, { world, target }: Exchange): readonly Json[] {
  const set = target.kind === 'many' && target.source.kind === 'set' ? target.source.name : undefined
  return world.removed
    .filter(gone => gone.set === set && gone.at > since)
    .map(({ key }) => ({ ...key, '@removed': { reason: 'deleted' } }))
}
