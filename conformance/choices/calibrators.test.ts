import { describe, expect, it } from 'vitest'
import { areas } from '../rule/rule.js'
import { rules } from '../rules/index.js'
import { calibrators } from './calibrators.js'

const known = new Set<string>([...areas, ...rules.map(({ id }) => id)])

describe('calibrators', () => {
  it.each(calibrators.flatMap(({ choice, neededBy = [] }) => neededBy.map(rule => ({ choice, rule }))))(
    '$choice is needed by $rule, which exists',
    ({ rule }) => expect(known).toContain(rule),
  )

  it('cover each choice once', () => {
    const choices = calibrators.map(({ choice }) => choice)
    expect(choices.filter((choice, index) => choices.indexOf(choice) !== index)).toEqual([])
  })
})
