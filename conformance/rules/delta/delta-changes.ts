import { isSamePath } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site } from '../../discover/site.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { type CreatedItem, createItem, eventually } from '../writing/created-item.js'
import { cannotWrite, removeItem, type WriteSite, writeSite } from '../writing/write-site.js'
import { currentDeltaLink, deltaRound, isRemoved } from './delta-round.js'

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
      const isNew = (row: Readonly<Record<string, unknown>>): boolean => {
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
  isRight: (row: Readonly<Record<string, unknown>>) => boolean,
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
function matches(row: Readonly<Record<string, unknown>>, key: string, { type }: WriteSite): boolean {
  if (keyOf(row, type) === key) return true
  const id = row['@id'] ?? row['@odata.id'] ?? row['id']
  const [first = ''] = key.split('\u001F')
  return isRemoved(row) && typeof id === 'string' && decodeURIComponent(id).includes(first)
}
