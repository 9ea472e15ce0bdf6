import { EvaluationError } from '../../evaluation-error.js'
import type { PatternNode } from './syntax.js'

/** One instruction of a pattern's automaton; the numbers are places in the program. */
export type Instruction =
  | { readonly kind: 'character'; readonly atom: number }
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'split'; readonly to: readonly number[] }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' }

/** The automaton of a pattern. */
export interface Program {
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
