import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../root.js'
import { findBrowser, openBrowser, openPage } from './browser.js'

const executable = findBrowser()

const program = `
import { generate } from 'specwright/generator'
import { loadSpecText } from 'specwright/language'
import { createMockService } from 'specwright/reference'

globalThis.generateFiles = text => generate([{ path: 'todo.yaml', text }], { runtime: 'specwright' }).files.map(file => file.path)
globalThis.messages = text => loadSpecText(text, 'todo.yaml').diagnostics.map(each => each.message)
globalThis.call = async (text, requests) => {
  const mock = await createMockService({ spec: loadSpecText(text, 'todo.yaml').service, rows: '3' })
  const statuses = []
  for (const [path, init] of requests) {
    const response = await mock.fetch(new Request('http://localhost/v1.0' + path, init))
    statuses.push([response.status, await response.text()])
  }
  await mock.close()
  return statuses
}
`

describe.skipIf(executable === undefined)('the package in a browser', () => {
  const spec = readFileSync(join(root, 'spec', 'starter.yaml'), 'utf8')
  const wasm = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')
  let browser: Browser
  let server: Server
  let origin = ''

  const evaluate = async (expression: string): Promise<unknown> => {
    const page = await openPage(browser)
    // Without this, the test would wait for a program that cannot start.
    const failed = new Promise<never>((_, reject) => page.on('pageerror', reject))
    failed.catch(() => {})
    await page.goto(origin)
    await Promise.race([page.waitForFunction('globalThis.call !== undefined'), failed])
    const value: unknown = await page.evaluate(expression)
    await page.close()
    return value
  }

  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: root, loader: 'js' },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      logLevel: 'error',
    })
    const files: Readonly<Record<string, readonly [string, Uint8Array | string]>> = {
      '/': ['text/html', '<!doctype html><script type="module" src="/program.js"></script>'],
      '/program.js': ['text/javascript', outputFiles[0]?.contents ?? ''],
      '/sqlite3.wasm': ['application/wasm', readFileSync(wasm)],
    }
    server = createServer(({ url = '' }, response) => {
      const [type, body] = files[url] ?? ['text/plain', '']
      response.writeHead(files[url] === undefined ? 404 : 200, { 'content-type': type }).end(body)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
    browser = await openBrowser(executable ?? '')
  })

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  it('generates code in memory', async () => {
    const paths = await evaluate(`generateFiles(${JSON.stringify(spec)})`)
    expect(paths).toEqual(expect.arrayContaining(['types.ts', 'client.ts', 'server.ts', 'openapi.json']))
  })

  it('reports errors of a spec', async () => {
    expect(await evaluate(`messages('specwright: 2')`)).not.toEqual([])
  })

  it('runs a service with generated data, on SQLite as WebAssembly', async () => {
    const json = { 'content-type': 'application/json' }
    const send = (method: string, body: unknown) => ({ method, headers: json, body: JSON.stringify(body) })
    const requests = [
      ['/lists'],
      ['/lists', send('POST', { name: 'Shopping' })],
      ['/lists?$select=name'],
      ['/absent'],
      ["/lists?$filter=name eq 'x'"],
    ]
    const answers = await evaluate(`call(${JSON.stringify(spec)}, ${JSON.stringify(requests)})`)
    if (!Array.isArray(answers)) throw new Error('The page returned no answers.')
    expect(answers.map(([status]) => status)).toEqual([200, 201, 200, 404, 501])
    expect(JSON.parse(answers[0][1]).value).toHaveLength(3)
    expect(JSON.parse(answers[2][1]).value).toHaveLength(4)
  })
})
