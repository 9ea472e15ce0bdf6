import type { ArithmeticOperator, Expression } from '../../../runtime/query/index.js'
import { binary, call, integer, text } from '../build.js'
import { rewritten } from './rewrite.js'
import type { WrongInterpreter } from './wrong-interpreter.js'

type Call = Extract<Expression, { readonly kind: 'call' }>

function onCalls(
  name: string,
  id: string,
  says: string,
  change: (part: Call) => Expression | undefined,
): WrongInterpreter {
  return {
    id,
    says,
    signs: [name],
    atom: filter =>
      rewritten(filter, part => (part.kind === 'call' && part.function === name ? change(part) : undefined)),
  }
}

function calculatedAs(operator: ArithmeticOperator, other: ArithmeticOperator): WrongInterpreter {
  return {
    id: `${operator}-as-${other}`,
    says: `${operator} were ${other}`,
    signs: [operator],
    atom: filter =>
      rewritten(filter, part =>
        part.kind === 'binary' && part.operator === operator ? { ...part, operator: other } : undefined,
      ),
  }
}

/** A result that is a little more or less than it should be. */
function shiftedBy(name: string, by: number): WrongInterpreter {
  const says = `${name} were ${Math.abs(by)} too ${by > 0 ? 'large' : 'small'}`
  // Once for each call: the sum holds the call, which must not be changed again.
  return {
    id: `${name}-${by > 0 ? 'plus' : 'minus'}-one`,
    says,
    signs: [name],
    atom: filter =>
      filter.kind === 'binary' && filter.left.kind === 'call' && filter.left.function === name
        ? { ...filter, left: binary('add', filter.left, integer(by)) }
        : undefined,
  }
}

function onNumbers(id: string, says: string, name: string, change: (value: number) => number): WrongInterpreter {
  return {
    id,
    says,
    signs: [name],
    atom: filter => {
      if (filter.kind !== 'binary' || filter.left.kind !== 'call' || filter.left.function !== name) return undefined
      const { right } = filter
      return right.kind === 'literal' && right.type === 'Integer'
        ? { ...filter, right: integer(change(Number(right.value))) }
        : undefined
    },
  }
}

/** Arithmetic and functions that give something else. */
export const wrongFunctions: readonly WrongInterpreter[] = [
  calculatedAs('add', 'sub'),
  calculatedAs('sub', 'add'),
  calculatedAs('mul', 'add'),
  calculatedAs('div', 'mul'),
  calculatedAs('div', 'divby'),
  calculatedAs('mod', 'div'),
  {
    id: 'negate-ignored',
    says: 'the minus were not there',
    signs: ['negate'],
    atom: filter =>
      rewritten(filter, part => (part.kind === 'unary' && part.operator === 'negate' ? part.operand : undefined)),
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
  onNumbers('year-of-two-digits', 'a year had two digits', 'year', year => year + 10_000),
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
    onCalls(name, `${name}-as-${other}`, `${name} were ${other}`, part => ({ ...part, function: other })),
  ),
  ...['round', 'floor', 'ceiling', 'concat', 'substring', 'date', 'time'].map(name =>
    onCalls(name, `${name}-ignored`, `${name} were not there`, ({ arguments: [first] }) => first),
  ),
  onCalls('concat', 'concat-reversed', 'concat joined the other way round', part => ({
    ...part,
    arguments: part.arguments.toReversed(),
  })),
  onCalls('substring', 'substring-from-one', 'substring counted from 1', ({ arguments: [whole, start, ...others] }) =>
    whole && start?.kind === 'literal'
      ? call('substring', whole, integer(Number(start.value) - 1), ...others)
      : undefined,
  ),
  onCalls(
    'substring',
    'substring-to-end',
    'the third argument of substring were an end',
    ({ arguments: [whole, start, count] }) =>
      whole && start && count?.kind === 'literal' && start.kind === 'literal'
        ? call('substring', whole, start, integer(Math.max(0, Number(count.value) - Number(start.value))))
        : undefined,
  ),
  {
    id: 'has-as-eq',
    says: 'has were eq',
    signs: ['has'],
    atom: filter =>
      rewritten(filter, part =>
        part.kind === 'binary' && part.operator === 'has' ? { ...part, operator: 'eq' } : undefined,
      ),
  },
  {
    id: 'has-any',
    says: 'has asked for any of the flags',
    signs: ['has'],
    atom: filter =>
      rewritten(filter, part => {
        if (part.kind !== 'binary' || part.operator !== 'has' || part.right.kind !== 'literal') return undefined
        const { right } = part
        if (right.type !== 'Enum' || !right.value.includes(',')) return undefined
        const [first, ...others] = right.value.split(',').map(value => ({ ...part, right: { ...right, value } }))
        return first && others.reduce<Expression>((left, each) => binary('or', left, each), first)
      }),
  },
  {
    id: 'match-needs-more',
    says: 'contains, startswith and endswith wanted more than the text',
    signs: ['contains', 'startswith', 'endswith'],
    atom: filter => {
      if (filter.kind !== 'call' || !['contains', 'startswith', 'endswith'].includes(filter.function)) return undefined
      const [whole, part] = filter.arguments
      if (whole === undefined || part === undefined) return undefined
      return binary('and', filter, { kind: 'unary', operator: 'not', operand: binary('eq', whole, part) })
    },
  },
  {
    id: 'empty-text-never',
    says: 'no text contained the empty one',
    atom: filter =>
      filter.kind === 'call' && filter.arguments[1]?.kind === 'literal' && filter.arguments[1].value === ''
        ? binary('eq', text('a'), text('b'))
        : undefined,
  },
]
