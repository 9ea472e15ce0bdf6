import { isSamePath } from '../../../spec/language/index.js'
import { onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { describeResponse, errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule, PassiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { crossOriginLink, type Session } from '../../session/session.js'

/** One round of a delta query: its pages and the link to the next round. */
export interface DeltaRound {
  readonly rows: readonly Row[]
  readonly pages: readonly TestResponse[]
  /** Absent if the round did not end. */
  readonly deltaLink?: string
  /** Why the suite did not read to the end, if that is not the fault of the service. */
  readonly unread?: string
}

/** Reads a round to its end. */
export async function deltaRound(request: TestRequest, session: Session): Promise<DeltaRound> {
  const { rows, pages, end } = await session.list(request)
  const last = pages.at(-1)
  const link = isRow(last?.json) ? last.json['@odata.deltaLink'] : undefined
  const url = end === 'complete' && last !== undefined && typeof link === 'string' ? resolveLink(link, last) : undefined
  // Same origin only: the request carries the credential.
  const isOwn = last !== undefined && url?.origin === new URL(last.request.url).origin
  const unread =
    end === 'crossOrigin' || (url !== undefined && !isOwn) ? crossOriginLink : end === 'truncated' ? tooLong : undefined
  return {
    rows,
    pages,
    ...(unread === undefined ? {} : { unread }),
    ...(url !== undefined && isOwn ? { deltaLink: url.href } : {}),
  }
}

/** The current delta link, or a verdict if there is none. */
export async function currentDeltaLink(site: Site, session: Session): Promise<string | Verdict> {
  const round = await deltaRound({ method: 'GET', path: site.path }, session)
  const [first] = round.pages
  const inconclusive = first === undefined ? undefined : inconclusiveVerdict(first)
  if (inconclusive !== undefined) return inconclusive
  if (first !== undefined && isRejection(first, session)) return { kind: 'unsupported', constructs: [] }
  return round.deltaLink ?? { kind: 'inconclusive', why: 'the first round did not end with a delta link' }
}

const tooLong = 'it has more pages than the remaining requests can read'

/** The absolute URL of a link; undefined if it is malformed. */
export function resolveLink(link: string, { request }: TestResponse): URL | undefined {
  return URL.canParse(link, request.url) ? new URL(link, request.url) : undefined
}

/** Whether a row reports a removed item. */
export function isRemoved(row: Row): boolean {
  return isRow(row['@removed']) || isRow(row['@odata.removed'])
}

/** The tracked collection. Undefined if no endpoint reads it. */
export function trackedSite(site: Site, { sites }: Pick<Session, 'sites'>): Site | undefined {
  const tracked = site.endpoint.resolved.slice(0, -1)
  return sites.find(({ endpoint }) => endpoint.kind === 'collection' && isSamePath(endpoint.resolved, tracked))
}

export const deltaLinks: PassiveRule = {
  kind: 'passive',
  id: 'delta-links',
  area: 'delta',
  statement:
    'Each page of a delta query has a list and exactly one link: a next link, or on the last page a delta link.',
  advice: 'Without a link, a client cannot continue and must read everything again. An empty page has a link too.',
  aspects: ['delta.changes'],
  covers: ['endpoint.delta'],
  severity: 'must',
  inspect: (response, site) => {
    if (response.transportError !== undefined || site?.endpoint.kind !== 'delta' || response.status !== 200)
      return undefined
    if (response.testRequest.method !== 'GET') return undefined
    const { json } = response
    const links = ['@odata.nextLink', '@odata.deltaLink'].filter(name => isRow(json) && typeof json[name] === 'string')
    if (isRow(json) && Array.isArray(json['value']) && links.length === 1) return 'seen'
    return {
      message:
        links.length === 2
          ? 'A page of a delta query has both a next link and a delta link.'
          : links.length === 0
            ? 'A page of a delta query has neither a next link nor a delta link.'
            : 'A page of a delta query has no list.',
      expected: 'a list `value`, and either @odata.nextLink or @odata.deltaLink',
      received: describeResponse(response),
      answers: [response],
      features: ['delta.links'],
    }
  },
}

export const deltaToken: ActiveRule = {
  kind: 'active',
  id: 'delta-token',
  area: 'delta',
  statement: 'A delta token that the service did not issue is rejected, or returns every item again.',
  advice:
    'Do not answer an unknown token with some changes or none: the client would miss the others. Return 410 for an expired token and 400 for an invalid one, so that the client starts again.',
  aspects: ['delta.changes'],
  covers: ['endpoint.delta', 'error.expiredToken', 'fault.expiredToken'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 3,
  sites: ({ sites }) => onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'delta'),
  cases: () => ({ planned: [{ variant: 'garbage' }] }),
  check: async (_test, site, session) => {
    const round = await deltaRound({ method: 'GET', path: site.path }, session)
    const [first] = round.pages
    const inconclusive = first === undefined ? undefined : inconclusiveVerdict(first)
    if (inconclusive !== undefined) return inconclusive
    if (first !== undefined && isRejection(first, session)) return { kind: 'unsupported', constructs: [] }
    if (round.unread !== undefined) return { kind: 'inconclusive', why: round.unread }
    const path = round.deltaLink === undefined ? undefined : withGarbage(round.deltaLink)
    if (path === undefined) return { kind: 'inconclusive', why: 'the delta link has no recognizable token' }
    const response = await session.send({ method: 'GET', path })
    const unsaid = inconclusiveVerdict(response)
    if (unsaid !== undefined) return unsaid
    const { expiredToken, malformedQueryOption, invalidParameter, unsupportedQueryOption } = session.service.faults
    const errors = [expiredToken, malformedQueryOption, invalidParameter, unsupportedQueryOption] as const
    const finding = errorFinding(response, errors, session)
    if (finding === undefined) return { kind: 'pass' }
    if (response.status !== 200) return failure(finding)
    // The interface does not describe tokens. A round that starts again misses nothing.
    const again = await deltaRound({ method: 'GET', path }, session)
    if (again.unread !== undefined) return { kind: 'inconclusive', why: again.unread }
    return again.rows.length >= round.rows.length && round.rows.length > 0 ? { kind: 'pass' } : failure(finding)
  },
}

/** The link with an invalid delta token. Undefined if no parameter looks like a delta token. */
function withGarbage(link: string): string | undefined {
  const url = new URL(link)
  const name = [...url.searchParams.keys()].find(each => /delta.?token/i.test(each))
  if (name === undefined) return undefined
  url.searchParams.set(name, 'specwright-no-such-token')
  return url.href
}
