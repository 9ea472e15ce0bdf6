import { EvaluationError } from '../../evaluation-error.js'
import { parsePattern } from './parse-pattern.js'
import { compilePattern, type Instruction } from './program.js'

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
  return text => matches([...text], program)
}

function requireValid(pattern: string): void {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    throw new EvaluationError(error instanceof Error ? error.message : `${JSON.stringify(pattern)} is no pattern.`)
  }
}

function matches(characters: readonly string[], program: readonly Instruction[]): boolean {
  /** The position in the text at which each place of the program was last reached. */
  const reached = new Int32Array(program.length).fill(-1)
  let current: number[] = []
  for (let index = 0; ; index += 1) {
    // A match may begin at every character.
    if (addReachable(0, program, characters, index, reached, current)) return true
    if (index === characters.length) return false
    const character = characters[index] ?? ''
    const next: number[] = []
    for (const place of current) {
      const instruction = program[place]
      const advances = instruction?.kind === 'character' && instruction.matches(character)
      if (advances && addReachable(place + 1, program, characters, index + 1, reached, next)) return true
    }
    current = next
  }
}

/**
 * Adds the places that wait for a character and are reached without another one; says whether the end of the pattern is
 * reached, too.
 */
function addReachable(
  start: number,
  program: readonly Instruction[],
  characters: readonly string[],
  index: number,
  reached: Int32Array,
  places: number[],
): boolean {
  const open = [start]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (reached[place] === index) continue
    reached[place] = index
    const instruction = program[place]
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
