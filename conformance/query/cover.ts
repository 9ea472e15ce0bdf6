import type { Expression } from '../../runtime/query/index.js'
import { binary } from './build.js'
import { isTooLong } from './is-too-long.js'
import { shapeOf } from './shape-of.js'
import type { Told } from './told.js'
import type { WrongInterpreter } from './wrong/wrong-interpreter.js'

/** A filter, and what it tells apart from the right reading. */
export interface PlannedFilter {
  readonly filter: Expression
  /** Ids of wrong interpreters. */
  readonly tells: readonly string[]
}

/** A filter that may be planned, and the wrong interpreters that it tells, by place in the catalogue. */
export interface Candidate {
  readonly filter: Expression
  readonly size: number
  readonly tells: readonly number[]
}

/** Times that each wrong interpreter is told, by filters of different shapes, after it was once. */
const rounds = 3
const mostFilters = 60
/** A first filter must tell so much that is new. */
const leastNews = 2
const mostTrials = 120

/**
 * Chooses filters until each wrong interpreter is told, first by a few long filters that tell many at once, then again by
 * shorter ones of other shapes.
 *
 * @param grow a candidate made to tell more
 */
export function cover(
  candidates: readonly Candidate[],
  catalogue: readonly WrongInterpreter[],
  { told, wanted }: Told,
  grow: (candidate: Candidate, worthOf: (candidate: Candidate) => number) => Candidate,
): readonly PlannedFilter[] {
  const times: number[] = catalogue.map(({ id }) => (told.has(id) ? 1 : 0))
  const filters: PlannedFilter[] = []
  const shapes = new Set<string>()
  const shapeByCandidate = new Map<Candidate, string>()
  const knownShape = (candidate: Candidate): string => {
    const shape = shapeByCandidate.get(candidate) ?? shapeOf(candidate.filter)
    shapeByCandidate.set(candidate, shape)
    return shape
  }
  const chosen = new Set<Candidate>()
  const newsIn = (candidate: Candidate, round: number): number =>
    candidate.tells.reduce((sum, index) => sum + ((times[index] ?? 0) < round ? 1 : 0), 0)
  const take = (candidate: Candidate): void => {
    shapes.add(knownShape(candidate))
    chosen.add(candidate)
    for (const index of candidate.tells) times[index] = (times[index] ?? 0) + 1
    filters.push({ filter: candidate.filter, tells: candidate.tells.flatMap(index => catalogue[index]?.id ?? []) })
  }
  const bestOf = (worthOf: (candidate: Candidate) => number): Candidate | undefined => {
    let best: Candidate | undefined
    let most = 0
    for (const candidate of candidates) {
      const worth = chosen.has(candidate) ? 0 : worthOf(candidate)
      if (worth > most) [best, most] = [candidate, worth]
    }
    return best
  }
  for (;;) {
    const worthOf = (candidate: Candidate): number => newsIn(candidate, 1) - candidate.size / 200
    const best = bestOf(worthOf)
    if (best === undefined || newsIn(best, 1) < leastNews) break
    chosen.add(best)
    take(grow(best, worthOf))
  }
  for (let round = 1; round <= rounds; round++) {
    while (filters.length < mostFilters) {
      const best = bestOf(candidate => {
        const news = newsIn(candidate, round)
        return news === 0 || (round > 1 && shapes.has(knownShape(candidate))) ? 0 : news / (4 + candidate.size)
      })
      if (best === undefined) break
      take(best)
    }
  }
  for (const { tells } of filters) for (const id of tells) told.add(id)
  for (const each of catalogue) wanted.set(each.id, each)
  return filters
}

/** A candidate with more conditions joined by `or`, as long as each makes it tell more. */
export function grown(
  candidate: Candidate,
  pieces: readonly Candidate[],
  candidateOf: (filter: Expression) => Candidate,
  worthOf: (candidate: Candidate) => number,
  maxNodes: number,
): Candidate {
  let best = candidate
  let trials = 0
  for (const piece of pieces) {
    if (best.size + piece.size + 1 > maxNodes || worthOf(piece) === 0) continue
    if (piece.tells.every(index => best.tells.includes(index))) continue
    if (trials++ > mostTrials) break
    const filter = binary('or', best.filter, piece.filter)
    if (isTooLong(filter)) continue
    const larger = candidateOf(filter)
    if (worthOf(larger) > worthOf(best)) best = larger
  }
  return best
}
