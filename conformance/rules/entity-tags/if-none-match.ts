import { onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow } from '../../json.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule, Finding, Verdict } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { opaqueTag, tagOf } from './entity-tag.js'

/** A tag that no service gives. */
const otherTag = '"specwright-other"'

export const ifNoneMatch: ActiveRule = {
  kind: 'asking',
  id: 'if-none-match',
  area: 'entity-tags',
  statement:
    'A read with If-None-Match is answered with 304 while the item has the tag, and with the item once it has another.',
  advice:
    'Compare by the weak comparison: W/"1" and "1" match. The header may list several tags. The tag stays the same as long as the item does: no clock and no random number goes into it.',
  clauses: ['header.ifNoneMatch'],
  covers: ['ifNoneMatch', 'entityTag', 'open.entityTag', 'error.malformedEntityTag', 'fault.malformedEntityTag'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 12,
  sites: ({ sites }) => {
    const reads = onePerEndpoint(sites).filter(isConditional)
    const byKey = (site: Site): boolean => site.endpoint.keys.length > 0
    return [...reads.filter(byKey), ...reads.filter(site => !byKey(site))]
  },
  cases: () => ({
    planned: [{ variant: 'current' }, { variant: 'among others' }, { variant: 'malformed' }],
  }),
  check: async ({ variant = '' }, site, session) => {
    if (variant === 'malformed') {
      const headers = { 'if-none-match': 'specwright' }
      return verdictOnOtherTag(variant, await session.send({ method: 'GET', path: site.path, headers }), session)
    }
    // The tag that it has comes with the answer to a read that names another.
    const first = await session.send({ method: 'GET', path: site.path, headers: { 'if-none-match': otherTag } })
    const verdict = verdictOnOtherTag('other', first, session)
    if (verdict.kind !== 'pass') return verdict
    const tag = tagOf(first)
    if (first.status !== 200 || tag === undefined) return { kind: 'pass', vacuous: true }
    const sent = variant === 'among others' ? `${otherTag}, ${tag}` : tag
    const answer = await session.send({ method: 'GET', path: site.path, headers: { 'if-none-match': sent } })
    const unsaid = inconclusiveVerdict(answer)
    if (unsaid !== undefined) return unsaid
    const finding = currentFinding(answer, tag, site, first)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}

function isConditional({ endpoint }: Site): boolean {
  return endpoint.kind === 'item' && endpoint.ifNoneMatch !== 'none'
}

/** What is wrong with the answer to a read with the tag that the item has. */
function currentFinding(
  answer: TestResponse,
  tag: string,
  { endpoint }: Site,
  first: TestResponse,
): Finding | undefined {
  const answers = [answer, first]
  if (answer.status === 304) {
    if (answer.text === '') return undefined
    const features = ['status.304']
    return { message: 'A 304 has a body.', expected: 'no body', received: describeResponse(answer), answers, features }
  }
  const isDemanded = endpoint.kind === 'item' && endpoint.ifNoneMatch === 'required'
  if (answer.status === 200) {
    const now = tagOf(answer)
    if (now === undefined || opaqueTag(now) !== opaqueTag(tag)) {
      return {
        message: 'The entity tag changed though the item did not.',
        expected: `304, or 200 with the tag ${tag}`,
        received: `200 with ${now === undefined ? 'no tag' : `the tag ${now}`}`,
        answers,
        features: ['entityTag.unstable'],
      }
    }
    if (!isDemanded) return undefined
  }
  return {
    message: `A read with the tag that the item has was answered with ${answer.status}.`,
    expected: isDemanded ? 'status 304' : 'status 304, or 200 with the same tag',
    received: describeResponse(answer),
    answers,
    features: ['ifNoneMatch.current'],
  }
}

/** With a tag that the item has not, or with what is no tag, the item is read; the latter may be refused. */
function verdictOnOtherTag(variant: 'other' | 'malformed', answer: TestResponse, session: Session): Verdict {
  const nothing = inconclusiveVerdict(answer)
  if (nothing !== undefined) return nothing
  if (answer.status === 200 && isRow(answer.json)) return { kind: 'pass' }
  if (answer.status === 404 || answer.status === 204) return { kind: 'pass', vacuous: true }
  const { malformedEntityTag } = session.service.faults
  if (variant === 'malformed' && errorFinding(answer, malformedEntityTag, session) === undefined)
    return { kind: 'pass' }
  return {
    kind: 'fail',
    finding: {
      message: `A read with If-None-Match: ${answer.testRequest.headers?.['if-none-match']}, which no item has, was answered with ${answer.status}.`,
      expected: 'status 200 with the item',
      received: describeResponse(answer),
      answers: [answer],
      features: ['ifNoneMatch.other'],
    },
  }
}
