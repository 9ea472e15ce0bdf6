import { describe, expect, it } from 'vitest'
import { suggest } from './suggest.js'

const known = ['String', 'Int32', 'DateTimeOffset', 'displayName', 'enumType', 'entityType']

describe('a suggestion is the known word that was most likely meant', () => {
  it.each([
    ['Strng', 'String'],
    ['string', 'String'],
    ['Stirng', 'String'],
    ['displayname', 'displayName'],
    ['Datetimeoffset', 'DateTimeOffset'],
    ['enum', 'enumType'],
    ['Int23', 'Int32'],
    ['x', undefined],
    ['', undefined],
    ['somethingElse', undefined],
    ['String', undefined],
    ['S'.repeat(100), undefined],
  ])('%s: %s', (word, expected) => {
    expect(suggest(word, known)).toBe(expected)
  })
})
