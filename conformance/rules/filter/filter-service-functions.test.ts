import { describe, expect, it } from 'vitest'
import { reportOf, violatedRules } from '../../testing/mutant-run.js'

const rules = ['filter-service-functions']

describe('filter-service-functions', () => {
  it.each(['service-function-argument-ignored', 'service-function-border'])('finds %s', async mutant => {
    expect(await violatedRules({ mutant, rules, requests: 300 })).toEqual(rules)
  })

  it('shows the call in the smallest filter', async () => {
    const { violations } = await reportOf({ mutant: 'service-function-border', rules, requests: 300 })
    expect(violations[0]?.message).toContain('A filter omitted')
    expect(JSON.stringify(violations[0])).toContain('library.isOfLength')
  })
})
