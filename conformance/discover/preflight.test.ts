import { expect, it } from 'vitest'
import type { TestRequest, TestResponse } from '../http/message.js'
import { specOf } from '../testing/rule-tests.js'
import { preflight } from './discover.js'

const service = specOf('directory')

const answering = (status: (path: string) => number): ((request: TestRequest) => Promise<TestResponse>) => {
  return async request => ({
    testRequest: request,
    request: { method: request.method, url: `http://host/v1.0${request.path}`, headers: {} },
    status: status(request.path),
    headers: { 'content-type': 'application/json' },
    text: '{}',
    json: {},
    number: 1,
    milliseconds: 1,
  })
}

it.each<[string, (path: string) => number, string]>([
  ['has all', () => 200, 'ready'],
  ['has users, but no mailbox or drive for the caller', path => (path.startsWith('/users') ? 200 : 404), 'ready'],
  ['has groups, but nothing else for the caller', path => (path.startsWith('/groups') ? 200 : 403), 'ready'],
  ['fails', () => 500, 'ready'],
  ['knows nothing', () => 404, 'unreachable'],
  ['accepts no credential', () => 401, 'refused'],
  ['allows nothing', () => 403, 'refused'],
])('a few requests reveal a service that %s', async (_, status, kind) => {
  expect(await preflight({ service, send: answering(status) })).toMatchObject({ kind })
})
