import type { Expression } from '../../runtime/query/index.js'
import type { Reader, WrongReader } from './reader.js'
import { areApart, bothVectors, eitherVector, isSameVector, negatedVector, type Vector } from './vector.js'
import { mayMisread, signsOf } from './wrong/signs-of.js'

/** What a filter means, and what those wrong interpreters make of it that make something else of it. */
interface Readings {
  readonly right: Vector
  /** Places among the wrong readers, in order, and what each of them makes of it. */
  readonly places: readonly number[]
  readonly wrong: readonly Vector[]
}

/** Tells which wrong readers an answer to a filter would give away. */
export function tellsOf(right: Reader, wrong: readonly WrongReader[]): (filter: Expression) => readonly number[] {
  const known = new WeakMap<Expression, Readings>()
  const read = (filter: Expression): Readings => {
    const before = known.get(filter)
    if (before !== undefined) return before
    const found = readAnew(filter)
    known.set(filter, found)
    return found
  }
  // Filters are put together from parts that were read before: only what the parts are misread as is looked at again.
  const readAnew = (filter: Expression): Readings => {
    if (filter.kind === 'unary' && filter.operator === 'not') return negated(read(filter.operand))
    if (filter.kind !== 'binary') return ofCondition(filter)
    if (filter.operator === 'and') return joined(read(filter.left), read(filter.right), bothVectors)
    if (filter.operator === 'or') return joined(read(filter.left), read(filter.right), eitherVector)
    return ofCondition(filter)
  }
  const ofCondition = (condition: Expression): Readings => {
    const found = collected(right.readAtom(condition))
    const signs = signsOf(condition)
    for (const [place, reader] of wrong.entries()) {
      if (mayMisread(reader, signs)) found.add(place, reader.misread(condition))
    }
    return found
  }
  const negatesOtherwise = wrong.map(({ negate }) => negate !== negatedVector)
  const negated = (operand: Readings): Readings => {
    const found = collected(negatedVector(operand.right))
    let next = 0
    for (const [place, { negate }] of wrong.entries()) {
      const misread = operand.places[next] === place ? operand.wrong[next++] : undefined
      if (misread !== undefined || negatesOtherwise[place]) found.add(place, negate(misread ?? operand.right))
    }
    return found
  }
  const ofTrees = [...wrong.entries()].filter(([, { tree }]) => tree !== undefined)
  return filter => {
    const { right: meant, places, wrong: taken } = read(filter)
    const told = places.filter((_, index) => areApart(meant, taken[index] ?? meant))
    for (const [place, { tree, read: readTree }] of ofTrees) {
      if (tree?.(filter) !== filter && areApart(meant, readTree(filter))) told.push(place)
    }
    return told
  }
}

function joined(left: Readings, right: Readings, join: (a: Vector, b: Vector) => Vector): Readings {
  const found = collected(join(left.right, right.right))
  for (let a = 0, b = 0; a < left.places.length || b < right.places.length; ) {
    const place = Math.min(left.places[a] ?? Number.POSITIVE_INFINITY, right.places[b] ?? Number.POSITIVE_INFINITY)
    const first = left.places[a] === place ? left.wrong[a++] : undefined
    const second = right.places[b] === place ? right.wrong[b++] : undefined
    found.add(place, join(first ?? left.right, second ?? right.right))
  }
  return found
}

/** Readings that are found one after the other, in the order of their places. What is no other reading is left out. */
function collected(right: Vector): Readings & { readonly add: (place: number, taken: Vector | undefined) => void } {
  const places: number[] = []
  const wrong: Vector[] = []
  const add = (place: number, taken: Vector | undefined): void => {
    if (taken === undefined || isSameVector(taken, right)) return
    places.push(place)
    wrong.push(taken)
  }
  return { right, places, wrong, add }
}
