import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../http/message.js'
import { specOf } from '../testing/rule-tests.js'
import { createHiddenForbiddenMarker } from './live-session.js'

const root = 'http://service.invalid/v1.0'

function answer(method: string, path: string, status: number, code?: string, credential?: 'none'): TestResponse {
  return {
    testRequest: { method: 'GET', path, ...(credential === undefined ? {} : { credential }) },
    request: { method, url: root + path, headers: {} },
    status,
    headers: {},
    text: '',
    ...(code === undefined ? {} : { json: { error: { code, message: 'No.' } } }),
    number: 1,
    milliseconds: 1,
  }
}

const marked = (...responses: readonly TestResponse[]): boolean => {
  const reach = createHiddenForbiddenMarker(specOf('directory'), root)
  return responses.map(reach).at(-1)?.mayHideForbidden === true
}

describe('a 404 that may stand for 403', () => {
  const read = (status: number, code?: string, key = 'a') => answer('GET', `/users/${key}`, status, code)
  it.each<readonly [string, boolean, readonly TestResponse[]]>([
    ['with the code of that error', true, [read(404, 'Authorization_RequestDenied')]],
    ['the same, although other items were returned', true, [read(200), read(404, 'Authorization_RequestDenied', 'b')]],
    ['with an unknown code, if nothing was returned before', true, [read(404, 'hidden')]],
    ['without a code, if nothing was returned before', true, [read(404)]],
    ['with an unknown code, if another item was returned', false, [read(200), read(404, 'hidden', 'b')]],
    ['with an unknown code, if HEAD succeeded', false, [answer('HEAD', '/users/a', 200), read(404, 'hidden', 'b')]],
    ['if others were changed, but not returned', true, [answer('PATCH', '/users/a', 200), read(404, 'hidden')]],
    ['with the code for items that do not exist', false, [read(404, 'ErrorItemNotFound')]],
    ['of a null navigation property', false, [answer('GET', '/me/manager', 404, 'hidden')]],
    ['at an undeclared address', false, [answer('GET', '/nowhere/a', 404, 'hidden')]],
    ['to a request without a credential', false, [answer('GET', '/users/a', 404, 'hidden', 'none')]],
    ['with another status', false, [read(400, 'hidden')]],
  ])('%s: %s', (_, expected, responses) => {
    expect(marked(...responses)).toBe(expected)
  })

  it('is unchanged if the spec has no such error', () => {
    expect(createHiddenForbiddenMarker(specOf('library'), root)(read(404, 'hidden')).mayHideForbidden).toBeUndefined()
  })
})
