import type { ComparisonOperator, Expression } from '../../../runtime/query/index.js'
import { binary, not, nullLiteral, truth } from '../build.js'
import { always, isNull, never, rewritten } from './rewrite.js'
import type { WrongInterpreter } from './wrong-interpreter.js'

type Comparison = Extract<Expression, { readonly kind: 'binary' }>

/** An operator taken for another one. */
function taken(operator: ComparisonOperator, other: ComparisonOperator): WrongInterpreter {
  return {
    id: `${operator}-as-${other}`,
    says: `${operator} were ${other}`,
    signs: [operator],
    atom: filter => rewritten(filter, part => (isOf(part, operator) ? { ...part, operator: other } : undefined)),
  }
}

function isOf(expression: Expression, operator: string): expression is Comparison {
  return expression.kind === 'binary' && expression.operator === operator && !isNull(expression.right)
}

/** Another result of comparisons with the literal null. */
function withNull(
  id: string,
  says: string,
  operator: 'eq' | 'ne',
  other: (part: Comparison) => Expression,
): WrongInterpreter {
  const isIt = (part: Expression): part is Comparison =>
    part.kind === 'binary' && part.operator === operator && isNull(part.right)
  return {
    id,
    says,
    signs: [operator],
    atom: filter => rewritten(filter, part => (isIt(part) ? other(part) : undefined)),
  }
}

function withBoolean(
  id: string,
  says: string,
  change: (part: Comparison, value: boolean) => Expression | undefined,
): WrongInterpreter {
  return {
    id,
    says,
    signs: ['Boolean'],
    atom: filter =>
      rewritten(filter, part => {
        if (part.kind !== 'binary' || part.right.kind !== 'literal' || part.right.type !== 'Boolean') return undefined
        return change(part, part.right.value)
      }),
  }
}

const inList = (
  id: string,
  says: string,
  change: (part: Comparison, items: readonly Expression[]) => Expression | undefined,
): WrongInterpreter => ({
  id,
  says,
  signs: ['in'],
  atom: filter =>
    rewritten(filter, part => {
      if (part.kind !== 'binary' || part.operator !== 'in' || part.right.kind !== 'list') return undefined
      return change(part, part.right.items)
    }),
})

/** Comparison operators that are another one, or go wrong with null and Booleans. */
export const wrongOperators: readonly WrongInterpreter[] = [
  taken('gt', 'ge'),
  taken('ge', 'gt'),
  taken('lt', 'le'),
  taken('le', 'lt'),
  taken('gt', 'lt'),
  taken('lt', 'gt'),
  taken('ge', 'le'),
  taken('le', 'ge'),
  taken('eq', 'ne'),
  taken('ne', 'eq'),
  taken('eq', 'ge'),
  taken('ge', 'eq'),
  taken('le', 'eq'),
  withNull('eq-null-never', 'nothing were equal to null', 'eq', () => never),
  withNull('ne-null-always', 'everything were unequal to null', 'ne', () => always),
  withNull('ne-null-never', 'nothing were unequal to null', 'ne', () => never),
  withNull('eq-null-as-empty', 'null were the empty string only', 'eq', part => ({
    ...part,
    right: { kind: 'literal', type: 'String', value: '' },
  })),
  {
    id: 'ne-drops-null',
    says: 'ne with a value left out rows with null',
    signs: ['ne'],
    atom: filter =>
      rewritten(filter, part =>
        isOf(part, 'ne') && part.right.kind === 'literal'
          ? binary('and', part, binary('ne', part.left, nullLiteral))
          : undefined,
      ),
  },
  {
    id: 'lt-takes-null',
    says: 'null were less than every value',
    signs: ['lt', 'le'],
    atom: filter =>
      rewritten(filter, part =>
        (isOf(part, 'lt') || isOf(part, 'le')) && part.left.kind === 'path'
          ? binary('or', part, binary('eq', part.left, nullLiteral))
          : undefined,
      ),
  },
  {
    id: 'gt-takes-null',
    says: 'null were greater than every value',
    signs: ['gt', 'ge'],
    atom: filter =>
      rewritten(filter, part =>
        (isOf(part, 'gt') || isOf(part, 'ge')) && part.left.kind === 'path'
          ? binary('or', part, binary('eq', part.left, nullLiteral))
          : undefined,
      ),
  },
  withBoolean('false-takes-null', 'a Boolean that is null were false', (part, value) =>
    value === (part.operator === 'eq') ? undefined : binary('or', part, binary('eq', part.left, nullLiteral)),
  ),
  withBoolean('true-takes-null', 'a Boolean that is null were true', (part, value) =>
    value === (part.operator === 'eq') ? binary('or', part, binary('eq', part.left, nullLiteral)) : undefined,
  ),
  withBoolean('false-as-true', 'the literal false were true', (part, value) =>
    value ? undefined : { ...part, right: truth(true) },
  ),
  withBoolean('false-as-not-null', 'eq false asked for any value', (part, value) =>
    value || part.operator !== 'eq' ? undefined : binary('ne', part.left, nullLiteral),
  ),
  inList(
    'in-first-only',
    'in looked at the first item only',
    (part, [first]) => first && binary('eq', part.left, first),
  ),
  inList('in-last-only', 'in looked at the last item only', (part, items) => {
    const last = items.at(-1)
    return last && binary('eq', part.left, last)
  }),
  inList('in-negated', 'in were its opposite', part => not(part)),
]
