import { describe, expect, it } from 'vitest'
import { parseFilter, printFilter } from '../../../runtime/query/index.js'
import { openTestSession } from '../../testing/rule-tests.js'
import { conditionsOf } from '../conditions.js'
import { type Condition, grammarOf } from '../grammar.js'
import { mayAffect, operatorsIn } from './bug-model.js'
import { bugModels } from './index.js'

it.each([
  ["contains(tolower(subject),'x')", ['contains', 'tolower', 'String']],
  ['size add -size gt 2.5', ['gt', 'add', 'negate', 'Decimal']],
  ['not (isRead eq null)', ['not', 'eq', 'null']],
  ["tags/any(t:t in ('a','b'))", ['any', 'in', 'String']],
])('the operators in %s', (text, signs) => {
  expect([...operatorsIn(parseFilter(text))].sort()).toEqual([...signs].sort())
})

describe.each(['directory', 'library'] as const)('of the conditions on a %s', async name => {
  const { session } = await openTestSession(name, {})
  const conditions = session.sites.flatMap((site): readonly Condition[] => {
    const [grammar, snapshot] = [grammarOf(site, session), session.snapshot(site)]
    return grammar === undefined || snapshot === undefined ? [] : conditionsOf(grammar, snapshot, session)
  })

  it('a bug model affects no condition without its operators', () => {
    expect(conditions.length).toBeGreaterThan(1000)
    const unseen = bugModels.flatMap(bugModel =>
      conditions
        .filter(({ filter }) => !mayAffect(bugModel, operatorsIn(filter)))
        .filter(({ filter }) => (bugModel.rewriteCondition?.(filter) ?? bugModel.evaluateRow?.(filter)) !== undefined)
        .map(({ filter }) => `${bugModel.id}: ${printFilter(filter)}`),
    )
    expect(unseen).toEqual([])
  })
})
