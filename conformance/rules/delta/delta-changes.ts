import { isSamePath, typeName } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site, type Snapshot } from '../../discover/site.js'
import type { TestRequest } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { type Body, writableProperties } from '../writing/body.js'
import { type CreatedItem, createItem, eventually } from '../writing/created-item.js'
import { existingSite, withExisting } from '../writing/existing-item.js'
import { sampleValue } from '../writing/sample-value.js'
import { cannotWrite, removeItem, type WriteSite, writeSite } from '../writing/write-site.js'
import { currentDeltaLink, type DeltaRound, deltaRound, isRemoved, resolveLink } from './delta-round.js'

export const deltaChanges: ActiveRule = {
  kind: 'active',
  id: 'delta-changes',
  area: 'delta',
  statement: 'A delta link reports every create, update and delete since it was issued.',
  advice:
    'The link marks a point in time and reports every later write. Removed items have their key and @removed, even if no earlier round reported them.',
  aspects: ['delta.changes'],
  covers: ['endpoint.delta'],
  severity: 'must',
  writes: true,
  cost: 8,
  weight: 34,
  sites: session =>
    onePerEndpoint(session.sites).filter(site => {
      return site.endpoint.kind === 'delta' && writeSiteOf(site, session) !== undefined
    }),
  cases: () => ({ planned: [{ variant: 'all' }, { variant: 'created and deleted' }] }),
  check: async ({ variant }, site, session) => {
    const writable = writeSiteOf(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const before = await currentDeltaLink(site, session)
    if (typeof before !== 'string') return before
    const outcome = await createItem({}, writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    const { item } = outcome
    try {
      if (variant === 'created and deleted') return await checkCreatedAndDeleted(item, before, writable, session)
      const missing = await findingUnlessReported(item, before, writable, session, row => !isRemoved(row), 'created')
      return missing === undefined ? await checkChangedAndDeleted(item, writable, site, session) : failure(missing)
    } finally {
      await removeItem(item.path, session)
    }
  },
}

/** The create site of the tracked collection. */
function writeSiteOf({ endpoint }: Site, session: Session): WriteSite | undefined {
  const tracked = endpoint.resolved.slice(0, -1)
  const site = session.sites.find(({ endpoint: each }) => {
    return each.kind === 'create' && isSamePath(each.resolved, tracked)
  })
  return site === undefined ? undefined : writeSite(site, session)
}

async function checkCreatedAndDeleted(
  item: CreatedItem,
  from: string,
  site: WriteSite,
  session: Session,
): Promise<Verdict> {
  const missing = await findingUnlessReported(item, from, site, session, row => !isRemoved(row), 'created')
  if (missing !== undefined) return failure(missing)
  const response = await removeItem(item.path, session)
  if (response === undefined || response.status >= 300) return { kind: 'pass' }
  // An item that was created and deleted between two links need not be reported.
  const deletion = await removalFinding(item, from, site, session)
  return verdictOf(deletion)
}

/** A delta link that is followed again may report the item as removed or omit it, but not report it as present. */
async function removalFinding(
  item: CreatedItem,
  from: string,
  site: WriteSite,
  session: Session,
): Promise<Finding | undefined> {
  const { key } = item
  return eventually(async () => {
    const round = await deltaRound({ method: 'GET', path: from }, session)
    const rows = round.rows.filter(row => keyOf(row, site.type) === key)
    const last = rows.at(-1)
    if (round.deltaLink === undefined || last === undefined || isRemoved(last)) return undefined
    return {
      message: 'A delta query reports a deleted item as present.',
      expected: `the item with the key ${key} with @removed, or not at all`,
      received: JSON.stringify(last),
      answers: round.pages,
      features: ['delta.removed'],
    }
  }, session)
}

/** Uses a link issued after the create: it must report an update, and then the removal. */
async function checkChangedAndDeleted(
  item: CreatedItem,
  site: WriteSite,
  delta: Site,
  session: Session,
): Promise<Verdict> {
  const from = await currentDeltaLink(delta, session)
  if (typeof from !== 'string') return from
  const { update, markProperty } = site
  const canChange = update !== undefined && markProperty !== undefined && !markProperty.createOnly
  if (canChange && (await session.ledger?.isOwned(item.path)) === true) {
    const after = `${site.mark} changed`
    const current = await session.send({ method: 'GET', path: item.path })
    const tag = current.headers['etag']
    const headers = update.ifMatch === 'required' && tag !== undefined ? { 'if-match': tag } : {}
    const response = await session.send({
      method: 'PATCH',
      path: item.path,
      body: { [markProperty.name]: after },
      headers,
    })
    if (response.status < 300) {
      const isNew = (row: Row): boolean => {
        return !isRemoved(row) && (!Object.hasOwn(row, markProperty.name) || row[markProperty.name] === after)
      }
      const missing = await findingUnlessReported(item, from, site, session, isNew, 'changed')
      if (missing !== undefined) return failure(missing)
    }
  }
  const answer = await removeItem(item.path, session)
  if (answer === undefined || answer.status >= 300) return { kind: 'pass' }
  const missing = await findingUnlessReported(item, from, site, session, isRemoved, 'deleted')
  return verdictOf(missing)
}

/** A finding if the delta link does not report an item as expected. */
function findingUnlessReported(
  item: CreatedItem,
  from: string,
  site: WriteSite,
  session: Session,
  isRight: (row: Row) => boolean,
  what: 'created' | 'changed' | 'deleted',
): Promise<Finding | undefined> {
  const { key } = item
  return eventually(async () => {
    const round = await deltaRound({ method: 'GET', path: from }, session)
    const first = round.pages[0]
    if (
      key === undefined ||
      first === undefined ||
      inconclusiveVerdict(first) !== undefined ||
      round.unread !== undefined
    )
      return undefined
    if (round.rows.some(row => matches(row, key, site) && isRight(row))) return undefined
    return {
      message: `A delta query does not report an item that was ${what}.`,
      expected: `the item with the key ${key}${what === 'deleted' ? ' with @removed' : ''}`,
      received: describeResponse(first),
      missing: [key],
      answers: round.pages,
      features: [what === 'deleted' ? 'delta.removed' : `delta.${what}`],
    }
  }, session)
}

/** Removed items have their key, or only their id. */
function matches(row: Row, key: string, { type }: WriteSite): boolean {
  if (keyOf(row, type) === key) return true
  const id = row['@id'] ?? row['@odata.id'] ?? row['id']
  const [first = ''] = key.split('\u001F')
  return isRemoved(row) && typeof id === 'string' && decodeURIComponent(id).includes(first)
}

/** For collections in which the run creates nothing. */
export const deltaUpdates: ActiveRule = {
  kind: 'active',
  id: 'delta-updates',
  area: 'delta',
  statement: 'A delta link reports every update of an item that existed before, as often as it happens.',
  advice:
    'Record each change with its time, whatever the new value is. A token stands for the start of its round: what changes during the round belongs to the next one.',
  aspects: ['delta.changes'],
  covers: ['endpoint.delta'],
  severity: 'must',
  writes: true,
  changesExisting: true,
  cost: 10,
  weight: 20,
  sites: session =>
    onePerEndpoint(session.sites).filter(
      site => site.endpoint.kind === 'delta' && existingOf(site, session) !== undefined,
    ),
  cases: () => ({ planned: [{ variant: 'between rounds' }, { variant: 'during the first round' }] }),
  check: async ({ variant }, site, session) => {
    const existing = existingOf(site, session)
    if (existing === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const { site: updated, tracked } = existing
    return withExisting(updated, session, async ({ row, restorable }) => {
      const key = keyOf(row, updated.type)
      const changes = changesOf(row, restorable, updated)
      // A singleton may be an item of another set.
      if (key === undefined || !tracked.byKey.has(key) || changes.length === 0) return { kind: 'pass', vacuous: true }
      const item: UpdatedItem = { key, site: updated, delta: site }
      if (variant === 'during the first round') return checkDuringRound(item, changes.slice(0, 1), session)
      return checkBetweenRounds(item, changes, session)
    })
  },
}

interface UpdatedItem {
  readonly key: string
  readonly site: WriteSite
  readonly delta: Site
}

/** The PATCH of an item that may be in the tracked collection, and that no POST creates. */
function existingOf(
  { endpoint }: Site,
  session: Session,
): { readonly site: WriteSite; readonly tracked: Snapshot } | undefined {
  const path = endpoint.resolved.slice(0, -1)
  const list = session.sites.find(({ endpoint: each }) => each.kind === 'collection' && isSamePath(each.resolved, path))
  const tracked = list === undefined ? undefined : session.snapshot(list)
  if (tracked === undefined || session.ledger?.mayChange !== true) return undefined
  const site = onePerEndpoint(session.sites)
    .flatMap(site => existingSite(site, session) ?? [])
    .find(({ type }) => type === list?.type)
  return site === undefined ? undefined : { site, tracked }
}

/** Updates of one property: to another value, to null, and back. */
function changesOf(row: Row, restorable: ReadonlySet<string>, site: WriteSite): readonly Body[] {
  const property = writableProperties(site).find(
    ({ name, createOnly, collection, type, nullable }) =>
      !createOnly &&
      !collection &&
      nullable &&
      restorable.has(name) &&
      typeof row[name] === 'string' &&
      typeName(type) === 'Edm.String',
  )
  if (property === undefined) return []
  const { name } = property
  const value = sampleValue(property, 23, site)
  const before = row[name]
  if (value === undefined || typeof before !== 'string') return []
  return [{ [name]: value }, { [name]: null }, { [name]: before }]
}

/** Sends each change, and follows the link of the round before it. */
async function checkBetweenRounds(item: UpdatedItem, changes: readonly Body[], session: Session): Promise<Verdict> {
  let from = await currentDeltaLink(item.delta, session)
  let hasChanged = false
  for (const change of changes) {
    if (typeof from !== 'string') return from
    const response = await session.send({ method: 'PATCH', path: item.site.path, body: change })
    // Null is no valid value for each service.
    if (response.status >= 300) continue
    hasChanged = true
    const missing = await updateFinding(item, { method: 'GET', path: from }, change, session)
    if (missing !== undefined) return failure(missing)
    const next = await deltaRound({ method: 'GET', path: from }, session)
    const again = { method: 'GET', path: from } as const
    const forgotten =
      forgottenFinding(item, next) &&
      (await eventually(async () => forgottenFinding(item, await deltaRound(again, session)), session))
    if (forgotten !== undefined) return failure(forgotten)
    from = next.deltaLink ?? { kind: 'inconclusive', why: 'a round did not end with a delta link' }
  }
  return { kind: 'pass', vacuous: !hasChanged }
}

/** A finding if the second read of a link, after one that reported a change, no longer reports it: a GET is safe. */
function forgottenFinding(
  { key, site }: UpdatedItem,
  { rows, pages, deltaLink, unread }: DeltaRound,
): Finding | undefined {
  if (deltaLink === undefined || unread !== undefined || rows.some(row => keyOf(row, site.type) === key))
    return undefined
  return {
    message: 'A delta link reports a change once only.',
    expected: `the item with the key ${key} again: what the link reported before`,
    received: `${rows.length} items`,
    missing: [key],
    answers: pages,
    features: ['delta.changed', 'again'],
  }
}

/** Sends a change after the first page: the rest of the round must report it, or the next round. */
async function checkDuringRound(item: UpdatedItem, changes: readonly Body[], session: Session): Promise<Verdict> {
  const [change] = changes
  const first = await session.send({ method: 'GET', path: item.delta.path })
  const link = isRow(first.json) ? first.json['@odata.nextLink'] : undefined
  if (change === undefined || typeof link !== 'string') return { kind: 'pass', vacuous: true }
  const url = resolveLink(link, first)
  if (url?.origin !== new URL(first.request.url).origin) return { kind: 'pass', vacuous: true }
  const response = await session.send({ method: 'PATCH', path: item.site.path, body: change })
  if (response.status >= 300) return { kind: 'pass', vacuous: true }
  const rest = await deltaRound({ method: 'GET', path: url.href }, session)
  if (rest.rows.some(row => keyOf(row, item.site.type) === item.key && isAfter(row, change))) return { kind: 'pass' }
  if (rest.deltaLink === undefined)
    return { kind: 'inconclusive', why: 'the first round did not end with a delta link' }
  const missing = await updateFinding(item, { method: 'GET', path: rest.deltaLink }, change, session)
  return verdictOf(missing)
}

/** A finding if a round does not report the item as a change left it. */
function updateFinding(
  { key, site }: UpdatedItem,
  request: TestRequest,
  change: Body,
  session: Session,
): Promise<Finding | undefined> {
  return eventually(async () => {
    const round = await deltaRound(request, session)
    const first = round.pages[0]
    if (first === undefined || inconclusiveVerdict(first) !== undefined || round.deltaLink === undefined)
      return undefined
    const rows = round.rows.filter(row => keyOf(row, site.type) === key && !isRemoved(row))
    if (rows.some(row => isAfter(row, change))) return undefined
    return {
      message:
        rows.length === 0
          ? 'A delta query does not report an item that was changed.'
          : 'A delta query reports a changed item with an old value.',
      expected: `the item with the key ${key}, with ${JSON.stringify(change)}`,
      received: rows.length === 0 ? describeResponse(first) : JSON.stringify(rows.at(-1)),
      missing: [key],
      answers: round.pages,
      features: ['delta.changed'],
    }
  }, session)
}

/** Whether a reported row can be the item after a change: null need not be shown. */
function isAfter(row: Row, change: Body): boolean {
  return Object.entries(change).every(([name, value]) => !Object.hasOwn(row, name) || row[name] === value)
}
