import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReferenceService, type ReferenceService } from '../reference-service.js'
import { sampleRecords, sampleRows } from '../testing/sample-rows.js'
import { sampleService } from '../testing/sample-service.js'
import { sharingDrivers } from '../testing/sqlite-drivers.js'

/** A reader thread that answers each read with a text. */
const thread = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ number }) =>
  parentPort.postMessage({ kind: 'answer', number, response: { status: 200, headers: {}, body: 'from a thread' } }))
parentPort.postMessage({ kind: 'ready' })
`

describe.each(sharingDrivers)('with a thousand items, on %s,', driver => {
  const folder = mkdtempSync(join(tmpdir(), 'specwright-cost-'))
  let service: ReferenceService
  beforeAll(async () => {
    service = await createReferenceService({
      spec: sampleService(),
      store: `${driver}:${join(folder, 'store.db')}`,
      workers: 1,
      readerModule: new URL(`data:text/javascript,${encodeURIComponent(thread)}`),
      limits: { directCost: 1_000 },
      authenticate: () => ({ id: 'caller', scopes: [] }),
    })
    await service.load(sampleRecords(sampleRows(1_000)))
  })
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })

  it.each([
    ['/samples/s001', 'here'],
    ['/samples?$top=3', 'here'],
    ['/samples/$count', 'here'],
    ["/samples?$count=true&$top=1&$filter=name eq 'a'", 'here'],
    ["/samples?$count=true&$top=1&$filter=startswith(name,'a')", 'here'],
    ["/samples?$filter=startswith(name,'a')&$top=3", 'here'],
    ["/samples?$count=true&$top=1&$filter=contains(name,'a')", 'there'],
    ["/samples?$count=true&$top=1&$filter=startswith(part/label,'a')", 'there'],
    ['/samples?$count=true&$top=1&$filter=startswith(name,note)', 'there'],
    // An index finds few of the rows.
    ["/samples?$filter=name eq 'a' and contains(note,'a')&$orderby=price&$count=true", 'here'],
    ["/samples?$filter=contains(note,'a') and (startswith(name,'a') and price gt 1)&$top=3", 'here'],
    // It finds all of them.
    ["/samples?$filter=name gt '' and contains(note,'a')&$top=3", 'there'],
    ["/samples?$filter=name eq 'a' or contains(note,'a')&$top=3", 'there'],
    ["/samples?$filter=endswith(name,'a')&$top=3", 'there'],
    ['/samples?$orderby=price&$top=3', 'there'],
    ['/samples?$expand=friends&$top=100', 'there'],
  ])('%s runs %s', async (path, place) => {
    const response = await service.fetch(new Request(`http://service.test/v1${path}`))
    expect(response.status).toBe(200)
    expect((await response.text()) === 'from a thread' ? 'there' : 'here').toBe(place)
  })
})
