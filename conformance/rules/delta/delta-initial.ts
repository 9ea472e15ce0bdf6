import { onePerEndpoint, type Site } from '../../discover/site.js'
import { unselectedProperties } from '../../lists/properties.js'
import { inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { type DeltaRound, deltaRound, isRemoved, trackedSite } from './delta-round.js'
import { completenessFinding, contentFinding, noDeltaLinkFinding } from './round-findings.js'

export const deltaInitial: ActiveRule = {
  kind: 'active',
  id: 'delta-initial',
  area: 'delta',
  statement:
    'The first round of a delta query reports every item of the collection. If nothing changes, the next round reports nothing that is untrue.',
  advice:
    'A client builds its copy from the first round, so an item that this round omits is never seen. The delta link marks the start of the round, so that no change falls between two rounds.',
  aspects: ['delta.changes'],
  covers: ['endpoint.delta'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 7,
  sites: ({ sites }) => onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'delta'),
  cases: (site, session) => {
    const tracked = trackedSite(site, session)
    const complete = tracked !== undefined && session.snapshot(tracked)?.complete === true
    if (tracked === undefined || !complete) return { skipReason: 'the collection could not be read completely' }
    const selected = selectedIn(site, tracked, session)
    return {
      planned: [
        { variant: 'first round' },
        ...(selected === undefined ? [] : [{ variant: 'selected', name: selected }]),
        { variant: 'next round' },
      ],
    }
  },
  check: async ({ variant, name }, site, session) => {
    const tracked = trackedSite(site, session)
    const options = name === undefined ? {} : { options: { select: [{ path: [name] }] } }
    const round = await deltaRound({ method: 'GET', path: site.path, ...options }, session)
    const first = round.pages[0]
    if (first === undefined) return { kind: 'inconclusive', why: 'there was no response' }
    const last = round.pages.at(-1) ?? first
    const inconclusive = inconclusiveVerdict(first) ?? inconclusiveVerdict(last)
    if (inconclusive !== undefined) return inconclusive
    if (!isRequired(site, name) && isRejection(first, session)) {
      return { kind: 'unsupported', constructs: name === undefined ? [] : ['select'] }
    }
    if (round.unread !== undefined) return { kind: 'inconclusive', why: round.unread }
    if (round.deltaLink === undefined) return failure(noDeltaLinkFinding(round))
    if (name !== undefined) return checkSelected(round, name, site, session)
    if (variant === 'first round') {
      const finding = tracked === undefined ? undefined : completenessFinding(round, tracked, session)
      return verdictOf(finding)
    }
    const next = await deltaRound({ method: 'GET', path: round.deltaLink }, session)
    const again = next.pages[0] === undefined ? undefined : inconclusiveVerdict(next.pages[0])
    if (again !== undefined) return again
    if (next.unread !== undefined) return { kind: 'inconclusive', why: next.unread }
    if (next.deltaLink === undefined) return failure(noDeltaLinkFinding(next))
    const finding = tracked === undefined ? undefined : contentFinding(next, tracked, session)
    return verdictOf(finding)
  },
}

function isRequired({ endpoint }: Site, selected: string | undefined): boolean {
  if (endpoint.support !== 'required' || endpoint.kind !== 'delta') return false
  return selected === undefined || endpoint.query?.select === 'required'
}

/** A selectable property that the items have and that is not a key. */
function selectedIn({ endpoint }: Site, tracked: Site, session: Session): string | undefined {
  if (endpoint.kind !== 'delta' || (endpoint.query?.select ?? 'none') === 'none') return undefined
  const shown = session.snapshot(tracked)?.properties
  const keys = new Set(tracked.type?.key.map(({ name }) => name))
  return tracked.type?.properties.find(({ name }) => shown?.has(name) === true && !keys.has(name))?.name
}

function checkSelected({ rows, pages }: DeltaRound, name: string, { type }: Site, session: Session): Verdict {
  if (type === undefined) return { kind: 'inconclusive', why: 'no type' }
  const items = rows.filter(row => !isRemoved(row))
  // The key is always included: it identifies the item.
  const selected = new Set([name, ...type.key.map(key => key.name)])
  const surplus = items.flatMap(row => unselectedProperties(row, selected, type, session))[0]
  if (surplus === undefined) return { kind: 'pass', vacuous: items.length === 0 }
  return failure({
    message: `A delta query returns ${surplus}, although $select omits it.`,
    expected: `${name} and the key`,
    received: `${surplus}, too`,
    answers: pages.slice(0, 1),
    features: ['delta.select'],
  })
}
