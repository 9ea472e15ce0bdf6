import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadValid } from '../testing/valid-spec.js'
import { referencePage } from './reference-page.js'
import { languageSchema } from './schema.js'

const page = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'docs', 'spec-language.md'),
  'utf8',
)

describe('docs/spec-language.md', () => {
  it('ends with the reference from the schema', () => {
    expect(page.slice(page.indexOf('## Reference\n'))).toBe(referencePage(languageSchema()))
  })

  it('has examples that form a valid spec when combined', async () => {
    const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(match => match[1] ?? '')
    expect(examples.length).toBeGreaterThan(8)
    const service = await loadValid(examples.join('\n'))
    const names = service.endpoints.map(endpoint => endpoint.name)
    const named = [...page.matchAll(/`((?:notebooks|me)\.[a-z]+)`/g)].map(match => match[1])
    expect(named.length).toBeGreaterThan(5)
    expect(names).toEqual(expect.arrayContaining(named))
  })

  it('links only to its own headings', () => {
    const headings = new Set([...page.matchAll(/^#+ (.*)$/gm)].map(match => match[1]?.toLowerCase()))
    const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(match => match[1])
    expect(links.filter(link => !headings.has(link))).toEqual([])
  })
})
