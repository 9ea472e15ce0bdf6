import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from './diagnostic.js'
import { type DiagnosticFormat, diagnosticFormats, formatDiagnostics } from './format-diagnostics.js'

const text = 'a: 1\nb: { type: Strng, nullable: true }\nc:\ta\t日本 👩‍👩‍👧 é x\n'

function diagnostic(mark: string, more: Partial<Diagnostic> = {}, of = text): Diagnostic {
  const offset = of.indexOf(mark)
  const before = of.slice(0, offset).split('\n')
  const location = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, offset, length: mark.length }
  return {
    severity: 'error',
    code: 'spec/x',
    message: 'Wrong.',
    path: 'spec.yaml',
    location,
    related: [],
    ...more,
  }
}

function format(as: DiagnosticFormat, diagnostics: readonly Diagnostic[], of = text, width = 60): string {
  return formatDiagnostics(diagnostics, { format: as, sources: [{ path: 'spec.yaml', text: of }], width })
}

describe('pretty', () => {
  it('shows the line, the location and the suggestion', () => {
    expect(format('pretty', [diagnostic('Strng', { suggestion: 'String' })])).toBe(
      [
        'error spec/x: Wrong. Did you mean "String"?',
        ' --> spec.yaml:2:12',
        '2 | b: { type: Strng, nullable: true }',
        '  |            ^^^^^',
      ].join('\n'),
    )
  })

  it('also shows related locations', () => {
    const related = [{ message: 'first here', location: diagnostic('a').location }]
    expect(format('pretty', [diagnostic('b', { severity: 'warning', related })])).toBe(
      [
        'warning spec/x: Wrong.',
        ' --> spec.yaml:2:1',
        '2 | b: { type: Strng, nullable: true }',
        '  | ^',
        'note: first here',
        ' --> spec.yaml:1:1',
        '1 | a: 1',
        '  | ^',
      ].join('\n'),
    )
  })

  it('wraps messages at blanks on request', () => {
    const long = diagnostic('Strng', { message: 'There is no type of this name.', suggestion: 'String' })
    const shown = formatDiagnostics([long], { format: 'pretty', width: 30, wrapped: true, colour: true })
    expect(shown.split('\n').slice(0, 3)).toEqual([
      '\x1B[1;31merror spec/x\x1B[0m\x1B[1m: There is no type\x1B[0m',
      '\x1B[1mof this name. Did you mean\x1B[0m',
      '\x1B[1m"String"?\x1B[0m',
    ])
  })

  it('keeps the caret under its location after tabs, wide characters and joined emoji', () => {
    expect(
      format('pretty', [diagnostic('x')])
        .split('\n')
        .slice(2),
    ).toEqual([
      '3 | c:    a    日本 👩‍👩‍👧 é x',
      `  | ${' '.repeat('c:'.length + 4 + 'a'.length + 4 + 2 * 2 + 1 + 2 + 1 + 1 + 1)}^`,
    ])
  })

  it('marks a wide character by its whole width', () => {
    expect(
      format('pretty', [diagnostic('日')])
        .split('\n')
        .at(-1),
    ).toBe(`  | ${' '.repeat(11)}^^`)
  })

  it('cuts a long line around the location', () => {
    const long = `${'a'.repeat(5000)}MARK${'b'.repeat(5000)}`
    const [, , line = '', carets = ''] = format('pretty', [diagnostic('MARK', {}, long)], long).split('\n')
    expect(line).toMatch(/^1 \| …a+MARKb+…$/)
    expect(line.length).toBeLessThanOrEqual(60)
    expect(carets.indexOf('^')).toBe(line.indexOf('MARK'))
    expect(carets.trimEnd().length - carets.indexOf('^')).toBe(4)
  })

  it('points after the end of a line, and at nothing in an empty file', () => {
    const location = { line: 1, column: 5, offset: 4, length: 0 }
    expect(
      format('pretty', [diagnostic('a', { location })], 'a: 1')
        .split('\n')
        .at(-1),
    ).toBe('  |     ^')
    expect(format('pretty', [diagnostic('', {}, '')], '')).toBe('error spec/x: Wrong.\n --> spec.yaml:1:1')
  })

  it('uses colours only on request', () => {
    const options = { format: 'pretty', sources: [{ path: 'spec.yaml', text }] } as const
    expect(formatDiagnostics([diagnostic('a')], options)).not.toContain('\x1B')
    expect(formatDiagnostics([diagnostic('a')], { ...options, colour: true })).toContain(
      '\x1B[1;31merror spec/x\x1B[0m',
    )
  })
})

describe('plain, json and github', () => {
  const related = [{ message: 'first here', location: diagnostic('a').location }]

  it('plain is one line each, with related locations as notes', () => {
    expect(format('plain', [diagnostic('Strng', { suggestion: 'String', related })])).toBe(
      'spec.yaml:2:12 error spec/x: Wrong. Did you mean "String"?\nspec.yaml:1:1 note spec/x: first here',
    )
  })

  it('json is an array', () => {
    expect(JSON.parse(format('json', [diagnostic('Strng', { suggestion: 'String', related })]))).toEqual([
      {
        severity: 'error',
        code: 'spec/x',
        message: 'Wrong.',
        file: 'spec.yaml',
        line: 2,
        column: 12,
        length: 5,
        suggestion: 'String',
        related: [{ message: 'first here', line: 1, column: 1, length: 1 }],
      },
    ])
    expect(format('json', [])).toBe('[]')
  })

  it('github is a workflow command, whatever the text', () => {
    const hostile = diagnostic('Strng', { message: '100%\n::error::x', path: 'a,b:c.yaml' })
    expect(format('github', [hostile])).toBe(
      '::error file=a%2Cb%3Ac.yaml,line=2,col=12,endColumn=17,title=spec/x::100%25\\u000A::error::x'.replace(
        'title=spec/x',
        'title=spec/x',
      ),
    )
  })
})

describe('any text of a spec', () => {
  const hostile = fc.string({ unit: 'binary', maxLength: 60 })

  it.each(diagnosticFormats)('%s removes every character that a terminal interprets', as => {
    fc.assert(
      fc.property(hostile, hostile, fc.nat(60), (message, line, at) => {
        const offset = Math.min(at, line.length)
        const before = line.slice(0, offset).split('\n')
        const location = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, offset, length: 3 }
        const shown = format(as, [diagnostic('a', { message, suggestion: message, location })], line)
        expect(shown).not.toMatch(/[\0-\x09\x0B-\x1F\x7F-\x9F\u2028\u2029\u202A-\u202E\u2066-\u2069]/)
      }),
    )
  })
})
