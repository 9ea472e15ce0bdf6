import fc from 'fast-check'
import type { Expression, OrderbyItem } from '../../runtime/query/index.js'

/** A path of names: `part/label`. */
export function pathTo(text: string): Expression {
  return { kind: 'path', segments: text.split('/').map(name => ({ kind: 'property', name })) }
}

const keys = [
  ...[
    'name',
    'note',
    'flag',
    'count',
    'big',
    'price',
    'score',
    'code',
    'day',
    'moment',
    'clock',
    'span',
    'mood',
    'rights',
  ],
  ...['part/label', 'part/weight', 'part/made', 'part/lasts', 'part/mood'],
]

/** Orders of samples by up to three keys. */
export function orderbyArbitrary(): fc.Arbitrary<readonly OrderbyItem[]> {
  const item = fc.record({
    expression: fc.constantFrom(...keys).map(pathTo),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  })
  return fc.uniqueArray(item, { maxLength: 3, selector: ({ expression }) => JSON.stringify(expression) })
}
