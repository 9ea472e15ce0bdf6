import { describe, expect, it } from 'vitest'
import { parseFilter, printFilter } from '../../../runtime/query/index.js'
import { siteOf } from '../../discover/site.js'
import { specOf } from '../../testing/rule-tests.js'
import { type Arguments, argumentText, bindArguments, callRequest, comparisonWith, parseArguments } from './call.js'

function operation(name: string) {
  const found = [specOf('directory'), specOf('library')]
    .flatMap(({ operations }) => operations)
    .find(each => each.name === name)
  if (found === undefined) throw new Error(`There is no operation ${name}.`)
  return found
}

function bound(name: string, given: Arguments): string | undefined {
  const { meaning } = operation(name)
  const filter = meaning?.filter === undefined ? undefined : bindArguments(meaning.filter, operation(name), given)
  return filter === undefined ? undefined : printFilter(filter)
}

describe('the filter of an operation', () => {
  it.each<[operation: string, given: Arguments, filter: string]>([
    ['getMemberGroups', { securityEnabledOnly: true }, 'true eq false or securityEnabled eq true'],
    ['checkMemberObjects', { ids: ['a', "o'b"] }, "id in ('a','o''b')"],
    [
      'reminderView',
      { startDateTime: '2024-05-01T00:00:00Z', endDateTime: '2024-05-02T00:00:00Z' },
      'reminderFireTime ge 2024-05-01T00:00:00Z and reminderFireTime le 2024-05-02T00:00:00Z',
    ],
    [
      'loansBetween',
      { from: '2024-05-01', to: '2024-05-02' },
      'date(borrowed) ge 2024-05-01 and date(borrowed) le 2024-05-02',
    ],
  ])('of %s contains the arguments', (name, given, filter) => {
    expect(bound(name, given)).toBe(filter)
  })

  it('is undefined for an argument that is not a value', () => {
    expect(bound('checkMemberObjects', { ids: [{ no: 'text' }] })).toBeUndefined()
  })
})

describe('the property that a filter compares with a parameter', () => {
  it.each<[filter: string, parameter: string, name: string | undefined, operator: string | undefined]>([
    ['a ge @p and b le @q', 'p', 'a', 'ge'],
    ['a ge @p and b le @q', 'q', 'b', 'le'],
    ['date(a) gt @p', 'p', 'a', 'gt'],
    ['not (a/b in @p)', 'p', 'a', 'in'],
    ['a eq 1', 'p', undefined, undefined],
  ])('is found in %s for @%s', (filter, parameter, name, operator) => {
    const found = comparisonWith(parseFilter(filter), parameter)
    expect([found?.name, found?.operator]).toEqual([name, operator])
  })
})

describe('an argument in a path', () => {
  it.each<[operation: string, value: Arguments[string], text: string | undefined]>([
    ['reminderView', '2024-05-01T00:00:00Z', "'2024-05-01T00:00:00Z'"],
    ['reminderView', '', "''"],
    ['loansBetween', '2024-05-01', '2024-05-01'],
    ['loansBetween', 'banana', 'banana'],
    ['mostBorrowed', 3, '3'],
    ['checkMemberObjects', ['a'], undefined],
  ])('of %s is written according to its type: %j', (name, value, text) => {
    const [parameter] = operation(name).parameters
    expect(parameter === undefined ? undefined : argumentText(value, parameter)).toBe(text)
  })
})

describe('the request of a function', () => {
  const site = specOf('directory').endpoints.flatMap(endpoint => {
    return endpoint.name === 'me.reminderView' ? [siteOf(endpoint)] : []
  })[0]
  const given = { startDateTime: 'a', endDateTime: 'b' }

  it.each([
    [undefined, "/me/reminderView(startDateTime='a',endDateTime='b')"],
    ['startDateTime', "/me/reminderView(endDateTime='b')"],
    ['endDateTime', "/me/reminderView(startDateTime='a')"],
  ])('leaves out %s', (omitted, path) => {
    expect(site && decodeURIComponent(callRequest(site, given, omitted)?.path ?? '')).toBe(path)
  })

  it('is undefined if the path has no such parameter to leave out', () => {
    const whole = site && { ...site, path: "/me/reminderView(startDateTime='a',endDateTime='b')" }
    expect(whole && callRequest(whole, given, 'endDateTime')).toBeUndefined()
  })
})

describe('the arguments of a case', () => {
  it.each<[text: string | undefined, given: Arguments | undefined]>([
    ['{"a":[1,"x",null]}', { a: [1, 'x', null] }],
    ['[1]', undefined],
    [undefined, undefined],
  ])('are parsed from %j', (text, given) => {
    expect(parseArguments(text)).toEqual(given)
  })
})
