import { expect, it } from 'vitest'
import { openTestSession } from '../../testing/rule-tests.js'
import { shelf } from '../../testing/services.js'
import { filterScope } from './filter-model.js'

it('filter-scope never requests more than the maximum of $top', async () => {
  const { session } = await openTestSession(shelf, { rows: 48, choices: { topMeaning: 'pageSize' } })
  const [site] = filterScope.sites(session)
  const { planned = [] } = site === undefined ? {} : filterScope.cases(site, session)
  const tops = planned.map(({ options }) => options?.top ?? 0)
  expect(tops.length).toBeGreaterThan(0)
  expect(tops.filter(top => top < 1 || top > 4)).toEqual([])
})
