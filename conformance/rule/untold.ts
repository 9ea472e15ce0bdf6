import type { Answer } from '../http/answer.js'
import type { Verdict } from './verdict.js'

/**
 * The verdict when an answer tells nothing of the service: no connection, too many requests, a gateway in between, or a
 * credential that is not accepted any more. Absent when the answer can be judged.
 */
export function untold(answer: Answer): Extract<Verdict, { kind: 'inconclusive' }> | undefined {
  if (answer.trouble !== undefined) return { kind: 'inconclusive', why: `no answer: ${answer.trouble}` }
  const isOwn = (answer.ask.credential ?? 'own') === 'own'
  if ((answer.status === 401 || answer.status === 403) && isOwn) {
    return { kind: 'inconclusive', why: `the credential does not permit it: status ${answer.status}` }
  }
  if (answer.isOutOfReach && isOwn) {
    return {
      kind: 'inconclusive',
      why: 'the credential may not permit it: no item was ever shown there, only status 404',
    }
  }
  return busy.has(answer.status) ? { kind: 'inconclusive', why: `it was busy: status ${answer.status}` } : undefined
}

const busy: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504])
