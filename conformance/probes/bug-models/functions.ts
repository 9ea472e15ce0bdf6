import type { ArithmeticOperator, Expression } from '../../../runtime/query/index.js'
import {
  binary,
  call,
  falseLiteral,
  integerLiteral,
  joinConditions,
  nullLiteral,
  rewriteChanged,
  stringLiteral,
  trueLiteral,
} from '../expressions.js'
import type { BugModel } from './bug-model.js'

type Call = Extract<Expression, { readonly kind: 'call' }>

function onCalls(name: string, id: string, says: string, change: (part: Call) => Expression | undefined): BugModel {
  return {
    id,
    description: says,
    affects: [name],
    rewriteCondition: filter =>
      rewriteChanged(filter, part => (part.kind === 'call' && part.function === name ? change(part) : undefined)),
  }
}

function calculatedAs(operator: ArithmeticOperator, other: ArithmeticOperator): BugModel {
  return {
    id: `${operator}-as-${other}`,
    description: `${operator} is evaluated as ${other}`,
    affects: [operator],
    rewriteCondition: filter =>
      rewriteChanged(filter, part =>
        part.kind === 'binary' && part.operator === operator ? { ...part, operator: other } : undefined,
      ),
  }
}

/** A result that is off by a small amount. */
function shiftedBy(name: string, by: number): BugModel {
  const says = `${name} is too ${by > 0 ? 'large' : 'small'} by ${Math.abs(by)}`
  // Rewrite each call once: the sum contains the call.
  return {
    id: `${name}-${by > 0 ? 'plus' : 'minus'}-one`,
    description: says,
    affects: [name],
    rewriteCondition: filter =>
      filter.kind === 'binary' && filter.left.kind === 'call' && filter.left.function === name
        ? { ...filter, left: binary('add', filter.left, integerLiteral(by)) }
        : undefined,
  }
}

function onNumbers(id: string, says: string, name: string, change: (value: number) => number): BugModel {
  return {
    id,
    description: says,
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
  {
    id: 'negate-ignored',
    description: 'the minus sign is ignored',
    affects: ['negate'],
    rewriteCondition: filter =>
      rewriteChanged(filter, part => (part.kind === 'unary' && part.operator === 'negate' ? part.operand : undefined)),
  },
  ...[
    'length',
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
  ).map(([name, other]) =>
    onCalls(name, `${name}-as-${other}`, `${name} is evaluated as ${other}`, part => ({ ...part, function: other })),
  ),
  ...['round', 'floor', 'ceiling', 'concat', 'substring', 'date', 'time'].map(name =>
    onCalls(name, `${name}-ignored`, `${name} is ignored`, ({ arguments: [first] }) => first),
  ),
  onCalls('concat', 'concat-reversed', 'concat joins in reverse order', part => ({
    ...part,
    arguments: part.arguments.toReversed(),
  })),
  onCalls('substring', 'substring-from-one', 'substring counts from 1', ({ arguments: [whole, start, ...others] }) =>
    whole && start?.kind === 'literal'
      ? call('substring', whole, integerLiteral(Number(start.value) - 1), ...others)
      : undefined,
  ),
  onCalls(
    'substring',
    'substring-to-end',
    'the third argument of substring is an end position',
    ({ arguments: [whole, start, count] }) =>
      whole && start && count?.kind === 'literal' && start.kind === 'literal'
        ? call('substring', whole, start, integerLiteral(Math.max(0, Number(count.value) - Number(start.value))))
        : undefined,
  ),
  {
    id: 'has-as-eq',
    description: 'has is evaluated as eq',
    affects: ['has'],
    rewriteCondition: filter =>
      rewriteChanged(filter, part =>
        part.kind === 'binary' && part.operator === 'has' ? { ...part, operator: 'eq' } : undefined,
      ),
  },
  {
    id: 'has-any',
    description: 'has matches any of the flags',
    affects: ['has'],
    rewriteCondition: filter =>
      rewriteChanged(filter, part => {
        if (part.kind !== 'binary' || part.operator !== 'has' || part.right.kind !== 'literal') return undefined
        const { right } = part
        if (right.type !== 'Enum' || !right.value.includes(',')) return undefined
        const [first, ...others] = right.value.split(',').map(value => ({ ...part, right: { ...right, value } }))
        return first && others.reduce<Expression>((left, each) => binary('or', left, each), first)
      }),
  },
  {
    id: 'match-needs-more',
    description: 'contains, startswith and endswith do not match the whole text',
    affects: ['contains', 'startswith', 'endswith'],
    rewriteCondition: filter => {
      if (filter.kind !== 'call' || !['contains', 'startswith', 'endswith'].includes(filter.function)) return undefined
      const [whole, part] = filter.arguments
      if (whole === undefined || part === undefined) return undefined
      return binary('and', filter, { kind: 'unary', operator: 'not', operand: binary('eq', whole, part) })
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

function onRareCalls(name: string, id: string, says: string, change: (part: Call) => Expression | undefined) {
  const bugModel: BugModel = {
    id,
    description: says,
    affects: [name],
    rewriteCondition: filter =>
      rewriteChanged(filter, part => (part.kind === 'call' && part.function === name ? change(part) : undefined)),
  }
  return bugModel
}

/** Applies the function to each item of its list. */
function ofEach(part: Call, join: 'or' | 'and'): Expression | undefined {
  const [whole, list] = part.arguments
  if (whole === undefined || list?.kind !== 'list' || list.items.length < 2) return undefined
  const [first, ...others] = list.items.map(item => call(part.function, whole, { ...list, items: [item] }))
  return first && joinConditions(join, first, ...others)
}

/** Bugs of rarely supported functions. */
export const rareFunctionBugs: readonly BugModel[] = [
  onRareCalls('hassubset', 'subset-of-any', 'hassubset matches any of the items', part => ofEach(part, 'or')),
  onRareCalls('hassubset', 'subset-in-order', 'hassubset is evaluated as hassubsequence', part => ({
    ...part,
    function: 'hassubsequence',
  })),
  onRareCalls('hassubset', 'subset-the-other-way', 'hassubset swaps its arguments', part => ({
    ...part,
    arguments: part.arguments.toReversed(),
  })),
  onRareCalls('hassubsequence', 'subsequence-never', 'hassubsequence is always false', () => falseLiteral),
  onRareCalls('hassubsequence', 'subsequence-in-any-order', 'hassubsequence is evaluated as hassubset', part => ({
    ...part,
    function: 'hassubset',
  })),
  onRareCalls('cast', 'cast-never', 'cast always returns null', () => nullLiteral),
  onRareCalls('cast', 'cast-ignored', 'cast is ignored', ({ arguments: [first, type] }) =>
    type === undefined ? undefined : first,
  ),
  onRareCalls('isof', 'isof-always', 'isof is always true', () => trueLiteral),
  onRareCalls('isof', 'isof-never', 'isof is always false', () => falseLiteral),
  onRareCalls('isof', 'isof-of-values', 'isof only tests for a value', ({ arguments: [first, type] }) =>
    first === undefined || type === undefined ? undefined : binary('ne', first, nullLiteral),
  ),
  onRareCalls('mindatetime', 'earliest-as-latest', 'mindatetime is evaluated as maxdatetime', part => ({
    ...part,
    function: 'maxdatetime',
  })),
  onRareCalls('maxdatetime', 'latest-as-earliest', 'maxdatetime is evaluated as mindatetime', part => ({
    ...part,
    function: 'mindatetime',
  })),
  onRareCalls('totaloffsetminutes', 'offset-unknown', 'totaloffsetminutes always returns null', () => nullLiteral),
  onRareCalls('case', 'case-of-the-last', 'case uses its last true condition', part => {
    const pairs = part.arguments.flatMap((_, index) =>
      index % 2 === 0 ? [part.arguments.slice(index, index + 2)] : [],
    )
    return { ...part, arguments: pairs.toReversed().flat() }
  }),
  onRareCalls('case', 'case-of-the-first', 'case uses its first condition only', part => ({
    ...part,
    arguments: part.arguments.slice(0, 2),
  })),
]
