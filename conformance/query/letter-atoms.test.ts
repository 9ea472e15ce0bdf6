import { describe, expect, it } from 'vitest'
import { printFilter } from '../../runtime/query/index.js'
import { pathTo } from './build.js'
import type { Term } from './grammar.js'
import { letterAtoms } from './letter-atoms.js'

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
    const atoms = [...letterAtoms(pathTo(term.path), term, values, 'name')]
    expect(atoms.map(({ filter }) => printFilter(filter))).toEqual(filters)
  })
})
