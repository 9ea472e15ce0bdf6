import { describe, expect, it } from 'vitest'
import { whyUnwritable } from './why-unwritable.js'

const because = (shown: string, kind: 'file' | 'folder', code: string): string =>
  whyUnwritable(shown, kind, Object.assign(new Error(`${code}: /secret/place`), { code }))

describe('why something cannot be written', () => {
  it.each([
    ['file', 'EACCES', 'ro/z.yaml cannot be written (EACCES). Name a file in a folder that this user may write to.'],
    ['folder', 'EACCES', 'ro/z.yaml cannot be written (EACCES). Name a folder that this user may write to.'],
    ['file', 'ENOENT', 'The folder of ro/z.yaml does not exist. Create it first.'],
    ['file', 'EISDIR', 'ro/z.yaml is a folder. Name a file in it.'],
  ] as const)('as a %s: %s', (kind, code, told) => {
    expect(because('ro/z.yaml', kind, code)).toBe(told)
  })

  it.each(['ENOENT', 'EISDIR', 'ENOTDIR', 'EEXIST', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO'])(
    '%s comes with what to do next, and without what the system says',
    code => {
      for (const kind of ['file', 'folder'] as const) {
        expect(because('x', kind, code)).toMatch(/\bx\b.*(?:Name|Create|[Mm]ake|Move) .*\.$/)
        expect(because('x', kind, code)).not.toContain('/secret')
      }
    },
  )
})
