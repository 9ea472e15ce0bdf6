import { onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow } from '../../json.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { type Body, patchBody } from '../writing/body.js'
import { createItem, eventually, valueMismatches } from '../writing/created-item.js'
import { existingSite, withExisting } from '../writing/existing-item.js'
import { cannotWrite, removeItem, type WriteSite, writeSite, writeSites } from '../writing/write-site.js'
import { opaqueTag, tagOf } from './entity-tag.js'
import { bodyFor, isChange } from './if-match.js'

/** A tag that no service issues. */
const otherTag = '"specwright-other"'

export const ifNoneMatch: ActiveRule = {
  kind: 'active',
  id: 'if-none-match',
  area: 'entity-tags',
  statement:
    'A read with If-None-Match gets 304 while the tag of the item matches, and the item once the tag has changed.',
  advice:
    'Use the weak comparison: W/"1" matches "1". The header may list several tags. The tag must stay the same while the item does: do not derive it from a clock or a random number.',
  aspects: ['condition.ifNoneMatch'],
  covers: ['ifNoneMatch', 'entityTag', 'open.entityTag', 'error.malformedEntityTag', 'fault.malformedEntityTag'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 12,
  sites: ({ sites }) =>
    onePerEndpoint(sites)
      .filter(({ endpoint }) => endpoint.kind === 'item' && endpoint.ifNoneMatch !== 'none')
      .toSorted((a, b) => Number(b.endpoint.keys.length > 0) - Number(a.endpoint.keys.length > 0)),
  cases: (_site, { service }) => ({
    planned: [
      ...['current', 'among others', 'malformed'],
      // An interface that only names the header need not mean all of RFC 9110.
      ...(service.clauses.length === 0 ? ['in the other form'] : []),
      'any',
    ].map(variant => ({ variant })),
  }),
  check: async ({ variant = '' }, site, session) => {
    const read = (tags: string): Promise<TestResponse> =>
      session.send({ method: 'GET', path: site.path, headers: { 'if-none-match': tags } })
    if (variant === 'malformed') return verdictOnOtherTag(variant, await read('specwright'), session)
    // A read with another tag returns the item with its current tag.
    const first = await read(otherTag)
    const verdict = verdictOnOtherTag('other', first, session)
    if (verdict.kind !== 'pass') return verdict
    const tag = tagOf(first)
    if (first.status !== 200 || tag === undefined) return { kind: 'pass', vacuous: true }
    const response = await read(tag)
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const finding = currentFinding(response, tag, site, first)
    if (finding !== undefined) return failure(finding)
    const tags = otherTags(variant, tag)
    if (tags === undefined) return { kind: 'pass' }
    const listed = await read(tags)
    const other = inconclusiveVerdict(listed)
    if (other !== undefined) return other
    const wrong = unlikeAlone(listed, response, tags) ?? currentFinding(listed, tag, site, first)
    return verdictOf(wrong)
  },
}

/** Another header that matches an item with this tag. The comparison is weak. @see RFC 9110, 13.1.2 */
function otherTags(variant: string, tag: string): string | undefined {
  switch (variant) {
    case 'among others':
      return `${otherTag}, ${tag}`
    case 'in the other form':
      return tag.startsWith('W/') ? tag.slice(2) : `W/${tag}`
    case 'any':
      return '*'
    default:
      return undefined
  }
}

/** A finding if a tag matches alone, but not in another header that matches, too. @see RFC 9110, 13.1.2 */
function unlikeAlone(response: TestResponse, alone: TestResponse, tags: string): Finding | undefined {
  if (alone.status !== 304 || response.status === 304) return undefined
  return {
    message: `A read with If-None-Match: ${tags} got status ${response.status}, but 304 with the current tag of the item.`,
    expected: 'status 304',
    received: describeResponse(response),
    answers: [response, alone],
    features: ['ifNoneMatch.list'],
  }
}

/** A finding if the response to a read with the current tag is wrong. */
function currentFinding(
  response: TestResponse,
  tag: string,
  { endpoint }: Site,
  first: TestResponse,
): Finding | undefined {
  const answers = [response, first]
  if (response.status === 304) {
    // RFC 9110, 15.4.5: a cache updates what it has by the tag.
    if (first.headers['etag'] !== undefined && response.headers['etag'] === undefined) {
      return {
        message: 'A 304 has no ETag, although a 200 has one.',
        expected: `ETag: ${tag}`,
        received: describeResponse(response),
        answers,
        features: ['status.304', 'entityTag'],
      }
    }
    if (response.text === '') return undefined
    return {
      message: 'A 304 has a body.',
      expected: 'no body',
      received: describeResponse(response),
      answers,
      features: ['status.304'],
    }
  }
  // The header of a response announces that its tag may be used in conditions. RFC 9110, 8.8.3 and 13.2.1
  const isAnnounced = first.headers['etag'] !== undefined
  const isDemanded = isAnnounced || (endpoint.kind === 'item' && endpoint.ifNoneMatch === 'required')
  if (response.status === 200) {
    const now = tagOf(response)
    if (now === undefined || opaqueTag(now) !== opaqueTag(tag)) {
      return {
        message: 'The entity tag changed, although the item did not.',
        expected: `304, or 200 with the tag ${tag}`,
        received: `200 with ${now === undefined ? 'no tag' : `the tag ${now}`}`,
        answers,
        features: ['entityTag.unstable'],
      }
    }
    if (!isDemanded) return undefined
  }
  return {
    message: `A read with the current entity tag got status ${response.status}.`,
    expected: isDemanded ? 'status 304' : 'status 304, or 200 with the same tag',
    received: describeResponse(response),
    answers,
    features: ['ifNoneMatch.current'],
  }
}

/** A read with another tag, or with a malformed one, returns the item. A malformed tag may be rejected. */
function verdictOnOtherTag(variant: 'other' | 'malformed', response: TestResponse, session: Session): Verdict {
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  if (response.status === 200 && isRow(response.json)) return { kind: 'pass' }
  if (response.status === 404 || response.status === 204) return { kind: 'pass', vacuous: true }
  const { malformedEntityTag } = session.service.faults
  if (variant === 'malformed' && errorFinding(response, malformedEntityTag, session) === undefined)
    return { kind: 'pass' }
  return failure({
    message: `A read with If-None-Match: ${response.testRequest.headers?.['if-none-match']}, which matches no item, got status ${response.status}.`,
    expected: 'status 200 with the item',
    received: describeResponse(response),
    answers: [response],
    features: ['ifNoneMatch.other'],
  })
}

/** An item that the run may change, and its entity tag before that. */
interface UnchangedItem {
  readonly path: string
  readonly tag: string | undefined
  readonly body: Body
  readonly site: WriteSite
  readonly session: Session
}

export const ifNoneMatchChanged: ActiveRule = {
  kind: 'active',
  id: 'if-none-match-changed',
  area: 'entity-tags',
  statement: 'After an update, a read with If-None-Match and the entity tag from before gets the item.',
  advice:
    'Compare the header with the current tag only. A service that remembers old tags, or that keeps 304 responses in a cache, shows its clients an old state forever.',
  aspects: ['condition.ifNoneMatch'],
  covers: ['ifNoneMatch', 'entityTag'],
  severity: 'must',
  writes: true,
  cost: 5,
  weight: 14,
  sites: session => writeSites(session).filter(isRead),
  cases: () => ({ planned: [{}] }),
  check: async (_test, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const outcome = await createItem({}, writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    const { path } = outcome.item
    try {
      const first = await session.send({ method: 'GET', path })
      const inconclusive = inconclusiveVerdict(first)
      if (inconclusive !== undefined) return inconclusive
      if ((await session.ledger?.isOwned(path)) !== true) return { kind: 'pass', vacuous: true }
      const body = bodyFor(writable, 'first', session)
      return await checkAfterUpdate({ path, tag: tagOf(first), body, site: writable, session })
    } finally {
      await removeItem(path, session)
    }
  },
}

/** The same for items that clients cannot create. */
export const ifNoneMatchChangedExisting: ActiveRule = {
  ...ifNoneMatchChanged,
  id: 'if-none-match-changed-existing',
  statement:
    'After an update of an item that clients cannot create, a read with If-None-Match and the entity tag from before gets the item.',
  changesExisting: true,
  cost: 7,
  weight: 8,
  sites: session =>
    session.ledger?.mayChange === true
      ? onePerEndpoint(session.sites).filter(site => {
          const existing = existingSite(site, session)
          return existing !== undefined && isRead(existing)
        })
      : [],
  check: async (_test, site, session) => {
    const existing = existingSite(site, session)
    if (existing === undefined) return { kind: 'inconclusive', why: cannotWrite }
    return withExisting(existing, session, async ({ response, restorable }) => {
      const changed = Object.entries(patchBody(existing, 1)).filter(([name]) => restorable.has(name))
      const body = Object.fromEntries(changed)
      return checkAfterUpdate({ path: existing.path, tag: tagOf(response), body, site: existing, session })
    })
  },
}

/** Whether an item has an entity tag that an update changes, and that a read compares. */
function isRead({ type, update, reading }: WriteSite): boolean {
  return type.entityTag !== 'none' && update !== undefined && reading !== undefined && reading.ifNoneMatch !== 'none'
}

async function checkAfterUpdate({ path, tag, body, site, session }: UnchangedItem): Promise<Verdict> {
  if (tag === undefined || !isChange(body)) return { kind: 'pass', vacuous: true }
  const headers = site.update?.ifMatch === 'required' ? { 'if-match': tag } : {}
  const updated = await session.send({ method: 'PATCH', path, body, headers })
  const inconclusive = inconclusiveVerdict(updated)
  if (inconclusive !== undefined) return inconclusive
  if (updated.status >= 300) return { kind: 'pass', vacuous: true }
  let isShown = true
  const finding = await eventually(async (): Promise<Finding | undefined> => {
    const response = await session.send({ method: 'GET', path, headers: { 'if-none-match': tag } })
    if (response.status !== 304) return undefined
    // Another rule reports a tag that stays the same. A change that does not show yet proves nothing.
    const plain = await session.send({ method: 'GET', path, headers: { 'cache-control': 'no-cache' } })
    const now = tagOf(plain)
    isShown = isRow(plain.json) && valueMismatches(plain.json, body, site, session).length === 0
    if (plain.status !== 200 || !isShown || now === undefined || opaqueTag(now) === opaqueTag(tag)) return undefined
    return {
      message: 'After an update, a read with the entity tag from before the update got status 304.',
      expected: `status 200 with the item, whose tag is ${now} now`,
      received: describeResponse(response),
      answers: [updated, plain, response],
      features: ['ifNoneMatch', 'stale'],
    }
  }, session)
  return finding === undefined ? { kind: 'pass', vacuous: !isShown } : failure(finding)
}
