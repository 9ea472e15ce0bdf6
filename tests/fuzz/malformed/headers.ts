import type { Random } from '../random.js'
import { type RawRequest, rawRequest } from '../wire.js'

const refused: readonly [RequestCase, ...RequestCase[]] = [
  ['GET', '/me', { authorization: '' }],
  ['GET', '/me', { authorization: 'Bearer' }],
  ['GET', '/me', { authorization: 'Bearer ' }],
  ['GET', '/me', { authorization: 'Basic bWlyYTptaXJh' }],
  ['GET', '/me', { authorization: 'Bearer a.b.c' }],
  ['GET', '/me', { authorization: 'Bearer let-me-in, Bearer let-me-in' }],
  ['GET', '/me', { authorization: 'Bearer let-me-in x' }],
  ['GET', '/me', { authorization: 'let-me-in' }],
  ['GET', '/me', { authorization: `Bearer ${'x'.repeat(8_000)}` }],
  ['GET', '/$metadata', { authorization: 'Bearer x' }],
  ['GET', '/nowhere', { authorization: 'Bearer x' }],
  ['GET', '/me', { accept: 'text/html' }],
  ['GET', '/me', { accept: 'application/xml, text/plain;q=0.5' }],
  ['GET', '/me', { accept: 'application/json;q=0' }],
  ['GET', '/me', { 'odata-maxversion': '3.0' }],
  ['GET', '/me', { 'if-none-match': 'x' }],
  ['GET', '/me', { 'if-none-match': '"' }],
  ['GET', '/me', { 'if-none-match': 'W/' }],
  ['GET', '/me', { 'if-none-match': '"a" "b"' }],
  ['DELETE', '/me/messages/msg-01', { 'if-match': 'x' }],
  ['DELETE', '/me/messages/msg-01', { 'if-match': '"nope"' }],
  ['DELETE', '/me/messages/msg-01', { 'if-match': 'W/"nope", W/"neither"' }],
  ['DELETE', '/me/messages/msg-01', { 'if-match': '' }],
  ['DELETE', '/me/messages/msg-01', { 'if-match': '*, *' }],
  ['DELETE', '/me/messages/msg-01', { 'if-none-match': '*' }],
  ['PATCH', '/me', { 'if-match': 'W/"nope"', 'content-type': 'application/json', 'content-length': '2' }, '{}'],
  ['PATCH', '/me', { 'content-type': 'text/plain' }, '{}'],
  ['PATCH', '/me', { 'content-type': '' }, '{}'],
  ['PATCH', '/me', { 'content-type': 'application/json;charset=utf-16' }, '{}'],
  ['PATCH', '/me', { 'content-type': 'application/' }, '{}'],
  ['PATCH', '/me', { 'content-type': 'application/json, application/json' }, '{}'],
  ['PATCH', '/me', { 'content-encoding': 'gzip' }, '{}'],
  ['PATCH', '/me', { 'content-encoding': 'identity, br' }, '{}'],
  ['POST', '/me/messages', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
  ['POST', '/me/messages', { 'content-type': 'application/x-www-form-urlencoded' }, 'subject=x'],
  ['GET', "/users?$filter=contains(displayName,'a')", { ConsistencyLevel: 'strong' }],
  ['GET', "/users?$filter=contains(displayName,'a')", { ConsistencyLevel: '' }],
  ['GET', '/users?$search="displayName:a"', { ConsistencyLevel: 'eventually' }],
  ['GET', '/users/$count', { ConsistencyLevel: 'none' }],
]

type RequestCase = readonly [method: string, path: string, headers: Readonly<Record<string, string>>, body?: string]

const names = [
  'accept',
  'prefer',
  'if-none-match',
  'accept-language',
  'client-request-id',
  'range',
  'te',
  'cookie',
  'x-http-method-override',
  'x-forwarded-host',
  'forwarded',
  'origin',
  'consistencylevel',
  'odata-version',
  'odata-maxversion',
  'accept-encoding',
  'if-modified-since',
] as const

/** A header that demands what cannot be, or says nothing. */
export function malformedHeader(random: Random): RawRequest {
  if (random.below(3) > 0) {
    const [method, path, headers, body] = random.pick(refused)
    return rawRequest({ method, path, headers, ...(body === undefined ? {} : { body }) })
  }
  const visible = (length: number): string =>
    String.fromCharCode(...random.bytes(length).map(byte => 0x20 + (byte % 0x5f))).trim()
  const headers = Object.fromEntries(
    Array.from({ length: 1 + random.below(4) }, () => [random.pick(names), visible(random.below(200))]),
  )
  return rawRequest({ path: random.pick(['/me', '/users', '/me/messages']), headers, expected: 'harmless' })
}
