import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commandLine } from '../generators/contenders.mjs'
import { measure } from '../generators/measure.mjs'
import { conditions, publish, table } from '../report.mjs'
import { started } from '../service/contestants/started.mjs'

// What the judge takes beside the service that it judges: `npm run judge-cost`, after `npm run build` in the folder above.

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, store: { type: 'string' }, package: { type: 'string' } },
})
const here = name => fileURLToPath(new URL(name, import.meta.url))
const cli = commandLine(values.package ?? here('../..'))
const spec = here('../../spec/directory.yaml')
const probe = here('../generators/usage-probe.cjs')
const token = 'bench'
const stores = ['sqlite::memory:', ...(values.store === undefined ? [] : [values.store])]
const judgements = [
  ['reads', []],
  ['reads and writes', ['--allow-writes']],
]

/** Runs the service for as long as something asks it: processor seconds of its whole process. */
async function served(store, ask) {
  const folder = mkdtempSync(join(tmpdir(), 'specwright-bench-'))
  const usage = join(folder, 'usage')
  try {
    const service = await started(
      [cli, 'serve', spec, '--store', store, '--port', '0', '--token', token, '--log', 'off'],
      {
        env: { NODE_OPTIONS: `--require ${JSON.stringify(probe)}`, BENCH_USAGE_FILE: usage },
        pattern: /listening +(http:\/\/\S+)/,
      },
    )
    const asked = await ask(service.origin)
    await service.stop()
    const [cpu = 0] = readFileSync(usage, 'utf8').split(' ').map(Number)
    return { asked, cpu: cpu / 1e6 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function judged(root, flags) {
  const args = [cli, 'conformance', root, '--spec', spec, '--token', token, '--seed', '1', ...flags]
  const run = await measure(() => args, 300)
  if (run.failure !== undefined) throw new Error(`The judge failed: ${run.failure}`)
  return run.usage
}

const rounds = Number(values.rounds)
const runs = new Map()
for (let round = 0; round < rounds; round++) {
  for (const store of stores) {
    const idle = await served(store, async () => undefined)
    for (const [name, flags] of judgements) {
      const { asked, cpu } = await served(store, root => judged(root, flags))
      const key = `${store.split(':')[0]}, ${name}`
      runs.set(key, [...(runs.get(key) ?? []), { ...asked, service: cpu, working: cpu - idle.cpu }])
    }
  }
}

const least = (of, quantity) => Math.min(...of.map(run => run[quantity]))
const median = (of, quantity) => of.map(run => run[quantity]).toSorted((a, b) => a - b)[Math.floor(of.length / 2)]
const rows = [...runs].map(([name, of]) => {
  const ratio = of.map(run => run.cpu / run.service).toSorted((a, b) => a - b)[Math.floor(of.length / 2)]
  return [
    name,
    least(of, 'cpu').toFixed(2),
    least(of, 'service').toFixed(2),
    least(of, 'working').toFixed(2),
    ratio.toFixed(2),
    median(of, 'wall').toFixed(1),
    String(Math.round(median(of, 'memory'))),
  ]
})
publish('judge', [
  '# The judge beside the service that it judges',
  conditions(`npm run judge-cost -- --rounds ${rounds}${values.store === undefined ? '' : ' --store URL'}`),
  'A default run of `specwright conformance` (seed 1, some 1,960 requests) on `specwright serve` with the Directory service and its own data, each a process of its own. Processor time of whole processes, start and end included, all threads; "working" is what the service takes beyond starting and stopping. The least of the runs; the ratio, the wall time and the memory are medians. What a PostgreSQL server takes by itself is not counted.',
  table(
    ['store, judgement', 'judge cpu s', 'service cpu s', 'working', 'judge ÷ service', 'wall s', 'judge MiB'],
    rows,
  ),
])
