import type { Random } from '../random.js'
import { type RawRequest, rawRequest } from '../wire.js'
import { fragments } from './fragments.js'

const wholes: readonly [unknown, ...unknown[]] = [
  {},
  [],
  { requests: null },
  { requests: {} },
  { requests: [null] },
  { requests: [{}] },
  { requests: [{ id: 1, method: 'GET', url: '/me' }] },
  { requests: [{ id: '1', method: 'GET' }] },
  { requests: [{ id: '1', method: 'HACK', url: '/me' }] },
  { requests: [{ id: '1', method: 'GET', url: 'http://elsewhere.test/me' }] },
  { requests: [{ id: '1', method: 'GET', url: '//elsewhere.test/me' }] },
  { requests: [{ id: '1', method: 'POST', url: '/$batch', body: { requests: [] } }] },
  {
    requests: [
      { id: '1', method: 'GET', url: '/me' },
      { id: '1', method: 'GET', url: '/me' },
    ],
  },
  { requests: [{ id: '1', method: 'GET', url: '/me', dependsOn: ['1'] }] },
  { requests: [{ id: '1', method: 'GET', url: '/me', dependsOn: '0' }] },
  { requests: [{ id: '1', method: 'GET', url: '/me', headers: { 'a b': 'c' } }] },
  { requests: [{ id: '1', method: 'GET', url: '/me', headers: { a: 'b\r\nc: d' } }] },
  { requests: [{ id: '1', method: 'GET', url: '/me', headers: { a: 1 } }] },
  { requests: [{ id: '1', method: 'GET', url: '/me\ud800' }] },
  { requests: [{ id: 'x'.repeat(200), method: 'GET', url: '/me' }] },
  { requests: [{ id: '1', atomicityGroup: 7, method: 'GET', url: '/me' }] },
  { requests: Array.from({ length: 21 }, (_, id) => ({ id: String(id), method: 'GET', url: '/me' })) },
]

interface Part {
  readonly method: string
  readonly url: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A malformed batch, or one whose requests must each be rejected. */
export function malformedBatch(random: Random): RawRequest {
  if (random.below(2) === 0) {
    return rawRequest({ method: 'POST', path: '/$batch', body: JSON.stringify(random.pick(wholes)) })
  }
  const text = random.pick(fragments)
  const part = (): Part =>
    random.pick([
      { method: 'GET', url: '/nope' },
      { method: 'GET', url: `/users/x${encodeURIComponent(text)}` },
      { method: 'GET', url: `/users/x${text.replaceAll(/[#?/\\%]/g, '')}` },
      { method: 'GET', url: '/users?$filter=nope eq 1' },
      { method: 'GET', url: "/users?$filter=contains(displayName,'a')" },
      { method: 'DELETE', url: '/users/mira' },
      { method: 'DELETE', url: '/me/messages/msg-01', headers: { 'if-match': 'W/"nope"' } },
      { method: 'POST', url: '/me/messages', body: { nope: text } },
      { method: 'POST', url: '/me/messages', body: text, headers: { 'content-type': 'text/plain' } },
      { method: 'PATCH', url: '/me', body: { displayName: null } },
      { method: 'GET', url: '/me', headers: { authorization: `Bearer ${text.replaceAll(/[^\x21-\x7e]/g, '')}x` } },
      { method: 'GET', url: `/users?$filter=${'('.repeat(10_000)}` },
    ] as const satisfies readonly Part[])
  const requests = Array.from({ length: 1 + random.below(6) }, (_, id) => ({ id: String(id), ...part() }))
  return rawRequest({ method: 'POST', path: '/$batch', body: JSON.stringify({ requests }), expected: 'harmless' })
}
