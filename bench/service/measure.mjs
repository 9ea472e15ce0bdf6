import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const driver = fileURLToPath(new URL('load.mjs', import.meta.url))

/**
 * Lets contestants take turns under load.
 *
 * @param {readonly { running: import('./contestants/started.mjs').Running, requests: (round: number) => readonly object[] }[]} entries
 * @param {{ rounds: number, first?: number, seconds: number, connections: number }} options `first` is the number of the first round
 * @returns {Promise<readonly Standing[]>} the best of the rounds, since what a round takes above it is the machine's
 *
 * @typedef {object} Standing
 * @property {number} perSecond
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {number | undefined} cpu microseconds of processor time a request, of the service alone; Linux only
 */
export async function takeTurns(entries, { rounds, first = 0, seconds, connections }) {
  const outcomes = entries.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { running, requests }] of entries.entries()) {
      const before = processorTime(running.pid)
      const outcome = await load({ origin: running.origin, connections, seconds, requests: requests(first + round) })
      const after = processorTime(running.pid)
      outcomes[index]?.push({ ...outcome, cpu: ((after - before) * 1e6) / outcome.requests })
    }
  }
  return outcomes.map(all => ({
    perSecond: Math.max(...all.map(({ perSecond }) => perSecond)),
    p50: Math.min(...all.map(({ p50 }) => p50)),
    p99: Math.min(...all.map(({ p99 }) => p99)),
    cpu: Math.min(...all.map(({ cpu }) => cpu)),
  }))
}

/** @returns {Promise<import('./load.mjs').Outcome>} */
async function load(work) {
  const child = spawn(process.execPath, [driver], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(work))
  const outcome = await json(child.stdout)
  if (outcome.failure !== undefined) throw new Error(`${work.origin} answered\n${outcome.failure}`)
  return outcome
}

/** Seconds of user and system time of a process, with all its threads; NaN if there is no `/proc`. */
function processorTime(pid) {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(11, 13).map(Number)
    return (user + system) / 100
  } catch {
    return Number.NaN
  }
}
