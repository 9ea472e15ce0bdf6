import { compilePattern, type PatternProgram, parsePattern } from './pattern.js'
import { EvaluationError } from './value.js'

/** How many steps a matcher may still take. One budget can be shared by many texts. */
export interface StepBudget {
  left: number
}

/** A match would take more steps than its budget has left. */
export class PatternTooSlow extends EvaluationError {
  constructor() {
    super('Matching the pattern takes too many steps. Use a simpler pattern, or match shorter texts.')
  }
}

/** The steps that the matches of one statement may take; without a statement, those of one text. */
export const defaultPatternSteps = 10_000_000

/**
 * Whether an ECMAScript regular expression (flag `u`) matches somewhere in a text.
 *
 * @throws {EvaluationError} as `patternMatcher`
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
export function matchesPattern(text: string, pattern: string): boolean {
  return patternMatcher(pattern)(text)
}

/**
 * Compiles an ECMAScript regular expression (flag `u`) to a function that searches a text for a match.
 *
 * The pattern comes from a request. The backtracking of JavaScript's own engine could take years for some patterns. This
 * matcher follows all alternatives in parallel, in time proportional to text and pattern, and counts its steps: one for each
 * character, and those of each state of the automaton that it sees for the first time.
 *
 * @throws {EvaluationError} when the pattern is invalid or too large, or uses lookaround or back-references; the matcher throws
 *   `PatternTooSlow` when the budget is spent
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
export function patternMatcher(pattern: string): (text: string, budget?: StepBudget) => boolean {
  requireValid(pattern)
  const automaton = new Automaton(compilePattern(parsePattern(pattern)))
  return (text, budget = { left: defaultPatternSteps }) => automaton.matches(text, budget)
}

function requireValid(pattern: string): void {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    throw new EvaluationError(
      error instanceof Error ? error.message : `${JSON.stringify(pattern)} is not a valid pattern.`,
    )
  }
}

/** A set of positions in the program, after some character. */
interface PatternState {
  readonly places: readonly number[]
  /** What precedes the next character. */
  readonly before: Neighbour
  /** The next states by class of character. Undefined: not computed yet. */
  readonly next: (PatternState | undefined)[]
}

/** What `^`, `$`, `\b` and `\B` distinguish. */
type Neighbour = 'edge' | 'word' | 'other'

/** The characters that the same atoms match. */
interface CharacterClass {
  readonly number: number
  readonly kind: Neighbour
  /** Whether each atom matches these characters. */
  readonly matched: readonly boolean[]
}

const matchedState: PatternState = { places: [], before: 'edge', next: [] }

/** The size of the cached states, in positions. With a few more bytes for each, some hundred kilobytes. */
const maxCachedPlaces = 20_000
/** The size of a state beside its positions. */
const stateSize = 8
/** A text that fills the cache so often has a new state for nearly every character. To cache them costs more than it saves. */
const maxOverflows = 2
const maxCachedCharacters = 5_000
const asciiCharacters = 128

/**
 * A deterministic automaton that is built while it runs, and whose states are sets of positions in a program. Most texts need
 * few states, so that most characters take one step. If there are too many, it forgets them.
 *
 * @see Russ Cox, Regular Expression Matching Can Be Simple And Fast
 */
class Automaton {
  private readonly program: PatternProgram
  private readonly end: CharacterClass
  private readonly classes = new Map<string, CharacterClass>()
  private readonly ascii: (CharacterClass | undefined)[] = Array.from({ length: asciiCharacters })
  private readonly others = new Map<number, CharacterClass>()
  private states = new Map<string, PatternState>()
  private start: PatternState = { places: [], before: 'edge', next: [] }
  private cachedPlaces = 0
  /** How often the cache was full in this text. */
  private overflows = 0
  /** The number of the last run that reached each instruction, or added it to the next state. */
  private readonly reached: Int32Array
  private readonly added: Int32Array
  private run = 0

  constructor(program: PatternProgram) {
    this.program = program
    this.end = { number: 0, kind: 'edge', matched: program.atoms.map(() => false) }
    this.reached = new Int32Array(program.instructions.length)
    this.added = new Int32Array(program.instructions.length + 1)
  }

  matches(text: string, budget: StepBudget): boolean {
    const { length } = text
    spendSteps(budget, length + 1)
    this.overflows = 0
    let state = this.start
    for (let index = 0; index < length; ) {
      let code = text.charCodeAt(index)
      if (code >= 0xd8_00 && code < 0xdc_00) code = text.codePointAt(index) ?? code
      index += code > 0xff_ff ? 2 : 1
      const found = (code < asciiCharacters ? this.ascii[code] : this.others.get(code)) ?? this.classOf(code, budget)
      state = state.next[found.number] ?? this.advance(state, found, budget)
      if (state === matchedState) return true
    }
    return (state.next[this.end.number] ?? this.advance(state, this.end, budget)) === matchedState
  }

  private classOf(code: number, budget: StepBudget): CharacterClass {
    const { atoms } = this.program
    spendSteps(budget, atoms.length)
    const character = String.fromCodePoint(code)
    const matched = atoms.map(matches => matches(character))
    const kind = wordCharacter.test(character) ? 'word' : 'other'
    const key = kind + matched.map(Number).join('')
    const found = this.classes.get(key) ?? { number: this.classes.size + 1, kind, matched }
    this.classes.set(key, found)
    if (code < asciiCharacters) this.ascii[code] = found
    else {
      if (this.others.size >= maxCachedCharacters) this.others.clear()
      this.others.set(code, found)
    }
    return found
  }

  /** The state after a character. A match can start before every character. */
  private advance(state: PatternState, character: CharacterClass, budget: StepBudget): PatternState {
    const next = this.computed(state, character, budget)
    if (this.overflows >= maxOverflows) return next
    const known = next === matchedState ? next : this.cached(next)
    state.next[character.number] = known
    return known
  }

  private computed({ places, before }: PatternState, character: CharacterClass, budget: StepBudget): PatternState {
    const { instructions } = this.program
    const { reached, added } = this
    this.run += 1
    const { run } = this
    const next: number[] = []
    const open = [0, ...places]
    let steps = 0
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (reached[place] === run) continue
      reached[place] = run
      steps += 1
      const instruction = instructions[place]
      switch (instruction?.kind) {
        case 'match':
          return matchedState
        case 'character':
          if (character.matched[instruction.atom] === true && added[place + 1] !== run) {
            added[place + 1] = run
            next.push(place + 1)
          }
          break
        case 'jump':
          open.push(instruction.to)
          break
        case 'split':
          for (const to of instruction.to) open.push(to)
          break
        case 'assertion':
          if (holds(instruction.source, before, character.kind)) open.push(place + 1)
          break
        default:
          break
      }
    }
    spendSteps(budget, steps)
    return { places: next, before: character.kind, next: [] }
  }

  private cached(state: PatternState): PatternState {
    const key = `${state.before} ${state.places.join()}`
    const known = this.states.get(key)
    if (known !== undefined) return known
    this.cachedPlaces += state.places.length + stateSize
    if (this.cachedPlaces > maxCachedPlaces) {
      this.overflows += 1
      this.states = new Map()
      this.start = { places: [], before: 'edge', next: [] }
      this.cachedPlaces = state.places.length + stateSize
    }
    this.states.set(key, state)
    return state
  }
}

function spendSteps(budget: StepBudget, steps: number): void {
  budget.left -= steps
  if (budget.left < 0) throw new PatternTooSlow()
}

const wordCharacter = /^[A-Za-z0-9_]$/

/** Whether an assertion holds between two characters, or between one and the edge of the text. */
function holds(assertion: string, before: Neighbour, after: Neighbour): boolean {
  if (assertion === '^') return before === 'edge'
  if (assertion === '$') return after === 'edge'
  const isBoundary = (before === 'word') !== (after === 'word')
  return assertion === '\\b' ? isBoundary : !isBoundary
}
