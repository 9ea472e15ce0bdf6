import fc from 'fast-check'
import type { ExpandItem, Expression, Literal, QueryOptions } from '../../runtime/query/index.js'
import { stringFunctions } from '../oracle/functions.js'
import { joinConditions, nodeCount, operandsOf } from '../probes/expressions.js'
import type { ActiveRule, TestCase } from '../rule/rule.js'

/** Maximum requests for reducing one case. */
const maxReductionRequests = 60

/**
 * Reduces a case step by step while it still fails.
 *
 * @param fails whether a case shows the same violation
 * @param more smaller cases that only the rule knows
 * @param about options that must stay, because the rule is about them
 */
export async function reduceCase(
  test: TestCase,
  fails: (smaller: TestCase) => Promise<boolean>,
  more: (test: TestCase) => Iterable<TestCase>,
  sent: () => number,
  about: NonNullable<ActiveRule['requiredOptions']> = [],
): Promise<TestCase> {
  const tried = new Set([JSON.stringify(test)])
  const end = sent() + maxReductionRequests
  let current = test
  for (let found = true; found; ) {
    found = false
    for (const smaller of candidates(current, more, about)) {
      const text = JSON.stringify(smaller)
      if (tried.has(text)) continue
      if (sent() >= end) return current
      tried.add(text)
      if (!(await fails(smaller))) continue
      current = smaller
      found = true
      break
    }
  }
  return current
}

/**
 * Halves the conditions of a filter while one of the halves still fails. It takes few requests, but does not find the smallest
 * case.
 *
 * @param fails whether a case shows the same violation
 */
export async function halveFilter(test: TestCase, fails: (smaller: TestCase) => Promise<boolean>): Promise<void> {
  const { filter } = test.options ?? {}
  if (filter?.kind !== 'binary' || (filter.operator !== 'and' && filter.operator !== 'or')) return
  const { operator } = filter
  const operands = operandsOf(filter, operator)
  const middle = Math.ceil(operands.length / 2)
  for (const [first, ...others] of [operands.slice(0, middle), operands.slice(middle)]) {
    if (first === undefined) continue
    const half = { ...test, options: { ...test.options, filter: joinConditions(operator, first, ...others) } }
    if (await fails(half)) return halveFilter(half, fails)
  }
}

/** A generated case, and how fast-check generates it again. */
export interface GeneratedCase {
  readonly arbitrary: fc.Arbitrary<TestCase>
  readonly seed: number
  /** Index of the case among those of the seed. */
  readonly index: number
}

/**
 * Shrinks a generated sequence of writes with fast-check, which knows its commands and which of them have run.
 *
 * @param fails whether a case shows the same violation
 */
export async function shrinkGenerated(
  test: TestCase,
  { arbitrary, seed, index }: GeneratedCase,
  fails: (smaller: TestCase) => Promise<boolean>,
  sent: () => number,
): Promise<TestCase> {
  const end = sent() + maxReductionRequests
  let smallest: TestCase | undefined
  const property = fc.asyncProperty(arbitrary, async smaller => {
    if (sent() >= end || !(await fails(smaller))) return true
    smallest = smaller
    return false
  })
  await fc.check(property, { seed, path: String(index), numRuns: 1 })
  return smallest ?? test
}

function* candidates(
  test: TestCase,
  more: (test: TestCase) => Iterable<TestCase>,
  about: NonNullable<ActiveRule['requiredOptions']>,
): Iterable<TestCase> {
  const all = [...more(test), ...shrinkCase(test, about)].map(smaller => ({ smaller, size: caseSize(smaller) }))
  for (const { smaller } of all.sort((a, b) => a.size - b.size)) yield smaller
}

/**
 * Smaller cases.
 *
 * @param kept options that must stay
 */
function* shrinkCase(test: TestCase, kept: readonly (keyof QueryOptions)[]): Iterable<TestCase> {
  const { options, predicates, steps } = test
  if (options !== undefined) for (const smaller of shrinkOptions(options, kept)) yield { ...test, options: smaller }
  for (const [index, predicate] of (predicates ?? []).entries()) {
    for (const smaller of shrinkExpression(predicate)) {
      yield { ...test, predicates: (predicates ?? []).with(index, smaller) }
    }
  }
  if (steps !== undefined && steps.length > 1) {
    for (const index of steps.keys()) yield { ...test, steps: steps.toSpliced(steps.length - 1 - index, 1) }
  }
}

/**
 * Smaller queries: first without some option, then with shorter lists and expressions.
 *
 * @param kept options that must stay
 */
function* shrinkOptions(options: QueryOptions, kept: readonly (keyof QueryOptions)[] = []): Iterable<QueryOptions> {
  const { filter, orderby, select, expand, top, skip, search, count, ...others } = options
  const all = { filter, orderby, select, expand, top, skip, search, count }
  const given = Object.entries(all).filter(([, value]) => value !== undefined)
  if (given.length > 1) {
    for (const [name] of given) {
      if (kept.some(each => each === name)) continue
      yield { ...others, ...Object.fromEntries(given.filter(([other]) => other !== name)) }
    }
  }
  if (filter !== undefined) {
    for (const smaller of shrinkExpression(filter)) yield { ...options, filter: smaller }
  }
  for (const shorter of withoutOne(orderby)) yield { ...options, orderby: shorter }
  for (const shorter of withoutOne(select)) yield { ...options, select: shorter }
  for (const shorter of withoutOne(expand)) yield { ...options, expand: shorter }
  for (const [index, item] of (expand ?? []).entries()) {
    for (const smaller of shrinkExpand(item)) yield { ...options, expand: (expand ?? []).with(index, smaller) }
  }
  if (top !== undefined && top > 1) yield { ...options, top: Math.floor(top / 2) }
  if (skip !== undefined && skip > 1) yield { ...options, skip: Math.floor(skip / 2) }
}

function* shrinkExpand(item: ExpandItem): Iterable<ExpandItem> {
  const { options, ...plain } = item
  if (options === undefined) return
  yield plain
  for (const smaller of shrinkOptions(options)) yield { ...plain, options: smaller }
}

function* withoutOne<T>(items: readonly T[] | undefined): Iterable<readonly T[]> {
  if (items === undefined || items.length < 2) return
  for (const index of items.keys()) yield items.toSpliced(index, 1)
}

/** Smaller predicates: an operand instead of the whole, then smaller parts. */
function* shrinkExpression(expression: Expression): Iterable<Expression> {
  switch (expression.kind) {
    case 'unary':
      yield expression.operand
      for (const operand of shrinkExpression(expression.operand)) yield { ...expression, operand }
      break
    case 'binary': {
      const { left, right, operator } = expression
      if (operator === 'and' || operator === 'or') {
        yield left
        yield right
      }
      for (const smaller of shrinkExpression(left)) yield { ...expression, left: smaller }
      for (const smaller of shrinkExpression(right)) yield { ...expression, right: smaller }
      break
    }
    case 'call': {
      const [first, ...others] = expression.arguments
      if (first !== undefined && others.length === 0 && textFunctions.has(expression.function)) yield first
      for (const [index, argument] of expression.arguments.entries()) {
        for (const smaller of shrinkExpression(argument)) {
          yield { ...expression, arguments: expression.arguments.with(index, smaller) }
        }
      }
      break
    }
    case 'lambda': {
      if (expression.predicate === undefined) break
      for (const predicate of shrinkExpression(expression.predicate)) yield { ...expression, predicate }
      break
    }
    case 'list':
      if (expression.items.length > 1) {
        for (const index of expression.items.keys())
          yield { ...expression, items: expression.items.toSpliced(index, 1) }
      }
      break
    case 'literal':
      yield* shrinkLiteral(expression)
      break
    default:
      break
  }
}

/** Functions from text to text, which their argument can replace. */
const textFunctions: ReadonlySet<string> = new Set(stringFunctions)

function* shrinkLiteral(literal: Literal): Iterable<Literal> {
  if (literal.type !== 'String') return
  const letters = [...literal.value]
  if (letters.length < 2) return
  const half = Math.ceil(letters.length / 2)
  yield { ...literal, value: letters.slice(0, half).join('') }
  yield { ...literal, value: letters.slice(half).join('') }
  if (letters.length > 2) {
    yield { ...literal, value: letters.slice(1).join('') }
    yield { ...literal, value: letters.slice(0, -1).join('') }
  }
}

/** The size of a case: the nodes of its expressions, and its options. */
export function caseSize({ options, predicates, steps }: TestCase): number {
  const expressions = (predicates ?? []).reduce((sum, predicate) => sum + nodeCount(predicate), 0)
  return expressions + (options === undefined ? 0 : optionsSizeOf(options)) + (steps?.length ?? 0)
}

function optionsSizeOf(options: QueryOptions): number {
  const { filter, expand, ...others } = options
  const nested = (expand ?? []).reduce((sum, item) => sum + 1 + optionsSizeOf(item.options ?? {}), 0)
  const lists = [others.orderby, others.select].reduce((sum, list) => sum + (list?.length ?? 0), 0)
  const single = [others.top, others.skip, others.count, others.search].filter(each => each !== undefined).length
  return (filter === undefined ? 0 : nodeCount(filter)) + nested + lists + single
}
