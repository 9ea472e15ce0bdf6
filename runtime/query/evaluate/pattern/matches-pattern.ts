import { EvaluationError } from '../../evaluation-error.js'
import { parsePattern } from './parse-pattern.js'
import { compilePattern, type Instruction } from './program.js'

/**
 * Whether a regular expression of ECMAScript (flag `u`) matches somewhere in a text.
 *
 * The pattern comes with the request, so it is not given to the engine of the runtime, whose backtracking a request could
 * keep busy for years: all ways to match are followed side by side, in time proportional to text and pattern.
 *
 * @throws {EvaluationError} when the pattern is none, is too large, looks ahead or behind, or refers back to a group
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
export function matchesPattern(text: string, pattern: string): boolean {
  requireValid(pattern)
  const program = compilePattern(parsePattern(pattern))
  const characters = [...text]
  let current = new Set<number>()
  for (let index = 0; ; index += 1) {
    // A match may begin at every character.
    if (addReachable(0, program, characters, index, current)) return true
    if (index === characters.length) return false
    const character = characters[index] ?? ''
    const next = new Set<number>()
    for (const place of current) {
      const instruction = program[place]
      const advances = instruction?.kind === 'character' && instruction.matches(character)
      if (advances && addReachable(place + 1, program, characters, index + 1, next)) return true
    }
    current = next
  }
}

function requireValid(pattern: string): void {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    throw new EvaluationError(error instanceof Error ? error.message : `${JSON.stringify(pattern)} is no pattern.`)
  }
}

/** Adds all places that are reached without another character; says whether the end of the pattern is among them. */
function addReachable(
  start: number,
  program: readonly Instruction[],
  characters: readonly string[],
  index: number,
  places: Set<number>,
): boolean {
  const open = [start]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (places.has(place)) continue
    places.add(place)
    const instruction = program[place]
    if (instruction?.kind === 'match') return true
    if (instruction?.kind === 'jump') open.push(instruction.to)
    if (instruction?.kind === 'split') open.push(...instruction.to)
    if (instruction?.kind === 'assertion' && holds(instruction.source, characters, index)) open.push(place + 1)
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
