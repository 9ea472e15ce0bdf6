import { expect, it } from 'vitest'
import { wholeWord, wordsOf } from './search.js'

it.each([
  ['', []],
  ['Hello, World!', ['hello', 'world']],
  ["O'Neil's 2nd", ['o', 'neil', 's', '2nd']],
  ['Blåbær_ΑΣ-x', ['blåbær', 'ας', 'x']],
  ['😀', []],
  ['日本 語', ['日本', '語']],
  ['x'.repeat(150), ['x'.repeat(100)]],
])('the words of %j are %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

it('a whole text is one word', () => {
  expect(wholeWord('Ä b.C@d')).toBe('ä b.c@d')
})
