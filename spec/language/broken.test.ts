import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { formatDiagnostics } from './diagnostics/format-diagnostics.js'
import { loadSpecText } from './load.js'

/** Each file is a broken spec, followed by its diagnostics after `#> `. */
const folder = join(dirname(fileURLToPath(import.meta.url)), 'broken')
const files = readdirSync(folder)

function read(name: string): { readonly spec: string; readonly expected: string } {
  const text = readFileSync(join(folder, name), 'utf8')
  const end = text.indexOf('#> ')
  const expected = text
    .slice(end)
    .split('\n')
    .map(line => line.replace(/^#> /, ''))
  return { spec: text.slice(0, end), expected: expected.join('\n').trimEnd() }
}

describe('a broken spec gets a diagnostic for each error, with location and fix', () => {
  it('is tested with at least sixty specs', () => {
    expect(files.length).toBeGreaterThanOrEqual(60)
  })

  it.each(files)('%s', async name => {
    const { spec, expected } = read(name)
    const { diagnostics, service } = await loadSpecText(spec, name)
    expect(formatDiagnostics(diagnostics, { format: 'plain' })).toBe(expected)
    expect(service === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
  })
})
