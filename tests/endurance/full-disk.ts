import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file system in a file, which a test can fill. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves no free block. */
  readonly fill: () => Promise<void>
  readonly free: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Mounts a file system, which needs the rights of root. @param megabytes its size */
export async function mountDisk(parent: string, megabytes: number): Promise<SmallDisk> {
  const image = join(parent, 'disk.img')
  const folder = join(parent, 'disk')
  const ballast = join(folder, 'ballast')
  const file = await open(image, 'w')
  await file.truncate(megabytes * 1024 * 1024)
  await file.close()
  await run('mkfs.ext4', ['-q', '-F', '-m', '0', image])
  await mkdir(folder)
  await run('mount', ['-o', 'loop', image, folder])
  return {
    folder,
    fill: async () => {
      const out = await open(ballast, 'a')
      try {
        for (const size of [1 << 20, 1 << 12]) {
          const block = Buffer.alloc(size, 1)
          try {
            for (;;) await out.appendFile(block)
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
          }
        }
      } finally {
        await out.close()
      }
    },
    free: () => rm(ballast, { force: true }),
    remove: async () => {
      await run('umount', [folder])
      await rm(image)
    },
  }
}
