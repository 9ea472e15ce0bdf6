import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { findTelemetry } from '../../bin/serve/run-service.js'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { root } from '../root.js'

const folder = temporaryFolders()

/**
 * Registers an SDK with the real API, as users do with `node --import`: it prints each span, and keeps contexts. SDKs need newer
 * versions of Node.js, or have 20 MB.
 */
const sdk = `
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
const api = createRequire(${JSON.stringify(join(root, 'package.json'))})('@opentelemetry/api')
const contexts = new AsyncLocalStorage()
api.context.setGlobalContextManager({
  active: () => contexts.getStore() ?? api.ROOT_CONTEXT,
  with: (context, run, self, ...parameters) => contexts.run(context, () => run.apply(self, parameters)),
  bind: (_context, target) => target,
  enable() { return this },
  disable() { return this },
})
const key = api.createContextKey('parent')
api.propagation.setGlobalPropagator({
  inject() {},
  extract: (context, carrier, getter) => context.setValue(key, getter.get(carrier, 'traceparent')),
  fields: () => [],
})
api.trace.setGlobalTracerProvider({
  getTracer: () => ({
    startSpan(name, { kind, attributes }, context) {
      const traceId = String(context.getValue(key)).split('-')[1] ?? ''
      return {
        spanContext: () => ({ traceId, spanId: '00f067aa0ba902b7', traceFlags: 1 }),
        setAttributes: more => Object.assign(attributes, more),
        setStatus() {},
        recordException() {},
        end: () => console.error(JSON.stringify({ span: name, kind, traceId, attributes })),
      }
    },
  }),
})
`

describe('serve', () => {
  it('records spans through @opentelemetry/api if it is installed, and has the trace in its log', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'sdk.mjs'), sdk)
    const child = spawn(
      process.execPath,
      ['--import', join(cwd, 'sdk.mjs'), join(root, 'dist/cli/specwright.js'), 'serve', '--port', '0', '--log', 'json'],
      { cwd, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const [listening]: unknown[] = await once(createInterface(child.stdout), 'line')
    const url = String(listening).replace('listening ', '')
    const lines = createInterface(child.stderr)[Symbol.asyncIterator]()
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const response = await fetch(`${url}/users`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
    await response.text()
    const next = async (member: string): Promise<unknown> => {
      for (let line = await lines.next(); line.done !== true; line = await lines.next())
        if (line.value.startsWith('{') && member in JSON.parse(line.value)) return JSON.parse(line.value)
      return undefined
    }
    const requestId = response.headers.get('request-id')
    expect(await next('path')).toMatchObject({ method: 'GET', path: '/v1.0/users', status: 401, requestId, traceId })
    expect(await next('span')).toMatchObject({
      span: 'GET /v1.0/users',
      kind: 1,
      traceId,
      attributes: {
        'http.response.status_code': 401,
        'specwright.operation': 'users.list',
        'http.response.header.request-id': [requestId],
      },
    })
    child.kill()
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('findTelemetry', () => {
  const missing = (code: string): Promise<never> => Promise.reject(Object.assign(new Error('not found'), { code }))

  it.each<[what: string, load: () => Promise<unknown>]>([
    ['the package is not installed', () => missing('ERR_MODULE_NOT_FOUND')],
    ["the package is not installed with Yarn's Plug'n'Play", () => missing('MODULE_NOT_FOUND')],
    ['the package is too old for metrics', async () => ({ trace: {}, context: {}, propagation: {} })],
  ])('finds nothing if %s', async (_, load) => {
    expect(await findTelemetry(load)).toBeUndefined()
  })

  it('reports a package that cannot be loaded', async () => {
    await expect(findTelemetry(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged')
  })
})
