import { createDirectory } from './api/client.js'
import { retrying } from './api/runtime/client.js'
import { explain } from './explain.js'
import { unreadDigest } from './unread-digest.js'

const [since = '2026-01-01T00:00:00Z'] = process.argv.slice(2)
const directory = createDirectory({
  baseUrl: process.env['DIRECTORY_URL'] ?? 'http://127.0.0.1:8080/v1.0',
  token: process.env['DIRECTORY_TOKEN'],
  fetch: retrying(globalThis.fetch, { attempts: 3, delay: 100 }),
})

try {
  const lines = await unreadDigest(directory, { since, most: 20, signal: AbortSignal.timeout(10_000) })
  console.log(lines.join('\n'))
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}
