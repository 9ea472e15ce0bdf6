import type { Expression, QueryOptions } from '../../../runtime/query/index.js'
import { mayBeLimited } from '../../reading/may-be-limited.js'
import { propertyPath } from '../../reading/property-path.js'
import { readAsk } from '../../rule/read-ask.js'
import { isRefusal } from '../../rule/refusal.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import type { Finding, Verdict } from '../../rule/verdict.js'
import type { Listing } from '../../session/listing.js'
import type { Session } from '../../session/session.js'
import { isSamePath } from '../../site/is-same-path.js'
import { keyOf } from '../../site/key-of.js'
import type { Site } from '../../site/site.js'
import { createItem, type MadeItem } from './create-item.js'
import { eventually } from './eventually.js'
import { valueProblems } from './expected-item.js'
import { removeItem } from './remove-item.js'
import { wantedBody } from './wanted-values.js'
import { type WriteSite, writeSite, writeSites } from './write-sites.js'

/** Items of a collection that is read as a whole at most. */
const mostRows = 300

export const writeShows: Rule = {
  kind: 'asking',
  id: 'write-shows',
  area: 'writing',
  statement: 'What is created, changed or deleted shows in the list and in what a filter finds.',
  advice:
    'Indexes, caches and search copies are brought up to date with the write, or soon after: also when a value changes.',
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
      planned: [...(rows !== undefined && rows < mostRows ? [{ variant: 'list' }] : []), { variant: 'filter' }],
    }
  },
  check: async ({ variant }, site, session) => {
    const at = writeSite(site, session)
    const list = listOf(site, session)
    if (at === undefined || list === undefined) return { kind: 'inconclusive', why: 'no list shows what is created' }
    const making = await createItem(wantedBody(at, 2), at, session)
    if (making.kind === 'ended') return making.verdict
    try {
      return variant === 'list'
        ? await inList(making.item, at, list, session)
        : await inFilter(making.item, at, list, session)
    } finally {
      await removeItem(making.item.path, session)
    }
  },
}

/** The collection that shows what is created. */
function listOf(site: Site, { sites }: Pick<Session, 'sites'>): Site | undefined {
  return sites.find(({ endpoint, path }) => {
    return endpoint.kind === 'collection' && path === site.path && isSamePath(endpoint.resolved, site.endpoint.resolved)
  })
}

async function inList(item: MadeItem, site: WriteSite, list: Site, session: Session): Promise<Verdict> {
  const shown = await shows(item, site, list, pageOptions(list), true, ['list', 'missing'], session)
  if (shown !== undefined) return shown
  const answer = await removeItem(item.path, session)
  if (answer === undefined || answer.status >= 300) return { kind: 'pass' }
  return (await shows(item, site, list, pageOptions(list), false, ['list', 'remains'], session)) ?? { kind: 'pass' }
}

async function inFilter(item: MadeItem, site: WriteSite, list: Site, session: Session): Promise<Verdict> {
  const { marked } = site
  const before = item.expected[marked.name]
  if (typeof before !== 'string') return { kind: 'pass', trivial: true }
  const filter = equal(marked.name, before)
  const shown = await shows(item, site, list, { filter }, true, ['filter', 'missing'], session)
  if (shown !== undefined) return shown
  if (site.change === undefined || site.change.ifMatch === 'required' || marked.createOnly) return { kind: 'pass' }
  if (session.ledger?.isOurs(item.path) !== true) return { kind: 'pass' }
  const after = `${before} 2`
  const answer = await session.ask({ method: 'PATCH', path: item.path, body: { [marked.name]: after } })
  if (answer.status >= 300) return { kind: 'pass' }
  const changed = { ...item, expected: { ...item.expected, [marked.name]: after } }
  const stale = await shows(item, site, list, { filter }, false, ['filter', 'stale'], session)
  if (stale !== undefined) return stale
  const options = { filter: equal(marked.name, after) }
  return (await shows(changed, site, list, options, true, ['filter', 'missing'], session)) ?? { kind: 'pass' }
}

/** What is wrong with a list that must, or must not, show an item. */
async function shows(
  item: MadeItem,
  site: WriteSite,
  list: Site,
  options: QueryOptions,
  wanted: boolean,
  features: readonly string[],
  session: Session,
): Promise<Verdict | undefined> {
  let verdict: Verdict | undefined
  await eventually(async () => {
    const listing = await session.list(readAsk(list, options))
    verdict = judged(listing, options, item, site, wanted, features, session)
    return verdict?.kind === 'fail' ? verdict : undefined
  }, session)
  return verdict
}

function judged(
  { rows, pages, end }: Listing,
  options: QueryOptions,
  item: MadeItem,
  site: WriteSite,
  wanted: boolean,
  features: readonly string[],
  session: Session,
): Verdict | undefined {
  const last = pages.at(-1)
  const nothing = last === undefined ? undefined : untold(last)
  if (nothing !== undefined) return nothing
  if (last !== undefined && isRefusal(last, session)) return { kind: 'unsupported', constructs: ['filter'] }
  if (end !== 'whole') return { kind: 'inconclusive', why: 'the list could not be read to its end' }
  const key = keyIn(item, site)
  const row = rows.find(each => keyOf(each, site.type) === key)
  if (key === undefined) return { kind: 'pass', trivial: true }
  if (wanted && row === undefined && mayBeLimited(rows.length, options, session)) {
    return { kind: 'inconclusive', why: 'the list may be longer than $top asked for' }
  }
  const answers = pages.slice(0, 2)
  if ((row !== undefined) !== wanted) {
    const finding: Finding = {
      message: wanted
        ? 'An item that was created is not found.'
        : 'An item is found that is not there, or not so, any more.',
      expected: wanted ? `the item with the key ${key}` : `no item with the key ${key}`,
      received: wanted ? `${rows.length} other items` : 'the item',
      ...(wanted ? { missing: [key] } : { surplus: [key] }),
      answers,
      features,
    }
    return { kind: 'fail', finding }
  }
  const why = row === undefined || !wanted ? [] : valueProblems(row, item.expected, site, session)
  if (why.length === 0) return undefined
  const [what = ''] = features
  const message = 'A list shows an item not as it was written.'
  const expected = 'the item as it was written'
  return {
    kind: 'fail',
    finding: { message, expected, received: JSON.stringify(row), why, answers, features: [what, 'values'] },
  }
}

function keyIn({ row, expected }: MadeItem, { type }: WriteSite): string | undefined {
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

/** The fewest pages. */
function pageOptions({ endpoint }: Site): QueryOptions {
  const top = 'query' in endpoint ? endpoint.query?.top : undefined
  return top === undefined || top.support === 'none' || top.max === undefined ? {} : { top: top.max }
}
