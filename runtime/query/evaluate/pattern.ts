import { maxNesting } from '../cursor.js'
import { EvaluationError } from './value.js'

/**
 * Whether a regular expression of ECMAScript (flag `u`) matches somewhere in a text.
 *
 * @throws {EvaluationError} as `patternMatcher`
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
export function matchesPattern(text: string, pattern: string): boolean {
  return patternMatcher(pattern)(text)
}

/**
 * Tells of texts whether a regular expression of ECMAScript (flag `u`) matches somewhere in them.
 *
 * The pattern comes with the request, so it is not given to the engine of the runtime, whose backtracking a request could
 * keep busy for years: all ways to match are followed side by side, in time proportional to text and pattern.
 *
 * @throws {EvaluationError} when the pattern is none, is too large, looks ahead or behind, or refers back to a group
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
export function patternMatcher(pattern: string): (text: string) => boolean {
  requireValid(pattern)
  const program = compilePattern(parsePattern(pattern))
  return text => matches(text, program)
}

function requireValid(pattern: string): void {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    throw new EvaluationError(error instanceof Error ? error.message : `${JSON.stringify(pattern)} is no pattern.`)
  }
}

/** A text that is being matched, and where in the program its matches may stand. */
interface MatchRun {
  readonly program: Program
  readonly characters: readonly string[]
  /** The position in the text at which each place of the program was last reached. */
  readonly reached: Int32Array
  /** The position at which each atom was last asked, and whether the character there is one of its. */
  readonly asked: Int32Array
  readonly answers: Uint8Array
}

function matches(text: string, program: Program): boolean {
  const characters = [...text]
  const run: MatchRun = {
    program,
    characters,
    reached: new Int32Array(program.instructions.length).fill(-1),
    asked: new Int32Array(program.atoms.length).fill(-1),
    answers: new Uint8Array(program.atoms.length),
  }
  let current: number[] = []
  let next: number[] = []
  for (let index = 0; ; index += 1) {
    // A match may begin at every character.
    if (addReachableStates(0, index, run, current)) return true
    if (index === characters.length) return false
    next.length = 0
    for (const place of current) {
      if (advances(place, index, run) && addReachableStates(place + 1, index + 1, run, next)) return true
    }
    ;[current, next] = [next, current]
  }
}

function advances(place: number, index: number, { program, characters, asked, answers }: MatchRun): boolean {
  const instruction = program.instructions[place]
  if (instruction?.kind !== 'character') return false
  const { atom } = instruction
  if (asked[atom] !== index) {
    asked[atom] = index
    answers[atom] = program.atoms[atom]?.(characters[index] ?? '') === true ? 1 : 0
  }
  return answers[atom] === 1
}

/**
 * Adds the places that wait for a character and are reached without another one; says whether the end of the pattern is
 * reached, too.
 */
function addReachableStates(
  start: number,
  index: number,
  { program, characters, reached }: MatchRun,
  places: number[],
): boolean {
  const { instructions } = program
  if (instructions[start]?.kind === 'character') {
    if (reached[start] !== index) places.push(start)
    reached[start] = index
    return false
  }
  const open = [start]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (reached[place] === index) continue
    reached[place] = index
    const instruction = instructions[place]
    switch (instruction?.kind) {
      case 'match':
        return true
      case 'character':
        places.push(place)
        break
      case 'jump':
        open.push(instruction.to)
        break
      case 'split':
        open.push(...instruction.to)
        break
      case 'assertion':
        if (holds(instruction.source, characters, index)) open.push(place + 1)
        break
      default:
        break
    }
  }
  return false
}

const wordCharacter = /^[A-Za-z0-9_]$/

function holds(assertion: string, characters: readonly string[], index: number): boolean {
  if (assertion === '^') return index === 0
  if (assertion === '$') return index === characters.length
  const isBoundary = wordCharacter.test(characters[index - 1] ?? '') !== wordCharacter.test(characters[index] ?? '')
  return assertion === '\\b' ? isBoundary : !isBoundary
}

/** A pattern, taken apart. Where in a text an `assertion` holds and which character an `atom` is, its source says. */
export type PatternNode =
  | { readonly kind: 'atom'; readonly source: string }
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'alternatives'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly least: number; readonly most: number }

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

/** One instruction of a pattern's automaton; the numbers are places in the program. */
type Instruction =
  | { readonly kind: 'character'; readonly atom: number }
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'split'; readonly to: readonly number[] }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' }

/** The automaton of a pattern. */
interface Program {
  readonly instructions: readonly Instruction[]
  /** Whether a character is one of an atom's, by the numbers of atoms: the copies of a repeated one have one number. */
  readonly atoms: readonly ((character: string) => boolean)[]
}

/** Repetitions are written out, `a{3}` as `aaa`: this keeps `((a{99}){99}){99}` from filling memory and time. */
const maxParts = 5_000

/** A program as it grows, and how many more parts of the pattern, repeated ones each time, it may take. */
interface Draft {
  readonly program: Instruction[]
  /** Numbers of atoms by their sources. */
  readonly atoms: Map<string, number>
  left: number
}

/** The automaton of a pattern. @throws {EvaluationError} when the pattern is too large */
export function compilePattern(node: PatternNode): Program {
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
  // One atom against one character: nothing in it can backtrack.
  const expression = new RegExp(`^(?:${source})$`, 'u')
  return character => expression.test(character)
}
