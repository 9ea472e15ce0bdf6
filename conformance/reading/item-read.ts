import type { Answer } from '../http/answer.js'
import { untold } from '../rule/untold.js'
import type { Session } from '../session/session.js'

const answers = new WeakMap<object, Map<string, Promise<Answer>>>()

/** The answer to a plain `GET` of an item: asked for once, as long as the data are the same. */
export function itemRead(path: string, session: Session): Promise<Answer> {
  const reading = session.reading()
  const known = answers.get(reading) ?? new Map<string, Promise<Answer>>()
  answers.set(reading, known)
  const before = known.get(path)
  if (before !== undefined) return before
  const answer = session.ask({ method: 'GET', path })
  known.set(path, answer)
  // What failed in passing is asked for again.
  const forget = (): boolean => known.delete(path)
  answer.then(given => untold(given) !== undefined && forget(), forget)
  return answer
}
