import { createServer } from 'node:http'
import worker from './dist/worker.js'

// Replaces the worker's runtime on your machine: passes GET requests to the worker and returns its responses.

const port = Number(process.env.PORT ?? 8787)
const environment = { DIRECTORY_URL: process.env.DIRECTORY_URL ?? 'http://127.0.0.1:8080/v1.0' }

createServer(async ({ url, headers }, outgoing) => {
  const { authorization = '' } = headers
  const request = new Request(`http://localhost:${port}${url}`, { headers: { authorization } })
  const response = await worker.fetch(request, environment)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
}).listen(port, () => console.log(`People at http://localhost:${port}/people?q=ada`))
