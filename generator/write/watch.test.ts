import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchFiles } from './watch.js'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specwright-watch-'))
  file = join(folder, 'spec.yaml')
  await writeFile(file, 'one')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Watches the file; `next` waits for the next call. */
async function watching(files: readonly string[] = [file]) {
  const waiting: (() => void)[] = []
  let calls = 0
  const watch = await watchFiles(
    () => files,
    async () => {
      calls++
      waiting.shift()?.()
    },
    error => {
      throw error
    },
  )
  const next = () => new Promise<void>(done => void waiting.push(done))
  return { watch, next, calls: () => calls }
}

describe('watchFiles', () => {
  it('calls back when a file is written, and when another file replaces it', async () => {
    const { watch, next, calls } = await watching()
    const first = next()
    await writeFile(file, 'two')
    await first
    const second = next()
    await writeFile(join(folder, '.spec.yaml.swp'), 'three')
    await rename(join(folder, '.spec.yaml.swp'), file)
    await second
    expect(calls()).toBe(2)
    watch.stop()
  })

  it('calls back once for a burst of writes, and not for other files or the same text', async () => {
    const { watch, next, calls } = await watching()
    await writeFile(join(folder, 'other.yaml'), 'x')
    await writeFile(file, 'one')
    const changed = next()
    for (const text of ['a', 'b', 'c']) await writeFile(file, text)
    await changed
    expect(calls()).toBe(1)
    watch.stop()
  })

  it('follows the list of files, also into other folders', async () => {
    const files = [file]
    const { watch, next } = await watching(files)
    const first = next()
    await mkdir(join(folder, 'sub'))
    await writeFile(join(folder, 'sub/part.yaml'), 'one')
    files.push(join(folder, 'sub/part.yaml'))
    await writeFile(file, 'two')
    await first
    // The new folder is watched a moment later.
    const second = next()
    let count = 0
    const writing = setInterval(() => writeFileSync(join(folder, 'sub/part.yaml'), `${count++}`), 100)
    await second
    clearInterval(writing)
    watch.stop()
  })

  it('refuses a folder that does not exist', async () => {
    await expect(
      watchFiles(
        () => [join(folder, 'none/spec.yaml')],
        async () => undefined,
        () => undefined,
      ),
    ).rejects.toThrow('ENOENT')
  })
})
