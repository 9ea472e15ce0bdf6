import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSpec } from './language/index.js'

const path = new URL('./starter.yaml', import.meta.url).pathname
const lines = readFileSync(path, 'utf8').split('\n')

describe('the starter spec', () => {
  it('is valid without a warning', async () => {
    const { service, diagnostics } = await loadSpec(path)
    expect(diagnostics).toEqual([])
    expect(service?.endpoints.map(({ name }) => name)).toContain('lists.tasks.update')
  })

  it.each([
    'service',
    'authentication',
    'resources',
    'container',
    'queryOptions',
    'paths',
    'operations',
    'errors',
    'open',
  ])('explains its chapter %s', chapter => {
    const line = lines.findIndex(text => text.startsWith(`${chapter}:`))
    const nearby = `${lines[line - 1]}${lines[line + 1]}`
    expect(line).toBeGreaterThan(0)
    expect(nearby).toContain('# ')
  })
})
