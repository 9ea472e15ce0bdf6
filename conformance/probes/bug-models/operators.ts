import type { ComparisonOperator, Expression } from '../../../runtime/query/index.js'
import { binary, booleanLiteral, falseLiteral, isNullLiteral, not, nullLiteral, trueLiteral } from '../expressions.js'
import { type BugModel, rewriteBug } from './bug-model.js'

type Comparison = Extract<Expression, { readonly kind: 'binary' }>

/** One operator evaluated as another. */
function takenFor(operator: ComparisonOperator, other: ComparisonOperator): BugModel {
  return rewriteBug(`${operator}-as-${other}`, `${operator} is evaluated as ${other}`, [operator], part =>
    isOf(part, operator) ? { ...part, operator: other } : undefined,
  )
}

/** One operator evaluated as another for literals of some types only: services compare each type in its own way. */
function takenForIn(
  types: readonly string[],
  what: string,
  operator: ComparisonOperator,
  other: ComparisonOperator,
): BugModel {
  const id = `${operator}-as-${other}-of-${what}`
  return rewriteBug(id, `${operator} of ${what} is evaluated as ${other}`, types, part =>
    isOf(part, operator) && part.right.kind === 'literal' && types.includes(part.right.type)
      ? { ...part, operator: other }
      : undefined,
  )
}

/** The operators that differ only at the compared value itself. */
const onlyAtBorder: readonly (readonly [ComparisonOperator, ComparisonOperator])[] = [
  ['ge', 'gt'],
  ['le', 'lt'],
  ['gt', 'ge'],
  ['lt', 'le'],
]

function isOf(expression: Expression, operator: string): expression is Comparison {
  return expression.kind === 'binary' && expression.operator === operator && !isNullLiteral(expression.right)
}

/** A wrong result of comparisons with the literal `null`. */
function withNull(
  id: string,
  description: string,
  operator: 'eq' | 'ne',
  other: (part: Comparison) => Expression,
): BugModel {
  const isIt = (part: Expression): part is Comparison =>
    part.kind === 'binary' && part.operator === operator && isNullLiteral(part.right)
  return rewriteBug(id, description, [operator], part => (isIt(part) ? other(part) : undefined))
}

function withBoolean(
  id: string,
  description: string,
  change: (part: Comparison, value: boolean) => Expression | undefined,
): BugModel {
  return rewriteBug(id, description, ['Boolean'], part => {
    if (part.kind !== 'binary' || part.right.kind !== 'literal' || part.right.type !== 'Boolean') return undefined
    return change(part, part.right.value)
  })
}

const inList = (
  id: string,
  description: string,
  change: (part: Comparison, items: readonly Expression[]) => Expression | undefined,
): BugModel =>
  rewriteBug(id, description, ['in'], part => {
    if (part.kind !== 'binary' || part.operator !== 'in' || part.right.kind !== 'list') return undefined
    return change(part, part.right.items)
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
  ...onlyAtBorder.map(([operator, other]) => takenForIn(['DateTimeOffset'], 'timestamps', operator, other)),
  ...onlyAtBorder.map(([operator, other]) => takenForIn(['Integer', 'Decimal'], 'numbers', operator, other)),
  takenForIn(['Boolean'], 'Booleans', 'ne', 'eq'),
  withNull('eq-null-never', 'nothing equals null', 'eq', () => falseLiteral),
  withNull('ne-null-always', 'every value differs from null, even null', 'ne', () => trueLiteral),
  withNull('ne-null-never', 'no value differs from null', 'ne', () => falseLiteral),
  withNull('eq-null-as-empty', 'null is compared as the empty string', 'eq', part => ({
    ...part,
    right: { kind: 'literal', type: 'String', value: '' },
  })),
  rewriteBug('ne-drops-null', 'ne omits rows with null', ['ne'], part =>
    isOf(part, 'ne') && part.right.kind === 'literal'
      ? binary('and', part, binary('ne', part.left, nullLiteral))
      : undefined,
  ),
  rewriteBug('lt-takes-null', 'null is less than every value', ['lt', 'le'], part =>
    (isOf(part, 'lt') || isOf(part, 'le')) && part.left.kind === 'path'
      ? binary('or', part, binary('eq', part.left, nullLiteral))
      : undefined,
  ),
  rewriteBug('gt-takes-null', 'null is greater than every value', ['gt', 'ge'], part =>
    (isOf(part, 'gt') || isOf(part, 'ge')) && part.left.kind === 'path'
      ? binary('or', part, binary('eq', part.left, nullLiteral))
      : undefined,
  ),
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
