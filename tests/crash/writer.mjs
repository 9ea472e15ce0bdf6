// Writes items to a store until it is killed; each line on stdout is an item whose write was acknowledged.
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [compiled, spec, store, round] = process.argv.slice(2)
const { createReferenceService } = await import(pathToFileURL(join(compiled, 'reference', 'index.js')).href)
const { fetch } = await createReferenceService({ spec, store })
writeSync(1, 'ready\n')

const send = async (method, path, body) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(
    new Request(`http://crash.test/v1${path}`, { method, headers, body: JSON.stringify(body) }),
  )
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

/** An item is made, changed in both of its texts, and every third one is deleted. */
const work = async lane => {
  for (let count = 0; ; count++) {
    const id = `${round}-${lane}-${count}`
    await send('POST', '/things', { id, name: `made ${id}`, note: `made ${id}` })
    writeSync(1, `made ${id}\n`)
    await send('PATCH', `/things/${id}`, { name: `changed ${id}`, note: `changed ${id}` })
    writeSync(1, `changed ${id}\n`)
    if (count % 3 !== 0) continue
    const response = await fetch(new Request(`http://crash.test/v1/things/${id}`, { method: 'DELETE' }))
    if (response.status !== 204) throw new Error(String(response.status))
    writeSync(1, `deleted ${id}\n`)
  }
}
await Promise.all([0, 1, 2, 3].map(work))
