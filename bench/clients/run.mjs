/**
 * Measures the cost of a client: bytes in a bundle and processor time for each call. Writes `results/clients.md`.
 *
 * `node clients/run.mjs [--rounds 5] [--calls 1500] [--package FOLDER]`
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { commandLine } from '../generators/contenders.mjs'
import { conditions, publish, table } from '../report.mjs'
import { bundle } from './bundle.mjs'
import { generate } from './generate.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    calls: { type: 'string', default: '1500' },
    package: { type: 'string', default: fileURLToPath(new URL('../../', import.meta.url)) },
  },
})
const rounds = Number(values.rounds)
const here = file => fileURLToPath(new URL(file, import.meta.url))

if (!existsSync(commandLine(values.package))) {
  console.error('dist/cli/specwright.js is missing: run `npm run build` in the folder above first.')
  process.exit(2)
}

/** The clients: the file in `apps/`, the package, and what it leaves undone. */
const clients = [
  ['specwright', undefined, 'generated, typed'],
  ['raw-fetch', undefined, 'by hand'],
  ['openapi-fetch', 'openapi-fetch', 'types generated; links followed by hand'],
  ['hey-api', '@hey-api/openapi-ts', 'generated, typed; links followed by hand'],
  ['graph-client', '@microsoft/microsoft-graph-client', 'untyped'],
  ['odata2ts', '@odata2ts/odata-service', 'generated, typed; links followed by hand; cannot tell 404 from its code'],
  ['kiota', '@microsoft/kiota-bundle', 'written by hand as if generated: its generator is no npm package'],
  ['sap-cloud-sdk', '@sap-cloud-sdk/odata-v4', 'generated, typed; Node only; lists people, having no class for mail'],
]
const nodeOnly = new Set(['sap-cloud-sdk'])

const folder = mkdtempSync(join(tmpdir(), 'specwright-clients-'))
const server = spawn(process.execPath, [here('server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const { version } = generate(folder, values.package)
  const [address] = await once(createInterface({ input: server.stdout }), 'line')
  const bundles = []
  for (const [name] of clients) bundles.push(await bundle(name, folder, nodeOnly.has(name) ? 'node' : 'browser'))
  const costs = await race(bundles, address)
  publish('clients', [
    '# Clients',
    conditions(`npm run clients -- --rounds ${rounds} --calls ${values.calls}`),
    `Each client runs the same small program (\`clients/apps/\`): it lists messages with filter, select and top across all pages, reads a user, patches a message and handles an error. The sizes are those of the browser bundle that esbuild makes, minified and then gzipped (level 9). The times are those of the calling process. The server runs in another process and returns constant responses. Each client runs in ${rounds} processes, which alternate with those of the other clients, and makes ${values.calls} calls in each after a warm-up. The figure is the lower quartile of blocks of fifty calls, in the fastest process. "× cpu" and "× wall" compare with raw fetch. "list" reads a page of ten items, "read" reads one item.`,
    standings(costs, bundles, version),
  ])
} finally {
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

async function race(bundles, address) {
  const outcomes = bundles.map(() => [])
  const run = promisify(execFile)
  for (let round = 0; round < rounds; round++) {
    for (const [index, { runnable }] of bundles.entries()) {
      const { stdout } = await run(process.execPath, [here('drive.mjs'), runnable, address, values.calls])
      const { found, costs } = JSON.parse(stdout)
      requireRight(clients[index][0], found)
      outcomes[index].push(costs)
    }
  }
  return outcomes.map(all => ({ list: least(all.map(({ list }) => list)), read: least(all.map(({ read }) => read)) }))
}

/** Checks that a client works: one that does nothing would cost nothing. */
function requireRight(name, { onePage, twoPages, name: displayName, marked, gone }) {
  const pages = nodeOnly.has(name) ? [1, 1] : [10, 20]
  const isRight =
    onePage === pages[0] && twoPages === pages[1] && displayName === 'Ada Abel' && marked === true && gone === false
  if (!isRight) throw new Error(`${name} found ${JSON.stringify({ onePage, twoPages, displayName, marked, gone })}`)
}

function least(costs) {
  return { cpu: Math.min(...costs.map(({ cpu }) => cpu)), wall: Math.min(...costs.map(({ wall }) => wall)) }
}

function standings(costs, bundles, version) {
  const base = costs[clients.findIndex(([name]) => name === 'raw-fetch')]
  return table(
    ['client', 'minified', 'gzipped', 'list µs cpu', '× cpu', '× wall', 'read µs cpu', '× cpu', '× wall', 'notes'],
    clients.map(([name, packageName, notes], index) => {
      const { list, read } = costs[index]
      return [
        packageName === undefined ? name : `${packageName} ${version(packageName)}`,
        bundles[index].minified,
        bundles[index].gzipped,
        Math.round(list.cpu),
        (list.cpu / base.list.cpu).toFixed(2),
        (list.wall / base.list.wall).toFixed(2),
        Math.round(read.cpu),
        (read.cpu / base.read.cpu).toFixed(2),
        (read.wall / base.read.wall).toFixed(2),
        notes,
      ]
    }),
  )
}
