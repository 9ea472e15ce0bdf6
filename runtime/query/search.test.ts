import { describe, expect, it } from 'vitest'
import type { SearchExpression } from './ast.js'
import { jsonValue } from './evaluate/conversion.js'
import { matchesSearch, parseSearch } from './search.js'
import { syntaxErrorOf } from './testing/notation.js'

const term = (text: string): SearchExpression => ({ kind: 'term', text })
const phrase = (text: string): SearchExpression => ({ kind: 'phrase', text })
const not = (operand: SearchExpression): SearchExpression => ({ kind: 'not', operand })
const and = (left: SearchExpression, right: SearchExpression): SearchExpression => ({ kind: 'and', left, right })
const or = (left: SearchExpression, right: SearchExpression): SearchExpression => ({ kind: 'or', left, right })

describe('parseSearch', () => {
  it.each([
    ['blue', term('blue')],
    [' blue ', term('blue')],
    ["Daniel's", term("Daniel's")],
    ['9,81', term('9,81')],
    ['a;b', term('a;b')],
    ['"blue green"', phrase('blue green')],
    ['"displayName:wa" OR "mail:admin"', or(phrase('displayName:wa'), phrase('mail:admin'))],
    ['"a\\"', phrase('a\\')],
    ['a b', and(term('a'), term('b'))],
    ['a AND b', and(term('a'), term('b'))],
    ['a b OR c d', or(and(term('a'), term('b')), and(term('c'), term('d')))],
    ['a OR b AND c', or(term('a'), and(term('b'), term('c')))],
    ['(a OR b) c', and(or(term('a'), term('b')), term('c'))],
    ['NOT a b', and(not(term('a')), term('b'))],
    ['a NOT b', and(term('a'), not(term('b')))],
    ['NOT (a b)', not(and(term('a'), term('b')))],
    ['NOT NOT a', not(not(term('a')))],
    ['not a', and(term('not'), term('a'))],
    ['a and b', and(and(term('a'), term('and')), term('b'))],
    ['AND', term('AND')],
    ['NOT', term('NOT')],
    ['NOT NOT', not(term('NOT'))],
    ['AND OR', and(term('AND'), term('OR'))],
    ['AND OR NOT', or(term('AND'), term('NOT'))],
    ['ANDROID OR ORANGE', or(term('ANDROID'), term('ORANGE'))],
    ["'\"blue'", term('"blue')],
    ["'it''s'", term("it's")],
  ])('parses %s', (written, expected) => {
    expect(parseSearch(written)).toEqual(expected)
  })

  it.each([
    ['', 0, 'a word or a phrase in double quotes or `(`'],
    ['"blue', 5, '`"`'],
    ['""', 1, 'a phrase between the quotes'],
    ['(a', 2, '`)`'],
    ['a)', 1, 'found `)`'],
    ['()', 1, 'a word'],
    ["a 'b'", 2, "found `'`"],
    ["'a' b", 4, 'found `b`'],
    ['"a""b"', 3, 'found `"`'],
  ])('rejects %s', (written, position, message) => {
    const error = syntaxErrorOf(() => parseSearch(written))
    expect(error).toMatchObject({ position, option: '$search' })
    expect(error.message).toContain(message)
  })
})

const item = jsonValue({ name: 'Hello-World blue', note: 'Green apples', '@x.y': 'hidden', n: 5 }, undefined, undefined)

describe('matchesSearch', () => {
  it.each([
    ['hello', true],
    ['HELLO', true],
    ['hell', false],
    ['blue green', true],
    ['blue AND red', false],
    ['blue OR red', true],
    ['NOT red', true],
    ['NOT (red OR blue)', false],
    ['"hello world"', true],
    ['"world hello"', false],
    ['"name:blue"', true],
    ['"name:green"', false],
    ['"note:green"', true],
    ['"other:green"', false],
    ['hidden', false],
    ['"!"', false],
  ])('for %s is %s', (text, expected) => {
    expect(matchesSearch(parseSearch(text), item)).toBe(expected)
  })

  it('searches only the given properties', () => {
    expect(matchesSearch(parseSearch('green'), item, ['name'])).toBe(false)
    expect(matchesSearch(parseSearch('green'), item, ['note'])).toBe(true)
  })
})
