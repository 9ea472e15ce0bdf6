import type { Property } from '../../../spec/language/index.js'
import { pause } from '../../http/sender.js'
import { isRow, type Row } from '../../json.js'
import { facetsOf } from '../../lists/facets.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { instantOf } from '../../oracle/temporal.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { untriedOrAccepted } from './accepted-body.js'
import { type Body, fullBody, patchBody } from './body.js'
import { type CreatedItem, createItem, eventually } from './created-item.js'
import { removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

export const stamps: ActiveRule = {
  kind: 'active',
  id: 'stamps',
  area: 'writing',
  statement:
    'An update moves the time of the last change of an item forward, and leaves the time of its creation alone.',
  advice: 'Set the time of the last change with each update, in the same statement. Clients synchronize by it.',
  aspects: ['update.merge', 'property.values'],
  covers: ['properties', 'endpoint.update'],
  severity: 'must',
  writes: true,
  cost: 5,
  weight: 2,
  sites: session =>
    writeSites(session).filter(site => {
      const { update } = site
      return update !== undefined && timesOf(site).length > 0
    }),
  cases: () => ({ planned: [{ variant: 'update' }] }),
  check: async (_test, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: 'items cannot be created here' }
    const outcome = await createItem(fullBody(writable, 8), writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    try {
      return await compareStamps(outcome.item, writable, session)
    } finally {
      await removeItem(outcome.item.path, session)
    }
  },
}

/**
 * What the spec only assumes to be the time of the last change may follow other rules. The time of creation stays, whether a client or the
 * service sets it. Other times may depend on what was changed.
 */
function timesOf({ type }: WriteSite): readonly Property[] {
  return type.properties.filter(property => {
    const { stamp, assumed } = property
    return stamp === 'changed' ? assumed === undefined : stamp === 'created' && !isAssumed(property)
  })
}

async function compareStamps({ path }: CreatedItem, site: WriteSite, session: Session): Promise<Verdict> {
  const before = await session.send({ method: 'GET', path })
  const old = before.status === 200 && isRow(before.json) ? before.json : undefined
  if (old === undefined || !((await session.ledger?.isOwned(path)) ?? false)) {
    return inconclusiveVerdict(before) ?? { kind: 'inconclusive', why: 'the new item cannot be read' }
  }
  await pause(Math.max(...timesOf(site).map(unitOf)) * 1.1)
  const headers = site.update?.ifMatch === 'required' ? { 'if-match': before.headers['etag'] ?? '*' } : {}
  const body = untriedOrAccepted('PATCH', patchBody(site, 8), site, session)
  const updated = await session.send({ method: 'PATCH', path, headers, body })
  if (Object.keys(body).length === 0 || updated.status >= 300) {
    return inconclusiveVerdict(updated) ?? { kind: 'inconclusive', why: 'the update was not accepted' }
  }
  const finding = await eventually(async (): Promise<Finding | undefined> => {
    const after = await session.send({ method: 'GET', path })
    if (after.status !== 200 || !isRow(after.json)) return undefined
    const wrong = wrongTime(old, after.json, body, site)
    if (wrong === undefined) return undefined
    return { ...wrong, received: describeResponse(after), answers: [before, updated, after] }
  }, session)
  return verdictOf(finding)
}

/** The shortest time, in milliseconds, that a timestamp shows. */
function unitOf(property: Property): number {
  return (facetsOf(property).precision ?? 0) >= 3 ? 20 : 1_000
}

function wrongTime(
  before: Row,
  after: Row,
  body: Body,
  site: WriteSite,
): Pick<Finding, 'message' | 'expected' | 'features'> | undefined {
  for (const { name, stamp } of timesOf(site)) {
    const [old, now] = [before[name], after[name]].map(value =>
      typeof value === 'string' ? instantOf(value)?.ticks : undefined,
    )
    // A value that is not shown, or not a timestamp, is the concern of other rules.
    if (old === undefined || now === undefined) continue
    if (stamp === 'changed' && now <= old) {
      return {
        message: `An update did not move ${name} forward.`,
        expected: `${name} after ${String(before[name])}`,
        features: ['stamp', 'changed'],
      }
    }
    if (stamp === 'created' && !Object.hasOwn(body, name) && now !== old) {
      return {
        message: `An update changed ${name}, the time of creation.`,
        expected: `${name}: ${String(before[name])}`,
        features: ['stamp', 'created'],
      }
    }
  }
  return undefined
}
