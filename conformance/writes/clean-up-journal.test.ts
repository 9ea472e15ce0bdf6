import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { service } from '../testing/things.js'
import { type CleanedUp, cleanUpJournal } from './clean-up-journal.js'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const mark = 'sw-12345671234567'

async function cleaned(listener: RequestListener): Promise<CleanedUp> {
  const port = await new Promise<number>(resolve => {
    server = createServer(listener).listen(0, '127.0.0.1', () => {
      const address = server?.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    })
  })
  const target = `http://127.0.0.1:${port}/v1`
  const left = [
    { number: 2, collection: '/things', mark, path: '/things/a' },
    { number: 1, collection: '/things', mark },
  ]
  return cleanUpJournal({ service, target, journal: { url: target, spec: 'things.yaml', left } })
}

it('removes by address, and by the mark in a text', async () => {
  const { removed, left } = await cleaned(({ method }, response) => {
    response.writeHead(method === 'DELETE' ? 204 : 200, { 'content-type': 'application/json' })
    const rows = [{ id: 'b', name: `x ${mark}` }, { id: 'c' }]
    response.end(method === 'DELETE' ? undefined : JSON.stringify({ value: rows }))
  })
  expect({ removed, left }).toEqual({ removed: ['/things/a', '/things/b'], left: [] })
})

it('tells what is left over when the service asks for a longer wait than there is time', async () => {
  const { removed, left } = await cleaned((_, response) => {
    response.writeHead(429, { 'retry-after': '3600' })
    response.end()
  })
  expect(removed).toEqual([])
  expect(left).toEqual([
    { path: '/things/a', why: 'DELETE answered 429' },
    { path: '/things', why: 'no time left' },
  ])
})
