import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { mintToken } from '../../reference/host/identity.js'
import { sharedEngineNames } from '../../reference/testing/engines.js'
import { openDatabase } from '../crash/database.js'
import { createRandom } from '../fuzz/random.js'
import { killAll, startServe } from '../serve/serve-process.js'
import { createQuerySearch, targetOf } from './query-search.js'
import { createWriteSearch, type SentRequest } from './write-search.js'

// One caller with a valid token keeps four connections busy with the most expensive requests that two searches find: two connections
// read, one writes, and one sends batches of both. Another process reads one item at a time, and others create items meanwhile.
// `npm run soak` measures for minutes; `npm test` asserts no time.

const minutes = Number(process.env['ATTACK_MINUTES'] ?? 0)
const isMeasured = minutes > 0
const seed = Number(process.env['SEED'] ?? 1)
const topics = isMeasured ? 2_000 : 60
/** What the connections of the attack send. */
const attackers = ['reads', 'reads', 'writes', 'batches'] as const
/** The requests of each, unless minutes are given. */
const attacks = { reads: 12, writes: 8, batches: 2 } as const
/** The requests of a batch, and the related items in its bodies. */
const batchSize = 20
const maxRelated = 500
/** The load of the machine is sampled after so many milliseconds. */
const sampling = 100

afterAll(killAll)

/** Topics with posts. A few of them have much more of everything than the others. */
async function writeData(path: string): Promise<readonly string[]> {
  const random = createRandom(seed)
  const lines: string[] = []
  const ids = Array.from({ length: topics }, (_, index) => `t${index}`)
  const wordsOf = (count: number): string =>
    Array.from({ length: count }, () => `common word ${random.below(20)}`).join(' ')
  for (const [index, id] of ids.entries()) {
    const isLarge = index % 100 === 1
    const posts = Array.from({ length: isLarge ? 100 : 5 }, (_, number) => ({
      number,
      text: wordsOf(isLarge ? 100 : 10),
      score: random.below(100),
      words: ['a', 'word', String(number)],
    }))
    lines.push(
      JSON.stringify({
        topics: {
          id,
          title: `Topic ${random.below(topics)} word`,
          views: random.below(1_000),
          rating: random.below(50) / 10,
          opened: '2024-01-01T00:00:00Z',
          tags: Array.from({ length: isLarge ? 500 : 3 }, (_, tag) => `tag ${tag}`),
          places: [{ name: 'here', size: 1.5 }],
          related: [...new Set(Array.from({ length: isLarge ? 50 : 3 }, () => `t${random.below(topics)}`))],
          next: `t${random.below(topics)}`,
          posts,
        },
      }),
    )
  }
  await writeFile(path, lines.join('\n'))
  return ids
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly milliseconds: number
}

/** A client with one connection. */
function createClient(url: string, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (method: string, target: string, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const sent = request(url + target, { method, headers, agent }, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, text, milliseconds: performance.now() - start })
        })
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/** What the probe has measured in a phase. */
interface Phase {
  readonly times: readonly number[]
  readonly problems: readonly string[]
  /** How late the probe itself ran, in milliseconds, which its times include. */
  readonly late: { readonly p99: number; readonly max: number }
}

/**
 * Another caller, in a process of its own, who reads one item after another. When times are measured, it has a session of its own, too:
 * Linux can share the processors between sessions.
 */
function createProbe(url: string, token: string, ids: readonly string[]) {
  const data = JSON.stringify({ url, token, ids, pause: isMeasured ? 10 : 1 })
  const child = fork(fileURLToPath(new URL('./probe.mjs', import.meta.url)), [data], {
    execArgv: [],
    detached: isMeasured,
  })
  return {
    /** Ends a phase: 20 reads or more. */
    endPhase: () =>
      new Promise<Phase>((resolve, reject) => {
        child.once('error', reject)
        child.once('message', message => resolve(phaseOf(message)))
        child.send('end')
      }),
    stop: () => child.disconnect(),
  }
}

function phaseOf(message: unknown): Phase {
  if (!isPhase(message)) throw new TypeError('The probe sent something else than a phase.')
  return message
}

function isPhase(message: unknown): message is Phase {
  return (
    typeof message === 'object' && message !== null && 'times' in message && 'problems' in message && 'late' in message
  )
}

/** A batch of requests, all of them or some of them in one transaction. */
function batchOf(requests: readonly SentRequest[], group: boolean): SentRequest {
  const parts = requests.map(({ method, target, body }, index) => ({
    ...{ id: String(index), method, url: target },
    ...(body === undefined ? {} : { body }),
    ...(group && method !== 'GET' ? { atomicityGroup: 'g' } : {}),
  }))
  // The requests of a group are adjacent.
  const sorted = parts.toSorted((left, right) => Number(left.method === 'GET') - Number(right.method === 'GET'))
  return { method: 'POST', target: '/$batch', body: { requests: sorted } }
}

/** The values below which so many of a hundred, or thousand, of the numbers are. */
function quantiles(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((left, right) => left - right)
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, max ${at(1)} ms of ${sorted.length}`
}

function p99(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0
}

async function memoryOf(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** What the attackers may get: an answer, a refused query, or the limit that ended it. */
const allowed: ReadonlySet<number> = new Set([200, 201, 204, 400, 404, 409, 413, 414, 429, 501, 503])

describe.each(sharedEngineNames)('while one caller sends the most expensive requests to a service on %s', engine => {
  it('others read and write, nothing is lost, and the process lives with a heap of 256 MB', async () => {
    const database = await openDatabase(engine)
    const data = join(tmpdir(), `specwright-fairness-${process.pid}-${engine}.jsonl`)
    const ids = await writeData(data)
    const secret = randomBytes(32).toString('base64url')
    const tokenOf = (id: string): Promise<string> =>
      mintToken({ id, scopes: ['Forum.Read', 'Forum.Write'] }, secret, 86_400, Date.now())
    const limits = isMeasured ? [] : ['--limit', 'readMilliseconds=300', '--limit', 'directCost=500']
    const service = await startServe(
      [
        'tests/fairness/forum.yaml',
        '--port',
        '0',
        '--store',
        database.store,
        '--data',
        data,
        '--secret',
        secret,
        '--log',
        'off',
        ...limits,
      ],
      undefined,
      { NODE_OPTIONS: '--max-old-space-size=256' },
    )
    const probe = createProbe(service.url, await tokenOf('reader'), ids)
    const writer = createClient(service.url, await tokenOf('writer'))
    const times = { writes: [] as number[] }
    const created: string[] = []
    await delay(minutes * 10_000)
    const before = await probe.endPhase()

    const token = await tokenOf('attacker')
    const queries = createQuerySearch(seed, [ids[0] ?? '', ids[1] ?? ''])
    const changes = createWriteSearch(seed, ids, isMeasured ? 1 : 0.05)
    const random = createRandom(seed)
    const start = performance.now()
    const isOver = (): boolean => isMeasured && performance.now() - start > minutes * 60_000
    const statuses = new Map<string, number>()
    const longest = new Map<string, number>()
    let attacking: number = attackers.length
    const note = (kind: string, status: number, milliseconds: number): void => {
      statuses.set(`${kind} ${status}`, (statuses.get(`${kind} ${status}`) ?? 0) + 1)
      longest.set(kind, Math.max(longest.get(kind) ?? 0, milliseconds))
    }
    const nextOf = (kind: (typeof attackers)[number]) => {
      if (kind === 'writes') return changes.next()
      if (kind === 'batches') {
        const requests = Array.from({ length: batchSize }, (): SentRequest => {
          if (random.below(2) === 0) return changes.small(maxRelated / batchSize)
          return { method: 'GET', target: targetOf(queries.next()) }
        })
        return { request: batchOf(requests, random.below(2) === 0), note: () => undefined }
      }
      const query = queries.next()
      return {
        request: { method: 'GET', target: targetOf(query) } as const,
        note: (cost: number) => queries.note(query, cost),
      }
    }
    const attack = async (kind: (typeof attackers)[number]): Promise<void> => {
      const client = createClient(service.url, token)
      for (let sent = 0; isMeasured ? !isOver() : sent < attacks[kind]; sent++) {
        const { request: next, note: noteCost } = nextOf(kind)
        const body = next.body === undefined ? undefined : JSON.stringify(next.body)
        const { status, text, milliseconds } = await client.send(next.method, next.target, body)
        note(kind, status, milliseconds)
        const what = `${status} for ${next.method} ${next.target} ${body?.slice(0, 300) ?? ''}: ${text.slice(0, 300)}`
        expect(allowed.has(status), what).toBe(true)
        if (status === 503) expect(text, what).toMatch(/the limit \w+, which is|took too long|more memory|interrupted/)
        if (status < 300 || status === 503) noteCost(milliseconds)
      }
      client.close()
      attacking--
    }
    let peak = 0
    const others = async (): Promise<void> => {
      while (attacking > 0) {
        peak = Math.max(peak, (await memoryOf(service.pid)).now)
        await delay(isMeasured ? sampling : 1)
      }
    }
    const writes = async (): Promise<void> => {
      for (let index = 0; attacking > 0; index++) {
        const topic = {
          id: `new${index}`,
          title: `New ${index}`,
          views: 0,
          opened: '2024-01-01T00:00:00Z',
          tags: [],
          places: [],
        }
        const { status, milliseconds } = await writer.send('POST', '/topics', JSON.stringify(topic))
        expect(status).toBe(201)
        created.push(topic.id)
        times.writes.push(milliseconds)
        await delay(isMeasured ? 50 : 0)
      }
    }
    await Promise.all([others(), writes(), ...attackers.map(attack)])
    const load = loadavg()
    const during = await probe.endPhase()
    probe.stop()
    expect([...before.problems, ...during.problems]).toEqual([])

    for (const id of created) expect((await writer.send('GET', `/topics/${id}`)).status).toBe(200)
    expect(created.length).toBeGreaterThan(0)
    const memory = await memoryOf(service.pid)
    writer.close()
    expect(await service.stop()).toMatchObject({ code: 0 })
    await database.stop()
    await rm(data)
    if (!isMeasured) return
    const [query] = queries.mostExpensive()
    const [change] = changes.mostExpensive()
    const lines = [
      `${engine}: reads before the attack: ${quantiles(before.times)}`,
      `${engine}: reads during the attack: ${quantiles(during.times)}`,
      `${engine}: the reader itself was late by p99 ${during.late.p99.toFixed(1)}, max ${during.late.max.toFixed(1)} ms`,
      `${engine}: creates during the attack: ${quantiles(times.writes)}`,
      `${engine}: statuses of the attack: ${JSON.stringify(Object.fromEntries(statuses))}`,
      `${engine}: longest, in ms: ${JSON.stringify(Object.fromEntries(longest))}`,
      `${engine}: memory: highest sample ${peak} MB, peak ${memory.peak} MB; load of the machine ${load.map(each => each.toFixed(1)).join(', ')}`,
      `${engine}: most expensive read: ${query?.cost.toFixed(0)} ms for ${query === undefined ? '' : targetOf(query.query)}`,
      `${engine}: most expensive write: ${change?.cost.toFixed(0)} ms for ${JSON.stringify(change?.write)}`,
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
    expect(memory.peak).toBeLessThan(512)
    // The promise is 100 ms on an idle machine. A loaded machine is compared with itself.
    expect(p99(during.times)).toBeLessThan(Math.max(100, 10 * p99(before.times)))
  })
})
