import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  accusationTable,
  combine,
  killTable,
  mutants,
  tryHeldOut,
  tryMutant,
  tryVariant,
  variantsOf,
} from '../dist/conformance/mutants/index.js'
import { loadSpec } from '../dist/spec/language/index.js'

// Tries the judge on services with one fault each, and on correct ones that choose otherwise: `npm run mutants -- --help`.

const help = `npm run mutants -- [options]
  --seeds N         seeds, from 1 (default 1)
  --first N         the first seed (default 1)
  --requests N      most requests of a run (default 2000)
  --only NAME       mutants or variants whose name has NAME in it, or mutants of that area
  --hold-out        the planner does not know of what explains the mutant's answers
  --variants        correct services in place of mutants: nothing may be found
  --combinations N  N services that are several variants at once
  --spec NAME       variants of this spec only: directory or library
  --jobs N          processes (default: one for each core)
`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    first: { type: 'string', default: '1' },
    requests: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
    'hold-out': { type: 'boolean', default: false },
    variants: { type: 'boolean', default: false },
    combinations: { type: 'string' },
    spec: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(help)
else if (process.send === undefined) await lead()
else await work()

/** Shares the runs out among processes, and prints the table of what they found. */
async function lead() {
  const jobs = Number(values.jobs)
  const results = new Map()
  const failures = []
  let expected = 0
  const workers = Array.from({ length: jobs }, (_, index) => {
    const worker = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
      env: { ...process.env, SHARD: `${index}/${jobs}` },
      // Planning leaves much behind at once: with more room for what is young, half of the time goes.
      execArgv: ['--max-semi-space-size=64'],
    })
    worker.on('message', ({ total, place, result, failure }) => {
      if (total !== undefined) expected = total
      else if (failure === undefined) results.set(place, result)
      else failures.push(failure)
      if (process.stderr.isTTY) process.stderr.write(`\r\u001B[2K${results.size} of ${expected} runs`)
    })
    return new Promise(resolve => worker.on('exit', resolve))
  })
  const codes = await Promise.all(workers)
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[2K')
  const ordered = [...results].sort(([a], [b]) => a - b).map(([, result]) => result)
  const isAboutVariants = values.variants || values.combinations !== undefined
  process.stdout.write(`\n${isAboutVariants ? accusationTable(ordered) : killTable(ordered)}\n`)
  for (const failure of failures) process.stdout.write(`\nThe judge itself failed: ${failure}\n`)
  const isWrong = isAboutVariants && ordered.some(({ violations }) => violations.length > 0)
  process.exitCode = isWrong || failures.length > 0 || codes.some(code => code !== 0) ? 1 : 0
}

async function work() {
  const [index, count] = process.env['SHARD'].split('/').map(Number)
  const runs = await allRuns()
  process.send({ total: runs.length })
  for (const [place, { name, run }] of runs.entries()) {
    if (place % count !== index) continue
    try {
      process.send({ place, result: await run() })
    } catch (error) {
      process.send({ place, failure: `${name}: ${error.stack}` })
    }
  }
}

async function allRuns() {
  const services = new Map()
  for (const name of ['directory', 'library']) services.set(name, (await loadSpec(`spec/${name}.yaml`)).service)
  const requests = Number(values.requests)
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + Number(values.first))
  const specs = [...services].filter(([name]) => values.spec === undefined || values.spec === name)
  if (values.combinations !== undefined) {
    const combined = Array.from({ length: Number(values.combinations) }, (_, index) => index + Number(values.first))
    return combined.flatMap(seed =>
      specs.map(([name, service]) => {
        const variants = combine(variantsOf(service), seed)
        return { name: `${name}, combination ${seed}`, run: () => tryVariant(variants, service, { seed, requests }) }
      }),
    )
  }
  if (values.variants) {
    return specs.flatMap(([spec, service]) => {
      const chosen = variantsOf(service).filter(({ name }) => name.includes(values.only))
      return chosen.flatMap(variant =>
        seeds.map(seed => ({
          name: `${spec}, ${variant.name}, seed ${seed}`,
          run: () => tryVariant([variant], service, { seed, requests }),
        })),
      )
    })
  }
  const attempt = values['hold-out'] ? tryHeldOut : tryMutant
  const chosen = mutants.filter(({ name, area }) => name.includes(values.only) || area === values.only)
  return seeds.flatMap(seed =>
    chosen.map(mutant => ({
      name: `${mutant.name}, seed ${seed}`,
      run: () => attempt(mutant, services.get(mutant.spec), { seed, requests }),
    })),
  )
}
