import type { ErrorDefinition, Property } from '../../../spec/language/index.js'
import { onePerEndpoint } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow, type Json, type Row } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { isSameValue } from '../../lists/values.js'
import { describeResponse, errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { untriedOrAccepted } from '../writing/accepted-body.js'
import { type Body, patchBody, writableProperties } from '../writing/body.js'
import { createItem, eventually, valueMismatches, writtenValues } from '../writing/created-item.js'
import { existingSite, withExisting } from '../writing/existing-item.js'
import { cannotWrite, removeItem, type WriteSite, writeSite, writeSites } from '../writing/write-site.js'
import { opaqueTag, tagOf } from './entity-tag.js'

/** A tag that no service issues. */
const otherTag = 'W/"specwright-other"'

export const ifMatch: ActiveRule = {
  kind: 'active',
  id: 'if-match',
  area: 'entity-tags',
  statement:
    'An update or delete with If-Match succeeds if the tag matches. Otherwise it is rejected and the item stays unchanged.',
  advice:
    'Compare the tag in the same transaction that changes the item. A changed item gets a new tag. This header exists to prevent lost updates.',
  aspects: ['condition.ifMatch'],
  covers: [
    'ifMatch',
    'entityTag',
    'error.preconditionFailed',
    'fault.preconditionFailed',
    'fault.preconditionRequired',
  ],
  severity: 'must',
  writes: true,
  cost: 4,
  weight: 20,
  sites: session => writeSites(session).filter(hasCondition),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { skipReason: cannotWrite }
    const { update, deletion } = writable
    const canUpdate = update !== undefined && update.ifMatch !== 'none'
    return {
      planned: [
        ...(canUpdate ? [{ variant: 'in turn' }, { variant: 'another tag' }, { variant: 'change' }] : []),
        ...(canUpdate && flagOf(writable) !== undefined ? [{ variant: 'flag' }] : []),
        ...(deletion === undefined || deletion.ifMatch === 'none' ? [] : [{ variant: 'delete' }]),
        ...(canUpdate ? [{ variant: 'any tag' }, { variant: 'several tags' }, { variant: 'at once' }] : []),
        ...(update?.ifMatch === 'required' ? [{ variant: 'no tag' }] : []),
      ],
    }
  },
  check: async ({ variant }, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const outcome = await createItem({}, writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    const { path, row, response } = outcome.item
    const createdTag = tagOf(response)
    try {
      if (variant === 'another tag' && createdTag !== undefined && row !== undefined) {
        return await checkOtherTag({ path, tag: createdTag, row, site: writable, session })
      }
      const first = await session.send({ method: 'GET', path })
      const inconclusive = inconclusiveVerdict(first)
      if (inconclusive !== undefined) return inconclusive
      const tag = tagOf(first)
      if (tag === undefined || !isRow(first.json) || (await session.ledger?.isOwned(path)) !== true) {
        return { kind: 'pass', vacuous: true }
      }
      const tagged = { path, tag, row: first.json, site: writable, session }
      if (variant === 'delete') return await checkDelete(tagged)
      if (variant === 'any tag') return await checkAnyTag(tagged)
      if (variant === 'several tags') return await checkSeveralTags(tagged)
      if (variant === 'no tag') return await checkNoTag(tagged)
      if (variant === 'another tag') return await checkOtherTag(tagged)
      if (variant === 'in turn') return await checkInSequence(tagged)
      if (variant === 'flag') return await checkChange(tagged, flagBody(tagged))
      return variant === 'at once' ? await checkConcurrent(tagged) : await checkChange(tagged)
    } finally {
      await removeItem(path, session)
    }
  },
}

/** The same for items that clients cannot create. */
export const ifMatchExisting: ActiveRule = {
  ...ifMatch,
  id: 'if-match-existing',
  statement:
    'An update of an item that clients cannot create is rejected if If-Match does not match, and succeeds if it does. A changed item has another tag.',
  changesExisting: true,
  cost: 7,
  weight: 12,
  sites: session =>
    session.ledger?.mayChange === true
      ? onePerEndpoint(session.sites).filter(site => {
          const existing = existingSite(site, session)
          return existing !== undefined && hasCondition(existing)
        })
      : [],
  cases: () => ({ planned: [{}, { variant: 'several tags' }] }),
  check: async ({ variant }, site, session) => {
    const existing = existingSite(site, session)
    if (existing === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const isSame = (name: string, one: unknown, other: unknown): boolean => {
      const property = existing.type.properties.find(each => each.name === name)
      return property !== undefined && isSameValue(one, other, property)
    }
    return withExisting(existing, session, async ({ row, response, restorable }) => {
      const tag = tagOf(response)
      const changed = Object.entries(patchBody(existing, 1)).filter(([name]) => restorable.has(name))
      if (tag === undefined || changed.length === 0) return { kind: 'pass', vacuous: true }
      const send = (condition: string): Promise<TestResponse> =>
        session.send({
          method: 'PATCH',
          path: existing.path,
          body: Object.fromEntries(changed),
          headers: { 'if-match': condition },
        })
      if (variant === 'several tags') {
        return (await listVerdict(send, tag, existing.path, session)) ?? { kind: 'pass' }
      }
      const failed = staleVerdict(await send(otherTag), session) ?? acceptedVerdict(await send(tag), session)
      if (failed !== undefined) return failed
      const read = await session.send({ method: 'GET', path: existing.path })
      const { json } = read
      const isChanged =
        isRow(json) &&
        changed.some(([name, value]) => isSame(name, json[name], value) && !isSame(name, row[name], value))
      const now = tagOf(read)
      const isKept = now !== undefined && opaqueTag(now) === opaqueTag(tag)
      return isChanged && isKept ? sameTag(now, [response, read]) : { kind: 'pass' }
    })
  },
}

function hasCondition({ type, update, deletion }: WriteSite): boolean {
  return (
    type.entityTag !== 'none' &&
    ((deletion !== undefined && deletion.ifMatch !== 'none') || (update !== undefined && update.ifMatch !== 'none'))
  )
}

/**
 * Checks several conditions with few requests: an update with another tag is rejected, one with the current tag succeeds, a
 * delete with the old tag is rejected, an update with `*` succeeds. The other variants check that rejected writes change
 * nothing.
 */
async function checkInSequence(tagged: TaggedItem): Promise<Verdict> {
  const { path, tag, site, session } = tagged
  if ((await session.ledger?.isOwned(path)) !== true) return { kind: 'pass', vacuous: true }
  const send = (which: 'first' | 'second', condition: string): Promise<TestResponse> =>
    session.send({ method: 'PATCH', path, body: bodyFor(site, which, session), headers: { 'if-match': condition } })
  const other = staleVerdict(await send('first', otherTag), session)
  if (other !== undefined) return other
  const response = await send('first', tag)
  const current = acceptedVerdict(response, session)
  if (current !== undefined) return current
  const now = tagOf(response)
  const isChanged = isChange(bodyFor(site, 'first', session))
  if (isChanged && now !== undefined && opaqueTag(now) === opaqueTag(tag)) return sameTag(now, [response])
  // If writes show later or the response has no new tag, the old tag may still be valid.
  const isKnown = now !== undefined && response.status !== 202 && session.visibilityDelay() === 0
  if (isChanged && isKnown && site.deletion !== undefined && site.deletion.ifMatch !== 'none') {
    const rejectedDelete = staleVerdict(
      await session.send({ method: 'DELETE', path, headers: { 'if-match': tag } }),
      session,
    )
    if (rejectedDelete !== undefined) return rejectedDelete
  }
  return checkAnyTag(tagged)
}

/** An update with the current tag succeeds and changes the tag. The same tag again is rejected. */
async function checkChange(
  { path, tag, site, session }: TaggedItem,
  body: Body = bodyFor(site, 'first', session),
): Promise<Verdict> {
  const response = await session.send({ method: 'PATCH', path, body, headers: { 'if-match': tag } })
  const failedVerdict = acceptedVerdict(response, session)
  if (failedVerdict !== undefined) return failedVerdict
  const after = await readChanged(path, body, site, session)
  if (after === undefined || !isRow(after.json)) return { kind: 'inconclusive', why: 'it could not be read back' }
  const now = tagOf(after)
  if (now !== undefined && opaqueTag(now) === opaqueTag(tag) && isChange(body)) return sameTag(now, [after, response])
  const again = await session.send({
    method: 'PATCH',
    path,
    body: bodyFor(site, 'second', session),
    headers: { 'if-match': tag },
  })
  const verdict = await rejectionVerdict(again, after.json, { path, tag, row: after.json, site, session })
  if (verdict.kind !== 'pass' || now === undefined) return verdict
  // A service may remember the last tag only.
  const second = bodyFor(site, 'second', session)
  const changed = await session.send({ method: 'PATCH', path, body: second, headers: { 'if-match': now } })
  const last = tagOf(changed)
  // A tag can be made from the content, which may be that of the start again.
  if (changed.status >= 300 || last === undefined || opaqueTag(last) === opaqueTag(tag)) return verdict
  return (
    staleVerdict(await session.send({ method: 'PATCH', path, body, headers: { 'if-match': tag } }), session) ?? verdict
  )
}

/** A Boolean property that an update may set. Services tend to treat a flag otherwise than the content of an item. */
function flagOf(site: WriteSite): Property | undefined {
  return writableProperties(site).find(
    ({ type, collection, createOnly }) => !createOnly && !collection && primitiveOf(type) === 'Boolean',
  )
}

/** An update that changes only a Boolean property. */
function flagBody({ site, row }: TaggedItem): Body {
  const flag = flagOf(site)
  return flag === undefined ? {} : { [flag.name]: row[flag.name] !== true }
}

/** The item as soon as it shows a change. Undefined if it does not. */
async function readChanged(
  path: string,
  body: Row,
  site: WriteSite,
  session: Session,
): Promise<TestResponse | undefined> {
  let last: TestResponse | undefined
  const wrong = await eventually(async () => {
    last = await session.send({ method: 'GET', path })
    const isShown =
      last.status === 200 && isRow(last.json) && valueMismatches(last.json, body, site, session).length === 0
    return isShown ? undefined : true
  }, session)
  return wrong === undefined ? last : undefined
}

async function checkDelete({ path, site, session, row, tag }: TaggedItem): Promise<Verdict> {
  const early = await session.send({ method: 'DELETE', path, headers: { 'if-match': otherTag } })
  const verdict = await rejectionVerdict(early, row, { path, tag, row, site, session })
  if (verdict.kind !== 'pass') return verdict
  const response = await session.send({ method: 'DELETE', path, headers: { 'if-match': tag } })
  return acceptedVerdict(response, session) ?? { kind: 'pass' }
}

async function checkOtherTag(tagged: TaggedItem): Promise<Verdict> {
  const { path, site, session, row } = tagged
  if ((await session.ledger?.isOwned(path)) !== true) return { kind: 'pass', vacuous: true }
  const body = bodyFor(site, 'first', session)
  const response = await session.send({ method: 'PATCH', path, body, headers: { 'if-match': otherTag } })
  return rejectionVerdict(response, row, tagged)
}

/** The tag of another item does not match. In a list of tags, each one counts. */
async function checkSeveralTags(tagged: TaggedItem): Promise<Verdict> {
  const { path, tag, site, session, row } = tagged
  const send = (condition: string): Promise<TestResponse> =>
    session.send({ method: 'PATCH', path, body: bodyFor(site, 'first', session), headers: { 'if-match': condition } })
  const created = await createItem({}, site, session)
  if (created.kind === 'created') {
    try {
      const other = tagOf(await session.send({ method: 'GET', path: created.item.path }))
      // A tag may be a version number, which different items have.
      if (other !== undefined && opaqueTag(other) !== opaqueTag(tag)) {
        const verdict = await rejectionVerdict(await send(other), row, tagged)
        if (verdict.kind !== 'pass') return verdict
      }
    } finally {
      await removeItem(created.item.path, session)
    }
  }
  return (await listVerdict(send, tag, path, session)) ?? { kind: 'pass' }
}

/** Any tag of a list may match, the last one and the first one. */
async function listVerdict(
  send: (condition: string) => Promise<TestResponse>,
  tag: string,
  path: string,
  session: Session,
): Promise<Verdict | undefined> {
  const last = acceptedVerdict(await send(`${otherTag}, ${tag}`), session)
  if (last !== undefined) return last
  const now = tagOf(await session.send({ method: 'GET', path }))
  return now === undefined ? undefined : acceptedVerdict(await send(`${now}, ${otherTag}`), session)
}

/** If updates require a tag, an update without one is rejected. */
async function checkNoTag(tagged: TaggedItem): Promise<Verdict> {
  const { path, site, session, row } = tagged
  const response = await session.send({ method: 'PATCH', path, body: bodyFor(site, 'first', session) })
  return rejectionVerdict(response, row, tagged, session.service.faults.preconditionRequired)
}

/** `*` matches any existing item. */
async function checkAnyTag({ path, site, session }: TaggedItem): Promise<Verdict> {
  const body = bodyFor(site, 'first', session)
  const response = await session.send({ method: 'PATCH', path, body, headers: { 'if-match': '*' } })
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  if (response.status < 300) return { kind: 'pass' }
  if (response.status !== 412 && isRejection(response, session)) return { kind: 'unsupported', constructs: ['ifMatch'] }
  const received = describeResponse(response)
  return ifMatchFailure(
    `An update of an existing item with If-Match: * got status ${response.status}.`,
    'status 200 or 204',
    received,
    [response],
    ['any'],
  )
}

/** Of two concurrent updates with the same tag, one succeeds and the other is rejected. */
async function checkConcurrent({ path, tag, site, session }: TaggedItem): Promise<Verdict> {
  const headers = { 'if-match': tag }
  const bodies = [bodyFor(site, 'first', session), bodyFor(site, 'second', session)]
  const answers = await Promise.all(bodies.map(body => session.send({ method: 'PATCH', path, body, headers })))
  const inconclusive = answers.map(inconclusiveVerdict).find(verdict => verdict !== undefined)
  if (inconclusive !== undefined) return inconclusive
  const winners = answers.filter(({ status }) => status < 300)
  if (winners.length < 2) return { kind: 'pass', vacuous: winners.length === 0 }
  return ifMatchFailure(
    'Two concurrent updates with the same entity tag both succeeded.',
    'one of them is rejected with status 412',
    answers.map(({ status }) => `status ${status}`).join(' and '),
    answers,
    ['lost update'],
  )
}

/** A created item and its entity tag, for conditional writes. */
interface TaggedItem {
  readonly path: string
  readonly tag: string
  readonly row: Row
  readonly site: WriteSite
  readonly session: Session
}

function sameTag(tag: string, answers: readonly TestResponse[]): Verdict {
  const received = `the tag ${tag}`
  return ifMatchFailure('An updated item has the same entity tag as before.', 'another tag', received, answers, [
    'unchanged',
  ])
}

/** The verdict on a write with the current tag. Undefined if the write succeeded. */
function acceptedVerdict(response: TestResponse, session: Session): Verdict | undefined {
  if (response.status < 300) return inconclusiveVerdict(response)
  return inconclusiveVerdict(response) ?? rejectedCurrentTag(response, session)
}

function rejectedCurrentTag(response: TestResponse, session: Session): Verdict {
  if (response.status !== 412 && isRejection(response, session)) return { kind: 'unsupported', constructs: ['ifMatch'] }
  return ifMatchFailure(
    `An update with the current entity tag got status ${response.status}.`,
    'status 200 or 204',
    describeResponse(response),
    [response],
    ['current'],
  )
}

/** The verdict on a write with an outdated tag, or without a required tag. Undefined if it was rejected. */
function staleVerdict(
  response: TestResponse,
  session: Session,
  fault: ErrorDefinition = session.service.faults.preconditionFailed,
): Verdict | undefined {
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  const finding = errorFinding(response, fault, session)
  if (finding === undefined) return undefined
  const { method, headers } = response.testRequest
  const what = headers?.['if-match'] === undefined ? 'without a tag' : 'with a tag that does not match'
  const isDone = response.status < 300
  const message = `A ${method} ${what} ${isDone ? 'succeeded' : `got status ${response.status}`}.`
  return failure({ ...finding, message, features: [...finding.features, isDone ? 'stale' : 'status'] })
}

/** Checks that such a write is rejected and changes nothing. */
async function rejectionVerdict(
  response: TestResponse,
  row: Row,
  { path, site, session }: TaggedItem,
  fault?: ErrorDefinition,
): Promise<Verdict> {
  const verdict = staleVerdict(response, session, fault)
  if (verdict !== undefined) return verdict
  const wrong = await eventually(async (): Promise<Finding | undefined> => {
    const read = await session.send({ method: 'GET', path })
    if (inconclusiveVerdict(read) !== undefined) return undefined
    const why = isRow(read.json) ? valueMismatches(read.json, writtenValues(row, site), site, session) : []
    if (read.status === 200 && why.length === 0) return undefined
    return {
      message: `A ${response.testRequest.method} that was rejected because of its tag changed the item anyway.`,
      expected: 'the unchanged item',
      received: describeResponse(read),
      why,
      answers: [response, read],
      features: ['ifMatch', 'changed'],
    }
  }, session)
  return verdictOf(wrong)
}

function ifMatchFailure(
  message: string,
  expected: string,
  received: string,
  answers: readonly TestResponse[],
  features: readonly string[],
): Verdict {
  return failure({ message, expected, received, answers, features: ['ifMatch', ...features] })
}

export function isChange(body: Readonly<Record<string, Json>>): boolean {
  return Object.keys(body).length > 0
}

/** An update of the property with the mark: it always exists, and keeps the mark. */
export function bodyFor(site: WriteSite, which: 'first' | 'second', session: Session): Readonly<Record<string, Json>> {
  const { markProperty, mark } = site
  if (markProperty !== undefined && !markProperty.createOnly) return { [markProperty.name]: `${mark} ${which}` }
  return untriedOrAccepted('PATCH', patchBody(site, which === 'first' ? 1 : 2), site, session)
}
