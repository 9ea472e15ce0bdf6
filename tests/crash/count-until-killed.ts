import { exchange } from './exchange.js'
import { thingOf } from './thing.js'

/** How often one item was counted up. */
export interface Counted {
  acknowledged: number
  /** Sent, and not answered. */
  unanswered: number
}

/** Counts one item up, each time on condition that nobody else has meanwhile, until the service does not answer. */
export async function countUntilKilled(url: string, id: string, counted: Counted): Promise<void> {
  for (;;) {
    const read = await exchange(`${url}/things/${id}`, 'GET')
    if (read === undefined) return
    const { count, tag } = thingOf(read.json)
    const answer = await exchange(`${url}/things/${id}`, 'PATCH', { count: count + 1 }, { 'if-match': tag })
    if (answer === undefined) {
      counted.unanswered++
      return
    }
    if (answer.status !== 412) counted.acknowledged++
  }
}
