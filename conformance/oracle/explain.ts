import { type Expression, printFilter } from '../../runtime/query/index.js'
import type { Snapshot } from '../discover/site.js'
import type { Row } from '../json.js'
import type { ServiceKnowledge } from './comparison-semantics.js'
import { truthOn } from './evaluate.js'
import type { EvaluationContext } from './paths.js'
import { evaluationContextOf } from './predict.js'
import { describeTruth } from './truth-set.js'

const maxLines = 12

/**
 * The value of each sub-expression on a row, the whole expression first, with the properties it reads: `subject eq 'x'
 * is false (subject: "y")`.
 */
export function explain(
  expression: Expression,
  row: Row,
  snapshot: Snapshot,
  knowledge: ServiceKnowledge,
): readonly string[] {
  const lines: string[] = []
  explainPart(expression, row, evaluationContextOf(snapshot, knowledge), 0, lines)
  return lines
}

function explainPart(
  expression: Expression,
  row: Row,
  context: EvaluationContext,
  depth: number,
  lines: string[],
): void {
  if (lines.length >= maxLines) return
  const truth = describeTruth(truthOn(expression, context)(row))
  const parts = partsOf(expression)
  const read =
    parts.length > 0 ? [] : [...new Set(pathsIn(expression))].map(name => `${name}: ${shownValue(row, name)}`)
  const values = read.length === 0 ? '' : ` (${read.join(', ')})`
  lines.push(`${'  '.repeat(depth)}${shortFilterText(expression)} is ${truth}${values}`)
  for (const part of parts) explainPart(part, row, context, depth + 1, lines)
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

function shownValue(row: Row, path: string): string {
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

function shortFilterText(expression: Expression): string {
  const text = printFilter(expression)
  return text.length > 200 ? `${text.slice(0, 197)}...` : text
}
