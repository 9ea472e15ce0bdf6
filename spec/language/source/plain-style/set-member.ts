import { coreScalar } from './core-scalar.js'
import { giveUp, type Reader } from './reader.js'

/** Adds a member to a mapping; a key that needs a diagnostic, or a second thought, is beyond the plain style. */
export function setMember(
  reader: Reader,
  members: Record<string, unknown>,
  key: string,
  value: unknown,
  isQuoted: boolean,
): void {
  const isDoubtful = key === '__proto__' || key === '<<' || key.length > 500 || (!isQuoted && coreScalar(key) === null)
  if (isDoubtful || (!isQuoted && coreScalar(key) === undefined) || Object.hasOwn(members, key)) giveUp(reader)
  else members[key] = value
}
