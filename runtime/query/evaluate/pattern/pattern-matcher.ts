import { EvaluationError } from '../../evaluation-error.js'
import { parsePattern } from './parse-pattern.js'
import { compilePattern, type Program } from './program.js'

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
    if (addReachable(0, index, run, current)) return true
    if (index === characters.length) return false
    next.length = 0
    for (const place of current) {
      if (advances(place, index, run) && addReachable(place + 1, index + 1, run, next)) return true
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
function addReachable(
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
