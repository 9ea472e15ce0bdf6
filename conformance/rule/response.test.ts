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

describe('a refusal', () => {
  it.each<[rule: string, status: number, body: unknown, isOne: boolean]>([
    ['is a status of 4xx with an error body', 400, sound, true],
    ['is 501 with an error body', 501, sound, true],
    ['may have more members', 422, { error: { ...sound.error, details: [], innerError: {} } }, true],
    ['is no success', 200, sound, false],
    ['is no server error', 500, sound, false],
    ['is no 401, which refuses the caller', 401, sound, false],
    ['is no 429, which is not for ever', 429, sound, false],
    ['is no page', 400, '<html>', false],
    ['is no empty body', 400, '', false],
    ['has a code', 400, { error: { message: 'y' } }, false],
    ['has a message that is text', 400, { error: { code: 'x', message: {} } }, false],
    ['has a message with something in it', 400, { error: { code: 'x', message: ' ' } }, false],
    ['has an object under error', 400, { error: 'y' }, false],
    ['takes nothing from prototypes', 400, JSON.parse('{"__proto__":{"error":{"code":"x","message":"y"}}}'), false],
  ])('%s', (_rule, status, body, isOne) => {
    expect(isRejection(answer(status, body), session)).toBe(isOne)
  })
})

describe('the error that is due', () => {
  it.each<[rule: string, status: number, body: unknown, features: readonly string[] | undefined]>([
    ['has its status', 404, sound, undefined],
    ['has no other one', 400, sound, ['error.itemNotFound', 'status']],
    ['is no success', 200, {}, ['error.itemNotFound', 'accepted']],
    ['is no failure of the service', 500, sound, ['error.internalError']],
    ['has the declared shape', 404, 'Not Found', ['error.shape']],
  ])('%s', (_rule, status, body, features) => {
    expect(errorFinding(answer(status, body), faults.itemNotFound, session)?.features).toEqual(features)
  })

  it.each([400, 404, 422, 501])('may have any status that is legal for it: %s', status => {
    expect(errorFinding(answer(status, sound), faults.unsupportedQueryOption, session)).toBeUndefined()
  })

  it('may be one of several', () => {
    const errors = [faults.itemNotFound, faults.malformedKey] as const
    expect(errorFinding(answer(400, sound), errors, session)).toBeUndefined()
  })
})

describe('an answer that tells nothing', () => {
  it.each<[rule: string, given: TestResponse, tellsNothing: boolean]>([
    ['is no answer', { ...answer(0, ''), transportError: 'timeout' }, true],
    ['is one that refuses our own credential', answer(401, sound), true],
    ['is none that refuses a missing credential', answer(401, sound, 'none'), false],
    ['is a gateway that could not', answer(502, ''), true],
    ['is one to come again', answer(429, sound), true],
    ['is none that failed', answer(500, sound), false],
    ['is none that refuses', answer(400, sound), false],
  ])('%s', (_rule, given, tellsNothing) => {
    expect(inconclusiveVerdict(given) !== undefined).toBe(tellsNothing)
  })
})
