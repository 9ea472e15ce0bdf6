import { describe, expect, it } from 'vitest'
import { QuerySyntaxError } from '../cursor.js'
import { parseFilter } from '../expressions.js'
import { printFilter } from '../print-expression.js'
import { filters } from './filter-corpus.js'

describe('the corpus of filters', () => {
  it.each(filters)('parses $text', ({ text, tree }) => {
    expect(parseFilter(text)).toEqual(tree)
  })

  it.each(filters)('parses what it prints for $text', ({ tree }) => {
    const printed = printFilter(tree)
    expect(parseFilter(printed)).toEqual(tree)
    expect(printFilter(parseFilter(printed))).toBe(printed)
  })

  it.each(filters.flatMap(({ malformed }) => malformed))('rejects %s', text => {
    expect(() => parseFilter(text)).toThrow(QuerySyntaxError)
  })

  it('contains at least 60 different filters', () => {
    expect(new Set(filters.map(({ text }) => text)).size).toBe(filters.length)
    expect(filters.length).toBeGreaterThanOrEqual(60)
  })
})
