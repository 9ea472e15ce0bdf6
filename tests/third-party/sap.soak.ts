import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser, openBrowser, openPage } from '../browser/browser.js'
import { root } from '../root.js'
import { killAll, type ServeProcess, startServe } from '../serve/serve-process.js'

// Clients of SAP, unchanged, with a service in a separate process: one that the SAP Cloud SDK generates from its metadata, and
// the OData V4 model of OpenUI5 in a browser. `npm run soak` runs this test, because it installs them.

const folder = join(root, 'tests/third-party/sap')
const work = join(folder, 'work')
const spec = join(folder, 'shop.yaml')

beforeAll(() => {
  if (existsSync(join(folder, 'node_modules'))) return
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', options, { cwd: folder, shell: process.platform === 'win32' })
})

afterAll(() => {
  killAll()
  rmSync(work, { recursive: true, force: true })
})

const serve = (...options: readonly string[]): Promise<ServeProcess> =>
  startServe([spec, '--port', '0', '--log', 'off', ...options])

describe('a client that the SAP Cloud SDK generated', () => {
  let service: ServeProcess
  beforeAll(async () => {
    service = await serve()
    mkdirSync(join(work, 'metadata'), { recursive: true })
    const metadata = await fetch(`${service.url}/$metadata`)
    writeFileSync(join(work, 'metadata/shop.edmx'), await metadata.text())
    const generator = join(folder, 'node_modules/@sap-cloud-sdk/generator/dist/cli.js')
    const options = [
      '--input',
      join(work, 'metadata'),
      '--outputDir',
      join(work, 'client'),
      '--transpile',
      '--overwrite',
    ]
    execFileSync(process.execPath, [generator, ...options, '--skipValidation'], { cwd: folder, stdio: 'ignore' })
    writeFileSync(join(work, 'client/package.json'), '{ "type": "commonjs" }')
  })
  afterAll(() => service.stop())

  it('lists, counts, expands, creates, changes, deletes, and sends batches with change sets', () => {
    const driver = [join(folder, 'drive-client.mjs'), service.url, join(work, 'client/shop')]
    const printed = execFileSync(process.execPath, driver, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toEqual({
      list: ['Coffee mug', 'Frying pan'],
      count: 3,
      expand: ['Coffee mug', 'Frying pan'],
      item: ['Coffee mug', '15.5', 'Kitchen'],
      create: ['cup', 'Tea cup, blue', 'Kitchen'],
      batch: [[true, true, true], 'Frying pan', ['Pen', 'Ink'], ['Desk lamp', 'Ink', 'Pen']],
      missing: 404,
    })
  })
})

const browserPath = findBrowser()

describe.skipIf(browserPath === undefined)('the OData V4 model of OpenUI5', () => {
  let pages: Server
  let service: ServeProcess
  let origin = ''
  beforeAll(async () => {
    pages = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const file = fileOf(pathname)
      if (file === undefined || !existsSync(file)) response.writeHead(404).end()
      else
        response.writeHead(200, { 'content-type': mediaTypes[extname(file)] ?? 'text/plain' }).end(readFileSync(file))
    })
    await new Promise<void>(resolve => {
      pages.listen(0, 'localhost', resolve)
    })
    const address = pages.address()
    origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
    service = await serve('--cors', origin)
  })
  afterAll(async () => {
    await service.stop()
    pages.close()
  })

  it('lists, counts, expands, creates with links, changes and deletes, all in batches', async () => {
    const browser = await openBrowser(browserPath ?? '')
    try {
      const page = await openPage(browser)
      await page.goto(`${origin}/`)
      const found = await page.evaluate(
        `import('/drive-model.mjs').then(({ driveModel }) => driveModel(${JSON.stringify(service.url)}))`,
      )
      expect(found).toEqual({
        list: [
          ['Coffee mug', 'Kitchen'],
          ['Frying pan', 'Kitchen'],
        ],
        length: 2,
        item: ['Coffee mug', 'Kitchen'],
        bound: 'Office',
        left: ['Coffee mug', 'Desk lamp', 'Frying pan', 'Pen, red'],
        missing: 404,
      })
    } finally {
      await browser.close()
    }
  })
})

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
}

/** The page, its script, and the resources of OpenUI5. */
function fileOf(path: string): string | undefined {
  if (path === '/') return join(folder, 'page.html')
  if (path === '/drive-model.mjs') return join(folder, 'drive-model.mjs')
  const [, resource] = /^\/resources\/([\w/.-]+)$/.exec(path) ?? []
  if (resource === undefined || resource.includes('..')) return undefined
  return join(folder, 'node_modules/@openui5/sap.ui.core/src', resource)
}
