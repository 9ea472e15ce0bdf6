import type { Expression } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import { isFalse, isTrue, type TruthSet, truthOfBoolean } from '../../oracle/truth-set.js'
import { binary, not, trueLiteral } from '../expressions.js'
import { valueAt, valuesAt } from '../observed-values.js'
import { type BugModel, rewriteBug } from './bug-model.js'

type Lambda = Extract<Expression, { readonly kind: 'lambda' }>

function onLambdas(id: string, description: string, change: (lambda: Lambda) => Expression | undefined): BugModel {
  return rewriteBug(id, description, ['any', 'all'], part =>
    part.kind === 'lambda' && part.predicate !== undefined ? change(part) : undefined,
  )
}

/** The items of a collection, for bugs that no expression can describe. */
function itemsOf(lambda: Lambda): ((row: Row) => readonly unknown[]) | undefined {
  const { collection } = lambda
  if (collection.root !== undefined) return undefined
  const path = collection.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  return row => valuesAt([row], path)
}

function isEmptyTrue(filter: Expression): ((row: Row) => TruthSet | undefined) | undefined {
  if (filter.kind !== 'lambda' || filter.operator !== 'any') return undefined
  const items = itemsOf(filter)
  return items && (row => (items(row).length === 0 ? isTrue : undefined))
}

function isEmptyFalse(filter: Expression): ((row: Row) => TruthSet | undefined) | undefined {
  if (filter.kind !== 'lambda' || filter.operator !== 'all') return undefined
  const items = itemsOf(filter)
  return items && (row => (items(row).length === 0 ? isFalse : undefined))
}

/** Bugs of lambda operators. */
export const lambdaBugs: readonly BugModel[] = [
  onLambdas('any-as-all', 'any is evaluated as all', part =>
    part.operator === 'any' ? { ...part, operator: 'all' } : undefined,
  ),
  onLambdas('all-as-any', 'all is evaluated as any', part =>
    part.operator === 'all' ? { ...part, operator: 'any' } : undefined,
  ),
  onLambdas('any-ignored', 'the condition in any is ignored', part => {
    const { predicate, variable, ...rest } = part
    return part.operator === 'any' && predicate !== undefined && variable !== undefined ? rest : undefined
  }),
  onLambdas('any-splits-and', 'different items may meet the conditions in any', part => {
    const { predicate } = part
    if (predicate?.kind !== 'binary' || predicate.operator !== 'and') return undefined
    return binary('and', { ...part, predicate: predicate.left }, { ...part, predicate: predicate.right })
  }),
  onLambdas('any-or-left-only', 'the second condition in any is ignored', part => {
    const { predicate } = part
    return predicate?.kind === 'binary' && (predicate.operator === 'or' || predicate.operator === 'and')
      ? { ...part, predicate: predicate.left }
      : undefined
  }),
  onLambdas('any-or-right-only', 'the first condition in any is ignored', part => {
    const { predicate } = part
    return predicate?.kind === 'binary' && (predicate.operator === 'or' || predicate.operator === 'and')
      ? { ...part, predicate: predicate.right }
      : undefined
  }),
  onLambdas('any-or-escapes', 'or in any applies outside the collection', part =>
    part.predicate?.kind === 'binary' && part.predicate.operator === 'or' ? trueLiteral : undefined,
  ),
  onLambdas('any-or-as-and', 'or in any is evaluated as and', part => {
    const { predicate } = part
    return predicate?.kind === 'binary' && predicate.operator === 'or'
      ? { ...part, predicate: { ...predicate, operator: 'and' } }
      : undefined
  }),
  onLambdas('any-not-outside', 'not in any applies to the whole any', part => {
    const { predicate } = part
    if (predicate?.kind !== 'unary' || predicate.operator !== 'not') return undefined
    return not({ ...part, predicate: predicate.operand })
  }),
  {
    id: 'any-first-only',
    description: 'any tests the first item only',
    affects: ['any'],
    evaluateRow: filter => firstOnly(filter),
  },
  {
    id: 'all-empty-false',
    description: 'all is false for an empty collection',
    affects: ['all'],
    evaluateRow: isEmptyFalse,
  },
  {
    id: 'any-empty-true',
    description: 'any is true for an empty collection',
    affects: ['any'],
    evaluateRow: isEmptyTrue,
  },
]

function firstOnly(filter: Expression): ((row: Row) => TruthSet | undefined) | undefined {
  if (filter.kind !== 'lambda' || filter.operator !== 'any' || filter.predicate === undefined) return undefined
  const items = itemsOf(filter)
  const { predicate } = filter
  const simple = predicate.kind === 'binary' && predicate.operator === 'eq' ? predicate : undefined
  if (items === undefined || simple?.left.kind !== 'path' || simple.right.kind !== 'literal') return undefined
  const names = simple.left.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  const value = simple.right.value
  return row => {
    const [first] = items(row)
    if (first === undefined || first === null) return undefined
    return truthOfBoolean(valueAt(first, names) === value)
  }
}
