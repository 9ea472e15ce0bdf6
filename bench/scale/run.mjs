import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { plansOf } from './plans.mjs'
import { startPostgres } from './postgres.mjs'
import { createClient, kindsOf, secret } from './requests.mjs'
import { fillPostgres, fillSqlite, spec } from './stores.mjs'

// A small store and a large one, each behind a process of `serve`, answer the same kinds of requests in turn. The ratio of the
// medians says how much a request slows down when the store grows. See README.md.

const { values: given } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    small: { type: 'string', default: '10x1000' },
    large: { type: 'string', default: '10x100000' },
    rounds: { type: 'string', default: '30' },
    each: { type: 'string', default: '10' },
    folder: { type: 'string' },
    out: { type: 'string' },
  },
})

const sizeOf = text => {
  const [users, messages] = text.split('x').map(Number)
  return { users, messages }
}

const folder = given.folder ?? mkdtempSync(join(tmpdir(), 'specwright-scale-'))
const log = text => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

const server = given.engine === 'postgres' ? await startPostgres(folder) : undefined
const children = []
process.once('uncaughtException', async error => {
  console.error(error)
  await server?.stop()
  process.exit(1)
})
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

const stores = []
for (const name of ['small', 'large']) {
  const size = sizeOf(given[name])
  const filled =
    server === undefined ? await fillSqlite(folder, name, size) : await fillPostgres(server.address, name, size)
  log(`${name}: ${JSON.stringify(filled)}`)
  stores.push({ name, size, ...filled })
}

async function serve({ store }) {
  const bin = new URL('../../dist/cli/specwright.js', import.meta.url).pathname
  const child = spawn(process.execPath, [bin, 'serve', spec, '--store', store, '--port', '0', '--log', 'off'], {
    env: { ...process.env, SPECWRIGHT_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^listening (\S+)/.exec(line) ?? []
    if (url !== undefined) return { child, url }
  }
  throw new Error('The service did not start.')
}

const runs = []
for (const each of stores) {
  const { child, url } = await serve(each)
  const client = createClient(url)
  const kinds = []
  for (const kind of kindsOf(each.size)) kinds.push({ ...kind, state: await kind.prepare?.(client), times: [] })
  runs.push({ ...each, child, client, kinds })
}

let seed = 1
const random = limit => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % limit
}
const rounds = Number(given.rounds)
for (let round = -2; round < rounds; round++) {
  for (let index = 0; index < runs[0].kinds.length; index++) {
    for (const { client, kinds } of round % 2 === 0 ? runs : runs.toReversed()) {
      const { run, state, times } = kinds[index]
      for (let count = 0; count < Number(given.each); count++) {
        const milliseconds = await run(client, random, state)
        if (round >= 0) times.push(milliseconds)
      }
    }
  }
  if (round % 10 === 0) log(`round ${round}`)
}
for (const { child, client } of runs) {
  client.close()
  child.kill('SIGTERM')
  await new Promise(resolve => child.once('exit', resolve))
}

const quantile = (times, part) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]
const [small, large] = runs
const count = number => number.toLocaleString('en')
const rows = small.kinds.map(({ name, times }, index) => {
  const [a, b] = [quantile(times, 0.5), quantile(large.kinds[index].times, 0.5)]
  const [c, d] = [quantile(times, 0.9), quantile(large.kinds[index].times, 0.9)]
  return `| ${name} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(b / a).toFixed(2)} | ${c.toFixed(2)} | ${d.toFixed(2)} |`
})
const text = [
  `## ${given.engine}`,
  '',
  '| store | users | messages | load, s | indexes, s | size, MB |',
  '|---|---|---|---|---|---|',
  ...runs.map(
    each =>
      `| ${each.name} | ${count(each.directoryObject)} | ${count(each.message)} | ${each.load} | ${each.index} | ${count(Math.round(each.bytes / 1e6))} |`,
  ),
  '',
  `Medians of ${rounds * Number(given.each)} requests, one at a time, small and large in turn, in milliseconds.`,
  '',
  '| request | small | large | ratio | p90, small | p90, large |',
  '|---|---|---|---|---|---|',
  ...rows,
  '',
  '### Plans on the large store',
  '',
  ...(await plansOf(large.store, kindsOf(large.size), large.size)),
  '',
].join('\n')
process.stdout.write(text)
if (given.out !== undefined) writeFileSync(given.out, text)
await server?.stop()
if (given.folder === undefined) rmSync(folder, { recursive: true, force: true })
