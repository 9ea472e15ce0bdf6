import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseFilter } from '../../runtime/query/index.js'
import { createChoiceRecord } from '../choices/choices.js'
import { openTestSession } from '../testing/rule-tests.js'
import { compareForOrder } from './compare.js'
import { explain } from './explain.js'
import { predict } from './predict.js'

const context = await openTestSession('directory')
const site = context.session.sites.find(({ id }) => id === 'users.list')
const snapshot = site && context.session.snapshot(site)
if (snapshot === undefined) throw new Error('The users can be read.')

const messageSite = context.session.sites.find(({ id }) => id === 'me.messages.list')
const messages = messageSite && context.session.snapshot(messageSite)
if (messages === undefined) throw new Error('The messages can be read.')

afterEach(() => void vi.useRealTimers())

describe('predict', () => {
  it('predicts the rows that must and may be returned, given the known choices', () => {
    const { must, may } = predict(parseFilter("displayName eq 'ALPHA'"), snapshot, context.session)
    expect(must.size).toBeLessThan(may.size)
  })

  it('is exact if every choice is known', async () => {
    const learned = {
      stringComparison: 'ordinal',
      accents: 'distinct',
      trailingSpaces: 'distinct',
      normalization: 'distinct',
    }
    const { session } = await openTestSession('directory', { choices: { ...learned, emptyString: 'distinct' } })
    const { must, may } = predict(parseFilter("displayName eq 'alpha'"), snapshot, session)
    expect([...must]).toEqual([...may])
    expect(must.size).toBeGreaterThan(0)
  })

  it('uses what was learned since the last prediction of the same filter', () => {
    const { service, types } = context.session
    const choices = createChoiceRecord(service)
    const filter = parseFilter("displayName eq 'ALPHA'")
    const first = predict(filter, snapshot, { service, types, choices })
    expect(predict(filter, snapshot, { service, types, choices })).toEqual(first)
    const learn = (name: string, value: string): void => {
      const choice = service.open.find(each => each.name === name)
      if (choice === undefined) throw new Error(`The spec leaves ${name} open.`)
      choices.record({ choice, value, evidence: [] })
    }
    learn('stringComparison', 'caseInsensitive')
    const folding = predict(filter, snapshot, { service, types, choices })
    learn('stringComparison', 'ordinal')
    const exact = predict(filter, snapshot, { service, types, choices })
    expect([first.must.size, exact.may.size]).toEqual([0, 0])
    expect(folding.must.size).toBeGreaterThan(0)
    expect([...folding.may]).toEqual([...first.may])
  })

  it('uses the current time when it predicts the same filter again', () => {
    const filter = parseFilter('receivedDateTime lt now()')
    const foundIn = (year: number): number => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(year, 0, 1) })
      return predict(filter, messages, context.session).must.size
    }
    expect(foundIn(1990)).toBe(0)
    expect(foundIn(2190)).toBeGreaterThan(0)
    expect(foundIn(1990)).toBe(0)
  })

  it('includes required rows in the possible rows', () => {
    for (const filter of ["contains(mail,'a')", "not (mail eq 'Sales')", 'accountEnabled eq null', "mail gt 'S'"]) {
      const { must, may } = predict(parseFilter(filter), snapshot, context.session)
      expect([...must].filter(key => !may.has(key))).toEqual([])
    }
  })
})

it('explain shows the value of each part on a row, and what it reads', () => {
  const [row] = snapshot.rows
  if (row === undefined) throw new Error('There are users.')
  const lines = explain(parseFilter("not (id eq 'x') and accountEnabled eq true"), row, snapshot, context.session)
  expect(lines[0]).toMatch(/^.* and accountEnabled eq true is (?:true|false|null)/)
  expect(lines.join('\n')).toContain(`id eq 'x' is false (id: ${JSON.stringify(row['id'])})`)
})

describe('compareForOrder', () => {
  const known = async (choices: Readonly<Record<string, string>>) =>
    (await openTestSession('directory', { choices })).session
  it.each<[unknown, unknown, string, Readonly<Record<string, string>>, number | undefined]>([
    ['a', 'b', 'Edm.String', { stringOrder: 'ordinal' }, -1],
    ['B', 'a', 'Edm.String', { stringOrder: 'ordinal' }, -1],
    ['B', 'a', 'Edm.String', { stringOrder: 'caseInsensitive' }, 1],
    ['A', 'a', 'Edm.String', { stringOrder: 'caseInsensitive' }, undefined],
    ['B', 'a', 'Edm.String', {}, undefined],
    ['a', 'b', 'Edm.String', { stringOrder: 'locale' }, -1],
    ['B', 'a', 'Edm.String', { stringOrder: 'locale' }, 1],
    ['a', 'A', 'Edm.String', { stringOrder: 'locale' }, undefined],
    ['a-c', 'ab', 'Edm.String', { stringOrder: 'locale' }, undefined],
    ['a', 'é', 'Edm.String', { stringOrder: 'locale' }, undefined],
    ['a', 'a', 'Edm.String', {}, 0],
    [null, 'a', 'Edm.String', { nullOrder: 'lowest' }, -1],
    [null, 'a', 'Edm.String', { nullOrder: 'last' }, 1],
    [null, 'a', 'Edm.String', {}, undefined],
    [null, null, 'Edm.String', {}, 0],
    [false, true, 'Edm.Boolean', {}, -1],
    [9, 10, 'Edm.Int32', {}, -1],
    ['9', '10', 'Edm.Int64', {}, -1],
    ['2024-01-01T00:00:00.1Z', '2024-01-01T00:00:00Z', 'Edm.DateTimeOffset', { timestampPrecision: 'shown' }, 1],
    ['high', 'low', 'importance', { enumOrder: 'value' }, 1],
    ['high', 'low', 'importance', { enumOrder: 'name' }, -1],
  ])('%j and %j of %s under %j', async (left, right, type, choices, expected) => {
    const plain = {
      accents: 'distinct',
      trailingSpaces: 'distinct',
      normalization: 'distinct',
      emptyString: 'distinct',
    }
    expect(compareForOrder(left, right, type, await known({ ...plain, ...choices }))).toBe(expected)
  })

  it('is reversed for desc, except for nulls that are first in both directions', async () => {
    const session = await known({ nullOrder: 'first' })
    expect(compareForOrder(1, 2, 'Edm.Int32', session, 'desc')).toBe(1)
    expect(compareForOrder(null, 2, 'Edm.Int32', session, 'desc')).toBe(-1)
  })
})
