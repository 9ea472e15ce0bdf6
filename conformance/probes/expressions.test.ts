import { describe, expect, it } from 'vitest'
import { type Expression, parseFilter } from '../../runtime/query/index.js'
import { equalToBeginnings, plainLambdas } from '../lists/certain-filters.js'
import { propertiesReadBy } from './expressions.js'

const path = (name: string): Expression => ({ kind: 'path', segments: [{ kind: 'property', name }] })
const alias: Expression = { kind: 'alias', name: 'wanted' }

const read = (expression: Expression): readonly string[] | undefined => {
  const names = propertiesReadBy(expression)
  return names && [...names].sort()
}

describe('the properties that a condition reads', () => {
  it.each<[string, readonly string[]]>([
    ["title eq 'a'", ['title']],
    ["edition/publisher/name eq 'a'", ['edition']],
    ["edition/library.firstEdition/name eq 'a'", ['edition']],
    ['keywords/$count gt 1', ['keywords']],
    ["reviews(3)/text eq 'a'", ['reviews']],
    ['isof(edition,library.firstEdition)', ['edition']],
    ["cast(pages,Edm.String) eq '1'", ['pages']],
    ["keywords/any(k:k eq 'a')", ['keywords']],
    ['keywords/any()', ['keywords']],
    ['keywords/any(k:k eq title)', ['keywords', 'title']],
    ['edition/shelves/all(s:s/floor gt 1)', ['edition']],
    ['reviews/any(r:r/tags/any(t:t eq r/text or t eq title))', ['reviews', 'title']],
    ['reviews/any(r:r/tags/$count gt 1 and isof(r/by,library.member))', ['reviews']],
    ["title in ('a','b')", ['title']],
    ["'a' in keywords", ['keywords']],
    ['not active', ['active']],
    ['-pages lt 3', ['pages']],
    ['pages add timesBorrowed gt 3', ['pages', 'timesBorrowed']],
    ["contains(tolower(title),'a') or title eq null", ['title']],
    ["case(active:title,true:subtitle) eq 'a'", ['active', 'subtitle', 'title']],
    ['now() gt 2026-01-01T00:00:00Z', []],
    ['true', []],
  ])('%s: %j', (filter, names) => {
    expect(read(parseFilter(filter))).toEqual(names)
  })

  it.each([
    'isof(library.audiobook)',
    'not isof(library.audiobook)',
    'cast(library.audiobook) eq null',
    "library.audiobook/narrator eq 'a'",
    "library.audiobook/chapters/any(c:c eq 'a')",
    'library.isOverdue(on=2026-01-01)',
    'copies/library.areFree(at=branch)',
    'copies/$filter(place eq $it/language)/$count gt 1',
    'copies/$count($filter=place eq $it/language) gt 1',
    'reviews/any(r:r/tags/$filter($this eq $it/title)/$count gt 1)',
    'reviews(@number)/stars gt 1',
    "title/@library.translation eq 'a'",
    "$it/title eq 'a'",
    "$this/title eq 'a'",
    "$root/books('9780000000000')/title eq 'a'",
    'keywords/any(k:k eq $it/title)',
    'title eq @wanted',
    'title in (@wanted)',
  ])('may include more than %s names', filter => {
    expect(read(parseFilter(filter))).toBeUndefined()
  })

  it.each<[string, Expression, readonly string[] | undefined]>([
    [
      'a list of paths',
      { kind: 'list', form: 'parentheses', items: [path('title'), path('subtitle')] },
      ['subtitle', 'title'],
    ],
    ['a list with an alias', { kind: 'list', form: 'json', items: [path('title'), alias] }, undefined],
    ['an object', { kind: 'object', members: [{ name: 'title', value: path('title') }] }, undefined],
    ['a type alone', { kind: 'type', name: 'library.audiobook', collection: false }, undefined],
  ])('to compare with %s', (_, right, names) => {
    expect(read({ kind: 'binary', operator: 'in', left: path('title'), right })).toEqual(names)
  })
})

it('a beginning of a text ends with a whole character', () => {
  const name = { path: ['name'], type: 'Edm.String', nullable: false, isFlags: false, allows: () => true }
  const filter = equalToBeginnings({ terms: [name] }, [{ name: 'a b \u{1f600}' }])
  expect(filter).toEqual(parseFilter("name eq 'a b '"))
})

it('plain lambdas compare the last item of a collection, and the first one behind `not`', () => {
  const item = { path: ['name'], type: 'Edm.String', nullable: false, isFlags: false, allows: () => true }
  const grammar = { collections: [{ path: ['tags'], items: [item] }], has: () => true }
  const session = { choices: { get: () => undefined }, types: {} }
  const rows = [{ tags: [{ name: 'a' }] }, { tags: [{ name: 'b' }, { name: 'c' }] }, { tags: [] }, { tags: null }]
  expect(plainLambdas(grammar, rows, session)).toEqual(
    ["tags/any(x:x/name eq 'c')", "not tags/any(x:x/name eq 'b')"].map(text => parseFilter(text)),
  )
})
