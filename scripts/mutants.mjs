import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

// Runs the conformance suite on services with one fault each, and on conforming variants: `npm run mutants -- --help`.

/** The mutants and the suite, compiled from source: neither is part of `dist`. */
const bundle = fileURLToPath(new URL('../node_modules/.cache/specwright/mutants.mjs', import.meta.url))

const help = `npm run mutants -- [options]
  --seeds N         number of seeds (default 1)
  --first N         the first seed (default 1)
  --requests N      maximum number of requests of a run (default 2000)
  --only NAME       mutants or variants whose name contains NAME, or mutants of that area
  --hold-out        plan without the bug models that explain the mutant's responses; with --variants,
                    do not learn the choices that the variant makes differently
  --variants        run conforming variants instead: no violation may be reported
  --combinations N  N services that combine several variants
  --spec NAME       only variants of this spec: directory or library
  --jobs N          number of processes (default: one for each core)

Exits with 1 if a mutant is not found, a variant has a violation, a run fails, or nothing is selected.
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
else if (process.send === undefined) await coordinate()
else await work()

/** Distributes the runs over processes and prints a table of the results. */
async function coordinate() {
  await build({
    stdin: {
      contents: "export * from './tests/mutants/index.ts'; export { loadSpec } from './spec/language/index.ts'",
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    outfile: bundle,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  const { falsePositiveTable, killTable } = await import(bundle)
  const jobs = Number(values.jobs)
  const results = new Map()
  const failures = []
  let expected = 0
  const workers = Array.from({ length: jobs }, (_, index) => {
    const worker = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
      env: { ...process.env, SHARD: `${index}/${jobs}` },
      // Planning allocates much short-lived memory: a larger young generation halves the time.
      execArgv: ['--max-semi-space-size=64'],
    })
    worker.on('message', ({ total, index, result, failure }) => {
      if (total !== undefined) expected = total
      else if (failure === undefined) results.set(index, result)
      else failures.push(failure)
      if (process.stderr.isTTY) process.stderr.write(`\r\u001B[2K${results.size} of ${expected} runs`)
    })
    return new Promise(resolve => worker.on('exit', resolve))
  })
  const codes = await Promise.all(workers)
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[2K')
  const ordered = [...results].sort(([a], [b]) => a - b).map(([, result]) => result)
  const isAboutVariants = values.variants || values.combinations !== undefined
  const problems = failures.map(failure => `The suite failed: ${failure}`)
  if (codes.some(code => code !== 0)) problems.push('A process ended before its runs.')
  else if (expected === 0) problems.push(nothingSelected(isAboutVariants))
  if (ordered.length > 0) {
    process.stdout.write(`\n${isAboutVariants ? falsePositiveTable(ordered) : killTable(ordered)}\n`)
    problems.push(...(isAboutVariants ? violatedVariants(ordered) : missedMutants(ordered)))
  }
  for (const problem of problems) process.stderr.write(`\n${problem}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

function nothingSelected(isAboutVariants) {
  const named =
    values.only === '' ? '' : ` whose name contains '${values.only}'${isAboutVariants ? '' : ', and no such area'}`
  const of = values.spec === undefined ? '' : ` of the spec '${values.spec}'`
  return `There is no ${isAboutVariants ? 'variant' : 'mutant'}${named}${of}: nothing ran.`
}

function missedMutants(results) {
  const missed = results.filter(({ requests }) => requests === undefined)
  if (missed.length === 0) return []
  return [`Not found in ${missed.length} of ${results.length} runs: ${distinct(missed.map(({ mutant }) => mutant))}.`]
}

function violatedVariants(results) {
  const wrong = results.filter(({ violations }) => violations.length > 0)
  if (wrong.length === 0) return []
  const names = distinct(wrong.map(({ variants }) => variants.join(' + ')))
  return [`False positives in ${wrong.length} of ${results.length} runs: ${names}.`]
}

function distinct(names) {
  return [...new Set(names)].join(', ')
}

async function work() {
  const [index, count] = process.env['SHARD'].split('/').map(Number)
  const runs = await allRuns()
  process.send({ total: runs.length })
  for (const [each, { name, run }] of runs.entries()) {
    if (each % count !== index) continue
    try {
      process.send({ index: each, result: await run() })
    } catch (error) {
      process.send({ index: each, failure: `${name}: ${error.stack}` })
    }
  }
}

/** The choices that the suite must not learn. */
function heldOut({ choices }) {
  return values['hold-out'] ? choices : []
}

async function allRuns() {
  const { combineVariants, mutants, runHeldOut, runMutant, runVariant, variantsOf, loadSpec } = await import(bundle)
  const services = new Map()
  for (const name of ['directory', 'library']) services.set(name, (await loadSpec(`spec/${name}.yaml`)).service)
  const requests = Number(values.requests)
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + Number(values.first))
  const selected = [...services].filter(([name]) => values.spec === undefined || values.spec === name)
  if (values.combinations !== undefined) {
    const combined = Array.from({ length: Number(values.combinations) }, (_, index) => index + Number(values.first))
    return combined.flatMap(seed =>
      selected.map(([name, service]) => {
        const variants = combineVariants(variantsOf(service), seed)
        return { name: `${name}, combination ${seed}`, run: () => runVariant(variants, service, { seed, requests }) }
      }),
    )
  }
  if (values.variants) {
    return selected.flatMap(([spec, service]) => {
      const chosen = variantsOf(service).filter(
        variant => variant.name.includes(values.only) && (!values['hold-out'] || heldOut(variant).length > 0),
      )
      return chosen.flatMap(variant =>
        seeds.map(seed => ({
          name: `${spec}, ${variant.name}, seed ${seed}`,
          run: () => runVariant([variant], service, { seed, requests, excludedChoices: heldOut(variant) }),
        })),
      )
    })
  }
  const attempt = values['hold-out'] ? runHeldOut : runMutant
  const chosen = mutants.filter(({ name, area }) => name.includes(values.only) || area === values.only)
  return seeds.flatMap(seed =>
    chosen.map(mutant => ({
      name: `${mutant.name}, seed ${seed}`,
      run: () => attempt(mutant, services.get(mutant.spec), { seed, requests }),
    })),
  )
}
