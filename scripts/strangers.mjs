import { fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

// Runs the conformance suite on independent implementations of the Directory: `npm run strangers -- --help`.

const cache = fileURLToPath(new URL('../node_modules/.cache/specwright/strangers/', import.meta.url))
const bundle = `${cache}strangers.mjs`

const help = `npm run strangers -- [options]
  --folder DIR      folder with one folder for each stranger (default tests/strangers)
  --only NAMES      comma-separated names of strangers
  --faults          run each fault, with default choices (default: no fault)
  --fault NAME      only faults whose name contains NAME
  --choices N       N runs of each stranger with random choices, without faults
  --each-choice     one run for each value of each choice, without faults
  --first N         the first seed (default 1)
  --seeds N         number of seeds for each fault (default 1)
  --requests N      maximum number of requests of a run (default 2000)
  --jobs N          number of processes (default: one for each core)
  --whole           do not end the run of a fault at the first violation
  --json            print the results as JSON, one run a line
`

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: 'tests/strangers' },
    only: { type: 'string' },
    faults: { type: 'boolean', default: false },
    fault: { type: 'string' },
    choices: { type: 'string' },
    'each-choice': { type: 'boolean', default: false },
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    requests: { type: 'string', default: '2000' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    whole: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const isAboutFaults = values.faults || values.fault !== undefined

if (values.help) process.stdout.write(help)
else if (process.send === undefined) await coordinate()
else await work()

/** Builds the strangers, distributes the runs over processes, and prints the results. */
async function coordinate() {
  mkdirSync(cache, { recursive: true })
  await build({
    stdin: {
      contents: "export * from './tests/strangers/index.ts'; export { loadSpec } from './spec/language/index.ts'",
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    outfile: bundle,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  const { buildStranger, strangerNames } = await import(bundle)
  const wanted = values.only?.split(',')
  const names = strangerNames(values.folder).filter(name => wanted?.includes(name) ?? true)
  const built = names.map(name => buildStranger(`${values.folder}/${name}`, cache))
  const strangers = built.filter(each => typeof each !== 'string')
  for (const message of built.filter(each => typeof each === 'string')) process.stderr.write(`${message}\n`)
  const queue = strangers.flatMap(runsOf)
  const total = queue.length
  if (total === 0) {
    process.stderr.write('No run matches the options.\n')
    process.exitCode = 1
    return
  }
  const results = []
  const workers = Array.from({ length: Math.min(Number(values.jobs), total) }, () => {
    const worker = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
      execArgv: ['--max-semi-space-size=64'],
    })
    const next = () => worker.send(queue.shift() ?? 'done')
    worker.on('message', message => {
      if (message !== 'ready') {
        results.push(message)
        process.stdout.write(values.json ? `${JSON.stringify(message)}\n` : `${lineOf(message)}\n`)
      }
      next()
    })
    return new Promise(resolve => worker.on('exit', resolve))
  })
  const codes = await Promise.all(workers)
  const failed = results.filter(({ failure }) => failure !== undefined)
  const found = results.filter(({ violations = [] }) => violations.length > 0)
  if (!values.json) {
    for (const { name } of strangers) {
      const own = results.filter(({ stranger }) => stranger === name)
      const hits = own.filter(({ violations = [] }) => violations.length > 0)
      process.stdout.write(`${name}: ${hits.length} of ${own.length} runs report a violation\n`)
    }
    const share = `${found.length} of ${results.length} runs (${((100 * found.length) / results.length).toFixed(1)} %)`
    process.stdout.write(`${share} report a violation${isAboutFaults ? '' : '; the goal is 0'}.\n`)
  }
  const isWrong = !isAboutFaults && found.length > 0
  process.exitCode = isWrong || failed.length > 0 || codes.some(code => code !== 0) ? 1 : 0

  function runsOf(stranger) {
    const first = Number(values.first)
    const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => first + index)
    const { faults, choices } = stranger.description
    if (isAboutFaults) {
      const chosen = faults.filter(({ name }) => values.fault === undefined || name.includes(values.fault))
      return chosen.flatMap(({ name, area }) =>
        seeds.map(seed => ({ stranger, area, seed, settings: { fault: name } })),
      )
    }
    if (values['each-choice']) {
      return choices.flatMap(({ name, values: legal, default: normal }) =>
        legal
          .filter(value => value !== normal)
          .flatMap(value => seeds.map(seed => ({ stranger, seed, settings: { choices: { [name]: value } } }))),
      )
    }
    if (values.choices !== undefined) {
      const drawn = Array.from({ length: Number(values.choices) }, (_, index) => first + index)
      return drawn.map(seed => ({ stranger, seed, draw: true, settings: {} }))
    }
    return seeds.map(seed => ({ stranger, seed, settings: {} }))
  }
}

async function work() {
  const { drawChoices, checkStranger, loadSpec } = await import(bundle)
  const { service } = await loadSpec('spec/directory.yaml')
  process.on('message', async message => {
    if (message === 'done') {
      process.disconnect()
      return
    }
    const { stranger, area, seed, draw } = message
    const settings = draw ? { choices: drawChoices(stranger, seed) } : message.settings
    try {
      const options = { seed, requests: Number(values.requests), stopAtFirst: isAboutFaults && !values.whole }
      const result = await checkStranger(stranger, settings, service, options)
      process.send({ ...result, area })
    } catch (error) {
      process.send({ stranger: stranger.name, settings, seed, area, failure: String(error.stack) })
    }
  })
  process.send('ready')
}

function lineOf({ stranger, area, settings, seed, verdict, requests, seconds, violations, failure }) {
  const { fault, choices = {} } = settings
  const choice = Object.entries(choices).map(([name, value]) => `${name}=${value}`)
  const what = [stranger, area ?? '', fault ?? '', choice.join(' '), `seed ${seed}`]
    .filter(part => part !== '')
    .join('  ')
  if (failure !== undefined) return `FAILED  ${what}\n${failure}`
  const head = `${violations.length === 0 ? (isAboutFaults ? 'MISSED ' : 'ok     ') : 'REPORTS'}  ${what}  ${verdict}  ${requests} requests  ${seconds.toFixed(1)} s`
  return [
    head,
    ...violations.map(({ rule, site, message, curl }) => `    ${rule} at ${site}: ${message}\n      ${curl}`),
  ].join('\n')
}
