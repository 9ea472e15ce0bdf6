import { describe, expect, it } from 'vitest'
import { importList, scope } from './file-scope.js'

describe('importList', () => {
  it('sorts and merges imports, marks types, and avoids names that are taken', () => {
    const imports = importList(scope(['list', 'User']))
    expect(imports.add('list', '../a.js')).toBe('list_')
    expect(imports.add('Options', '../a.js')).toBe('Options')
    expect(imports.own('User', './types.js', 'type')).toBe('User')
    expect(imports.add('Paged', './types.js')).toBe('Paged')
    expect(imports.lines()).toEqual([
      "import { list as list_, type Options } from '../a.js'",
      "import type { Paged, User } from './types.js'",
    ])
  })

  it('reserves the names that it imports, so that later declarations avoid them', () => {
    const file = scope([])
    importList(file).add('Row', './server.js')
    expect(file.claim('Row', '_')).toBe('Row_')
  })
})
