import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder } from './make-folder.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specwright-folder-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('a folder that is to be made', () => {
  it.each(['.', 'a', 'a/b/c'])('is there afterwards, whether it was before or not: %s', name => {
    makeFolder(join(root, name))
    makeFolder(join(root, name))
    expect(statSync(join(root, name)).isDirectory()).toBe(true)
  })

  it('is refused below a file', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => makeFolder(join(root, 'file', 'a', 'b'))).toThrow(/ENOTDIR/)
  })

  it('is refused by a file system that makes none', () => {
    expect(() => makeFolder('/proc/specwright/out')).toThrow(/ENOENT|EROFS|EACCES/)
  })
})
