import type { Expression } from '../../runtime/query/index.js'
import type { Known } from '../semantics/laws.js'
import { subjectOf } from '../semantics/predict.js'
import { keyOf } from '../site/key-of.js'
import type { Snapshot } from '../site/snapshot.js'
import { rightReader, wrongReader } from './reader.js'
import { certainlyTrue } from './vector.js'
import { wrongInterpreters } from './wrong/catalogue.js'
import type { WrongInterpreter } from './wrong/wrong-interpreter.js'

const mostRows = 1000

/** The wrong interpreters that would give exactly these rows, the most likely first. */
export function diagnose(
  filter: Expression,
  keys: ReadonlySet<string>,
  snapshot: Snapshot,
  known: Known,
): readonly WrongInterpreter[] {
  const { type } = snapshot.site
  if (type === undefined) return []
  const rows = snapshot.rows.slice(0, mostRows)
  const subject = subjectOf(snapshot, known)
  const right = rightReader(rows, subject)
  const given = rows.map(row => keys.has(keyOf(row, type) ?? ''))
  return wrongInterpreters.filter(wrong => {
    const reader = wrongReader(wrong, rows, subject, right)
    const vector = reader.join(filter, condition => reader.misread(condition) ?? right.readAtom(condition))
    const must = certainlyTrue(vector)
    return given.every((isThere, index) => {
      const bit = 1n << BigInt(index)
      return isThere ? (vector.mayBeTrue & bit) !== 0n : (must & bit) === 0n
    })
  })
}
