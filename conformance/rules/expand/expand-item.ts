import type { ExpandItem } from '../../../runtime/query/index.js'
import type { NavigationProperty } from '../../../spec/language/index.js'
import type { Site } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { selectItems } from '../../lists/properties.js'
import { rejectedVerdict } from '../../lists/read-rows.js'
import { expandableRelations, expandedRows, itemSites, querySite } from '../../lists/related-items.js'
import { constructsOf, readRequest } from '../../rule/query-request.js'
import type { ActiveRule, Finding } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { shownKeys } from './expand-each.js'
import { relatedMismatch } from './related-items.js'

/** @see OData Protocol 4.01, 11.2.5.2 */
export const expandItem: ActiveRule = {
  kind: 'active',
  id: 'expand-item',
  area: 'expand',
  statement: '$expand applies to a single item as it does to a list.',
  advice: 'Single items often use another code path, in which $expand is forgotten.',
  aspects: ['expand.related', 'item.read'],
  covers: ['expand', 'expand.select'],
  severity: 'must',
  writes: false,
  requiredOptions: ['expand'],
  cost: 1,
  weight: 4,
  sites: session => itemSites(session, ({ expand }) => expand.support !== 'none'),
  cases: site => {
    const found = querySite(site)
    const relations = found === undefined ? [] : expandableRelations(found)
    if (found === undefined || relations.length === 0) return { skipReason: 'a relation to expand' }
    const ranked = [...relations].sort((a, b) => Number(b.collection) - Number(a.collection))
    const plain = ranked.map(({ name }): ExpandItem => ({ path: [name] }))
    const narrowed = ranked.map(({ name, type }): ExpandItem => {
      const names = [...new Set([...type.key, ...type.properties.slice(0, 2)].map(each => each.name))]
      return { path: [name], options: { select: selectItems(names) } }
    })
    const maySelect = found.endpoint.query.expand.nested.includes('select')
    const isSelectable = found.endpoint.query.select !== 'none'
    const select = selectItems(found.type.key.map(({ name }) => name))
    const cases = [
      ...plain.flatMap(item => [{ expand: [item] }, ...(isSelectable ? [{ select, expand: [item] }] : [])]),
      ...(maySelect ? narrowed.map(item => ({ expand: [item] })) : []),
    ]
    return { planned: cases.map(options => ({ options })) }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no item' }
    const constructs = constructsOf(options)
    if (!session.support.maySend(site, constructs)) return { kind: 'unsupported', constructs }
    const response = await session.send(readRequest(site, options))
    const row = response.status === 200 && isRow(response.json) ? response.json : undefined
    if (row === undefined) return rejectedVerdict(response, options, found, session)
    let shown = 0
    for (const item of options.expand ?? []) {
      const relation = expandableRelations(found).find(({ name }) => name === item.path.join('/'))
      if (relation === undefined) continue
      const fault = relatedMismatch(row, item, relation, found.type, site, session)
      if (fault !== undefined) {
        return { kind: 'fail', finding: { ...fault, answers: [response], features: [...fault.features, 'item'] } }
      }
      shown += expandedRows(row, relation)?.length ?? 0
      const lost = options.select === undefined ? undefined : await lostBesideSelect(row, item, relation, site, session)
      if (lost !== undefined) return { kind: 'fail', finding: { ...lost, answers: [response, ...lost.answers] } }
    }
    return { kind: 'pass', vacuous: shown === 0 }
  },
}

/** Compares with the same `$expand` without `$select`. */
async function lostBesideSelect(
  row: Row,
  item: ExpandItem,
  relation: NavigationProperty,
  site: Site,
  session: Session,
): Promise<Finding | undefined> {
  const response = await session.send(readRequest(site, { expand: [item] }))
  const whole = response.status === 200 && isRow(response.json) ? shownKeys(response.json, relation) : undefined
  const shown = shownKeys(row, relation) ?? []
  if (whole === undefined || whole.length === 0 || shown.length > 0) return undefined
  return {
    message: `With $select, the item does not contain the expanded relation ${relation.name}.`,
    expected: `${relation.name}: ${whole.slice(0, 10).join(', ')}`,
    received: Object.hasOwn(row, relation.name) ? 'no related items' : `no ${relation.name}`,
    answers: [response],
    features: ['expand', 'select', 'item'],
  }
}
