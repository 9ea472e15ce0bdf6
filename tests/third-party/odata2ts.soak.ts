import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emitCsdlXml } from '../../generator/emit/csdl/emit-csdl-xml.js'
import { loadSpec } from '../../spec/language/index.js'
import { root } from '../root.js'
import { killAll, type ServeProcess, startServe } from '../serve/serve-process.js'

// The client that odata2ts generates from the metadata of the library, unchanged, with the library in a separate process.
// `npm run soak` runs this test, because it installs odata2ts.

const folder = join(root, 'tests/third-party/odata2ts')
const client = join(folder, 'client')
const metadata = join(folder, 'metadata.xml')

beforeAll(async () => {
  if (!existsSync(join(folder, 'node_modules'))) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, shell: process.platform === 'win32' })
  }
  const { service } = await loadSpec(join(root, 'spec/library.yaml'))
  if (service === undefined) throw new Error('The spec of the library is sound.')
  writeFileSync(metadata, emitCsdlXml(service))
  const generator = join(folder, 'node_modules/@odata2ts/odata2ts/lib/run-cli.js')
  const options = ['--source', metadata, '--output', client, '--mode', 'all', '--emit-mode', 'js']
  execFileSync(process.execPath, [generator, ...options, '--service-name', 'Library'], { cwd: folder })
  writeFileSync(join(client, 'package.json'), '{ "type": "commonjs" }')
})

afterAll(() => {
  killAll()
  rmSync(client, { recursive: true, force: true })
  rmSync(metadata, { force: true })
})

describe('a client that odata2ts generated', () => {
  let service: ServeProcess
  beforeAll(async () => {
    service = await startServe(['spec/library.yaml', '--port', '0', '--log', 'off'])
  })
  afterAll(async () => {
    await service.stop()
  })

  it('lists, filters, expands, reads properties, creates, changes and deletes', () => {
    const driver = join(folder, 'drive-client.mjs')
    const printed = execFileSync(process.execPath, [driver, service.url], { cwd: folder, encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual({
      list: { count: 1, titles: ['Atlas of Rivers'] },
      lambda: ['Frankenstein'],
      expand: { title: 'Frankenstein', authors: ['Shelley'] },
      compoundKey: 'worn',
      complexProperty: 'Market Square 1',
      collectionProperty: ['gothic', 'classic'],
      singleton: 'P28D',
      create: 'New',
      patch: 200,
      patchComplexProperty: 204,
      read: ['Newer', 'T', 'C'],
      createContained: 3,
      deleteContained: 204,
      missing: 404,
    })
  })
})
