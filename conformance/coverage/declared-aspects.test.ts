import { describe, expect, it } from 'vitest'
import { service } from '../testing/things.js'
import { declaredAspects, mainAspect, mayWrite } from './declared-aspects.js'

describe('the aspects that the spec declares', () => {
  it.each([
    [
      'things.list',
      'read',
      ['read', 'filter', 'order', 'select', 'paging', 'count', 'errors', 'authentication'],
      'reads',
    ],
    ['things.create', 'create', ['create', 'authentication'], 'writes'],
    ['things.get', 'read', ['read', 'errors', 'authentication'], 'reads'],
    ['things.delete', 'delete', ['delete', 'errors', 'authentication'], 'writes'],
  ] as const)('of %s are about %s and others', (name, main, all, effect) => {
    const endpoint = service.endpoints.find(each => each.name === name)
    if (endpoint === undefined) throw new Error(`no ${name} among ${service.endpoints.map(each => each.name)}`)
    expect(mainAspect(endpoint)).toBe(main)
    expect([...declaredAspects(endpoint, service)].filter(each => each !== 'preconditions').sort()).toEqual(
      [...all].sort(),
    )
    expect(mayWrite(endpoint)).toBe(effect === 'writes')
  })
})
