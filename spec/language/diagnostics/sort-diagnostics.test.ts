import { describe, expect, it } from 'vitest'
import type { Diagnostic } from './diagnostic.js'
import { sortDiagnostics } from './sort-diagnostics.js'

const diagnostic = (path: string, offset: number, code: string): Diagnostic => ({
  severity: 'error',
  code,
  message: 'm',
  path,
  place: { line: 1, column: 1, offset, length: 0 },
  related: [],
})

describe('diagnostics', () => {
  it('come in the order of file, place and code, each once', () => {
    const [a, b, c, d] = [
      diagnostic('a', 2, 'x'),
      diagnostic('a', 10, 'w'),
      diagnostic('a', 10, 'x'),
      diagnostic('b', 1, 'x'),
    ]
    expect(sortDiagnostics([d, c, b, a, { ...c }])).toEqual([a, b, c, d])
  })
})
