import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isItemPath, pathOfLocation } from './ledger.js'

const root = 'http://service.invalid/v1.0'

describe('the path of a created item', () => {
  it.each<[string, string | undefined]>([
    [`${root}/groups/7`, '/groups/7'],
    ['/v1.0/groups/7', '/groups/7'],
    ['groups/7', '/groups/7'],
    [`${root}/groups/a%20b`, '/groups/a%20b'],
    [`${root}/groups('a')`, `/groups('a')`],
    [`${root}/groups`, undefined],
    [`${root}/groups/`, undefined],
    [`${root}/groups/7/members`, undefined],
    [`${root}/users/7`, undefined],
    [`${root}/groups/7?all=true`, undefined],
    [`${root}/groups/7#top`, undefined],
    [`${root}/groups/..`, undefined],
    [`${root}/groups/../users/7`, undefined],
    [`${root}/groups/%2e%2e`, undefined],
    [`${root}/groups/%2E`, undefined],
    [`${root}/groups/%252e%252e`, undefined],
    [`${root}/groups/7%2Fmembers`, undefined],
    [`${root}/groups/7%252Fmembers`, undefined],
    [`${root}/groups/7%5Cmembers`, undefined],
    [`${root}/groups/7%00`, undefined],
    [`${root}/groups/7%0D%0Ax`, undefined],
    [`${root}/groups/%ff`, undefined],
    [`${root}/groups/$count`, undefined],
    ['//elsewhere.invalid/v1.0/groups/7', undefined],
    ['http://elsewhere.invalid/v1.0/groups/7', undefined],
    ['https://service.invalid/v1.0/groups/7', undefined],
    ['http://name:word@service.invalid/v1.0/groups/7', undefined],
    ['http://service.invalid.elsewhere.invalid/v1.0/groups/7', undefined],
    ['http://service.invalid/v2.0/groups/7', undefined],
    ['http://[', undefined],
    ['', undefined],
  ])('in the Location %s is %s', (location, path) => {
    expect(pathOfLocation(location, '/groups', root)).toBe(path)
  })

  it('is never more than the collection and one key, whatever Location says', () => {
    const part = fc.constantFrom(
      '/',
      '..',
      '.',
      '%2e',
      '%2f',
      '%25',
      '2f',
      '7',
      'groups',
      '?',
      '#',
      '\\',
      '@',
      ':',
      '(',
      ')',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), parts => {
        const path = pathOfLocation(`${root}/groups/${parts.join('')}`, '/groups', root)
        if (path === undefined) return
        expect(path).toMatch(/^\/groups\/[^/]+$/)
        expect(isItemPath(path, '/groups')).toBe(true)
        expect(new URL(`${root}${path}`).pathname).toBe(`/v1.0${path}`)
      }),
    )
  })
})
