import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Expression, printFilter } from '../../runtime/query/index.js'
import { binary, joinConditions, not, pathTo, stringLiteral } from './expressions.js'
import { isFilterTooLong } from './query-keys.js'

const condition = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map(value => binary('eq', pathTo(['subject']), stringLiteral(value)))
const { tree } = fc.letrec<{ tree: Expression }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    condition,
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => binary('and', a, b)),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => binary('or', a, b)),
    tie('tree').map(not),
  ),
}))

it('a filter is too long with more than 1,500 characters, encoded', () => {
  fc.assert(
    fc.property(fc.array(tree, { minLength: 1, maxLength: 8 }), ([first = never, ...others]) => {
      const filter = joinConditions('or', first, ...others)
      expect(isFilterTooLong(filter)).toBe(encodeURIComponent(printFilter(filter)).length > 1500)
    }),
  )
})

it.each([
  [1500, false],
  [1501, true],
])('one of %i characters: %s', (length, expected) => {
  const frame = encodeURIComponent(printFilter(of(0))).length
  expect(isFilterTooLong(of(length - frame))).toBe(expected)
})

function of(letters: number): Expression {
  return not(binary('eq', pathTo(['subject']), stringLiteral('a'.repeat(letters))))
}

const never: Expression = { kind: 'literal', type: 'Boolean', value: false }
