import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../http/message.js'
import { specOf } from '../../testing/rule-tests.js'
import { mentionsCondition } from './triggers.js'

const condition = specOf('directory')
  .queryCapabilities.flatMap(({ requires }) => requires)
  .at(0)

function response(message: string): TestResponse {
  const json = { error: { code: 'Request_UnsupportedQuery', message } }
  return {
    testRequest: { method: 'GET', path: '/users' },
    request: { method: 'GET', url: 'http://service.test/v1.0/users', headers: {} },
    status: 400,
    headers: {},
    text: JSON.stringify(json),
    json,
    number: 1,
    milliseconds: 1,
  }
}

describe('an error that says what is missing', () => {
  it.each<[message: string, says: boolean]>([
    ['Advanced query capabilities are not available.', true],
    ['ADVANCED QUERY CAPABILITIES ARE NOT AVAILABLE (see the manual)', true],
    ['Send the header consistencylevel.', true],
    ['This needs eventual consistency.', true],
    ['Not supported.', false],
    ['Bad request', false],
  ])('names the header, or describes it in other words: %s', (message, says) => {
    expect(condition === undefined ? undefined : mentionsCondition(response(message), condition)).toBe(says)
  })
})
