import type { BinaryOperator, Expression } from '../../../runtime/query/index.js'

type Logic = Extract<BinaryOperator, 'and' | 'or'>

/** An expression as it would be read without its parentheses around `and` and `or`. */
export function flatLogic(filter: Expression): Expression {
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

/** A query whose `$filter` groups `and` and `or` from left to right where it has no parentheses. */
export function readsFlat(query: string): string {
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
