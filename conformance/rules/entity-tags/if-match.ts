import type { Answer } from '../../http/answer.js'
import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { describeAnswer } from '../../rule/describe-answer.js'
import { isRefusal } from '../../rule/refusal.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import type { Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { createItem } from '../writing/create-item.js'
import { eventually } from '../writing/eventually.js'
import { valueProblems } from '../writing/expected-item.js'
import { removeItem } from '../writing/remove-item.js'
import { type WriteSite, writeSite, writeSites } from '../writing/write-sites.js'
import { bodyFor, carriedOut, changes, failed, type Made, refusal, sameTag, stale } from './conditional-write.js'
import { opaqueTag, tagOf } from './tag-of.js'

/** A tag that no service gives. */
const otherTag = 'W/"specwright-other"'

export const ifMatch: Rule = {
  kind: 'asking',
  id: 'if-match',
  area: 'entity-tags',
  statement:
    'A change or a delete with If-Match is carried out when the item has the tag, and otherwise refused, the item unchanged.',
  advice:
    'Compare the tag in the same transaction that changes the item. An item that was changed has another tag; a lost update is what the header is there to prevent.',
  clauses: ['header.ifMatch'],
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
    const at = writeSite(site, session)
    if (at === undefined) return { thin: 'no items can be made and removed there' }
    const mayChange = at.change !== undefined && at.change.ifMatch !== 'none'
    return {
      planned: [
        ...(mayChange ? [{ variant: 'in turn' }, { variant: 'another tag' }, { variant: 'change' }] : []),
        ...(at.removal.ifMatch === 'none' ? [] : [{ variant: 'delete' }]),
        ...(mayChange ? [{ variant: 'any tag' }, { variant: 'at once' }] : []),
        ...(at.change?.ifMatch === 'required' ? [{ variant: 'no tag' }] : []),
      ],
    }
  },
  check: async ({ variant }, site, session) => {
    const at = writeSite(site, session)
    if (at === undefined) return { kind: 'inconclusive', why: 'no items can be made and removed there' }
    const making = await createItem({}, at, session)
    if (making.kind === 'ended') return making.verdict
    const { path, row, answer } = making.item
    const given = tagOf(answer)
    try {
      if (variant === 'another tag' && given !== undefined && row !== undefined) {
        return await withAnother({ path, tag: given, row, site: at, session })
      }
      const first = await session.ask({ method: 'GET', path })
      const nothing = untold(first)
      if (nothing !== undefined) return nothing
      const tag = tagOf(first)
      if (tag === undefined || !isRow(first.json) || session.ledger?.isOurs(path) !== true) {
        return { kind: 'pass', trivial: true }
      }
      const made = { path, tag, row: first.json, site: at, session }
      if (variant === 'delete') return await deleted(made)
      if (variant === 'any tag') return await withAny(made)
      if (variant === 'no tag') return await withNone(made)
      if (variant === 'another tag') return await withAnother(made)
      if (variant === 'in turn') return await inTurn(made)
      return variant === 'at once' ? await atOnce(made) : await changed(made)
    } finally {
      await removeItem(path, session)
    }
  },
}

function hasCondition({ type, change, removal }: WriteSite): boolean {
  return (
    type.entityTag !== 'none' && (removal.ifMatch !== 'none' || (change !== undefined && change.ifMatch !== 'none'))
  )
}

/**
 * All in a row, with few requests: refused with another tag, carried out with the one that it has, not deleted with that
 * one from then on, changed with any. That nothing changes when a write is refused the other variants look at.
 */
async function inTurn(made: Made): Promise<Verdict> {
  const { path, tag, site, session } = made
  if (session.ledger?.isOurs(path) !== true) return { kind: 'pass', trivial: true }
  const send = (which: 'first' | 'second', condition: string): Promise<Answer> =>
    session.ask({ method: 'PATCH', path, body: bodyFor(site, which, session), headers: { 'if-match': condition } })
  const other = stale(await send('first', otherTag), session)
  if (other !== undefined) return other
  const answer = await send('first', tag)
  const current = carriedOut(answer, session)
  if (current !== undefined) return current
  const now = tagOf(answer)
  const isChanged = changes(bodyFor(site, 'first', session))
  if (isChanged && now !== undefined && opaqueTag(now) === opaqueTag(tag)) return sameTag(now, [answer])
  // Where writes show later, or the answer tells no new tag, the old one may still hold.
  const isKnown = now !== undefined && answer.status !== 202 && session.settleTime() === 0
  if (isChanged && isKnown && site.removal.ifMatch !== 'none') {
    const removal = stale(await session.ask({ method: 'DELETE', path, headers: { 'if-match': tag } }), session)
    if (removal !== undefined) return removal
  }
  return withAny(made)
}

/** With the tag it has: carried out, and another tag from then on. With that one again: refused. */
async function changed({ path, tag, site, session }: Made): Promise<Verdict> {
  const body = bodyFor(site, 'first', session)
  const answer = await session.ask({ method: 'PATCH', path, body, headers: { 'if-match': tag } })
  const refused = carriedOut(answer, session)
  if (refused !== undefined) return refused
  const after = await readChanged(path, body, site, session)
  if (after === undefined || !isRow(after.json)) return { kind: 'inconclusive', why: 'it could not be read back' }
  const now = tagOf(after)
  if (now !== undefined && opaqueTag(now) === opaqueTag(tag) && changes(body)) return sameTag(now, [after, answer])
  const again = await session.ask({
    method: 'PATCH',
    path,
    body: bodyFor(site, 'second', session),
    headers: { 'if-match': tag },
  })
  return refusal(again, after.json, { path, tag, row: after.json, site, session })
}

/** The item once it shows a change; absent when it does not. */
async function readChanged(path: string, body: Row, site: WriteSite, session: Session): Promise<Answer | undefined> {
  let last: Answer | undefined
  const wrong = await eventually(async () => {
    last = await session.ask({ method: 'GET', path })
    const isShown =
      last.status === 200 && isRow(last.json) && valueProblems(last.json, body, site, session).length === 0
    return isShown ? undefined : true
  }, session)
  return wrong === undefined ? last : undefined
}

async function deleted({ path, site, session, row, tag }: Made): Promise<Verdict> {
  const early = await session.ask({ method: 'DELETE', path, headers: { 'if-match': otherTag } })
  const verdict = await refusal(early, row, { path, tag, row, site, session })
  if (verdict.kind !== 'pass') return verdict
  const answer = await session.ask({ method: 'DELETE', path, headers: { 'if-match': tag } })
  return carriedOut(answer, session) ?? { kind: 'pass' }
}

async function withAnother(made: Made): Promise<Verdict> {
  const { path, site, session, row } = made
  if (session.ledger?.isOurs(path) !== true) return { kind: 'pass', trivial: true }
  const body = bodyFor(site, 'first', session)
  const answer = await session.ask({ method: 'PATCH', path, body, headers: { 'if-match': otherTag } })
  return refusal(answer, row, made)
}

/** Where a change must name the tag, one that does not is refused. */
async function withNone(made: Made): Promise<Verdict> {
  const { path, site, session, row } = made
  const answer = await session.ask({ method: 'PATCH', path, body: bodyFor(site, 'first', session) })
  return refusal(answer, row, made, session.service.faults.preconditionRequired)
}

/** `*` holds for whatever is there. */
async function withAny({ path, site, session }: Made): Promise<Verdict> {
  const body = bodyFor(site, 'first', session)
  const answer = await session.ask({ method: 'PATCH', path, body, headers: { 'if-match': '*' } })
  const nothing = untold(answer)
  if (nothing !== undefined) return nothing
  if (answer.status < 300) return { kind: 'pass' }
  if (answer.status !== 412 && isRefusal(answer, session)) return { kind: 'unsupported', constructs: ['ifMatch'] }
  const received = describeAnswer(answer)
  return failed(
    `A change of an item that is there, with If-Match: *, was answered with ${answer.status}.`,
    'status 200 or 204',
    received,
    [answer],
    ['any'],
  )
}

/** Two changes with one tag, sent at the same time: one is carried out, the other refused. */
async function atOnce({ path, tag, site, session }: Made): Promise<Verdict> {
  const headers = { 'if-match': tag }
  const bodies = [bodyFor(site, 'first', session), bodyFor(site, 'second', session)]
  const answers = await Promise.all(bodies.map(body => session.ask({ method: 'PATCH', path, body, headers })))
  const nothing = answers.map(untold).find(verdict => verdict !== undefined)
  if (nothing !== undefined) return nothing
  const winners = answers.filter(({ status }) => status < 300)
  if (winners.length < 2) return { kind: 'pass', trivial: winners.length === 0 }
  return failed(
    'Two changes with the same tag, sent at the same time, were both carried out.',
    'one of them refused with status 412',
    answers.map(({ status }) => `status ${status}`).join(' and '),
    answers,
    ['lost update'],
  )
}
