import { expect, it } from 'vitest'
import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'
import { specOf } from '../testing/rule-bench.js'
import { preflight } from './preflight.js'

const service = specOf('directory')

const answering = (status: (path: string) => number): ((ask: Ask) => Promise<Answer>) => {
  return async ask => ({
    ask,
    request: { method: ask.method, url: `http://host/v1.0${ask.path}`, headers: {} },
    status: status(ask.path),
    headers: { 'content-type': 'application/json' },
    text: '{}',
    json: {},
    number: 1,
    milliseconds: 1,
  })
}

it.each<[string, (path: string) => number, string]>([
  ['has all', () => 200, 'ready'],
  ['has users, and no mailbox or drive of who asks', path => (path.startsWith('/users') ? 200 : 404), 'ready'],
  ['has groups, and nothing else for who asks', path => (path.startsWith('/groups') ? 200 : 403), 'ready'],
  ['fails', () => 500, 'ready'],
  ['knows nothing', () => 404, 'unreachable'],
  ['accepts no credential', () => 401, 'refused'],
  ['allows nothing', () => 403, 'refused'],
])('a service that %s is told by a few requests', async (_, status, kind) => {
  expect(await preflight({ service, ask: answering(status) })).toMatchObject({ kind })
})
