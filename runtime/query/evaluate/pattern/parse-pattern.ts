import { EvaluationError } from '../../evaluation-error.js'
import { maxNesting } from '../../max-nesting.js'
import type { PatternNode } from './syntax.js'

/** A pattern and how far it has been read. */
interface Reader {
  readonly pattern: string
  position: number
}

const groupStart = /\((?:\?(?::|<(?![=!])[^>]*>)|(?!\?))/uy
const lookaround = /\(\?<?[=!]/uy
const atom = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|./suy
const leadingSurrogate = /^\\u[Dd][89ABab]/
const trailingSurrogate = /\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}/uy
const quantifier = /(?:([*+?])|\{([0-9]+)(,?)([0-9]*)\})\??/uy
const assertions: ReadonlySet<string> = new Set(['^', '$', '\\b', '\\B'])

/** The structure of a regular expression of ECMAScript that is known to be valid with the flag `u`. */
export function parsePattern(pattern: string): PatternNode {
  return readAlternatives({ pattern, position: 0 }, 0)
}

function readAlternatives(reader: Reader, nesting: number): PatternNode {
  if (nesting > maxNesting) throw new EvaluationError(`The pattern nests deeper than ${maxNesting} levels.`)
  const nodes = [readSequence(reader, nesting)]
  while (reader.pattern[reader.position] === '|') {
    reader.position += 1
    nodes.push(readSequence(reader, nesting))
  }
  return { kind: 'alternatives', nodes }
}

function readSequence(reader: Reader, nesting: number): PatternNode {
  const nodes: PatternNode[] = []
  while (reader.position < reader.pattern.length) {
    const next = reader.pattern[reader.position]
    if (next === '|' || next === ')') break
    nodes.push(readQuantified(reader, next === '(' ? readGroup(reader, nesting) : readSingle(reader)))
  }
  return { kind: 'sequence', nodes }
}

function readGroup(reader: Reader, nesting: number): PatternNode {
  if (takeMatch(reader, lookaround) !== undefined) unsupportedPattern('looks ahead or behind')
  if (takeMatch(reader, groupStart) === undefined) unsupportedPattern('has a group of an unknown kind')
  const node = readAlternatives(reader, nesting + 1)
  reader.position += 1
  return node
}

function readSingle(reader: Reader): PatternNode {
  const source = takeMatch(reader, atom)?.[0] ?? ''
  if (/^\\[1-9k]/.test(source)) unsupportedPattern('refers back to a group')
  if (assertions.has(source)) return { kind: 'assertion', source }
  const rest = leadingSurrogate.test(source) ? (takeMatch(reader, trailingSurrogate)?.[0] ?? '') : ''
  return { kind: 'atom', source: source + rest }
}

function readQuantified(reader: Reader, node: PatternNode): PatternNode {
  const found = takeMatch(reader, quantifier)
  if (found === undefined) return node
  const [, symbol, least = '0', comma, most = ''] = found
  if (symbol !== undefined) {
    return { kind: 'repeat', node, least: symbol === '+' ? 1 : 0, most: symbol === '?' ? 1 : Number.POSITIVE_INFINITY }
  }
  const limit = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)
  return { kind: 'repeat', node, least: Number(least), most: limit }
}

function takeMatch(reader: Reader, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = reader.position
  const found = expression.exec(reader.pattern) ?? undefined
  if (found !== undefined) reader.position += found[0].length
  return found
}

function unsupportedPattern(what: string): never {
  throw new EvaluationError(`The pattern ${what}, which cannot be matched in time linear in the text.`)
}
