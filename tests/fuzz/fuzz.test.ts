import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastingEngineNames, type StoreMaker, storeMaker } from '../../reference/testing/engines.js'
import { loadSpec } from '../../spec/language/index.js'
import { root } from '../root.js'
import { killAll, type ServeProcess, startServe } from '../serve/serve-process.js'
import { databaseDigest } from './database-digest.js'
import { batchErrorOracle, createErrorOracle, type ErrorOracle } from './error-oracle.js'
import { malformedRequest } from './malformed-request.js'
import { createRandom } from './random.js'
import { createConnection, disconnect } from './wire.js'

/** The number of malformed requests to each engine, not counting those that turn out to be valid. `npm run soak` sends 100,000. */
const requests = Number(process.env['REQUESTS'] ?? 1_000)
/** Another seed generates other requests. */
const seed = Number(process.env['SEED'] ?? 1)
const connections = 8
/** The test stops after this many problems. */
const mostProblems = 20

afterAll(killAll)

describe.each(lastingEngineNames)('malformed requests to a service on %s', engine => {
  let maker: StoreMaker
  let folder: string
  let store: string
  let service: ServeProcess
  let oracle: ErrorOracle

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'specwright-fuzz-'))
    maker = await storeMaker(engine)
    store = engine !== 'postgres' ? `${engine}:${join(folder, 'store.db')}` : await maker.make()
    service = await startServe(['--port', '0', '--log', 'off', '--token', 'let-me-in', '--store', store])
    const loaded = await loadSpec(join(root, 'spec/directory.yaml'))
    if (loaded.service === undefined) throw new Error('The spec is sound.')
    oracle = batchErrorOracle(createErrorOracle(loaded.service))
  })
  afterAll(async () => {
    await service?.stop('SIGKILL')
    await maker?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('get only declared errors, and change no row', async ({ annotate }) => {
    const before = await databaseDigest(store)
    const problems: string[] = []
    const statuses = new Map<number, number>()
    let next = 0
    let refused = 0
    const work = async (): Promise<void> => {
      const connection = createConnection(Number(new URL(service.url).port))
      while (refused < requests && problems.length < mostProblems) {
        const index = next++
        const request = malformedRequest(seed, index)
        try {
          const response = await connection.exchange(request)
          if (response.status >= 400) refused++
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
          const problem = oracle(request, response)
          if (problem !== undefined)
            problems.push(describeProblem(index, request.bytes, `${problem}\n${response.body}`))
        } catch (error) {
          problems.push(describeProblem(index, request.bytes, String(error)))
        }
      }
      connection.close()
    }
    await Promise.all(Array.from({ length: connections }, work))
    expect(problems).toEqual([])
    expect(await databaseDigest(store), 'every row of every table').toBe(before)
    expect(service.err()).not.toMatch(/ error /)
    const answer = await fetch(`${service.url}/me`, { headers: { authorization: 'Bearer let-me-in' } })
    expect(answer.status).toBe(200)
    expect(refused / next).toBeGreaterThan(0.75)
    const counts = [...statuses].toSorted().map(([status, count]) => `${status}: ${count}`)
    await annotate(
      `${next} requests, ${refused} of them malformed, with seed ${seed} on ${engine}: ${counts.join(', ')}`,
    )
  })

  it('of clients that disconnect at any moment do not affect others', async () => {
    const random = createRandom(seed)
    const port = Number(new URL(service.url).port)
    let next = 0
    const work = async (): Promise<void> => {
      // No valid request changes anything.
      while (next < requests / 4) {
        const { bytes } = malformedRequest(seed, next++)
        const length = random.below(2) === 0 ? bytes.length : random.below(bytes.length)
        await disconnect(port, bytes.subarray(0, length), random.below(6))
      }
    }
    await Promise.all(Array.from({ length: connections }, work))
    expect(service.err()).not.toMatch(/bug in Specwright| error /)
    const answer = await fetch(`${service.url}/me`, { headers: { authorization: 'Bearer let-me-in' } })
    expect(answer.status).toBe(200)
  })
})

/** A problem with its request, both truncated. */
function describeProblem(index: number, bytes: Buffer, problem: string): string {
  const request = bytes.toString('latin1').replace(/authorization: Bearer let-me-in\r\n/, '')
  return `SEED=${seed}, request ${index}: ${problem.slice(0, 600)}\n${JSON.stringify(request.slice(0, 600))}`
}
