import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../root.js'

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const spans = [...page.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
const topLevelPath =
  /^(?:bin|spec|generator|templates|runtime|generated|reference|conformance|scripts|tests|bench|docs|examples)\/\S*$/

describe('CONTRIBUTING.md', () => {
  it('has a recipe for each kind of addition', () => {
    const sections = [...page.matchAll(/^## (Add .*)$/gm)].map(([, heading]) => heading)
    expect(sections).toEqual([
      'Add a semantic check of specs',
      'Add an emitter',
      'Add a query function',
      'Add a primitive type',
      'Add a conformance rule',
      'Add a store',
    ])
  })

  it('names existing files and folders only', () => {
    const paths = spans.filter(text => topLevelPath.test(text))
    expect(paths.length).toBeGreaterThan(40)
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([])
  })

  it('names existing tests and scripts only', () => {
    const tests = spans.flatMap(text => (text.startsWith('npx vitest run ') ? text.split(' ').slice(3) : []))
    expect(tests.filter(path => !existsSync(join(root, path)))).toEqual([])
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const scripts = typeof manifest === 'object' && manifest !== null && 'scripts' in manifest ? manifest.scripts : {}
    const named = spans.flatMap(text => /^npm run (\w+)/.exec(text)?.[1] ?? [])
    expect(named.filter(name => !Object.hasOwn(Object(scripts), name))).toEqual([])
  })
})

describe('docs/glossary.md', () => {
  it('has at most 50 terms, each once, with its meaning and its source', () => {
    const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
    const rows = glossary.split('\n').filter(line => /^\| (?!term \|)[^-]/.test(line))
    const terms = rows.map(row => row.split('|').map(cell => cell.trim()))
    expect(terms.filter(([, term, meaning, source]) => !term || !meaning || !source)).toEqual([])
    expect(new Set(terms.map(([, term]) => term)).size).toBe(terms.length)
    expect(terms.length).toBeLessThanOrEqual(50)
  })
})
