import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { itemSites, querySite } from '../../reading/list-sites.js'
import { selecting } from '../../reading/property-path.js'
import { queryText } from '../../reading/query-text.js'
import { refusedVerdict } from '../../reading/refused-verdict.js'
import { constructsOf } from '../../rule/constructs-of.js'
import { readAsk } from '../../rule/read-ask.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import { keyOf } from '../../site/key-of.js'
import { selectedDifference } from './selected-difference.js'
import { selections } from './selections.js'

/** SEL-ITEM. */
export const selectItem: Rule = {
  kind: 'asking',
  id: 'select-item',
  area: 'select',
  statement: '$select narrows a single item as it narrows a list.',
  advice: 'Reading one item often goes another way through the code, where $select is forgotten.',
  clauses: ['select.only', 'select.rule', 'select.unselected'],
  covers: ['select'],
  severity: 'must',
  writes: false,
  about: ['select'],
  cost: 2,
  weight: 3,
  sites: session => itemSites(session, ({ select }) => select !== 'none'),
  cases: site => {
    const found = querySite(site)
    const names = found === undefined ? [] : selections(found.type)
    if (names.length === 0) return { thin: 'a type with properties beside its key' }
    return { planned: names.map(each => ({ options: { select: selecting(each) } })) }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no item' }
    if (options.select === undefined) return { kind: 'pass', trivial: true }
    const constructs = constructsOf(options)
    if (!session.support.mayAsk(site, constructs)) return { kind: 'unsupported', constructs }
    const plain = await session.ask(readAsk(site))
    const whole = rowOf(plain.status, plain.json)
    if (whole === undefined) return untold(plain) ?? { kind: 'inconclusive', why: `no item: status ${plain.status}` }
    const answer = await session.ask(readAsk(site, options))
    const row = rowOf(answer.status, answer.json)
    if (row === undefined) return refusedVerdict(answer, options, found, session)
    const key = keyOf(whole, found.type) ?? ''
    const difference = selectedDifference(row, options, found.type, { byKey: new Map([[key, whole]]) }, session)
    if (difference === undefined) return { kind: 'pass' }
    return {
      kind: 'fail',
      finding: {
        message: `With ${queryText(options)} the item does not show ${difference.name} as it should.`,
        expected: difference.expected,
        received: difference.received,
        answers: [answer, plain],
        features: [...difference.features, 'item'],
      },
    }
  },
}

function rowOf(status: number, json: unknown): Row | undefined {
  return status === 200 && isRow(json) ? json : undefined
}
