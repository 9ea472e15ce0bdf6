import { Bench } from 'tinybench'

/** Short rounds in turn, so that a slow moment of the machine does not affect one parser alone. */
const rounds = 5
const roundTime = { time: 120, warmupTime: 40 }
/** Passes over the filters for each reading of the clock, so that the reading costs nothing in comparison. */
const passes = 10

let last
/** Keeps the result of the parser alive, so that the compiler cannot remove the call. */
export const kept = () => last

/**
 * Parses per second of each parser over the same filters: the median over rounds in which they take turns.
 *
 * @param {readonly import('./parsers.mjs').Parser[]} parsers
 * @param {readonly import('./corpus.mjs').Trial[]} filters
 * @returns {Promise<readonly number[]>} in the order of `parsers`
 */
export async function parsesPerSecond(parsers, filters) {
  const rates = parsers.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const bench = new Bench(roundTime)
    for (const parser of parsers) bench.add(parser.name, parseAll(parser, filters))
    await bench.run()
    for (const [index, task] of bench.tasks.entries()) {
      if (task.result.state !== 'completed') throw new Error(`${task.name}: ${task.result.state}`)
      rates[index].push((passes * filters.length * 1000) / task.result.latency.p50)
    }
  }
  return rates.map(median)
}

function parseAll({ prepare, parse }, filters) {
  const inputs = filters.map(filter => prepare(filter.text))
  return () => {
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < inputs.length; index++) last = parse(inputs[index])
    }
  }
}

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
