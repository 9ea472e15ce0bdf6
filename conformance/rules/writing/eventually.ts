import { pause } from '../../http/pause.js'
import { openTo } from '../../reading/choice-of.js'
import type { Session } from '../../session/session.js'

/** Milliseconds that a write may take to show while nothing is known of it. */
const patience = 5_000
const waits = [50, 150, 400, 1_000, 2_000, 4_000] as const

/**
 * Looks again until what is seen is right, as long as a service may take to show a write; at once, and once, where reads
 * see writes immediately.
 *
 * @returns what was wrong the last time; absent when it was right
 */
export async function eventually<T>(look: () => Promise<T | undefined>, session: Session): Promise<T | undefined> {
  const { may } = openTo(session, 'readYourWrites', 'immediate')
  const settle = session.settleTime()
  const longest = may('delayed') ? (settle > 0 ? settle * 3 + 500 : patience) : 0
  let wrong = await look()
  let waited = 0
  for (const wait of waits) {
    if (wrong === undefined || waited >= longest) return wrong
    await pause(wait)
    waited += wait
    wrong = await look()
  }
  return wrong
}
