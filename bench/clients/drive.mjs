/**
 * Calls a client many times and prints the cost of a call: `node drive.mjs BUNDLE ADDRESS CALLS`. It first checks that the
 * client works. Calls are timed in blocks, and the lower quartile of the blocks counts: the compiler, the garbage collector
 * and other processes make single blocks expensive. Prints JSON: microseconds of processor time of this process, and of wall
 * time, for each call.
 */
import { pathToFileURL } from 'node:url'

const [bundle = '', address = '', calls = ''] = process.argv.slice(2)
const { app } = await import(pathToFileURL(bundle).href)
const client = app(address, 'token')
const warmUp = 3000
const block = 50

const found = {
  onePage: (await client.subjects('2026-01-01T00:00:00Z')).length,
  twoPages: (await client.subjects('2025-01-01T00:00:00Z')).length,
  name: await client.name('1'),
  marked: await client.markRead('there'),
  gone: await client.markRead('gone'),
}

const works = {
  list: () => client.subjects('2026-01-01T00:00:00Z'),
  read: () => client.name('1'),
}
const costs = {}
for (const [name, work] of Object.entries(works)) {
  for (let call = 0; call < warmUp; call++) await work()
  const blocks = []
  for (let done = 0; done < Number(calls); done += block) {
    const before = process.cpuUsage()
    const begun = process.hrtime.bigint()
    for (let call = 0; call < block; call++) await work()
    const wall = Number(process.hrtime.bigint() - begun) / 1000
    const { user, system } = process.cpuUsage(before)
    blocks.push({ cpu: (user + system) / block, wall: wall / block })
  }
  costs[name] = {
    cpu: lowerQuartile(blocks.map(({ cpu }) => cpu)),
    wall: lowerQuartile(blocks.map(({ wall }) => wall)),
  }
}

function lowerQuartile(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)]
}

console.log(JSON.stringify({ found, costs }))
process.exit()
