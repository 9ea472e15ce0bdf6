import { describe, expect, it } from 'vitest'
import { printFilter } from '../../runtime/query/index.js'
import { pathTo } from './expressions.js'
import type { Term } from './grammar.js'
import { letterConditions, partConditions, spaceConditions } from './text-conditions.js'

const both = ['tolower', 'toupper']

describe('letterAtoms', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['a non-ASCII lower-case letter, in upper case', ['Poe', 'Brontë'], both, ["toupper(name) eq 'BRONTË'"]],
    ['an upper-case letter, in lower case', ['Poe', 'Émile'], both, ["tolower(name) eq 'émile'"]],
    ['only what the spec declares', ['Brontë', 'Émile'], ['tolower'], ["tolower(name) eq 'émile'"]],
    ['nothing about letters without case', ['Poe', '東京', '😀'], both, []],
  ])('includes %s', (_, values, functions, filters) => {
    const term: Term = {
      path: ['name'],
      type: 'Edm.String',
      nullable: true,
      isFlags: false,
      allows: name => functions.includes(name),
    }
    const conditions = [...letterConditions(pathTo(term.path), term, values, 'name')]
    expect(conditions.map(({ filter }) => printFilter(filter))).toEqual(filters)
  })
})

describe('conditions on parts of texts', () => {
  const term: Term = { path: ['name'], type: 'Edm.String', nullable: true, isFlags: false, allows: () => true }
  const filtersFor = (...values: readonly string[]): readonly string[] =>
    [...partConditions(pathTo(term.path), term, values, 'name')].map(({ filter }) => printFilter(filter))

  it('contain a parenthesis with what surrounds it', () => {
    expect(filtersFor('R (x) y')).toContain("contains(name,'(x) ')")
  })

  it('compare a long text without its last letter, which equals no text', () => {
    expect(filtersFor('A long subject, part two', 'short')).toContain("name eq 'A long subject, part tw'")
    expect(filtersFor('short')).toEqual([])
  })

  it('begin at a later word, with which no text starts', () => {
    expect(filtersFor('Anna Lee', 'Bob Ray')).toContain("startswith(name,'Lee')")
    expect(filtersFor('Anna Lee', 'Lee Ray')).not.toContain("startswith(name,'Lee')")
  })

  it.each(['😀a)😀', '😀x,😀', "a😀'😀", "😀'"])('keep the characters of %s whole', value => {
    for (const filter of filtersFor(value, 'plain')) expect(() => encodeURIComponent(filter), filter).not.toThrow()
  })
})

const cases: readonly {
  readonly name: string
  readonly values: readonly string[]
  readonly functions: readonly string[]
  readonly filters: readonly string[]
}[] = [
  {
    name: 'a value with trailing spaces is compared unchanged, and trimmed',
    values: ['plain', ' both '],
    functions: ['trim'],
    filters: ["title eq ' both '", "trim(title) eq 'both'"],
  },
  {
    name: 'trim is not used if the spec does not declare it',
    values: ['plain', 'end '],
    functions: [],
    filters: ["title eq 'end '"],
  },
  {
    name: 'without such a value, a value with an added space is compared',
    values: ['plain', 'other'],
    functions: ['trim'],
    filters: ["title eq 'plain '"],
  },
  { name: 'a text of spaces only is not trimmed', values: ['  '], functions: ['trim'], filters: ["title eq '   '"] },
  { name: 'no conditions exist without values', values: [], functions: ['trim'], filters: [] },
]

describe('spaceAtoms', () => {
  it.each(cases)('$name', ({ values, functions, filters }) => {
    const term: Term = {
      path: ['title'],
      type: 'Edm.String',
      nullable: true,
      isFlags: false,
      allows: name => functions.includes(name),
    }
    const conditions = [...spaceConditions(pathTo(term.path), term, values, 'title')]
    expect(conditions.map(({ filter }) => printFilter(filter))).toEqual(filters)
  })
})
