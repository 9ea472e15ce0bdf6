import { Worker } from 'node:worker_threads'
import { trials } from './corpus.mjs'

/** Milliseconds without an outcome after which a parser counts as hung. Loading gets more. */
const patience = 3_000
const loading = 30_000

/**
 * Runs a parser over the corpus in its own thread, because some texts drive some peers into an endless loop.
 *
 * @param {import('./parsers.mjs').Parser} parser
 * @returns {Promise<readonly (import('./attempt.mjs').Outcome | 'hung')[]>} in the order of the trials
 */
export async function score({ name }) {
  const outcomes = []
  while (outcomes.length < trials.length) {
    await scoreUntilHung(name, outcomes)
    if (outcomes.length < trials.length) outcomes.push('hung')
  }
  return outcomes
}

/** Appends outcomes, from the first missing one, until all are there or one does not arrive. */
function scoreUntilHung(name, outcomes) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('score-worker.mjs', import.meta.url), {
      workerData: { name, from: outcomes.length },
    })
    const stop = () => worker.terminate().then(() => resolve())
    let watch = setTimeout(() => reject(new Error(`${name} did not load`)), loading)
    worker.on('message', message => {
      clearTimeout(watch)
      if (message !== 'ready') outcomes.push(message)
      if (outcomes.length < trials.length) watch = setTimeout(stop, patience)
    })
    worker.on('error', error => {
      clearTimeout(watch)
      reject(error)
    })
    worker.on('exit', resolve)
  })
}
