import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { sharingDrivers } from '../../reference/testing/sqlite-drivers.js'
import { root } from '../root.js'
import { killAll, startServe } from './serve-process.js'

const folder = temporaryFolders()
afterAll(killAll)

it.skipIf(sharingDrivers.length === 0)(
  'a thread moves the write-ahead log into the file while the service runs',
  async () => {
    const cwd = folder()
    const spec = join(root, 'tests', 'fairness', 'forum.yaml')
    const service = await startServe(
      [
        spec,
        '--store',
        `${sharingDrivers[0]}:store.db`,
        '--port',
        '0',
        '--log',
        'off',
        '--data',
        'none',
        '--token',
        't',
      ],
      cwd,
    )
    const size = (): number => statSync(join(cwd, 'store.db')).size
    const before = size()
    const megabyte = 'x'.repeat(900_000)
    for (let index = 0; index < 8; index++) {
      const response = await fetch(`${service.url}/topics`, {
        method: 'POST',
        headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
        body: JSON.stringify({
          id: `t${index}`,
          title: 'a',
          views: 0,
          opened: '2024-01-01T00:00:00Z',
          tags: [megabyte],
          places: [],
        }),
      })
      expect(response.status).toBe(201)
    }
    // The main thread would do so only after 64 megabytes.
    await expect.poll(size, { timeout: 1_800_000 }).toBeGreaterThan(before + 2_000_000)
    expect(await service.stop()).toMatchObject({ code: 0 })
  },
)
