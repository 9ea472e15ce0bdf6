import type { ArithmeticOperator, Expression } from '../../../runtime/query/index.js'
import { integerFunctions } from '../../oracle/functions.js'
import {
  binary,
  call,
  falseLiteral,
  integerLiteral,
  joinConditions,
  not,
  nullLiteral,
  stringLiteral,
  trueLiteral,
} from '../expressions.js'
import { type BugModel, callAs, callBug, callIgnored, rewriteBug } from './bug-model.js'

type Call = Extract<Expression, { readonly kind: 'call' }>

function calculatedAs(operator: ArithmeticOperator, other: ArithmeticOperator): BugModel {
  return rewriteBug(`${operator}-as-${other}`, `${operator} is evaluated as ${other}`, [operator], part =>
    part.kind === 'binary' && part.operator === operator ? { ...part, operator: other } : undefined,
  )
}

/** A result that is off by a small amount. */
function shiftedBy(name: string, by: number): BugModel {
  const description = `${name} is too ${by > 0 ? 'large' : 'small'} by ${Math.abs(by)}`
  // Rewrite each call once: the sum contains the call.
  return {
    id: `${name}-${by > 0 ? 'plus' : 'minus'}-one`,
    description,
    affects: [name],
    rewriteCondition: filter =>
      filter.kind === 'binary' && filter.left.kind === 'call' && filter.left.function === name
        ? { ...filter, left: binary('add', filter.left, integerLiteral(by)) }
        : undefined,
  }
}

function onNumbers(id: string, description: string, name: string, change: (value: number) => number): BugModel {
  return {
    id,
    description,
    affects: [name],
    rewriteCondition: filter => {
      if (filter.kind !== 'binary' || filter.left.kind !== 'call' || filter.left.function !== name) return undefined
      const { right } = filter
      return right.kind === 'literal' && right.type === 'Integer'
        ? { ...filter, right: integerLiteral(change(Number(right.value))) }
        : undefined
    },
  }
}

/** Bugs of arithmetic and functions. */
export const functionBugs: readonly BugModel[] = [
  calculatedAs('add', 'sub'),
  calculatedAs('sub', 'add'),
  calculatedAs('mul', 'add'),
  calculatedAs('div', 'mul'),
  calculatedAs('div', 'divby'),
  calculatedAs('mod', 'div'),
  rewriteBug('negate-ignored', 'the minus sign is ignored', ['negate'], part =>
    part.kind === 'unary' && part.operator === 'negate' ? part.operand : undefined,
  ),
  ...[
    ...integerFunctions,
    'indexof',
    'year',
    'month',
    'day',
    'hour',
    'minute',
    'second',
    'totalseconds',
    'fractionalseconds',
  ].flatMap(name => [shiftedBy(name, 1), shiftedBy(name, -1)]),
  onNumbers('year-of-two-digits', 'a year has two digits', 'year', year => year + 10_000),
  ...(
    [
      ['round', 'floor'],
      ['round', 'ceiling'],
      ['floor', 'ceiling'],
      ['ceiling', 'floor'],
      ['year', 'month'],
      ['month', 'day'],
      ['hour', 'minute'],
      ['minute', 'second'],
      ['toupper', 'tolower'],
      ['tolower', 'toupper'],
    ] as const
  ).map(([name, other]) => callAs(name, other)),
  ...['round', 'floor', 'ceiling', 'concat', 'substring', 'date', 'time'].map(callIgnored),
  callBug('concat', 'concat-reversed', 'concat joins in reverse order', part => ({
    ...part,
    arguments: part.arguments.toReversed(),
  })),
  callBug('substring', 'substring-from-one', 'substring counts from 1', ({ arguments: [whole, start, ...others] }) =>
    whole && start?.kind === 'literal'
      ? call('substring', whole, integerLiteral(Number(start.value) - 1), ...others)
      : undefined,
  ),
  callBug(
    'substring',
    'substring-to-end',
    'the third argument of substring is an end position',
    ({ arguments: [whole, start, count] }) =>
      whole && start && count?.kind === 'literal' && start.kind === 'literal'
        ? call('substring', whole, start, integerLiteral(Math.max(0, Number(count.value) - Number(start.value))))
        : undefined,
  ),
  rewriteBug('has-as-eq', 'has is evaluated as eq', ['has'], part =>
    part.kind === 'binary' && part.operator === 'has' ? { ...part, operator: 'eq' } : undefined,
  ),
  rewriteBug('has-any', 'has matches any of the flags', ['has'], part => {
    if (part.kind !== 'binary' || part.operator !== 'has' || part.right.kind !== 'literal') return undefined
    const { right } = part
    if (right.type !== 'Enum' || !right.value.includes(',')) return undefined
    const [first, ...others] = right.value.split(',').map(value => ({ ...part, right: { ...right, value } }))
    return first && others.reduce<Expression>((left, each) => binary('or', left, each), first)
  }),
  {
    id: 'match-needs-more',
    description: 'contains, startswith and endswith do not match the whole text',
    affects: ['contains', 'startswith', 'endswith'],
    rewriteCondition: filter => {
      if (filter.kind !== 'call' || !['contains', 'startswith', 'endswith'].includes(filter.function)) return undefined
      const [whole, part] = filter.arguments
      if (whole === undefined || part === undefined) return undefined
      return binary('and', filter, not(binary('eq', whole, part)))
    },
  },
  {
    id: 'empty-text-never',
    description: 'no text contains the empty text',
    rewriteCondition: filter =>
      filter.kind === 'call' && filter.arguments[1]?.kind === 'literal' && filter.arguments[1].value === ''
        ? binary('eq', stringLiteral('a'), stringLiteral('b'))
        : undefined,
  },
]

/** Applies the function to each item of its list. */
function ofEach(part: Call, join: 'or' | 'and'): Expression | undefined {
  const [whole, list] = part.arguments
  if (whole === undefined || list?.kind !== 'list' || list.items.length < 2) return undefined
  const [first, ...others] = list.items.map(item => call(part.function, whole, { ...list, items: [item] }))
  return first && joinConditions(join, first, ...others)
}

/** Bugs of rarely supported functions. */
export const rareFunctionBugs: readonly BugModel[] = [
  callBug('hassubset', 'subset-of-any', 'hassubset matches any of the items', part => ofEach(part, 'or')),
  callBug('hassubset', 'subset-in-order', 'hassubset is evaluated as hassubsequence', part => ({
    ...part,
    function: 'hassubsequence',
  })),
  callBug('hassubset', 'subset-the-other-way', 'hassubset swaps its arguments', part => ({
    ...part,
    arguments: part.arguments.toReversed(),
  })),
  callBug('hassubsequence', 'subsequence-never', 'hassubsequence is always false', () => falseLiteral),
  callBug('hassubsequence', 'subsequence-in-any-order', 'hassubsequence is evaluated as hassubset', part => ({
    ...part,
    function: 'hassubset',
  })),
  callBug('cast', 'cast-never', 'cast always returns null', () => nullLiteral),
  callBug('cast', 'cast-ignored', 'cast is ignored', ({ arguments: [first, type] }) =>
    type === undefined ? undefined : first,
  ),
  callBug('isof', 'isof-always', 'isof is always true', () => trueLiteral),
  callBug('isof', 'isof-never', 'isof is always false', () => falseLiteral),
  callBug('isof', 'isof-of-values', 'isof only tests for a value', ({ arguments: [first, type] }) =>
    first === undefined || type === undefined ? undefined : binary('ne', first, nullLiteral),
  ),
  callBug('mindatetime', 'earliest-as-latest', 'mindatetime is evaluated as maxdatetime', part => ({
    ...part,
    function: 'maxdatetime',
  })),
  callBug('maxdatetime', 'latest-as-earliest', 'maxdatetime is evaluated as mindatetime', part => ({
    ...part,
    function: 'mindatetime',
  })),
  callBug('totaloffsetminutes', 'offset-unknown', 'totaloffsetminutes always returns null', () => nullLiteral),
  callBug('case', 'case-of-the-last', 'case uses its last true condition', part => {
    const pairs = part.arguments.flatMap((_, index) =>
      index % 2 === 0 ? [part.arguments.slice(index, index + 2)] : [],
    )
    return { ...part, arguments: pairs.toReversed().flat() }
  }),
  callBug('case', 'case-of-the-first', 'case uses its first condition only', part => ({
    ...part,
    arguments: part.arguments.slice(0, 2),
  })),
]
