import type { Expression } from '../../runtime/query/index.js'
import type { Reader, WrongReader } from './reader.js'
import { areApart, bothVectors, eitherVector, isSameVector, negatedVector, type Vector } from './vector.js'

/** What a filter means, and what those wrong interpreters make of it that make something else of it. */
interface Readings {
  readonly right: Vector
  /** By place among the wrong readers. */
  readonly wrong: ReadonlyMap<number, Vector>
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
    const taken = wrong.map(({ misread }) => misread(condition))
    return withoutSame(right.readAtom(condition), taken.entries())
  }
  const negated = (operand: Readings): Readings =>
    withoutSame(
      negatedVector(operand.right),
      wrong.map(({ negate }, index) => {
        const misread = operand.wrong.get(index)
        return [index, misread === undefined && negate === negatedVector ? undefined : negate(misread ?? operand.right)]
      }),
    )
  return filter => {
    const { right: meant, wrong: taken } = read(filter)
    const told = [...taken].filter(([, vector]) => areApart(meant, vector)).map(([index]) => index)
    const toldByTree = [...wrong.entries()]
      .filter(([, reader]) => reader.tree(filter) !== filter && areApart(meant, reader.read(filter)))
      .map(([index]) => index)
    return [...told, ...toldByTree]
  }
}

function joined(left: Readings, right: Readings, join: (a: Vector, b: Vector) => Vector): Readings {
  const indices = new Set([...left.wrong.keys(), ...right.wrong.keys()])
  return withoutSame(
    join(left.right, right.right),
    [...indices].map(index => [
      index,
      join(left.wrong.get(index) ?? left.right, right.wrong.get(index) ?? right.right),
    ]),
  )
}

function withoutSame(right: Vector, taken: Iterable<readonly [number, Vector | undefined]>): Readings {
  const wrong = new Map<number, Vector>()
  for (const [index, vector] of taken) {
    if (vector !== undefined && !isSameVector(vector, right)) wrong.set(index, vector)
  }
  return { right, wrong }
}
