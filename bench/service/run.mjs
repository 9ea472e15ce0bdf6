/**
 * Measures running services over HTTP, Specwright, CAP and the lower bound in turn, and writes `results/service.md`.
 *
 * `node service/run.mjs [--rounds 3] [--seconds 1] [--connections 64,8,1] [--package FOLDER]`. `--package` measures
 * another built Specwright than the one around this folder.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commandLine } from '../generators/contenders.mjs'
import { conditions, publish, table } from '../report.mjs'
import { contestants } from './contestants/contestant.mjs'
import { takeTurns } from './measure.mjs'
import { requireNative } from './native.mjs'
import { pageSize } from './organisation.mjs'
import { answered, prepared, requireSameAnswers } from './same-answers.mjs'
import { firstPage, rarePage, workloads } from './workloads.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '3' },
    connections: { type: 'string', default: '64,8,1' },
    package: { type: 'string', default: fileURLToPath(new URL('../../', import.meta.url)) },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
/** In seconds. Until Node.js has compiled the code, a create takes up to three times as long. */
const warmUp = Number(values['warm-up'])
const sizes = { users: 10_000, messages: 50_000 }
const tenfold = { users: sizes.users * 10, messages: 0 }
const compared = 20
const lastPage = 1000
/** The rounds whose fresh requests were sent. The comparison of answers takes the first one. */
let freshRounds = 1

if (!existsSync(commandLine(values.package))) {
  console.error('dist/cli/specwright.js is missing: run `npm run build` in the folder above first.')
  process.exit(2)
}
requireNative()

const folder = mkdtempSync(join(tmpdir(), 'specwright-service-'))
try {
  const parts = await withAll(sizes, 'usual', async entered => {
    const reads = workloads.filter(({ name }) => name !== 'create')
    for (const { requests } of reads) await requireSameAnswers(entered, requests(sizes.users, 0).slice(0, compared))
    const found = { pages: await pages(entered), rare: await rare(entered) }
    const tables = []
    for (const connections of values.connections.split(',').map(Number))
      tables.push(
        `## ${connections === 1 ? 'One connection' : `${connections} connections`}`,
        await race(entered, connections),
      )
    return { ...found, tables }
  })
  const large = await withAll(tenfold, 'tenfold', rare)
  publish('service', [
    '# Running services',
    conditions(
      `npm run service -- --rounds ${rounds} --seconds ${seconds} --warm-up ${warmUp} --connections ${values.connections}`,
    ),
    introduction(),
    ...parts.tables,
    '## Deep pages',
    `The mail of the signed-in user in order of time, with ${pageSize} messages per page. Page ${lastPage.toLocaleString('en-US')} is reached by following next links; with CAP by \`$skip\`, because it returns no next link if the request has \`$top\`. One connection.`,
    parts.pages,
    '## Larger tables',
    `\`GET /users?$filter=department eq '…'\` returns the same ${100} people, from a table of ${sizes.users.toLocaleString('en-US')} and from one of ${tenfold.users.toLocaleString('en-US')}. One connection.`,
    growth(parts.rare, large),
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function introduction() {
  return `${sizes.users.toLocaleString('en-US')} people, ${sizes.messages.toLocaleString('en-US')} messages, each service on an SQLite file on the same machine. ${rounds} rounds of ${seconds} s for each service, alternating, after ${warmUp} s of the same requests for each. The figure is the best round; for p99, the round with the lowest value. "cpu" is the processor time of the service for each request, in microseconds, which other load on the machine distorts less. A workload repeats at most 400 different requests, so caches of query plans and page links count; only in the one that was never asked before does no request come twice, nor does its list of properties within a round. CAP checks no credentials and syncs to disk less often than the others.`
}

/** Starts all contestants, each on its own data, and stops them. */
async function withAll(amount, name, work) {
  const entered = []
  try {
    for (const contestant of contestants(values.package)) {
      const place = join(folder, name, contestant.name.replaceAll(/\W+/g, '-'))
      mkdirSync(place, { recursive: true })
      await contestant.prepare(place, amount)
      entered.push({ contestant, running: await contestant.start(place) })
    }
    return await work(entered)
  } finally {
    for (const { running } of entered) await running.stop()
  }
}

async function race(entered, connections) {
  const rows = []
  for (const { name, request, requests, isFresh } of workloads) {
    const standings = await measured(
      entered,
      (_, round) => requests(sizes.users, isFresh ? freshRounds + round : 0),
      connections,
    )
    if (isFresh) freshRounds += rounds + 1
    const [ours, peer, floor] = standings
    console.error(
      name,
      standings.map(({ perSecond, cpu }) => `${Math.round(perSecond)}/s ${Math.round(cpu)} µs`).join(', '),
    )
    rows.push([
      name,
      `\`${request}\``,
      ...standings.map(({ perSecond }) => Math.round(perSecond)),
      (ours.perSecond / peer.perSecond).toFixed(1),
      (ours.perSecond / floor.perSecond).toFixed(2),
      ...standings.map(({ cpu }) => Math.round(cpu)),
      (peer.cpu / ours.cpu).toFixed(1),
      (floor.cpu / ours.cpu).toFixed(2),
      ...standings.map(({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`),
    ])
  }
  return table(
    [
      ...['workload', 'request', 'ours /s', 'CAP /s', 'floor /s', '× CAP', '× floor'],
      ...['ours cpu', 'CAP cpu', 'floor cpu', '× CAP (cpu)', '× floor (cpu)'],
      ...['ours p50 / p99 ms', 'CAP', 'floor'],
    ],
    rows,
  )
}

/** Page 1 and a late page of each contestant. */
async function pages(entered) {
  const rows = []
  for (const each of entered) {
    const late = await latePage(each)
    const [first, last] = await measured([each, each], index => [index === 0 ? firstPage : late], 1)
    rows.push([
      each.contestant.name,
      Math.round(first.perSecond),
      Math.round(last.perSecond),
      (first.perSecond / last.perSecond).toFixed(2),
      (last.cpu / first.cpu).toFixed(2),
    ])
  }
  return table(['service', 'page 1 /s', `page ${lastPage} /s`, '× time', '× cpu'], rows)
}

async function latePage(each) {
  let answer = await answered(each, firstPage)
  if (answer['@odata.nextLink'] === undefined) {
    return { ...firstPage, query: { ...firstPage.query, $skip: String(pageSize * (lastPage - 1)) } }
  }
  let link
  for (let page = 2; page <= lastPage; page++) {
    const { pathname, search } = new URL(answer['@odata.nextLink'])
    link = { method: 'GET', path: '', as: pathname + search }
    answer = await answered(each, link)
  }
  if (answer.value.length !== pageSize) throw new Error(`${each.contestant.name}: page ${lastPage} should be full.`)
  return link
}

async function rare(entered) {
  await requireSameAnswers(entered, [rarePage])
  return measured(entered, () => [rarePage], 1)
}

function growth(few, many) {
  const rows = few.map((small, index) => {
    const large = many[index]
    const name = ['specwright', 'CAP', 'floor'][index]
    return [
      name ?? '',
      Math.round(small.perSecond),
      Math.round(large.perSecond),
      (small.perSecond / large.perSecond).toFixed(2),
      (large.cpu / small.cpu).toFixed(2),
    ]
  })
  return table(['service', '10,000 /s', '100,000 /s', '× time', '× cpu'], rows)
}

async function measured(entered, requestsOf, connections) {
  const entries = entered.map(({ contestant, running }, index) => ({
    running,
    requests: round => requestsOf(index, round).map(asked => prepared(contestant, asked)),
  }))
  await takeTurns(entries, { rounds: 1, seconds: warmUp, connections })
  return takeTurns(entries, { rounds, first: 1, seconds, connections })
}
