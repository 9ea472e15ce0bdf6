import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withFunctionTable } from './function-table.js'

it('docs/query-language.md lists the canonical functions, as `npm run docs` writes it', () => {
  const page = readFileSync(new URL('../../docs/query-language.md', import.meta.url), 'utf8')
  expect(page).toBe(withFunctionTable(page))
})
