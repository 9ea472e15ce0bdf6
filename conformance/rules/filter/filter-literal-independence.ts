import type { Expression } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import { freeTextTerm } from '../../lists/certain-filters.js'
import { conditionsOf } from '../../probes/conditions.js'
import { binary, pathTo, stringLiteral } from '../../probes/expressions.js'
import { type Grammar, grammarOf } from '../../probes/grammar.js'
import { filterRequest, filterShape, filterSites } from '../../probes/query-keys.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

/** Two filters that differ only in a value. */
export const filterLiteralIndependence: ActiveRule = {
  kind: 'active',
  id: 'filter-literal-independence',
  area: 'filter',
  statement: 'If a filter works for one value of a property, it works for the other values of that property.',
  advice:
    'Look at how you parse literals: a quote inside a literal is doubled, and any character may occur between the quotes.',
  aspects: ['filter.literals'],
  covers: ['filter'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 3,
  sites: filterSites,
  cases: (site, session) => {
    const snapshot = session.snapshot(site)
    const grammar = grammarOf(site, session)
    if (snapshot === undefined || grammar === undefined) return { skipReason: 'the collection could not be read' }
    const byShape = new Map<string, Expression[]>()
    for (const { filter, kind } of conditionsOf(grammar, snapshot, session)) {
      if (!/^(?:eq|gt|startswith|contains) (?!null)/.test(kind)) continue
      const shape = filterShape(filter)
      byShape.set(shape, [...(byShape.get(shape) ?? []), filter])
    }
    const seen = new Set<string>()
    const cases = [...byShape.values()].flatMap(filters => {
      const plain = filters.find(filter => !odd.test(literalOf(filter)))
      if (plain === undefined) return []
      const unusual = filters.filter(filter => {
        const news = [...literalOf(filter)].filter(character => odd.test(character) && !seen.has(character))
        for (const character of news) seen.add(character)
        return news.length > 0
      })
      return unusual.map(filter => ({ predicates: [filter, plain] }))
    })
    const made = madeUpCases(grammar, snapshot.rows)
    return cases.length + made.length === 0
      ? { skipReason: 'values with special characters and values without' }
      : { planned: [...made, ...cases.slice(0, 12)] }
  },
  check: async ({ predicates: [unusual, plain] = [] }, site, session) => {
    if (unusual === undefined || plain === undefined || filterShape(unusual) !== filterShape(plain))
      return { kind: 'pass', vacuous: true }
    const response = await session.send(filterRequest(site, { filter: unusual }))
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (response.status < 400) return { kind: 'pass' }
    const other = await session.send(filterRequest(site, { filter: plain }))
    if (inconclusiveVerdict(other) !== undefined || other.status >= 400) {
      return isRejection(response, session)
        ? { kind: 'unsupported', constructs: [`the filter ${filterShape(plain)}`] }
        : { kind: 'inconclusive', why: `the filter got ${describeResponse(other)}` }
    }
    return failure({
      message: 'A filter was rejected for one value of a property and answered for another.',
      expected: `status ${other.status}, as for the other value`,
      received: describeResponse(response),
      answers: [response, other],
      features: ['literal', 'refused'],
    })
  },
}

/** Texts that contain what has a meaning outside literals. */
const texts = [
  'a (b) and c',
  "contains(x,'y') $count any(z:z)",
  "not 'x' or y)",
  'p,q;r/s?t&u#v+w%20',
  '$filter=z eq null',
] as const

/** Filters by texts that no item need have. */
function madeUpCases(grammar: Grammar, rows: readonly Row[]): readonly TestCase[] {
  const term = freeTextTerm(grammar, rows)
  if (term === undefined) return []
  const filterBy = (text: string): Expression => binary('eq', pathTo(term.path), stringLiteral(text))
  // A value of an item: a service that refuses filters without a match refuses every text that is made up.
  const [name = ''] = term.path
  const known = rows.map(row => row[name]).find(value => typeof value === 'string' && !odd.test(value))
  const plain = typeof known === 'string' ? known : 'plain'
  return texts.map(text => ({ predicates: [filterBy(text), filterBy(plain)] }))
}

/** Contents of literals that parsers often mishandle. */
const odd = /[^A-Za-z0-9 ._:@-]/

function literalOf(filter: Expression): string {
  if (filter.kind === 'binary') return filter.right.kind === 'literal' ? String(filter.right.value) : ''
  const part = filter.kind === 'call' ? filter.arguments[1] : undefined
  return part?.kind === 'literal' ? String(part.value) : ''
}
