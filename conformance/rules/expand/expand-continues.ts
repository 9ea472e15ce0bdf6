import type { NavigationProperty } from '../../../spec/language/index.js'
import { keyOf, siteOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import type { Row } from '../../json.js'
import { duplicates, listFailure, readRows, visibleKeys } from '../../lists/read-rows.js'
import {
  expandableRelations,
  expandedRows,
  listSites,
  onePageOptions,
  type QuerySite,
  querySite,
  relatedKeys,
} from '../../lists/related-items.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict } from '../../rule/verdict.js'
import { crossOriginLink, type Session } from '../../session/session.js'
import { expansionLink, listBelow } from '../operations/relation-graph.js'

/** Expanded lists whose links are followed. */
const maxLists = 3
/** Pages of each of them. */
const maxPages = 60

/** @see OData JSON Format 4.01, 8.3 (expanded navigation property) and 4.6.5 (nextLink) */
export const expandContinues: ActiveRule = {
  kind: 'active',
  id: 'expand-continues',
  area: 'expand',
  statement:
    'If an expanded list ends with a next link, the list and the pages behind the link have each related item once.',
  advice:
    'Start the page behind the link after the last item that the response shows, in the same order and with the options that the list has in $expand. Common causes: an index that is off by one, and another default order at the path of the list.',
  aspects: ['expand.related', 'paging.nextLink'],
  covers: ['expand', 'nextLink'],
  severity: 'must',
  writes: false,
  requiredOptions: ['expand'],
  cost: 4,
  weight: 4,
  sites: session =>
    listSites(session, ({ expand }) => expand.support !== 'none').filter(site => listsOf(site).length > 0),
  cases: site => {
    const found = querySite(site)
    return {
      planned: (found === undefined ? [] : listsOf(found)).map(({ name }) => ({ name, options: expandOf(name) })),
    }
  },
  check: async ({ name = '' }, site, session) => {
    const found = querySite(site)
    const relation = found && listsOf(found).find(each => each.name === name)
    if (found === undefined || relation === undefined) return { kind: 'inconclusive', why: 'no list' }
    const reading = await readRows(
      found,
      session,
      { ...expandOf(name), ...onePageOptions(found, session) },
      { pages: 1 },
    )
    if (reading.kind === 'ended') return reading.verdict
    const continued = reading.listing.rows.filter(row => typeof row[`${name}@odata.nextLink`] === 'string')
    const [page] = reading.listing.pages
    let conclusive = 0
    for (const row of continued.slice(0, maxLists)) {
      const verdict = await followed(row, relation, found, reading.listing.pages, session)
      if (verdict.kind === 'fail' && page !== undefined) {
        return { ...verdict, finding: { ...verdict.finding, answers: [page, ...verdict.finding.answers] } }
      }
      if (verdict.kind !== 'pass') return verdict
      if (verdict.vacuous !== true) conclusive++
    }
    return { kind: 'pass', vacuous: conclusive === 0 }
  },
}

function expandOf(name: string) {
  return { expand: [{ path: [name] }] }
}

function listsOf(site: QuerySite): readonly NavigationProperty[] {
  return expandableRelations(site).filter(({ collection }) => collection)
}

/**
 * Reads the rest of an expanded list, and compares the whole with what other lists show.
 *
 * @param pages the response, to which links are relative
 */
async function followed(
  row: Row,
  relation: NavigationProperty,
  site: QuerySite,
  pages: readonly TestResponse[],
  session: Session,
): Promise<Verdict> {
  const { name } = relation
  const request = expansionLink(row, relation, site, pages)
  if (request === undefined) return { kind: 'inconclusive', why: crossOriginLink }
  const rest = await session.list(request, { pages: maxPages })
  const of = `${name} of ${keyOf(row, site.type) ?? 'an item'}`
  const unread = listFailure(rest, last => {
    const message = `The next link of the expanded ${of} does not lead to a page.`
    return inconclusiveVerdict(last) ?? failed(message, 'status 200', describeResponse(last), rest.pages)
  })
  if (unread !== undefined) return unread
  if (rest.end !== 'complete') return { kind: 'pass', vacuous: true }
  const keys = visibleKeys([...(expandedRows(row, relation) ?? []), ...rest.rows], relation.type)
  if (keys === undefined) return { kind: 'pass', vacuous: true }
  const answers = rest.pages.slice(0, 1)
  const twice = duplicates(keys)
  if (twice.length > 0) {
    const message = `The expanded ${of} and the pages behind its next link have an item more than once.`
    return failed(message, 'each item once', `${twice.length} of them more than once`, answers, { surplus: twice })
  }
  const known = await keysElsewhere(row, relation, site, session)
  if (known === undefined) return { kind: 'pass', vacuous: true }
  const shown = new Set(keys)
  const missing = [...known.certain].filter(key => !shown.has(key))
  const surplus = known.complete ? keys.filter(key => !known.certain.has(key)) : []
  if (missing.length === 0 && surplus.length === 0) return { kind: 'pass' }
  return failed(
    `The expanded ${of} and the pages behind its next link do not have the related items.`,
    `${known.complete ? '' : 'at least '}${known.certain.size} items`,
    `${keys.length} items`,
    answers,
    { missing, surplus },
  )
}

/** The related items as the list at the path of the relation shows it, or as far as other lists do. */
async function keysElsewhere(row: Row, relation: NavigationProperty, site: QuerySite, session: Session) {
  const endpoint = listBelow(site, relation, session)
  const own = endpoint === undefined ? undefined : siteOf(endpoint, { site, row })
  const listing = own === undefined ? undefined : await session.list(readRequest(own), { pages: maxPages })
  const keys = listing?.end === 'complete' ? visibleKeys(listing.rows, relation.type) : undefined
  return keys === undefined
    ? relatedKeys(relation, row, site.type, site, session)
    : { certain: new Set(keys), complete: true }
}

function failed(
  message: string,
  expected: string,
  received: string,
  answers: Finding['answers'],
  difference: Pick<Finding, 'missing' | 'surplus'> = {},
): Extract<Verdict, { readonly kind: 'fail' }> {
  return failure({ message, expected, received, answers, ...difference, features: ['expand', 'nextLink'] })
}
