import type { Expression, QueryOptions } from '../../../runtime/query/index.js'
import { isSamePath, keyOf, type Site } from '../../discover/site.js'
import { propertyPath } from '../../lists/properties.js'
import { mayBeTruncated } from '../../lists/query-site.js'
import { readRequest } from '../../rule/query-request.js'
import { inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule, Finding, Verdict } from '../../rule/rule.js'
import type { Listing, Session } from '../../session/session.js'
import { fullBody } from './body.js'
import { type CreatedItem, createItem, eventually, removeItem, valueMismatches } from './created-item.js'
import { type WriteSite, writeSite, writeSites } from './write-site.js'

/** Larger collections are not read as a whole. */
const maxRows = 300

export const writeShows: ActiveRule = {
  kind: 'active',
  id: 'write-shows',
  area: 'writing',
  statement: 'A list and a filter reflect every create, update and delete.',
  advice:
    'Update indexes, caches and search copies together with the write or soon after it, also if only a value changes.',
  clauses: ['collection.list', 'methods'],
  covers: ['endpoint.collection', 'endpoint.create', 'open.readYourWrites'],
  severity: 'must',
  writes: true,
  cost: 5,
  weight: 12,
  sites: session => writeSites(session).filter(site => listOf(site, session) !== undefined),
  cases: (site, session) => {
    const list = listOf(site, session)
    const rows = list === undefined ? undefined : session.snapshot(list)?.rows.length
    return {
      planned: [...(rows !== undefined && rows < maxRows ? [{ variant: 'list' }] : []), { variant: 'filter' }],
    }
  },
  check: async ({ variant }, site, session) => {
    const at = writeSite(site, session)
    const list = listOf(site, session)
    if (at === undefined || list === undefined)
      return { kind: 'inconclusive', why: 'no list contains the created items' }
    const making = await createItem(fullBody(at, 2), at, session)
    if (making.kind === 'ended') return making.verdict
    try {
      return variant === 'list'
        ? await checkList(making.item, at, list, session)
        : await checkFilter(making.item, at, list, session)
    } finally {
      await removeItem(making.item.path, session)
    }
  },
}

/** The collection in which created items appear. */
function listOf(site: Site, { sites }: Pick<Session, 'sites'>): Site | undefined {
  return sites.find(({ endpoint, path }) => {
    return endpoint.kind === 'collection' && path === site.path && isSamePath(endpoint.resolved, site.endpoint.resolved)
  })
}

async function checkList(item: CreatedItem, site: WriteSite, list: Site, session: Session): Promise<Verdict> {
  const shown = await verdictUnlessShown(item, site, list, pageOptions(list), true, ['list', 'missing'], session)
  if (shown !== undefined) return shown
  const answer = await removeItem(item.path, session)
  if (answer === undefined || answer.status >= 300) return { kind: 'pass' }
  return (
    (await verdictUnlessShown(item, site, list, pageOptions(list), false, ['list', 'remains'], session)) ?? {
      kind: 'pass',
    }
  )
}

async function checkFilter(item: CreatedItem, site: WriteSite, list: Site, session: Session): Promise<Verdict> {
  const { markProperty: marked } = site
  const before = item.expected[marked.name]
  if (typeof before !== 'string') return { kind: 'pass', vacuous: true }
  const filter = equal(marked.name, before)
  const shown = await verdictUnlessShown(item, site, list, { filter }, true, ['filter', 'missing'], session)
  if (shown !== undefined) return shown
  if (site.update === undefined || site.update.ifMatch === 'required' || marked.createOnly) return { kind: 'pass' }
  if (session.ledger?.isOwned(item.path) !== true) return { kind: 'pass' }
  const after = `${before} 2`
  const answer = await session.send({ method: 'PATCH', path: item.path, body: { [marked.name]: after } })
  if (answer.status >= 300) return { kind: 'pass' }
  const changed = { ...item, expected: { ...item.expected, [marked.name]: after } }
  const stale = await verdictUnlessShown(item, site, list, { filter }, false, ['filter', 'stale'], session)
  if (stale !== undefined) return stale
  const options = { filter: equal(marked.name, after) }
  return (
    (await verdictUnlessShown(changed, site, list, options, true, ['filter', 'missing'], session)) ?? { kind: 'pass' }
  )
}

/** The verdict on a list that must, or must not, contain an item. */
async function verdictUnlessShown(
  item: CreatedItem,
  site: WriteSite,
  list: Site,
  options: QueryOptions,
  wanted: boolean,
  features: readonly string[],
  session: Session,
): Promise<Verdict | undefined> {
  let verdict: Verdict | undefined
  await eventually(async () => {
    const listing = await session.list(readRequest(list, options))
    verdict = verdictOnListing(listing, options, item, site, wanted, features, session)
    return verdict?.kind === 'fail' ? verdict : undefined
  }, session)
  return verdict
}

function verdictOnListing(
  { rows, pages, end }: Listing,
  options: QueryOptions,
  item: CreatedItem,
  site: WriteSite,
  wanted: boolean,
  features: readonly string[],
  session: Session,
): Verdict | undefined {
  const last = pages.at(-1)
  const nothing = last === undefined ? undefined : inconclusiveVerdict(last)
  if (nothing !== undefined) return nothing
  if (last !== undefined && isRejection(last, session)) return { kind: 'unsupported', constructs: ['filter'] }
  if (end !== 'complete') return { kind: 'inconclusive', why: 'the list could not be read to its end' }
  const key = keyIn(item, site)
  const row = rows.find(each => keyOf(each, site.type) === key)
  if (key === undefined) return { kind: 'pass', vacuous: true }
  if (wanted && row === undefined && mayBeTruncated(rows.length, options, session)) {
    return { kind: 'inconclusive', why: '$top may have truncated the list' }
  }
  const answers = pages.slice(0, 2)
  if ((row !== undefined) !== wanted) {
    const finding: Finding = {
      message: wanted
        ? 'A list or filter does not return an existing item.'
        : 'A list or filter returns an item that was deleted or no longer matches.',
      expected: wanted ? `the item with the key ${key}` : `no item with the key ${key}`,
      received: wanted ? `${rows.length} other items` : 'the item',
      ...(wanted ? { missing: [key] } : { surplus: [key] }),
      answers,
      features,
    }
    return { kind: 'fail', finding }
  }
  const why = row === undefined || !wanted ? [] : valueMismatches(row, item.expected, site, session)
  if (why.length === 0) return undefined
  const [what = ''] = features
  const message = 'A list does not show an item as written.'
  const expected = 'the item as written'
  return {
    kind: 'fail',
    finding: { message, expected, received: JSON.stringify(row), why, answers, features: [what, 'values'] },
  }
}

function keyIn({ row, expected }: CreatedItem, { type }: WriteSite): string | undefined {
  return (row === undefined ? undefined : keyOf(row, type)) ?? keyOf(expected, type)
}

function equal(name: string, value: string): Expression {
  return {
    kind: 'binary',
    operator: 'eq',
    left: propertyPath([name]),
    right: { kind: 'literal', type: 'String', value },
  }
}

/** Options for the fewest pages. */
function pageOptions({ endpoint }: Site): QueryOptions {
  const top = 'query' in endpoint ? endpoint.query?.top : undefined
  return top === undefined || top.support === 'none' || top.max === undefined ? {} : { top: top.max }
}
