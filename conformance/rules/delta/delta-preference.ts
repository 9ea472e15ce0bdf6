import { changesOfList } from '../../../spec/language/index.js'
import { onePerEndpoint } from '../../discover/site.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { type DeltaRound, deltaRound } from './delta-round.js'
import { completenessFinding, noDeltaLinkFinding } from './round-findings.js'

const prefer = 'odata.track-changes'
const smallPages = 'first round in pages'

export const deltaPreference: ActiveRule = {
  kind: 'active',
  id: 'delta-preference',
  area: 'delta',
  statement:
    'A list read with `Prefer: odata.track-changes` has all items, and ends with a delta link that can be followed, also with smaller pages.',
  advice:
    'Answer such a request like the first round of a delta query, and name the preference in Preference-Applied. A service that ignores the preference must not name it.',
  aspects: ['delta.changes', 'preference'],
  covers: ['endpoint.delta', 'feature.trackChanges'],
  severity: 'must',
  writes: false,
  cost: 3,
  weight: 3,
  sites: ({ sites, service }) =>
    onePerEndpoint(sites).filter(({ endpoint }) => changesOfList(endpoint, service) !== undefined),
  cases: (site, session) =>
    session.snapshot(site)?.complete === true
      ? { planned: [{ variant: 'first round' }, { variant: smallPages }] }
      : { skipReason: 'the collection could not be read completely' },
  check: async ({ variant }, site, session) => {
    // Two pages, or three if an item was added since.
    const pageSize = Math.max(1, Math.ceil((session.snapshot(site)?.rows.length ?? 0) / 2))
    const preferences = variant === smallPages ? `${prefer}, odata.maxpagesize=${pageSize}` : prefer
    const round = await deltaRound({ method: 'GET', path: site.path, headers: { prefer: preferences } }, session)
    const first = round.pages[0]
    if (first === undefined) return { kind: 'inconclusive', why: 'there was no response' }
    const inconclusive = inconclusiveVerdict(first) ?? inconclusiveVerdict(round.pages.at(-1) ?? first)
    if (inconclusive !== undefined) return inconclusive
    if (round.unread !== undefined) return { kind: 'inconclusive', why: round.unread }
    const isClaimed = (first.headers['preference-applied'] ?? '').toLowerCase().includes('track-changes')
    if (first.status !== 200 || !isClaimed) return notApplied(round, session)
    const { deltaLink } = round
    if (deltaLink === undefined) return failure(noDeltaLinkFinding(round))
    const finding = completenessFinding(round, site, session)
    if (finding !== undefined) return failure(finding)
    const next = await deltaRound({ method: 'GET', path: deltaLink }, session)
    const again = next.pages[0] === undefined ? undefined : inconclusiveVerdict(next.pages[0])
    if (again !== undefined) return again
    if (next.unread !== undefined) return { kind: 'inconclusive', why: next.unread }
    return next.deltaLink === undefined ? failure(noDeltaLinkFinding(next)) : { kind: 'pass' }
  },
}

/** A service can ignore a preference, but a preference is no reason to refuse a request. @see RFC 7240, 2 */
function notApplied({ pages }: DeltaRound, { service }: Session): Verdict {
  const [first] = pages
  if (first?.status === 200 && service.features.trackChanges !== 'required')
    return { kind: 'unsupported', constructs: ['trackChanges'] }
  return failure({
    message: `A list read with Prefer: ${prefer} does not track changes.`,
    expected: `status 200 with Preference-Applied: ${prefer}`,
    received: first === undefined ? 'nothing' : describeResponse(first),
    answers: first === undefined ? [] : [first],
    features: ['delta.preference'],
  })
}
