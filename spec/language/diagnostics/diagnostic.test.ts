import { describe, expect, it } from 'vitest'
import { type Diagnostic, sortDiagnostics } from './diagnostic.js'

const diagnostic = (path: string, offset: number, code: string): Diagnostic => ({
  severity: 'error',
  code,
  message: 'm',
  path,
  location: { line: 1, column: 1, offset, length: 0 },
  related: [],
})

describe('diagnostics', () => {
  it('are sorted by file, location and code, each once', () => {
    const [a, b, c, d] = [
      diagnostic('a', 2, 'x'),
      diagnostic('a', 10, 'w'),
      diagnostic('a', 10, 'x'),
      diagnostic('b', 1, 'x'),
    ]
    expect(sortDiagnostics([d, c, b, a, { ...c }])).toEqual([a, b, c, d])
  })
})
