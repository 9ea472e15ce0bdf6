import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReferenceService } from '../create-reference-service.js'
import type { ReferenceService } from '../reference-service.js'
import { type PostgresServer, startPostgres } from '../testing/postgres-server.js'
import { sampleService } from '../testing/sample-spec.js'

describe('a service whose database has gone', () => {
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

  it.each(['GET', 'POST'])('answers %s with 503, and when to try again', async method => {
    const body = method === 'POST' ? { body: JSON.stringify({ id: 'x', name: 'x' }) } : {}
    const headers = { 'content-type': 'application/json' }
    const response = await reference.fetch(new Request('http://service.test/v1/samples', { method, headers, ...body }))
    expect(response.status, String(unexpected[0])).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
  })
})
