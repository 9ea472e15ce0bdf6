import type { ExpandItem } from '../../../runtime/query/index.js'
import { isRow } from '../../is-row.js'
import { itemSites, querySite } from '../../reading/list-sites.js'
import { selecting } from '../../reading/property-path.js'
import { refusedVerdict } from '../../reading/refused-verdict.js'
import { relatedRows } from '../../reading/related-rows.js'
import { relationsOf } from '../../reading/relations-of.js'
import { constructsOf } from '../../rule/constructs-of.js'
import { readAsk } from '../../rule/read-ask.js'
import type { Rule } from '../../rule/rule.js'
import { relatedFault } from './related-fault.js'

/** EXP-SAME on single items. */
export const expandItem: Rule = {
  kind: 'asking',
  id: 'expand-item',
  area: 'expand',
  statement: 'A single item is expanded as the items of a list are.',
  advice: 'Reading one item often goes another way through the code, where $expand is forgotten.',
  clauses: ['expand.include', 'item.read'],
  covers: ['expand', 'expand.select'],
  severity: 'must',
  writes: false,
  about: ['expand'],
  cost: 1,
  weight: 4,
  sites: session => itemSites(session, ({ expand }) => expand.support !== 'none'),
  cases: site => {
    const found = querySite(site)
    const relations = found === undefined ? [] : relationsOf(found)
    if (found === undefined || relations.length === 0) return { thin: 'a relation to expand' }
    const ranked = [...relations].sort((a, b) => Number(b.collection) - Number(a.collection))
    const plain = ranked.map(({ name }): ExpandItem => ({ path: [name] }))
    const narrowed = ranked.map(({ name, type }): ExpandItem => {
      const names = [...new Set([...type.key, ...type.properties.slice(0, 2)].map(each => each.name))]
      return { path: [name], options: { select: selecting(names) } }
    })
    const maySelect = found.endpoint.query.expand.nested.includes('select')
    const items = [...plain, ...(maySelect ? narrowed : [])]
    return { planned: items.map(item => ({ options: { expand: [item] } })) }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no item' }
    const constructs = constructsOf(options)
    if (!session.support.mayAsk(site, constructs)) return { kind: 'unsupported', constructs }
    const answer = await session.ask(readAsk(site, options))
    const row = answer.status === 200 && isRow(answer.json) ? answer.json : undefined
    if (row === undefined) return refusedVerdict(answer, options, found, session)
    let shown = 0
    for (const item of options.expand ?? []) {
      const relation = relationsOf(found).find(({ name }) => name === item.path.join('/'))
      if (relation === undefined) continue
      const fault = relatedFault(row, item, relation, found.type, site, session)
      if (fault !== undefined) {
        return { kind: 'fail', finding: { ...fault, answers: [answer], features: [...fault.features, 'item'] } }
      }
      shown += relatedRows(row, relation)?.length ?? 0
    }
    return { kind: 'pass', trivial: shown === 0 }
  },
}
