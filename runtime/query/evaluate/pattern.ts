import { maxNesting } from '../cursor.js'
import { EvaluationError } from './value.js'

/** The syntax tree of a pattern. `source` is the text of an assertion or of an expression for one character. */
export type PatternNode =
  | { readonly kind: 'atom'; readonly source: string }
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'alternatives'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly least: number; readonly most: number }

/** A pattern, and the position of the parser. */
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

/** Parses an ECMAScript regular expression that is valid with the flag `u`. */
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

/** An instruction of the automaton of a pattern. `to` contains indexes in the program. */
type Instruction =
  | { readonly kind: 'character'; readonly atom: number }
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'split'; readonly to: readonly number[] }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' }

/** The automaton of a pattern. */
export interface PatternProgram {
  readonly instructions: readonly Instruction[]
  /** The matchers of atoms by number. Copies of a repeated atom have the same number. */
  readonly atoms: readonly ((character: string) => boolean)[]
}

/** The compiler expands `a{3}` to `aaa`. The limit protects memory and time from `((a{99}){99}){99}`. */
const maxParts = 5_000

/** The state of the compiler. `left` is the number of parts that the pattern can still expand to. */
interface Draft {
  readonly program: Instruction[]
  /** Numbers of atoms by their sources. */
  readonly atoms: Map<string, number>
  left: number
}

/** The automaton of a pattern. @throws {EvaluationError} when the pattern is too large */
export function compilePattern(node: PatternNode): PatternProgram {
  const draft: Draft = { program: [], atoms: new Map(), left: maxParts }
  emit(node, draft)
  return { instructions: [...draft.program, { kind: 'match' }], atoms: [...draft.atoms.keys()].map(matcherOf) }
}

function emit(node: PatternNode, draft: Draft): void {
  draft.left -= 1
  if (draft.left < 0) throw new EvaluationError('The pattern is too large.')
  const { program } = draft
  switch (node.kind) {
    case 'atom':
      program.push({ kind: 'character', atom: atomNumber(node.source, draft) })
      return
    case 'assertion':
      program.push(node)
      return
    case 'sequence':
      for (const part of node.nodes) emit(part, draft)
      return
    case 'alternatives':
      emitAlternatives(node.nodes, draft)
      return
    case 'repeat':
      for (let count = 0; count < node.least; count += 1) emit(node.node, draft)
      if (node.most === Number.POSITIVE_INFINITY) emitLoop(node.node, draft)
      else for (let count = node.least; count < node.most; count += 1) emitOptional(node.node, draft)
  }
}

function emitAlternatives(nodes: readonly PatternNode[], draft: Draft): void {
  const { program } = draft
  const [only] = nodes
  if (only !== undefined && nodes.length === 1) {
    emit(only, draft)
    return
  }
  const starts: number[] = []
  program.push({ kind: 'split', to: starts })
  const ends: { to: number }[] = []
  for (const node of nodes) {
    starts.push(program.length)
    emit(node, draft)
    const end = { kind: 'jump' as const, to: 0 }
    ends.push(end)
    program.push(end)
  }
  for (const end of ends) end.to = program.length
}

function emitLoop(node: PatternNode, draft: Draft): void {
  const { program } = draft
  const start = program.length
  const ways = [start + 1]
  program.push({ kind: 'split', to: ways })
  emit(node, draft)
  program.push({ kind: 'jump', to: start })
  ways.push(program.length)
}

function emitOptional(node: PatternNode, draft: Draft): void {
  const { program } = draft
  const ways = [program.length + 1]
  program.push({ kind: 'split', to: ways })
  emit(node, draft)
  ways.push(program.length)
}

function atomNumber(source: string, { atoms }: Draft): number {
  const number = atoms.get(source) ?? atoms.size
  atoms.set(source, number)
  return number
}

function matcherOf(source: string): (character: string) => boolean {
  if (source !== '.' && !source.startsWith('\\') && !source.startsWith('[')) return character => character === source
  // Matching one atom against one character cannot backtrack.
  const expression = new RegExp(`^(?:${source})$`, 'u')
  return character => expression.test(character)
}
