import type { BinaryOperator, Expression } from '../../../runtime/query/index.js'
import { byCodePoint } from '../service/comparison.js'
import type { Value } from '../service/values.js'
import { changeFilter, changeNodes, type Mutant, mutantsIn } from './mutant.js'

type Logic = Extract<BinaryOperator, 'and' | 'or'>

/** The expression that results from ignoring parentheses around `and` and `or`. */
function flatLogic(filter: Expression): Expression {
  const operands: Expression[] = []
  const operators: Logic[] = []
  inOrder(filter, operands, operators)
  const alternatives: Expression[] = []
  for (const [index, operand] of operands.entries()) {
    const last = alternatives.at(-1)
    if (last !== undefined && operators[index - 1] === 'and') {
      alternatives[alternatives.length - 1] = { kind: 'binary', operator: 'and', left: last, right: operand }
    } else alternatives.push(operand)
  }
  return alternatives.reduce((left, right) => ({ kind: 'binary', operator: 'or', left, right }))
}

function inOrder(node: Expression, operands: Expression[], operators: Logic[]): void {
  if (node.kind !== 'binary' || (node.operator !== 'and' && node.operator !== 'or')) {
    operands.push(node)
    return
  }
  inOrder(node.left, operands, operators)
  operators.push(node.operator)
  inOrder(node.right, operands, operators)
}

/** Evaluates `and` and `or` strictly from left to right where there are no parentheses. */
function readsFlat(query: string): string {
  const parts = query.split('&').map(part => {
    const match = /^(\$|%24)filter=/i.exec(part)
    if (match === null) return part
    return `${match[0]}${encodeURIComponent(grouped(decodeURIComponent(part.slice(match[0].length))))}`
  })
  return parts.join('&')
}

function grouped(filter: string): string {
  const pieces: string[] = []
  let depth = 0
  let quoted = false
  let start = 0
  for (let index = 0; index < filter.length; index++) {
    const character = filter[index]
    if (character === "'") quoted = !quoted
    if (quoted) continue
    if (character === '(') depth++
    if (character === ')') depth--
    const operator = depth === 0 ? /^ (and|or) /.exec(filter.slice(index, index + 5)) : null
    if (operator === null) continue
    pieces.push(filter.slice(start, index), operator[0])
    start = index + operator[0].length
  }
  pieces.push(filter.slice(start))
  let text = pieces[0] ?? ''
  for (let index = 1; index + 1 < pieces.length; index += 2) text = `(${text}${pieces[index]}${pieces[index + 1]})`
  return text
}

const mutant = mutantsIn('filter')

/** Confuses an operator with another one. */
function swapped(from: BinaryOperator, to: BinaryOperator): Mutant {
  return mutant(`${from}-as-${to}`, `The operator ${from} is computed as ${to}.`, correct => ({
    compare: (node, left, right, env) =>
      correct.compare(node.operator === from ? { ...node, operator: to } : node, left, right, env),
  }))
}

const isRange = (operator: string): boolean => ['gt', 'ge', 'lt', 'le'].includes(operator)

function isInstant(value: Value): value is Extract<Value, { readonly kind: 'instant' }> {
  return typeof value === 'object' && value?.kind === 'instant'
}

const isLogic = (node: Expression): boolean =>
  node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')

const reads = (node: Expression, name: string): boolean =>
  node.kind === 'path' && node.segments.some(segment => segment.kind === 'property' && segment.name === name)

/** Faults of operators. */
export const filterOperatorMutants: readonly Mutant[] = [
  swapped('gt', 'ge'),
  swapped('ge', 'gt'),
  swapped('lt', 'le'),
  swapped('le', 'lt'),
  swapped('ge', 'le'),
  mutant('eq-is-beginning', 'eq also finds display names that begin with the text.', correct => ({
    compare: (node, left, right, env) =>
      (node.operator === 'eq' &&
        reads(node.left, 'displayName') &&
        typeof left === 'string' &&
        typeof right === 'string' &&
        left.startsWith(right)) ||
      correct.compare(node, left, right, env),
  })),
  mutant('ne-drops-nulls', 'ne omits rows whose value is null, although not eq keeps them.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'ne' && left === null && right !== null ? false : correct.compare(node, left, right, env),
  })),
  mutant('eq-null-finds-nothing', 'eq null matches no row, like = NULL in SQL.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'eq' && right === null ? null : correct.compare(node, left, right, env),
  })),
  mutant('eq-null-finds-nothing-in-one-property', 'eq null matches no row in one property.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'eq' && right === null && reads(node.left, 'jobTitle')
        ? false
        : correct.compare(node, left, right, env),
  })),
  mutant('ge-as-eq-in-one-property', 'The operator ge is computed as eq for one property.', correct => ({
    compare: (node, left, right, env) =>
      correct.compare(
        node.operator === 'ge' && reads(node.left, 'mailNickname') ? { ...node, operator: 'eq' } : node,
        left,
        right,
        env,
      ),
  })),
  mutant(
    'literal-first-reversed',
    'With a literal on the left, gt, ge, lt and le compare in the wrong direction.',
    correct => ({
      compare: (node, left, right, env) =>
        node.left.kind === 'literal' && isRange(node.operator)
          ? correct.compare(node, right, left, env)
          : correct.compare(node, left, right, env),
    }),
  ),
  mutant('result-is-false-ignored', 'The result of a function is not compared with false.', correct => ({
    compare: (node, left, right, env) =>
      node.left.kind === 'call' && typeof left === 'boolean' && right === false
        ? left
        : correct.compare(node, left, right, env),
  })),
  mutant('or-stops-at-null', 'If the first condition of or is null, the second one does not count.', correct => ({
    combine: (operator, left, right) =>
      operator === 'or' && left === null ? null : correct.combine(operator, left, right),
  })),
  mutant('timestamps-never-equal', 'eq matches no row by the time at which a message was received.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'eq' && reads(node.left, 'receivedDateTime') && right !== null
        ? false
        : correct.compare(node, left, right, env),
  })),
  mutant('text-null-is-null', "The text 'null' is compared as null.", correct => ({
    compare: (node, left, right, env) => correct.compare(node, left, right === 'null' ? null : right, env),
  })),
  mutant('ne-excludes-beginnings', 'ne excludes texts that begin with the other one.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'ne' && typeof left === 'string' && typeof right === 'string' && right !== ''
        ? !left.toLowerCase().startsWith(right.toLowerCase())
        : correct.compare(node, left, right, env),
  })),
  mutant('ne-null-finds-all', 'ne null matches every row.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'ne' && right === null ? true : correct.compare(node, left, right, env),
  })),
  mutant('and-as-or', 'and is computed as or.', correct => ({
    combine: (_operator, left, right) => correct.combine('or', left, right),
  })),
  mutant('or-as-and', 'or is computed as and.', correct => ({
    combine: (_operator, left, right) => correct.combine('and', left, right),
  })),
  mutant('not-ignored', 'not has no effect.', () => ({ negate: operand => operand })),
  mutant('not-of-eq-ignored', 'not before eq has no effect.', correct => ({
    negate: (operand, node) =>
      node.kind === 'binary' && node.operator === 'eq' ? operand : correct.negate(operand, node),
  })),
  mutant('not-of-any-ignored', 'not before any has no effect.', correct => ({
    negate: (operand, node) => (node.kind === 'lambda' ? operand : correct.negate(operand, node)),
  })),
  mutant('and-after-any-lost', 'A condition that and joins to any is ignored.', () =>
    changeNodes(node =>
      node.kind === 'binary' && node.operator === 'and' && node.left.kind === 'lambda' ? node.left : node,
    ),
  ),
  mutant('any-after-and-lost', 'any is ignored after another condition and and.', () =>
    changeNodes(node =>
      node.kind === 'binary' && node.operator === 'and' && node.right.kind === 'lambda' && node.left.kind !== 'lambda'
        ? node.left
        : node,
    ),
  ),
  mutant('not-of-and-distributes', 'not before and negates both operands but keeps the and.', () =>
    changeNodes(node => {
      if (node.kind !== 'unary' || node.operand.kind !== 'binary' || node.operand.operator !== 'and') return node
      const not = (operand: Expression): Expression => ({ kind: 'unary', operator: 'not', operand })
      return { ...node.operand, left: not(node.operand.left), right: not(node.operand.right) }
    }),
  ),
  mutant('not-takes-the-rest', 'not extends to the end of the enclosing and or or.', () =>
    changeNodes(node => {
      if (node.kind !== 'binary' || !isLogic(node) || node.left.kind !== 'unary' || node.left.operator !== 'not')
        return node
      return { ...node.left, operand: { ...node, left: node.left.operand } }
    }),
  ),
  mutant('no-precedence', 'and and or have the same precedence.', () => ({
    readQuery: readsFlat,
  })),
  mutant('parentheses-after-and-lost', 'Parentheses around or are ignored after and.', () =>
    changeNodes(node => {
      if (node.kind !== 'binary' || node.operator !== 'and') return node
      const { left, right } = node
      if (right.kind !== 'binary' || right.operator !== 'or') return node
      return { ...right, left: { ...node, left, right: right.left } }
    }),
  ),
  mutant('parentheses-lost', 'Parentheses around and and or are ignored.', () => changeFilter(flatLogic)),
  mutant('left-group-dropped', 'Only the right side of a parenthesised left operand is kept.', () =>
    changeNodes(node => {
      if (node.kind !== 'binary' || !isLogic(node) || node.left.kind !== 'binary' || !isLogic(node.left)) return node
      return node.left.operator === node.operator ? node : { ...node, left: node.left.right }
    }),
  ),
  mutant('or-after-function-lost', 'The right operand of or is lost if the left one is a function.', () =>
    changeNodes(node =>
      node.kind === 'binary' && node.operator === 'or' && node.left.kind === 'call' ? node.left : node,
    ),
  ),
  mutant('third-condition-lost', 'The last of three conditions combined with and is lost.', () =>
    changeNodes(node => {
      if (node.kind !== 'binary' || node.operator !== 'and' || node.left.kind !== 'binary') return node
      return node.left.operator === 'and' ? node.left : node
    }),
  ),
  mutant('timestamps-as-text', 'Timestamps are compared as strings, so a fraction sorts before none.', correct => ({
    compare: (node, left, right, env) => {
      if (!isRange(node.operator) || !isInstant(left) || !isInstant(right))
        return correct.compare(node, left, right, env)
      return correct.compare(node, byCodePoint(textOf(left.nanos), textOf(right.nanos)), 0, env)
    },
  })),
  mutant('timestamps-without-fraction', 'Timestamps are truncated to seconds before they are compared.', correct => ({
    compare: (node, left, right, env) =>
      correct.compare(node, cut(left, 1_000_000_000n), cut(right, 1_000_000_000n), env),
  })),
  mutant('timestamps-by-day', 'gt with a timestamp omits later rows of the same day.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'gt'
        ? correct.compare(node, cut(left, 86_400_000_000_000n), cut(right, 86_400_000_000_000n), env)
        : correct.compare(node, left, right, env),
  })),
  mutant('timestamps-in-another-zone', 'Timestamps in a filter are parsed one hour too late.', correct => ({
    compare: (node, left, right, env) =>
      correct.compare(
        node,
        left,
        isInstant(right) ? { ...right, nanos: right.nanos + 3_600_000_000_000n } : right,
        env,
      ),
  })),
  mutant('numbers-as-text', 'Numbers are compared as strings.', correct => ({
    compare: (node, left, right, env) =>
      isRange(node.operator) && typeof left === 'number' && typeof right === 'number'
        ? correct.compare(node, byCodePoint(String(left), String(right)), 0, env)
        : correct.compare(node, left, right, env),
  })),
  mutant('null-is-false', 'eq false also matches rows whose value is null.', correct => ({
    compare: (node, left, right, env) =>
      left === null && right === false
        ? correct.compare(node, false, right, env)
        : correct.compare(node, left, right, env),
  })),
  mutant('lt-finds-null', 'lt matches rows whose value is null, as if null were the lowest value.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'lt' && left === null && right !== null ? true : correct.compare(node, left, right, env),
  })),
  mutant('eq-is-a-prefix', 'eq matches values that start with the literal.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'eq' && typeof left === 'string' && typeof right === 'string' && right !== ''
        ? left.startsWith(right)
        : correct.compare(node, left, right, env),
  })),
  mutant('ge-on-strings-strict', 'ge excludes the value itself for strings.', correct => ({
    compare: (node, left, right, env) =>
      correct.compare(
        node.operator === 'ge' && typeof left === 'string' ? { ...node, operator: 'gt' } : node,
        left,
        right,
        env,
      ),
  })),
  mutant('paths-are-null', 'A path into a complex value is always null.', correct => ({
    readProperty: (value, name, env) =>
      typeof value === 'object' &&
      value?.kind === 'object' &&
      value.entity === undefined &&
      value.type.kind === 'complexType'
        ? null
        : correct.readProperty(value, name, env),
  })),
]

function cut(value: Value, unit: bigint): Value {
  return isInstant(value) ? { ...value, nanos: value.nanos - (((value.nanos % unit) + unit) % unit) } : value
}

/** The text of a timestamp: with a fraction only if there is one. */
function textOf(nanos: bigint): string {
  const text = new Date(Number(nanos / 1_000_000n)).toISOString()
  return text.replace(/\.0+Z$/, 'Z').replace(/0+Z$/, 'Z')
}
