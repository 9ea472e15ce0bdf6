import { describe, expect, it } from 'vitest'
import { buildTypeTable } from '../../spec/language/table/type-table.js'
import { choiceRecord } from '../choice/choice-record.js'
import type { Known } from '../semantics/index.js'
import { specOf } from '../testing/rule-bench.js'
import { disorderOf } from './disorder.js'
import { leavesOf } from './leaf.js'
import type { SortKey } from './sort-key.js'

const service = specOf('directory')

/** A directory service of which these choices are known. */
function knowing(learned: Readonly<Record<string, string>> = {}): Known {
  const choices = choiceRecord(service)
  for (const choice of service.open) {
    const value = learned[choice.name]
    if (value !== undefined) choices.learned({ choice, value, witnesses: [] })
  }
  return { service, types: buildTypeTable(service), choices }
}

function keyOf(path: string, direction: 'asc' | 'desc' = 'asc'): SortKey {
  const leaves = service.entityTypes.flatMap(type => leavesOf(type))
  const leaf = leaves.find(each => each.path.join('/') === path)
  if (leaf === undefined) throw new Error(`There is no property ${path}.`)
  return { leaf, direction }
}

const first = (values: readonly unknown[], key: SortKey, known: Known): readonly number[] | undefined => {
  const found = disorderOf(
    values.map(value => [value]),
    [key],
    known,
  )
  return found === undefined ? undefined : [found.before, found.after]
}

describe('a list is out of order', () => {
  it.each([
    ['size', 'asc', [1, 10, 9], [1, 2]],
    ['size', 'desc', [1, 2], [0, 1]],
    ['isRead', 'asc', [false, true, false], [1, 2]],
    ['createdDateTime', 'asc', ['2024-01-01T00:00:02Z', '2024-01-01T00:00:00.5Z'], [0, 1]],
    ['displayName', 'asc', ['tune', 'tone'], [0, 1]],
  ] as const)('%s %s: %j', (path, direction, values, expected) => {
    expect(first(values, keyOf(path, direction), knowing())).toEqual(expected)
  })

  it('when nulls stand between values, wherever a service keeps them', () => {
    expect(first([1, null, 2], keyOf('size'), knowing())).toBeDefined()
    expect(first([null, 1, null], keyOf('size'), knowing())).toBeDefined()
    expect(first(['x', null, ''], keyOf('displayName'), knowing({ emptyString: 'null' }))).toBeUndefined()
  })

  it('when nulls are at the other end than the service was seen to keep them', () => {
    expect(first([null, 1], keyOf('size'), knowing({ nullOrder: 'last' }))).toEqual([0, 1])
    expect(first([null, 1], keyOf('size', 'desc'), knowing({ nullOrder: 'lowest' }))).toEqual([0, 1])
    expect(first([null, 1], keyOf('size'), knowing({ nullOrder: 'lowest' }))).toBeUndefined()
  })

  it('by a later key, among items that are equal in those before it', () => {
    const keys = [keyOf('isRead'), keyOf('size', 'desc')]
    const found = disorderOf(
      [
        [false, 1],
        [false, 2],
        [true, 9],
      ],
      keys,
      knowing(),
    )
    expect(found).toMatchObject({ before: 0, after: 1, key: keys[1] })
    expect(
      disorderOf(
        [
          [false, 2],
          [false, 1],
          [true, 9],
        ],
        keys,
        knowing(),
      ),
    ).toBeUndefined()
  })
})

describe('nothing is said', () => {
  it.each([
    ['of texts whose order is not known', 'displayName', ['b', 'A'], {}],
    [
      'of letter case when the order passes over it',
      'displayName',
      ['a', 'B', 'b'],
      { stringOrder: 'caseInsensitive' },
    ],
    ['of nulls at either end', 'size', [null, null, 1], {}],
    ['of values that are not shown', 'size', [1, undefined, 3], {}],
    ['of an empty list', 'size', [], {}],
  ])('%s', (_, path, values, learned) => {
    expect(first(values, keyOf(path), knowing({ ...learned }))).toBeUndefined()
  })
})
