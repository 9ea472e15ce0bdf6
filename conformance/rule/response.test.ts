import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../http/message.js'
import { specOf } from '../testing/rule-tests.js'
import { errorFinding, inconclusiveVerdict, isRejection } from './response.js'

const session = { service: specOf('directory') }
const { faults } = session.service

function answer(status: number, body: unknown, credential: 'own' | 'none' = 'own'): TestResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    testRequest: { method: 'GET', path: '/users', credential },
    request: { method: 'GET', url: 'http://service.test/v1.0/users', headers: {} },
    status,
    headers: {},
    text,
    ...(typeof body === 'string' ? {} : { json: body }),
    number: 1,
    milliseconds: 1,
  }
}

const sound = { error: { code: 'x', message: 'y' } }

describe('a rejection', () => {
  it.each<[rule: string, status: number, body: unknown, isOne: boolean]>([
    ['is a status of 4xx with an error body', 400, sound, true],
    ['is 501 with an error body', 501, sound, true],
    ['may have more members', 422, { error: { ...sound.error, details: [], innerError: {} } }, true],
    ['is not a success', 200, sound, false],
    ['is not a server error', 500, sound, false],
    ['is not 401, which rejects the caller', 401, sound, false],
    ['is not 429, which is temporary', 429, sound, false],
    ['is not a web page', 400, '<html>', false],
    ['is not an empty body', 400, '', false],
    ['has a code', 400, { error: { message: 'y' } }, false],
    ['has a message that is a string', 400, { error: { code: 'x', message: {} } }, false],
    ['has a message that is not empty', 400, { error: { code: 'x', message: ' ' } }, false],
    ['has an object under error', 400, { error: 'y' }, false],
    ['ignores prototypes', 400, JSON.parse('{"__proto__":{"error":{"code":"x","message":"y"}}}'), false],
  ])('%s', (_rule, status, body, isOne) => {
    expect(isRejection(answer(status, body), session)).toBe(isOne)
  })
})

describe('the expected error', () => {
  it.each<[rule: string, status: number, body: unknown, features: readonly string[] | undefined]>([
    ['has its status', 404, sound, undefined],
    ['has no other status', 400, sound, ['error.itemNotFound', 'status']],
    ['is not a success', 200, {}, ['error.itemNotFound', 'accepted']],
    ['is not a server error', 500, sound, ['error.internalError']],
    ['is well-formed', 404, 'Not Found', ['error.shape']],
  ])('%s', (_rule, status, body, features) => {
    expect(errorFinding(answer(status, body), faults.itemNotFound, session)?.features).toEqual(features)
  })

  it.each([400, 404, 422, 501])('may have any of its legal statuses: %s', status => {
    expect(errorFinding(answer(status, sound), faults.unsupportedQueryOption, session)).toBeUndefined()
  })

  it('may be one of several', () => {
    const errors = [faults.itemNotFound, faults.malformedKey] as const
    expect(errorFinding(answer(400, sound), errors, session)).toBeUndefined()
  })
})

describe('an inconclusive response', () => {
  it.each<[rule: string, given: TestResponse, tellsNothing: boolean]>([
    ['is a transport error', { ...answer(0, ''), transportError: 'timeout' }, true],
    ['rejects the configured credential', answer(401, sound), true],
    ['does not reject a missing credential', answer(401, sound, 'none'), false],
    ['is a gateway error', answer(502, ''), true],
    ['asks to retry later', answer(429, sound), true],
    ['is not a server error', answer(500, sound), false],
    ['is not a rejection', answer(400, sound), false],
  ])('%s', (_rule, given, tellsNothing) => {
    expect(inconclusiveVerdict(given) !== undefined).toBe(tellsNothing)
  })
})
