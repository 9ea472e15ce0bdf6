import { type Expression, printFilter } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import type { Snapshot } from '../site/snapshot.js'
import { truthOn } from './evaluate.js'
import type { Known } from './laws.js'
import { subjectOf } from './predict.js'
import type { Subject } from './subject.js'
import { truthText } from './truth.js'

const mostLines = 12

/**
 * Which sub-expression is what on a row, the whole first, each with the values that it reads:
 * `subject eq 'x' is false (subject: "y")`.
 */
export function explain(expression: Expression, row: Row, snapshot: Snapshot, known: Known): readonly string[] {
  const lines: string[] = []
  explainPart(expression, row, subjectOf(snapshot, known), 0, lines)
  return lines
}

function explainPart(expression: Expression, row: Row, subject: Subject, depth: number, lines: string[]): void {
  if (lines.length >= mostLines) return
  const truth = truthText(truthOn(expression, subject)(row))
  const parts = partsOf(expression)
  const read = parts.length > 0 ? [] : [...new Set(pathsIn(expression))].map(name => `${name}: ${shown(row, name)}`)
  const values = read.length === 0 ? '' : ` (${read.join(', ')})`
  lines.push(`${'  '.repeat(depth)}${printed(expression)} is ${truth}${values}`)
  for (const part of parts) explainPart(part, row, subject, depth + 1, lines)
}

function partsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'unary' && expression.operator === 'not') return [expression.operand]
  const joins = expression.kind === 'binary' && (expression.operator === 'and' || expression.operator === 'or')
  return joins ? [expression.left, expression.right] : []
}

/** The paths from the row that an expression reads. */
function pathsIn(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case 'path':
      if (expression.root !== undefined && expression.root.kind !== 'it') return []
      return [expression.segments.map(segment => (segment.kind === 'property' ? segment.name : '')).join('/')]
    case 'unary':
      return pathsIn(expression.operand)
    case 'binary':
      return [...pathsIn(expression.left), ...pathsIn(expression.right)]
    case 'call':
      return expression.arguments.flatMap(pathsIn)
    case 'lambda':
      return [...pathsIn(expression.collection), ...(expression.predicate ? pathsIn(expression.predicate) : [])]
    default:
      return []
  }
}

function shown(row: Row, path: string): string {
  let value: unknown = row
  for (const name of path.split('/')) {
    if (name === '' || typeof value !== 'object' || value === null || Array.isArray(value)) break
    const found = Object.entries(value).find(([each]) => each === name)
    if (found === undefined) return 'absent'
    value = found[1]
  }
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

function printed(expression: Expression): string {
  const text = printFilter(expression)
  return text.length > 200 ? `${text.slice(0, 197)}...` : text
}
