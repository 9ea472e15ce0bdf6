import type { ComparisonOperator, Expression } from '../../../runtime/query/index.js'
import {
  binary,
  booleanLiteral,
  falseLiteral,
  isNullLiteral,
  not,
  nullLiteral,
  rewriteChanged,
  trueLiteral,
} from '../expressions.js'
import type { BugModel } from './bug-model.js'

type Comparison = Extract<Expression, { readonly kind: 'binary' }>

/** One operator evaluated as another. */
function takenFor(operator: ComparisonOperator, other: ComparisonOperator): BugModel {
  return {
    id: `${operator}-as-${other}`,
    description: `${operator} is evaluated as ${other}`,
    affects: [operator],
    rewriteCondition: filter =>
      rewriteChanged(filter, part => (isOf(part, operator) ? { ...part, operator: other } : undefined)),
  }
}

function isOf(expression: Expression, operator: string): expression is Comparison {
  return expression.kind === 'binary' && expression.operator === operator && !isNullLiteral(expression.right)
}

/** A wrong result of comparisons with the literal `null`. */
function withNull(id: string, says: string, operator: 'eq' | 'ne', other: (part: Comparison) => Expression): BugModel {
  const isIt = (part: Expression): part is Comparison =>
    part.kind === 'binary' && part.operator === operator && isNullLiteral(part.right)
  return {
    id,
    description: says,
    affects: [operator],
    rewriteCondition: filter => rewriteChanged(filter, part => (isIt(part) ? other(part) : undefined)),
  }
}

function withBoolean(
  id: string,
  says: string,
  change: (part: Comparison, value: boolean) => Expression | undefined,
): BugModel {
  return {
    id,
    description: says,
    affects: ['Boolean'],
    rewriteCondition: filter =>
      rewriteChanged(filter, part => {
        if (part.kind !== 'binary' || part.right.kind !== 'literal' || part.right.type !== 'Boolean') return undefined
        return change(part, part.right.value)
      }),
  }
}

const inList = (
  id: string,
  says: string,
  change: (part: Comparison, items: readonly Expression[]) => Expression | undefined,
): BugModel => ({
  id,
  description: says,
  affects: ['in'],
  rewriteCondition: filter =>
    rewriteChanged(filter, part => {
      if (part.kind !== 'binary' || part.operator !== 'in' || part.right.kind !== 'list') return undefined
      return change(part, part.right.items)
    }),
})

/** Bugs of comparison operators, null and Booleans. */
export const operatorBugs: readonly BugModel[] = [
  takenFor('gt', 'ge'),
  takenFor('ge', 'gt'),
  takenFor('lt', 'le'),
  takenFor('le', 'lt'),
  takenFor('gt', 'lt'),
  takenFor('lt', 'gt'),
  takenFor('ge', 'le'),
  takenFor('le', 'ge'),
  takenFor('eq', 'ne'),
  takenFor('ne', 'eq'),
  takenFor('eq', 'ge'),
  takenFor('ge', 'eq'),
  takenFor('le', 'eq'),
  withNull('eq-null-never', 'nothing equals null', 'eq', () => falseLiteral),
  withNull('ne-null-always', 'every value differs from null, even null', 'ne', () => trueLiteral),
  withNull('ne-null-never', 'no value differs from null', 'ne', () => falseLiteral),
  withNull('eq-null-as-empty', 'null is compared as the empty string', 'eq', part => ({
    ...part,
    right: { kind: 'literal', type: 'String', value: '' },
  })),
  {
    id: 'ne-drops-null',
    description: 'ne omits rows with null',
    affects: ['ne'],
    rewriteCondition: filter =>
      rewriteChanged(filter, part =>
        isOf(part, 'ne') && part.right.kind === 'literal'
          ? binary('and', part, binary('ne', part.left, nullLiteral))
          : undefined,
      ),
  },
  {
    id: 'lt-takes-null',
    description: 'null is less than every value',
    affects: ['lt', 'le'],
    rewriteCondition: filter =>
      rewriteChanged(filter, part =>
        (isOf(part, 'lt') || isOf(part, 'le')) && part.left.kind === 'path'
          ? binary('or', part, binary('eq', part.left, nullLiteral))
          : undefined,
      ),
  },
  {
    id: 'gt-takes-null',
    description: 'null is greater than every value',
    affects: ['gt', 'ge'],
    rewriteCondition: filter =>
      rewriteChanged(filter, part =>
        (isOf(part, 'gt') || isOf(part, 'ge')) && part.left.kind === 'path'
          ? binary('or', part, binary('eq', part.left, nullLiteral))
          : undefined,
      ),
  },
  withBoolean('false-takes-null', 'a null Boolean is false', (part, value) =>
    value === (part.operator === 'eq') ? undefined : binary('or', part, binary('eq', part.left, nullLiteral)),
  ),
  withBoolean('true-takes-null', 'a null Boolean is true', (part, value) =>
    value === (part.operator === 'eq') ? binary('or', part, binary('eq', part.left, nullLiteral)) : undefined,
  ),
  withBoolean('false-as-true', 'the literal false is read as true', (part, value) =>
    value ? undefined : { ...part, right: booleanLiteral(true) },
  ),
  withBoolean('false-as-not-null', 'eq false matches any value', (part, value) =>
    value || part.operator !== 'eq' ? undefined : binary('ne', part.left, nullLiteral),
  ),
  inList('in-first-only', 'in tests the first item only', (part, [first]) => first && binary('eq', part.left, first)),
  inList('in-last-only', 'in tests the last item only', (part, items) => {
    const last = items.at(-1)
    return last && binary('eq', part.left, last)
  }),
  inList('in-negated', 'in is negated', part => not(part)),
]
