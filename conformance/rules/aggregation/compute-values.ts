import type { QueryOptions } from '../../../runtime/query/index.js'
import { keyOf } from '../../discover/site.js'
import { leafValue, selectItems } from '../../lists/properties.js'
import { queryText, readRows } from '../../lists/read-rows.js'
import { listSites, onePageOptions, querySite } from '../../lists/related-items.js'
import { areClose, multiply, rationalOf } from '../../oracle/rational.js'
import { binary, integerLiteral, pathTo } from '../../probes/expressions.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import { measuredList } from './measured-lists.js'

const alias = 'computedByTest'
const factor = 3

/** @see OData Protocol 4.01, 11.2.5.3 */
export const computeValues: ActiveRule = {
  kind: 'active',
  id: 'compute-values',
  area: 'aggregation',
  statement: '$compute adds to each item a property with the value of an expression, which is null for a null operand.',
  advice:
    'A computed property belongs to the item that it was computed from. Typical errors: it is missing if there is a $select, or null counts as zero.',
  aspects: ['compute.values'],
  covers: ['compute'],
  severity: 'must',
  writes: false,
  requiredOptions: ['compute'],
  cost: 1,
  weight: 6,
  sites: session =>
    listSites(session, ({ compute, filter }) => {
      return compute !== undefined && compute !== 'none' && Object.hasOwn(filter.operators, 'mul')
    }),
  cases: (site, session) => {
    const found = querySite(site)
    const list = found === undefined ? undefined : measuredList(found, session)
    const [measure] = list?.measures ?? []
    if (found === undefined || measure === undefined) return { skipReason: 'a list of items with different numbers' }
    const page = onePageOptions(found, session)
    const key = found.type.key.map(({ name }) => name)
    const planned = (list?.measures ?? []).slice(0, 3).flatMap(({ path }): readonly TestCase[] => {
      const compute = [{ expression: binary('mul', pathTo(path), integerLiteral(factor)), alias }]
      const name = path.join('/')
      const selected: QueryOptions = { compute, select: selectItems([...key, alias]), ...page }
      return [
        { name, options: { compute, ...page } },
        ...(found.endpoint.query.select === 'none' ? [] : [{ name, options: selected }]),
      ]
    })
    return { planned }
  },
  check: async ({ options = {}, name = '' }, site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    if (found === undefined || snapshot === undefined || options.compute === undefined) {
      return { kind: 'inconclusive', why: 'the list could not be read' }
    }
    const reading = await readRows(found, session, options)
    if (reading.kind === 'ended') return reading.verdict
    const { rows, pages } = reading.listing
    for (const row of rows) {
      const before = snapshot.byKey.get(keyOf(row, found.type) ?? '')
      const operand = before === undefined ? undefined : leafValue(before, name.split('/'))
      if (operand === undefined) continue
      const given = operand === null ? undefined : rationalOf(String(operand))
      const expected = given === undefined ? null : multiply(given, { numerator: BigInt(factor), denominator: 1n })
      const value = row[alias]
      const number = value === null || value === undefined ? undefined : rationalOf(String(value))
      const isRight = expected === null ? value === null : number !== undefined && areClose(number, expected)
      if (isRight) continue
      return failure({
        message: `${queryText(options)} returned a wrong value for an item with the ${name} ${JSON.stringify(operand)}.`,
        expected: `${alias}: ${expected === null ? 'null' : Number(operand) * factor}`,
        received: value === undefined ? `no ${alias}` : `${alias}: ${JSON.stringify(value)}`,
        answers: pages.slice(0, 1),
        features: [
          'compute',
          ...(operand === null ? ['null'] : []),
          ...(options.select === undefined ? [] : ['select']),
        ],
      })
    }
    return { kind: 'pass', vacuous: rows.length === 0 }
  },
}
