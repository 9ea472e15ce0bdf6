import type { ExpandItem, QueryOptions } from '../../../runtime/query/index.js'
import type { NavigationProperty } from '../../../spec/language/index.js'
import { keyOf } from '../../discover/site.js'
import type { Row } from '../../json.js'
import { selectItems } from '../../lists/properties.js'
import { queryText, readRows, visibleKeys } from '../../lists/read-rows.js'
import {
  expandableRelations,
  expandedRows,
  listSites,
  onePageOptions,
  type QuerySite,
  querySite,
  relatedKeys,
} from '../../lists/related-items.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict } from '../../rule/verdict.js'
import type { Listing, Session } from '../../session/session.js'
import { relatedMismatch } from './related-items.js'

/** Includes `$select` inside `$expand`. @see OData Protocol 4.01, 11.2.5.2 */
export const expandSame: ActiveRule = {
  kind: 'active',
  id: 'expand-same',
  area: 'expand',
  statement: '$expand includes the related items unchanged, and changes nothing else about the list.',
  advice:
    'Compare with the path of the relation. Common causes: one of several relations is ignored, items are joined by the wrong key, a join duplicates or drops rows of the list, or options in the parentheses are ignored or split wrongly.',
  aspects: ['expand.related', 'relation.path'],
  covers: ['expand', 'expand.select', 'expand.relations'],
  severity: 'must',
  writes: false,
  requiredOptions: ['expand'],
  cost: 1,
  weight: 16,
  sites: session => listSites(session, query => query.expand.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const relations = found === undefined ? [] : expandableRelations(found)
    if (found === undefined || relations.length === 0) return { skipReason: 'a relation to expand' }
    if ((session.snapshot(site)?.rows.length ?? 0) === 0) return { skipReason: 'a list with items' }
    const ranked = [...relations].sort(
      (a, b) => Number(isKnown(b.name, found, session)) - Number(isKnown(a.name, found, session)),
    )
    const plain = ranked.map(({ name }): ExpandItem => ({ path: [name] }))
    const narrowed = ranked.map(
      ({ name, type }): ExpandItem => ({
        path: [name],
        options: {
          select: selectItems(
            [...type.key, ...type.properties.filter(each => !type.key.includes(each)).slice(0, 1)].map(
              each => each.name,
            ),
          ),
        },
      }),
    )
    const maySelect = found.endpoint.query.expand.nested.includes('select')
    const page = onePageOptions(found, session)
    const queries: readonly (readonly ExpandItem[])[] = [
      ...plain.slice(0, 1).map(item => [item]),
      ...(maySelect ? narrowed.slice(0, 1).map(item => [item]) : []),
      [{ path: ['*'] }],
      ...plain.slice(1).map(item => [item]),
      ...(plain.length > 1 ? [maySelect ? narrowed.slice(0, 2) : plain.slice(0, 2)] : []),
      ...(maySelect ? narrowed.slice(1).map(item => [item]) : []),
    ]
    // The two selections differ, so that a service that takes one for the other shows it.
    const outer = [
      ...found.type.key,
      ...found.type.properties.filter(each => !found.type.key.includes(each)).slice(1, 3),
    ]
    const both: readonly QueryOptions[] =
      maySelect && found.endpoint.query.select !== 'none'
        ? narrowed.slice(0, 2).map(item => ({ select: selectItems(outer.map(({ name }) => name)), expand: [item] }))
        : []
    const [first, ...others] = queries.map((expand): QueryOptions => ({ expand }))
    return {
      planned: [...(first === undefined ? [] : [first]), ...both, ...others].map(options => ({
        options: { ...options, ...page },
      })),
    }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no list' }
    const reading = await readRows(found, session, options)
    if (reading.kind === 'ended') return reading.verdict
    const verdict = verdictOn(reading.listing, options, found, session)
    return verdict.kind === 'pass'
      ? ((await narrowedVerdict(reading.listing, options, found, session)) ?? verdict)
      : verdict
  },
}

/** Compares the items of the list with those of the same `$expand` without the nested `$select`, which must not apply to them. */
async function narrowedVerdict(
  { rows, pages }: Listing,
  options: QueryOptions,
  site: QuerySite,
  session: Session,
): Promise<Verdict | undefined> {
  const { expand = [] } = options
  if (expand.every(item => item.options?.select === undefined)) return undefined
  const plain = { ...options, expand: expand.map(({ path }): ExpandItem => ({ path })) }
  const reading = await readRows(site, session, plain, { pages: 1 })
  if (reading.kind === 'ended') return undefined
  const whole = new Map(reading.listing.rows.map(row => [keyOf(row, site.type), row] as const))
  for (const row of rows) {
    const key = keyOf(row, site.type)
    const known = key === undefined ? undefined : whole.get(key)
    const lost = site.type.properties.find(({ name }) => {
      return known !== undefined && known[name] !== undefined && known[name] !== null && !Object.hasOwn(row, name)
    })
    if (lost === undefined || known === undefined) continue
    const text = queryText(options)
    return failure({
      message: `With ${text}, the items of the list lose ${lost.name}: the nested $select applies to them, too.`,
      expected: `${lost.name}: ${JSON.stringify(known[lost.name])?.slice(0, 80)}`,
      received: `no ${lost.name}`,
      answers: [...pages.slice(0, 1), ...reading.listing.pages.slice(0, 1)],
      features: ['expand.select', 'parent'],
    })
  }
  return undefined
}

function verdictOn({ rows, pages, end }: Listing, options: QueryOptions, site: QuerySite, session: Session): Verdict {
  let shown = 0
  const relations = expandableRelations(site)
  for (const item of options.expand ?? []) {
    const name = item.path.join('/')
    for (const row of rows) {
      // A service that does not know `*` shows no relation.
      const all = name === '*' && relations.some(each => Object.hasOwn(row, each.name))
      // Nor need `*` include a relation that the interface does not name.
      const isIncluded = (each: NavigationProperty): boolean =>
        all && (!isAssumed(each) || Object.hasOwn(row, each.name))
      for (const relation of relations.filter(each => each.name === name || isIncluded(each))) {
        // Items of other types in the list do not have this relation.
        const fault = relatedMismatch(row, item, relation, site.type, site, session)
        if (fault !== undefined) return failure({ ...fault, answers: pages.slice(0, 2) })
        shown += expandedRows(row, relation)?.length ?? 0
      }
    }
    const relation = relations.find(each => each.name === name)
    const shared = relation === undefined ? undefined : sharedItem(rows, relation, site)
    if (shared !== undefined) return failure({ ...shared, answers: pages.slice(0, 2) })
  }
  return parentsVerdict(rows, end, options, site, session, pages) ?? { kind: 'pass', vacuous: shown === 0 }
}

/** A related item of two items, or of itself, although it can have only one owner. */
function sharedItem(
  rows: readonly Row[],
  relation: NavigationProperty,
  { type }: QuerySite,
): Omit<Finding, 'answers'> | undefined {
  const { name, collection, contained, partner } = relation
  // Contained items of two owners may have the same key.
  if (!collection || contained || partner === undefined || partner.collection) return undefined
  const owners = new Map<string, string>()
  for (const row of rows) {
    const owner = keyOf(row, type)
    const keys = (expandedRows(row, relation) ?? []).flatMap(each => keyOf(each, relation.type) ?? [])
    for (const key of keys) {
      if (owner === undefined) continue
      const other = key === owner && relation.type === type ? key : owners.get(key)
      owners.set(key, owner)
      if (other === undefined || (other === owner && key !== owner)) continue
      return {
        message: other === key ? `An item is in its own ${name}.` : `The same item is in ${name} of two items.`,
        expected: `the item ${key} in ${name} of at most one other item`,
        received: other === key ? `it is in its own ${name}` : `it is in ${name} of ${other} and of ${owner}`,
        surplus: [key],
        features: ['expand', 'owner'],
      }
    }
  }
  return undefined
}

/** The list itself must not change. */
function parentsVerdict(
  rows: readonly Row[],
  end: Listing['end'],
  options: QueryOptions,
  site: QuerySite,
  session: Session,
  pages: Listing['pages'],
): Verdict | undefined {
  const snapshot = session.snapshot(site)
  const keys = visibleKeys(rows, site.type)
  if (snapshot === undefined || keys === undefined) return undefined
  const text = queryText(options)
  for (const row of rows) {
    const known = snapshot.byKey.get(keyOf(row, site.type) ?? '')
    if (known === undefined || options.select !== undefined) continue
    const lost = site.type.properties.find(
      ({ name, returned }) =>
        returned !== 'onSelect' && !Object.hasOwn(row, name) && known[name] !== null && known[name] !== undefined,
    )
    if (lost === undefined || isLimited(session)) continue
    return failure({
      message: `With ${text}, the items of the list lose ${lost.name}.`,
      expected: `${lost.name}: ${JSON.stringify(known[lost.name])?.slice(0, 80)}`,
      received: `no ${lost.name}`,
      answers: pages.slice(0, 1),
      features: ['expand', 'parent'],
    })
  }
  const surplus = snapshot.complete ? keys.filter(key => !snapshot.byKey.has(key)) : []
  const isWhole = end === 'complete' && (options.top === undefined || options.top > snapshot.byKey.size - 1)
  const present = new Set(keys)
  const missing = isWhole && snapshot.complete ? [...snapshot.byKey.keys()].filter(key => !present.has(key)) : []
  const isRepeated = keys.length !== present.size
  if (surplus.length === 0 && missing.length === 0 && !isRepeated) return undefined
  return failure({
    message: `${text} changes which items the list has.`,
    expected: `the same ${snapshot.byKey.size} items, each once`,
    received: `${keys.length} items, ${present.size} different`,
    missing,
    surplus,
    answers: pages.slice(0, 2),
    features: ['expand', 'items'],
  })
}

/** The default properties may differ from those that the harvest selected. */
function isLimited(session: Session): boolean {
  const isOpen = session.service.open.some(({ name }) => name === 'defaultProjection')
  return isOpen && String(session.choices.get('defaultProjection')) !== 'all'
}

function isKnown(name: string, site: QuerySite, session: Session): boolean {
  const relation = expandableRelations(site).find(each => each.name === name)
  const rows = session.snapshot(site)?.rows.slice(0, 20) ?? []
  return relation !== undefined && rows.some(row => relatedKeys(relation, row, site.type, site, session) !== undefined)
}
