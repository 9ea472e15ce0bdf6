import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildTypeTable } from '../../spec/language/table/type-table.js'
import { createChoiceRecord } from '../choices/choices.js'
import type { ServiceKnowledge } from '../oracle/comparison-semantics.js'
import { openTestSession, specOf, type TestSession } from '../testing/rule-tests.js'
import { shelf } from '../testing/services.js'
import { leafProperties, orderbyItem } from './properties.js'
import { querySite } from './related-items.js'
import {
  findOrderViolation,
  isOrderCertain,
  type OrderResult,
  orderInAllCollations,
  readOrder,
  type SortKey,
} from './sort-order.js'

const service = specOf('directory')

/** A directory service of which these choices are known. */
function knowing(learned: Readonly<Record<string, string>> = {}): ServiceKnowledge {
  const choices = createChoiceRecord(service)
  for (const choice of service.open) {
    const value = learned[choice.name]
    if (value !== undefined) choices.record({ choice, value, evidence: [] })
  }
  return { service, types: buildTypeTable(service), choices }
}

function keyOf(path: string, direction: 'asc' | 'desc' = 'asc'): SortKey {
  const leaves = service.entityTypes.flatMap(type => leafProperties(type))
  const leaf = leaves.find(each => each.path.join('/') === path)
  if (leaf === undefined) throw new Error(`There is no property ${path}.`)
  return { leaf, direction }
}

const first = (
  values: readonly unknown[],
  key: SortKey,
  knowledge: ServiceKnowledge,
): readonly number[] | undefined => {
  const found = findOrderViolation(
    values.map(value => [value]),
    [key],
    knowledge,
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

  it('if nulls are between values, whatever the service chose', () => {
    expect(first([1, null, 2], keyOf('size'), knowing())).toBeDefined()
    expect(first([null, 1, null], keyOf('size'), knowing())).toBeDefined()
  })

  it('if nulls are at the wrong end', () => {
    expect(first([null, 1], keyOf('size'), knowing({ nullOrder: 'last' }))).toEqual([0, 1])
    expect(first([null, 1], keyOf('size', 'desc'), knowing({ nullOrder: 'lowest' }))).toEqual([0, 1])
    expect(first([null, 1], keyOf('size'), knowing({ nullOrder: 'lowest' }))).toBeUndefined()
  })

  it('by a later key, among items with equal earlier keys', () => {
    const keys = [keyOf('isRead'), keyOf('size', 'desc')]
    const found = findOrderViolation(
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
      findOrderViolation(
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

describe('no order is required', () => {
  it.each([
    ['of texts whose order is unknown', 'displayName', ['a', 'B'], {}],
    ['of letter case if the order ignores it', 'displayName', ['a', 'B', 'b'], { stringOrder: 'caseInsensitive' }],
    ['of nulls at either end', 'size', [null, null, 1], {}],
    ['of omitted values', 'size', [1, undefined, 3], {}],
    ['of an empty list', 'size', [], {}],
  ])('%s', (_, path, values, learned) => {
    expect(first(values, keyOf(path), knowing({ ...learned }))).toBeUndefined()
  })
})

async function orderOf({ session, answers }: TestSession): Promise<{ order: OrderResult; asked: number }> {
  const site = session.sites.find(({ id }) => id === 'labels.list')
  const found = site && querySite(site)
  if (found === undefined) throw new Error('The labels can be read.')
  const before = answers.length
  const order = await readOrder(found, session, [orderbyItem(['text'], 'asc')])
  return { order, asked: answers.length - before }
}

describe('the order of a complete list', () => {
  it('is computed if the order of texts is known', async () => {
    const { order, asked } = await orderOf(
      await openTestSession(shelf, { rows: 30, choices: { stringOrder: 'ordinal' } }),
    )
    expect(order).toMatchObject({ kind: 'read', order: { values: { length: 30 } } })
    expect(asked).toBe(0)
  })

  it('is read page by page otherwise', async () => {
    const { order, asked } = await orderOf(await openTestSession(shelf, { rows: 30 }))
    expect(order).toMatchObject({ kind: 'read', order: { values: { length: 30 } } })
    expect(asked).toBe(15)
  })

  it('is unknown if the list has too many pages', async () => {
    const { order } = await orderOf(await openTestSession(shelf, { rows: 140 }))
    expect(order).toMatchObject({ kind: 'ended', verdict: { kind: 'inconclusive' } })
  })
})

describe('the order of two words in all collations', () => {
  it.each([
    ['bed', 'fed', -1],
    ['Lisa', 'Lisabon', -1],
    ['tone', 'tune', -1],
    ['rope', 'robe', 1],
  ])('%s and %s: %i', (left, right, sign) => {
    expect(Math.sign(orderInAllCollations(left, right) ?? 0)).toBe(sign)
  })

  it.each([
    ['Bed', 'fed', 'case'],
    ['chat', 'cut', 'double letters'],
    ['Aarhus', 'Abel', 'double letters at the start'],
    ['a b', 'ab', 'spaces'],
    ['é', 'f', 'accents'],
    ['zebra', 'unit', 'letters with different positions'],
    ['same', 'same', 'equality'],
    ['', 'a', 'nothing'],
  ])('%s and %s have no common order: %s', (left, right) => {
    expect(orderInAllCollations(left, right)).toBeUndefined()
  })

  it('agrees with code points, with ignored case, and with locales', () => {
    const text = fc.string({ unit: fc.constantFrom(...'bdegikmnoprtuacy'), maxLength: 5 })
    const languages = ['en', 'de', 'da', 'cs', 'es', 'hu', 'lt', 'tr', 'et', 'cy'].map(name => new Intl.Collator(name))
    fc.assert(
      fc.property(text, text, (left, right) => {
        const sign = orderInAllCollations(left, right)
        if (sign === undefined) return
        expect(Math.sign(sign)).toBe(left < right ? -1 : 1)
        for (const language of languages) expect(Math.sign(sign)).toBe(Math.sign(language.compare(left, right)))
      }),
      { numRuns: 500 },
    )
  })
})

it.each([
  ['Alpha', 'Alto', true],
  ['Alpha', 'Alphabet', true],
  ['a1', 'b1', true],
  ['Alpha', 'alpha', false],
  ['Alpha', 'Alpha ', false],
  ['re-sign', 'resign', false],
  ['a1', 'a01', false],
  ['1.0', '1.00', false],
  ['Vera', 'Wera', false],
  ['Iris', 'Yris', false],
  ['Åse', 'Bo', false],
  [`${'a'.repeat(60)}b`, `${'a'.repeat(60)}c`, false],
])('%j and %j: %s', (left, right, expected) => {
  expect(isOrderCertain(left, right)).toBe(expected)
  expect(isOrderCertain(right, left)).toBe(expected)
})
