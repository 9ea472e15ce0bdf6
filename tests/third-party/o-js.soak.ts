import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../root.js'
import { killAll, type ServeProcess, startServe } from '../serve/serve-process.js'

// o.js, the package `odata`, with its query builder odata-query, both unchanged, with a service in a separate process. They know
// nothing of the metadata: they build URLs, bodies and multipart batches. `npm run soak` runs this test, because it installs them.

const folder = join(root, 'tests/third-party/o-js')

beforeAll(() => {
  if (existsSync(join(folder, 'node_modules'))) return
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', options, { cwd: folder, shell: process.platform === 'win32' })
})

afterAll(killAll)

describe('o.js', () => {
  let service: ServeProcess
  beforeAll(async () => {
    service = await startServe([join(root, 'tests/third-party/sap/shop.yaml'), '--port', '0', '--log', 'off'])
  })
  afterAll(() => service.stop())

  it('lists, counts, expands, creates with a link, changes, deletes, and sends batches with and without change sets', () => {
    const driver = [join(folder, 'drive-client.mjs'), service.url]
    const printed = execFileSync(process.execPath, driver, { cwd: folder, encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual({
      list: ['Coffee mug', 'Frying pan'],
      count: 3,
      expand: ['Coffee mug'],
      item: ['Coffee mug', 15.5, 'Kitchen'],
      created: 'cup',
      changed: 'Tea cup, blue',
      read: ['Tea cup, blue', 'Kitchen'],
      batch: [
        [200, 'Frying pan'],
        [201, 'Pen'],
        [200, ['Desk lamp', 'Pen']],
      ],
      changes: [201, 200],
      undone: [[409], 404],
      deleted: 204,
      missing: 404,
      refused: 409,
    })
  })
})
