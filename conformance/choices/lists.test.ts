import { describe, expect, it } from 'vitest'
import { reportOf } from '../testing/mutant-run.js'

const learnedOf = async (choices: Readonly<Record<string, string>>, name: string): Promise<unknown> => {
  const report = await reportOf({ choices, rules: ['list-envelope'], requests: 200 })
  return report.choices.find(choice => choice.name === name)?.value
}

describe('learns how a service returns lists', () => {
  it.each([
    ['topMeaning', 'pageSize'],
    ['topMeaning', 'total'],
    ['topZero', 'empty'],
    ['topZero', 'error'],
    ['topAboveMaximum', 'error'],
    ['nextLinkForm', 'absolute'],
    ['nextLinkForm', 'relative'],
    ['countOnLaterPages', 'every'],
    ['countOnLaterPages', 'first'],
    ['countWithoutHeader', 'counted'],
    ['countWithoutHeader', 'ignored'],
    ['countWithoutHeader', 'rejected'],
    ['countPathWithoutHeader', 'answered'],
    ['countPathWithoutHeader', 'rejected'],
    ['defaultPageSize', 'other'],
    ['defaultProjection', 'all'],
    ['defaultProjection', 'limited'],
    ['unselected', 'absent'],
    ['unselected', 'null'],
    ['unselectedKey', 'absent'],
    ['unselectedKey', 'returned'],
    ['emptyRelation', 'null'],
    ['emptyRelation', 'absent'],
    ['expandDepth', 'declared'],
    ['expandDepth', 'deeper'],
    ['stringOrder', 'ordinal'],
    ['stringOrder', 'caseInsensitive'],
    ['nullOrder', 'first'],
    ['nullOrder', 'last'],
    ['nullOrder', 'lowest'],
    ['nullOrder', 'highest'],
  ])('%s: %s', async (name, value) => {
    expect(await learnedOf({ [name]: value }, name)).toBe(value)
  })
})
