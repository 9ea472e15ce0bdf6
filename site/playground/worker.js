// The work of the playground, in a thread of its own: checks and generates, or runs the service. Each of the two threads loads
// only what its jobs need, which is half of the code.

import { describeEndpoints } from './describe-endpoints.js'

const path = 'spec.yaml'
let running

const jobs = {
  async generate({ text }) {
    const { generated } = await import('./generated.js')
    return generated(text)
  },

  /** Starts the service of a spec, in place of the one before. */
  async start({ text, rows }) {
    await running?.mock.close()
    running = undefined
    const [{ loadSpecText }, { createMockService }] = await Promise.all([
      import('specwright/language'),
      import('specwright/reference'),
    ])
    const { service } = loadSpecText(text, path)
    if (service === undefined) return { endpoints: [] }
    const mock = await createMockService({ spec: service, rows: String(rows), seed: 'playground' })
    running = { mock, base: `http://localhost/${service.version}` }
    return { endpoints: await describeEndpoints(service, address => read(address)) }
  },

  async request({ method, address, body }) {
    if (running === undefined) throw new Error('The service does not run: the spec has errors.')
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const started = performance.now()
    const response = await running.mock.fetch(new Request(running.base + address, { method, headers, body }))
    const text = await response.text()
    return { status: response.status, text, milliseconds: Math.round(performance.now() - started) }
  },
}

async function read(address) {
  const { status, text } = await jobs.request({ method: 'GET', address })
  return status === 200 ? JSON.parse(text) : undefined
}

/** One job after the other: a request must not meet a service that is starting. */
let queue = Promise.resolve()
addEventListener('message', ({ data: { id, job, input } }) => {
  queue = queue.then(async () => {
    try {
      postMessage({ id, result: await jobs[job](input) })
    } catch (error) {
      postMessage({ id, error: error instanceof Error ? error.message : String(error) })
    }
  })
})
