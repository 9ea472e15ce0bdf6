import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { openFile, sharingDrivers } from '../../reference/testing/sqlite-drivers.js'
import { createReplica, readAllThings } from '../crash/thing-client.js'
import { createWriteHistory } from '../crash/write-history.js'
import { writeUntilKilled } from '../crash/writers.js'
import { root } from '../root.js'
import { killAll, type ServeProcess, startServe } from './serve-process.js'

const folder = temporaryFolders()
afterAll(killAll)

const spec = join(root, 'tests', 'crash', 'things.yaml')
const serveOn = (store: string, cwd: string): Promise<ServeProcess> =>
  startServe([spec, '--store', store, '--port', '0', '--log', 'off', '--data', 'none'], cwd)

it.skipIf(sharingDrivers.length === 0)(
  'a copy that SQLite makes during requests has all acknowledged writes, none partially, and can be served',
  async () => {
    const [driver] = sharingDrivers
    const cwd = folder()
    const service = await serveOn(`${driver}:service.db`, cwd)
    const ledger = createWriteHistory()
    const writing = Promise.all(['a', 'b', 'c', 'd'].map(lane => writeUntilKilled(service.url, lane, ledger)))
    await Promise.race([writing, delay(300)])
    const before = [...(await readAllThings(service.url)).values()].filter(({ name }) => name.startsWith('changed '))
    const database = openFile(`${driver}:${join(cwd, 'service.db')}`)
    database.exec(`VACUUM INTO '${join(cwd, 'backup.db')}'`)
    database.close()
    await Promise.race([writing, delay(100)])
    await service.stop('SIGKILL')
    await writing

    const restored = await serveOn(`${driver}:backup.db`, cwd)
    const things = await readAllThings(restored.url)
    expect(things.size).toBeGreaterThan(0)
    expect([...things.values()].filter(({ name, note }) => name !== note)).toEqual([])
    // A changed item may have been deleted since; it is never created again.
    const deleted = before.filter(({ id }) => !things.has(id))
    expect(deleted.filter(({ id }) => ledger.inconsistency(id, 'absent') !== undefined)).toEqual([])
    const replica = createReplica()
    expect(await replica.follow(restored.url)).toBe(true)
    expect(new Map([...replica.things].toSorted())).toEqual(new Map([...things].toSorted()))
    await restored.stop()
  },
)
