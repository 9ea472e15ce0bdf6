import { describe, expect, it } from 'vitest'
import { type Diagnostic, limitDiagnostics, sortDiagnostics } from './diagnostic.js'

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

  it.each([0, 1, 1000])('are all reported if there are %d', count => {
    const all = Array.from({ length: count }, (_, offset) => diagnostic('a', offset, 'x'))
    expect(limitDiagnostics(all)).toEqual(all)
  })

  it('are a thousand at most, errors before warnings, and a count', () => {
    const all = Array.from({ length: 3500 }, (_, offset): Diagnostic => {
      return { ...diagnostic('a', offset, 'x'), severity: offset < 2600 ? 'warning' : 'error' }
    })
    const reported = limitDiagnostics(all)
    expect(reported.slice(0, 100).map(({ severity }) => severity)).toEqual(Array(100).fill('warning'))
    expect(reported.slice(100, 1000)).toEqual(all.slice(2600))
    expect(reported.slice(1000)).toEqual([
      {
        ...diagnostic('a', 100, 'report/more'),
        severity: 'warning',
        message: 'There are 2,500 more errors and warnings. Fix the first 1,000, and check again.',
      },
    ])
  })
})
