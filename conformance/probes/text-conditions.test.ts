import { describe, expect, it } from 'vitest'
import { printFilter } from '../../runtime/query/index.js'
import { pathTo } from './expressions.js'
import type { Term } from './grammar.js'
import { letterConditions, spaceConditions } from './text-conditions.js'

const both = ['tolower', 'toupper']

describe('letterAtoms', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['a small letter beyond ASCII, in capitals', ['Poe', 'Brontë'], both, ["toupper(name) eq 'BRONTË'"]],
    ['a capital one, in small letters', ['Poe', 'Émile'], both, ["tolower(name) eq 'émile'"]],
    ['what the spec declares alone', ['Brontë', 'Émile'], ['tolower'], ["tolower(name) eq 'émile'"]],
    ['nothing of letters that have no other case', ['Poe', '東京', '😀'], both, []],
  ])('asks for %s', (_, values, functions, filters) => {
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

const cases: readonly {
  readonly name: string
  readonly values: readonly string[]
  readonly functions: readonly string[]
  readonly filters: readonly string[]
}[] = [
  {
    name: 'a value with spaces at its end is asked for as it is, and as what trim leaves of it',
    values: ['plain', ' both '],
    functions: ['trim'],
    filters: ["title eq ' both '", "trim(title) eq 'both'"],
  },
  {
    name: 'trim is not asked for where the spec does not declare it',
    values: ['plain', 'end '],
    functions: [],
    filters: ["title eq 'end '"],
  },
  {
    name: 'without such a value, one with a space more is asked for, which no row has',
    values: ['plain', 'other'],
    functions: ['trim'],
    filters: ["title eq 'plain '"],
  },
  { name: 'spaces alone are nothing to trim', values: ['  '], functions: ['trim'], filters: ["title eq '   '"] },
  { name: 'nothing is asked for without values', values: [], functions: ['trim'], filters: [] },
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
