import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoreError } from '../../sql/dialects/dialect.js'
import { createReferenceService, type ReferenceService } from '../reference-service.js'
import { type PostgresServer, type StoreMaker, startPostgres, storeMaker } from '../testing/engines.js'
import { type SampleRow, sampleRecords, sampleRows } from '../testing/sample-rows.js'
import { sampleService } from '../testing/sample-service.js'

describe('a service whose database is unreachable', () => {
  let server: PostgresServer
  let reference: ReferenceService
  const unexpected: unknown[] = []

  beforeAll(async () => {
    server = await startPostgres()
    const onError = (error: unknown): void => void unexpected.push(error)
    reference = await createReferenceService({ spec: sampleService(), store: server.address, onError })
    await server.stop()
  })
  afterAll(() => reference.close())

  it.each(['GET', 'POST'])('answers %s with 503 and Retry-After', async method => {
    const body = method === 'POST' ? { body: JSON.stringify({ id: 'x', name: 'x' }) } : {}
    const headers = { 'content-type': 'application/json' }
    const response = await reference.fetch(new Request('http://service.test/v1/samples', { method, headers, ...body }))
    expect(response.status, String(unexpected[0])).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
  })
})

const [first, second] = sampleRows(2).map((row, index) => ({ ...row, id: `row ${index}` }))
const recordsOf = (row: SampleRow | undefined) => (row === undefined ? [] : sampleRecords([row]))

describe('a statement that exceeds the time limit', () => {
  let maker: StoreMaker
  let reference: ReferenceService
  /** A service on the same store whose statements may wait for long. */
  let patient: ReferenceService
  let other: pg.Client
  let unexpected: unknown[] = []

  beforeAll(async () => {
    maker = await storeMaker('postgres')
    const store = await maker.make()
    const onError = (error: unknown): void => void unexpected.push(error)
    reference = await createReferenceService({ spec: sampleService(), store, onError, statementTimeout: 50 })
    const limits = { principalRequests: 3, principalWaiting: 20 }
    patient = await createReferenceService({ spec: sampleService(), store, onError, statementTimeout: 0, limits })
    await reference.load(recordsOf(first))
    other = new pg.Client({ connectionString: store })
    await other.connect()
  })
  afterAll(async () => {
    await other.end()
    await patient.close()
    await reference.close()
    await maker.stop()
  })

  const request = (method: string): Promise<Response> => {
    const body = method === 'POST' ? { body: JSON.stringify({ id: 'b', name: 'b' }) } : {}
    const headers = { 'content-type': 'application/json' }
    return reference.fetch(new Request('http://service.test/v1/samples', { method, headers, ...body }))
  }

  it.each(['GET', 'POST'])('is cancelled: %s answers 503, the error is logged, and nothing changes', async method => {
    unexpected = []
    await other.query('BEGIN; LOCK TABLE "sample" IN ACCESS EXCLUSIVE MODE')
    const response = await request(method)
    await other.query('ROLLBACK')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBeNull()
    expect(await response.text()).toMatch(/"message":"[^"]*The query took too long/)
    const [reported] = unexpected
    expect(reported).toBeInstanceOf(StoreError)
    expect(reported).toMatchObject({ kind: 'tooSlow' })
    expect(await (await request('GET')).json()).toMatchObject({ value: [{ id: 'row 0' }] })
  })

  it('leaves connections to others, and health has its own', async () => {
    await other.query('BEGIN; LOCK TABLE "sample" IN ACCESS EXCLUSIVE MODE')
    const waiting = Array.from({ length: 30 }, () => patient.fetch(new Request('http://service.test/v1/samples')))
    const blocked = async (): Promise<number> => {
      // A transaction sees the same activity until it clears its snapshot.
      await other.query('SELECT pg_stat_clear_snapshot()')
      const found = await other.query<{ count: string }>(
        `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'specwright' AND wait_event_type = 'Lock'`,
      )
      return Number(found.rows[0]?.count)
    }
    while ((await blocked()) < 3) await patient.check()
    await patient.check()
    expect(await blocked()).toBe(3)
    await other.query('ROLLBACK')
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(3 + 20)
    expect(statuses.filter(status => status === 429)).toHaveLength(7)
  })

  it('has no time limit while data is loaded', async () => {
    await other.query('BEGIN; LOCK TABLE "sample" IN ACCESS EXCLUSIVE MODE')
    const loading = reference.load(recordsOf(second))
    expect((await request('GET')).status).toBe(503)
    await other.query('ROLLBACK')
    expect(await loading).toBe(1)
  })
})
