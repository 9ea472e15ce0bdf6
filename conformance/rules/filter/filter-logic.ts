import type { Expression } from '../../../runtime/query/index.js'
import { binary, not } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterAbsorb = filterRelation({
  id: 'filter-absorb',
  statement: '`P or P and Q` returns the same rows as `P`.',
  advice: '`and` binds tighter than `or`. Look at precedence, and look for dropped operands.',
  aspects: ['filter.logical'],
  covers: ['filter.and', 'filter.or'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 2,
  isSupported: ({ has }) => has('and') && has('or'),
  filters: ([p, q]) => p && q && [p, binary('or', p, binary('and', p, q))],
  compare: mustBeEqual('`P or P and Q` and `P` returned different rows.'),
})

export const filterCommute = filterRelation({
  id: 'filter-commute',
  statement: '`P or Q` and `Q or P` return the same rows.',
  advice: 'Look at how you translate joins: an operand may be lost or end up in the wrong place.',
  aspects: ['filter.logical'],
  covers: ['filter.or'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 2,
  isSupported: ({ has }) => has('or'),
  filters: ([p, q]) => p && q && [binary('or', p, q), binary('or', q, p)],
  compare: mustBeEqual('`P or Q` and `Q or P` returned different rows.'),
})

export const filterDoubleNegation = filterRelation({
  id: 'filter-double-negation',
  statement: '`not (not P)` returns the same rows as `P`.',
  advice: 'Check that the second `not` is parsed, and check null handling: `not null` is null.',
  aspects: ['filter.logical'],
  covers: ['filter.not'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 1,
  isSupported: ({ has }) => has('not'),
  filters: ([p]) => p && [p, not(not(p))],
  compare: mustBeEqual('`not (not P)` and `P` returned different rows.'),
})

export const filterParentheses = filterRelation({
  id: 'filter-parentheses',
  statement: '`(P or Q) and R` returns the same rows as `P and R or Q and R`.',
  advice: 'Check that the translation keeps parentheses, and check operator precedence.',
  aspects: ['filter.logical'],
  covers: ['filter.and', 'filter.or'],
  severity: 'must',
  cost: 2,
  weight: 2,
  conditions: 3,
  isSupported: ({ has }) => has('and') && has('or'),
  filters: ([p, q, r]) =>
    p && q && r && [binary('and', binary('or', p, q), r), binary('or', binary('and', p, r), binary('and', q, r))],
  compare: mustBeEqual('A filter with parentheses and the same filter expanded returned different rows.'),
})

const differs = mustBeEqual('A `not` of a group and the negations of its parts returned different rows.')

export const filterDeMorgan = filterRelation({
  id: 'filter-de-morgan',
  statement:
    '`not (P or Q)` returns the same rows as `not P and not Q`, and `not (P and Q)` the same rows as `not P or not Q`.',
  advice: 'Look at how `not` handles a group in parentheses, and at rows for which one operand is null.',
  aspects: ['filter.logical'],
  covers: ['filter.not', 'filter.and', 'filter.or'],
  severity: 'must',
  cost: 4,
  weight: 1,
  conditions: 2,
  isSupported: ({ has }) => has('not') && has('and') && has('or'),
  filters: ([p, q]) =>
    p &&
    q && [
      not(binary('or', p, q)),
      binary('and', not(p), not(q)),
      not(binary('and', p, q)),
      binary('or', not(p), not(q)),
    ],
  compare: answers => differs(answers.slice(0, 2)) ?? differs(answers.slice(2)),
})

export const filterSplit = filterRelation({
  id: 'filter-split',
  statement: '`p ge v` returns the same rows as `p gt v or p eq v`, and `p le v` the same rows as `p lt v or p eq v`.',
  advice: 'Look at the boundary: `ge` and `le` include the value, `gt` and `lt` exclude it.',
  aspects: ['filter.comparison'],
  covers: ['filter.ge', 'filter.le', 'filter.gt', 'filter.lt', 'filter.eq'],
  severity: 'must',
  cost: 2,
  weight: 2,
  conditions: 1,
  isSupported: ({ has }) => has('or') && has('ge') && has('gt') && has('le') && has('lt'),
  accepts: isLimit,
  filters: ([p]) => {
    if (p === undefined || p.kind !== 'binary' || !isLimit(p)) return undefined
    return [p, binary('or', { ...p, operator: p.operator === 'ge' ? 'gt' : 'lt' }, { ...p, operator: 'eq' })]
  },
  // `eq` may follow another collation than `ge`.
  holdsFor: ([p], { choices, service }) => {
    if (p?.kind !== 'binary' || p.right.kind !== 'literal' || p.right.type !== 'String') return true
    if (!service.open.some(({ name }) => name === 'stringComparison')) return true
    const equality = choices.get('stringComparison', 'equality')
    return equality !== undefined && equality === choices.get('stringComparison', 'relational')
  },
  compare: mustBeEqual('An inclusive comparison and its two parts returned different rows.'),
})

function isLimit(filter: Expression): boolean {
  return (
    filter.kind === 'binary' && (filter.operator === 'ge' || filter.operator === 'le') && filter.left.kind === 'path'
  )
}

export const filterMonotone = filterRelation({
  id: 'filter-monotone',
  statement: '`P and Q` returns only rows that `P` returns, and `P or Q` returns every row that `P` returns.',
  advice: 'Look at how you combine conditions: `and` cannot add rows, and `or` cannot remove any.',
  aspects: ['filter.logical'],
  covers: ['filter.and', 'filter.or'],
  severity: 'must',
  cost: 3,
  weight: 1,
  conditions: 2,
  isSupported: ({ has }) => has('and') && has('or'),
  filters: ([p, q]) => p && q && [p, binary('and', p, q), binary('or', p, q)],
  compare: ([one, both, either]) => {
    if (one === undefined || both === undefined || either === undefined) return undefined
    const surplus = [...both.keys].filter(key => !one.keys.has(key))
    const missing = [...one.keys].filter(key => !either.keys.has(key))
    if (surplus.length + missing.length === 0) return undefined
    const message =
      surplus.length > 0 ? 'An additional `and` condition added rows.' : 'An additional `or` condition removed rows.'
    return { message, missing, surplus }
  },
})
