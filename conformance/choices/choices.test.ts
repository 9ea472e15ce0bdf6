import { describe, expect, it } from 'vitest'
import { specOf } from '../testing/rule-tests.js'
import { assuming, type ChosenValue, createChoiceRecord, withCommonValue } from './choices.js'
import { scopeOf } from './scope.js'

const service = specOf('directory')
const endpoint = (name: string) => {
  const found = service.endpoints.find(each => each.name === name)
  if (found === undefined) throw new Error(`There is no endpoint ${name}.`)
  return { endpoint: found }
}
const users = endpoint('users.list')
const groups = endpoint('groups.list')
const choice = service.open.find(({ name }) => name === 'stringComparison')

const recordOf = (...chosen: readonly ChosenValue[]) => {
  const record = createChoiceRecord(service)
  if (choice === undefined) throw new Error('The spec has no stringComparison.')
  record.record(withCommonValue({ choice, chosen, evidence: [] }))
  return record
}

describe('the scope of', () => {
  it.each([
    ['users.list', 'users'],
    ['users.get', 'users'],
    ['users.count', 'users'],
    ['users.delta', 'users'],
    ['groups.members.list', 'groups/{key}/members'],
    ['me.messages.get', 'me/messages'],
  ])('%s is %s', (name, scope) => {
    const found = service.endpoints.find(each => each.name === name)
    expect(found === undefined ? service.endpoints.map(each => each.name) : scopeOf({ endpoint: found })).toBe(scope)
  })
})

describe('a choice', () => {
  const ordinal = { value: 'ordinal' } as const
  const folded = { value: 'caseInsensitive' } as const
  it.each<[string, readonly ChosenValue[], string | undefined, string | undefined]>([
    ['observed in one collection is presumed in others', [{ ...ordinal, scope: 'users' }], 'ordinal', 'ordinal'],
    [
      'may differ between collections',
      [
        { ...ordinal, scope: 'users' },
        { ...folded, scope: 'groups' },
      ],
      'ordinal',
      'caseInsensitive',
    ],
    [
      'is open where the observations differ',
      [
        { ...ordinal, scope: 'users', property: 'surname' },
        { ...folded, scope: 'users', property: 'jobTitle' },
      ],
      undefined,
      undefined,
    ],
  ])('%s', (_, chosen, atUsers, atGroups) => {
    const record = recordOf(...chosen)
    expect([record.at(users).get('stringComparison'), record.at(groups).get('stringComparison')]).toEqual([
      atUsers,
      atGroups,
    ])
  })

  it('may differ between operators', () => {
    const at = recordOf(
      { ...folded, scope: 'users', operators: 'equality' },
      { ...ordinal, scope: 'users', operators: 'relational' },
    ).at(users)
    expect([at.get('stringComparison', 'equality'), at.get('stringComparison', 'relational')]).toEqual([
      'caseInsensitive',
      'ordinal',
    ])
  })

  it.each<[string, ChosenValue, readonly string[], string | undefined]>([
    ['observed here on these properties', { ...ordinal, scope: 'users', property: 'surname' }, ['surname'], 'ordinal'],
    ['not on other properties', { ...ordinal, scope: 'users', property: 'surname' }, ['mail'], undefined],
    ['not in other collections', { ...ordinal, scope: 'groups' }, ['surname'], undefined],
    ['not from the absence of evidence', { ...ordinal, scope: 'users', isPresumed: true }, [], undefined],
    ['observed of the whole service', ordinal, ['surname'], 'ordinal'],
  ])('is certain if it was %s', (_, chosen, properties, expected) => {
    const unknown: string[] = []
    const certain = recordOf(chosen).certainAt(users, properties, ({ name }) => unknown.push(name))
    expect(certain.get('stringComparison')).toBe(expected)
    expect(unknown).toEqual(expected === undefined ? ['stringComparison'] : [])
  })

  it('can be assumed to be different', () => {
    const presumed = recordOf({ ...ordinal, scope: 'users' }).at(users)
    const assumed = assuming(presumed, 'stringComparison', 'caseInsensitive', 'relational')
    expect([assumed.get('stringComparison', 'relational'), assumed.get('stringComparison', 'equality')]).toEqual([
      'caseInsensitive',
      'ordinal',
    ])
  })
})
