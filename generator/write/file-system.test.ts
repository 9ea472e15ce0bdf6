import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFolder, writeFailureMessage } from './file-system.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specwright-folder-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('a folder that must be created', () => {
  it.each(['.', 'a', 'a/b/c'])('exists afterwards, whether it existed before or not: %s', name => {
    createFolder(join(root, name))
    createFolder(join(root, name))
    expect(statSync(join(root, name)).isDirectory()).toBe(true)
  })

  it('is an error below a file', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => createFolder(join(root, 'file', 'a', 'b'))).toThrow(/ENOTDIR/)
  })

  it('is an error if the file system cannot create it', () => {
    expect(() => createFolder('/proc/specwright/out')).toThrow(/ENOENT|EROFS|EACCES/)
  })
})

const because = (shown: string, kind: 'file' | 'folder', code: string): string =>
  writeFailureMessage(shown, kind, Object.assign(new Error(`${code}: /secret/place`), { code }))

describe('the message for a failed write', () => {
  it.each([
    ['file', 'EACCES', 'ro/z.yaml cannot be written (EACCES). Name a file in a folder that this user may write to.'],
    ['folder', 'EACCES', 'ro/z.yaml cannot be written (EACCES). Name a folder that this user may write to.'],
    ['file', 'ENOENT', 'The folder of ro/z.yaml does not exist. Create it first.'],
    ['file', 'EISDIR', 'ro/z.yaml is a folder. Name a file in it.'],
  ] as const)('as a %s: %s', (kind, code, message) => {
    expect(because('ro/z.yaml', kind, code)).toBe(message)
  })

  it.each(['ENOENT', 'EISDIR', 'ENOTDIR', 'EEXIST', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO'])(
    '%s comes with what to do next, and without what the system says',
    code => {
      for (const kind of ['file', 'folder'] as const) {
        expect(because('x', kind, code)).toMatch(/\bx\b.*(?:Name|Create|Free|[Mm]ake|Move) .*\.$/)
        expect(because('x', kind, code)).not.toContain('/secret')
      }
    },
  )
})
