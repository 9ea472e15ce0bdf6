import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { csdlVocabularyPage } from './csdl-vocabulary-page.js'

it('the page of the vocabulary is up to date', () => {
  const checkedIn = readFileSync(new URL('../../docs/csdl-vocabulary.md', import.meta.url), 'utf8')
  expect(checkedIn).toBe(csdlVocabularyPage())
})
