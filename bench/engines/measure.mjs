import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReferenceService } from '../../dist/reference.js'

// Processor time of the reference service on each driver of SQLite, in this process and without HTTP. Run it on each version of
// Node.js: `node bench/engines/measure.mjs DRIVER::memory: DRIVER:FILE …`

const scopes = ['User.Read', 'User.Read.All', 'User.ReadBasic.All', 'Mail.Read', 'Mail.ReadWrite']
const users = 5_000
const folder = mkdtempSync(join(tmpdir(), 'specwright-bench-'))

async function measure(store) {
  const service = await createReferenceService({
    spec: 'spec/directory.yaml',
    store,
    authenticate: () => ({ id: 'u1', scopes }),
    onError: error => {
      throw error
    },
  })
  const records = Array.from({ length: users }, (_, index) => ({
    type: 'user',
    properties: {
      id: `u${index}`,
      displayName: `User ${(index * 7919) % users}`,
      userPrincipalName: `u${index}@example.com`,
      mail: `u${index}@example.com`,
      department: `Department ${index % 50}`,
    },
  }))
  const cpu = async work => {
    const start = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
  const loaded = await cpu(() => service.load(records))
  const call = async (path, method = 'GET', body) => {
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json', consistencylevel: 'eventual' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await service.fetch(new Request(`http://bench.test/v1.0${path}`, init))
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    await response.arrayBuffer()
  }
  const each = async (count, work) => {
    for (let index = 0; index < count; index++) await work(index)
    return (
      (await cpu(async () => {
        for (let index = 0; index < count; index++) await work(index + count)
      })) / count
    )
  }
  const item = await each(2000, index => call(`/users/u${index % users}`))
  const page = await each(300, index =>
    call(`/users?$filter=department eq 'Department ${index % 50}'&$orderby=displayName&$top=100&$count=true`),
  )
  const scan = await each(30, index =>
    call(`/users/$count?$filter=contains(displayName,'ser ${index}')`).catch(() => undefined),
  )
  const write = await each(500, () => call('/me/messages', 'POST', { subject: 'A message' }))
  await service.close()
  const figure = value => value.toFixed(value < 1 ? 3 : 2)
  process.stdout.write(
    `${process.version} ${store.replace(folder, 'FILE')}: load ${Math.round(loaded)} ms, item ${figure(item)} ms, page ${figure(page)} ms, scan ${figure(scan)} ms, write ${figure(write)} ms\n`,
  )
}

// In a file: DRIVER:FILE.
for (const store of process.argv.slice(2))
  await measure(store.replace('FILE', join(folder, `${store.split(':')[0]}.db`)))
rmSync(folder, { recursive: true, force: true })
