import { measure } from './measure.mjs'

/**
 * One contender with its input, and the cost of its runs or the reason of its failure.
 *
 * @typedef {object} Standing
 * @property {import('./contenders.mjs').Contender} contender
 * @property {import('./measure.mjs').Usage} [usage] the least times and the median memory
 * @property {number} [medianWall] seconds
 * @property {import('./measure.mjs').Output} [output]
 * @property {string} [failure]
 */

/**
 * Runs the contenders in turn, A B C A B C …, so that a slow moment of the machine does not affect one alone. A first
 * turn fills the caches of the file system and does not count.
 *
 * @param {readonly { contender: import('./contenders.mjs').Contender, input: string }[]} entries
 * @param {{ rounds: number, limit: number }} options rounds that count; seconds after which a run is stopped
 * @returns {Promise<readonly Standing[]>} in the order of `entries`
 */
export async function race(entries, { rounds, limit }) {
  const runs = entries.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { contender, input }] of entries.entries()) {
      if (runs[index].some(run => run.failure !== undefined)) continue
      const run = await measure(out => contender.command(input, out), limit)
      if (round > 0 || run.failure !== undefined) runs[index].push(run)
    }
  }
  return entries.map(({ contender }, index) => ({ contender, ...summary(runs[index]) }))
}

/** The minimum is the time of the program. Any more is other work on the machine. */
function summary(runs) {
  const failed = runs.find(run => run.failure !== undefined)
  if (failed !== undefined) return { failure: failed.failure }
  const of = quantity => runs.map(run => run.usage[quantity])
  return {
    usage: { wall: Math.min(...of('wall')), cpu: Math.min(...of('cpu')), memory: median(of('memory')) },
    medianWall: median(of('wall')),
    output: runs[0].output,
  }
}

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
