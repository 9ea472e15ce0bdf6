/**
 * Calls a client many times and prints what a call costs: `node drive.mjs BUNDLE ADDRESS CALLS`. First that it does what
 * it should is seen. Prints JSON: microseconds of processor time of this process, and of time that passed, a call.
 */
import { pathToFileURL } from 'node:url'

const [bundle = '', address = '', calls = ''] = process.argv.slice(2)
const { app } = await import(pathToFileURL(bundle).href)
const client = app(address, 'token')
const warmUp = 400

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
  const before = process.cpuUsage()
  const begun = process.hrtime.bigint()
  for (let call = 0; call < Number(calls); call++) await work()
  const wall = Number(process.hrtime.bigint() - begun) / 1000
  const { user, system } = process.cpuUsage(before)
  costs[name] = { cpu: (user + system) / Number(calls), wall: wall / Number(calls) }
}
console.log(JSON.stringify({ found, costs }))
process.exit()
