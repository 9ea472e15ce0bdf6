import { describe, expect, it } from 'vitest'
import { importList, scope } from './file-scope.js'

describe('importList', () => {
  it('sorts and merges imports, marks types, and gives way to names that are taken', () => {
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

  it('takes the names that it imports, so that later declarations give way', () => {
    const file = scope([])
    importList(file).add('Row', './server.js')
    expect(file.claim('Row', '_')).toBe('Row_')
  })
})
