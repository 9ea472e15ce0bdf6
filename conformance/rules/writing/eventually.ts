import { pause } from '../../http/pause.js'
import { openTo } from '../../reading/choice-of.js'
import type { Session } from '../../session/session.js'

/** Milliseconds that a write may take to show while nothing is known of it. */
const patience = 5_000
const waits = [50, 150, 400, 1_000, 2_000, 4_000] as const

/** Milliseconds that are granted to a service that showed its writes at once, when it was tried. */
const grace = 600

/**
 * Looks again until what is seen is right, as long as a service may take to show a write; only once where the interface
 * has reads see writes immediately.
 *
 * @returns what was wrong the last time; absent when it was right
 */
export async function eventually<T>(look: () => Promise<T | undefined>, session: Session): Promise<T | undefined> {
  const longest = longestWait(session)
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

function longestWait(session: Session): number {
  const declared = session.service.open.find(({ name }) => name === 'readYourWrites')
  if (declared?.legal.includes('delayed') !== true) return 0
  if (openTo(session, 'readYourWrites', 'immediate').does('immediate')) return grace
  const settle = session.settleTime()
  return settle > 0 ? settle * 3 + grace : patience
}
