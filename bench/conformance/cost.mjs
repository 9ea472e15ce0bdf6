import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commandLine } from '../generators/contenders.mjs'
import { measure } from '../generators/measure.mjs'
import { conditions, publish, table } from '../report.mjs'
import { started } from '../service/contestants/started.mjs'

// The cost of a conformance run, compared with the service that it checks: `npm run conformance-cost`, after `npm run build` in the folder above.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    store: { type: 'string' },
    // The main process of the PostgreSQL server of that store, on this machine.
    server: { type: 'string' },
    package: { type: 'string' },
  },
})
const here = name => fileURLToPath(new URL(name, import.meta.url))
const cli = commandLine(values.package ?? here('../..'))
const spec = here('../../spec/directory.yaml')
const probe = here('../generators/usage-probe.cjs')
const token = 'bench'
/** Ticks per second that Linux reports, on every architecture of Node.js. */
const ticksInSecond = 100
const isServerKnown = values.server !== undefined
const stores = ['sqlite::memory:', ...(values.store === undefined ? [] : [values.store])]
// By default, the service logs requests on standard error.
const trials = [
  { name: 'reads', flags: [], log: [] },
  { name: 'reads and writes', flags: ['--allow-writes'], log: [] },
  { name: 'reads, the service with `--log off`', flags: [], log: ['--log', 'off'] },
  { name: 'reads, 100 ms away', flags: [], log: [], latency: 100 },
  { name: 'reads and writes, 100 ms away', flags: ['--allow-writes'], log: [], latency: 100 },
  { name: 'reads, 100 ms away, `--concurrency 1`', flags: ['--concurrency', '1'], log: [], latency: 100 },
]

/** Processor seconds of the processes of a PostgreSQL server so far, including those that ended; 0 if unknown. */
function databaseTime(store) {
  if (!isServerKnown || store.startsWith('sqlite')) return 0
  const processes = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return processes.map(timesOf).reduce((sum, [pid, parent, own, ended]) => {
    if (pid === values.server) return sum + own + ended
    return parent === values.server ? sum + own : sum
  }, 0)
}

/** The id of a process, its parent's id, and the processor seconds of itself and of the processes that it waited for. */
function timesOf(pid) {
  try {
    const [, parent, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [user, system, endedUser, endedSystem] = fields.slice(9, 13).map(ticks => Number(ticks) / ticksInSecond)
    return [pid, parent, user + system, endedUser + endedSystem]
  } catch {
    return [pid, '', 0, 0]
  }
}

/** Runs the service for the time of a call. Returns the processor seconds of its process, and of its database. */
async function served(store, log, ask) {
  const folder = mkdtempSync(join(tmpdir(), 'specwright-bench-'))
  const usage = join(folder, 'usage')
  try {
    const service = await started([cli, 'serve', spec, '--store', store, '--port', '0', '--token', token, ...log], {
      env: { NODE_OPTIONS: `--require ${JSON.stringify(probe)}`, BENCH_USAGE_FILE: usage },
      pattern: /listening +(http:\/\/\S+)/,
    })
    const before = databaseTime(store)
    const asked = await ask(service.origin)
    await service.stop()
    const [cpu = 0] = readFileSync(usage, 'utf8').split(' ').map(Number)
    return { asked, cpu: cpu / 1e6, database: databaseTime(store) - before }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Passes on the connections to a service for the time of a call, as a link with a latency does: each part arrives half of
 * the milliseconds later, in both directions.
 */
async function distant(root, milliseconds, ask) {
  if (milliseconds === undefined) return ask(root)
  const { hostname, port, pathname } = new URL(root)
  const later = (from, to) => {
    from.on('data', part => setTimeout(() => to.writable && to.write(part), milliseconds / 2))
    from.on('close', () => setTimeout(() => to.end(), milliseconds / 2))
    from.on('error', () => {})
  }
  const link = createServer({ noDelay: true }, near => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true })
    later(near, far)
    later(far, near)
  })
  link.listen(0, '127.0.0.1')
  await once(link, 'listening')
  try {
    return await ask(`http://127.0.0.1:${link.address().port}${pathname}`)
  } finally {
    link.close()
  }
}

async function checked(root, flags) {
  const args = [cli, 'conformance', root, '--spec', spec, '--token', token, '--seed', '1', ...flags]
  const run = await measure(() => args, 300)
  if (run.failure !== undefined) throw new Error(`The conformance run failed: ${run.failure}`)
  return run.usage
}

const rounds = Number(values.rounds)
const runs = new Map()
for (let round = 0; round < rounds; round++) {
  for (const store of stores) {
    const idle = await served(store, [], async () => undefined)
    for (const { name, flags, log, latency } of trials) {
      const { asked, cpu, database } = await served(store, log, root =>
        distant(root, latency, nearby => checked(nearby, flags)),
      )
      const key = `${store.split(':')[0]}, ${name}`
      const run = { ...asked, service: cpu, working: cpu - idle.cpu, database }
      runs.set(key, [...(runs.get(key) ?? []), run])
    }
  }
}

const least = (of, quantity) => Math.min(...of.map(run => run[quantity]))
const median = (of, quantity) => of.map(run => run[quantity]).toSorted((a, b) => a - b)[Math.floor(of.length / 2)]
const rows = [...runs].map(([name, of]) => {
  const ratios = of.map(run => ({ ratio: run.cpu / (run.service + run.database) }))
  return [
    name,
    least(of, 'cpu').toFixed(2),
    least(of, 'service').toFixed(2),
    least(of, 'working').toFixed(2),
    isServerKnown && name.startsWith('postgres') ? least(of, 'database').toFixed(2) : '-',
    median(ratios, 'ratio').toFixed(2),
    median(of, 'wall').toFixed(1),
    String(Math.round(median(of, 'memory'))),
  ]
})
publish('conformance', [
  '# The cost of a conformance run, compared with the service that it checks',
  conditions(
    `npm run conformance-cost -- --rounds ${rounds}${values.store === undefined ? '' : ' --store URL'}${isServerKnown ? ' --server PID' : ''}`,
  ),
  'Each line is a default run of `specwright conformance` (seed 1, about 1,960 requests) against `specwright serve` with the Directory service and its own data. Both run in processes of their own. The figures are the processor time of the whole process, with all its threads, from start to exit. "working" is the time of the service without its start and stop. Times are the minimum of the runs; the ratio, the wall time and the memory are medians.',
  `The time of the PostgreSQL server during the run is ${isServerKnown ? 'counted with the service' : 'not counted'}.`,
  table(
    ['store, run', 'suite cpu s', 'service cpu s', 'working', 'database', 'suite ÷ service', 'wall s', 'suite MiB'],
    rows,
  ),
])
