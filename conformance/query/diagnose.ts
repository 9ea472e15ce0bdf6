import type { Expression } from '../../runtime/query/index.js'
import type { Known } from '../semantics/laws.js'
import { subjectOf } from '../semantics/predict.js'
import { keyOf } from '../site/key-of.js'
import type { Snapshot } from '../site/snapshot.js'
import { rightReader, wrongReader } from './reader.js'
import { rowsAlike } from './rows-alike.js'
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
  const alike = rowsAlike(rows)
  const right = rightReader(alike, subject)
  const given = rows.map(row => keys.has(keyOf(row, type) ?? ''))
  return wrongInterpreters.filter(wrong => {
    const vector = wrongReader(wrong, alike, subject, right).read(filter)
    const must = certainlyTrue(vector)
    return given.every((isThere, index) => {
      const bit = 1n << BigInt(index)
      return isThere ? (vector.mayBeTrue & bit) !== 0n : (must & bit) === 0n
    })
  })
}
