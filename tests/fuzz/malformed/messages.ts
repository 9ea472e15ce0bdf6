import type { Random } from '../random.js'
import { type RawRequest, rawMessage, token } from '../wire.js'

const head = `host: localhost\r\nauthorization: Bearer ${token}\r\n`
const write = `POST /v1.0/me/messages HTTP/1.1\r\n${head}content-type: application/json\r\n`

/** What is no HTTP/1.1, or contradicts itself: RFC 9112 wants each refused, or leaves it to the server. */
const messages = [
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET\r\n\r\n',
  'GET /v1.0/me\r\n\r\n',
  `CONNECT x:80 HTTP/1.1\r\n${head}\r\n`,
  `GET /v1.0/me HTTP/1.1\r\n${head}host: y\r\n\r\n`,
  `GET /v1.0/me HTTP/9.9\r\n${head}\r\n`,
  `GET /v1.0/me HTTX/1.1\r\n${head}\r\n`,
  `G\0T /v1.0/me HTTP/1.1\r\n${head}\r\n`,
  `GET /v1.0/me\x01 HTTP/1.1\r\n${head}\r\n`,
  `GET /v1.0/me HTTP/1.1\r\n${head}a b: c\r\n\r\n`,
  `GET /v1.0/me HTTP/1.1\r\n${head}: c\r\n\r\n`,
  `GET /v1.0/me HTTP/1.1\r\n${head}a\x01: c\r\n\r\n`,
  `GET /v1.0/me HTTP/1.1\r\n${head}a: b\0c\r\n\r\n`,
  `GET /v1.0/me HTTP/1.1\r\n${head}no colon\r\n\r\n`,
  `GET /v1.0/me HTTP/1.1\r\nauthorization: Bearer ${token}\r\n\r\n`,
  `GET /v1.0/me HTTP/1.1\r\n${head}expect: the-unexpected\r\n\r\n`,
  `GET /v1.0/me HTTP/1.1\r\n${head}`,
  `${write}content-length: -1\r\n\r\n{}`,
  `${write}content-length: x\r\n\r\n{}`,
  `${write}content-length: 99999999999999999999\r\n\r\n{}`,
  `${write}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
  `${write}content-length: 100\r\n\r\n{}`,
  `${write}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  `${write}transfer-encoding: gzip\r\n\r\n{}`,
  `${write}transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
  `${write}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `${write}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
  `${write}transfer-encoding: chunked\r\n\r\n2\r\n{}`,
  `${write}transfer-encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n`,
] as const

/** Bytes that cannot be read as a request, or only as one of many. */
export function malformedMessage(random: Random): RawRequest {
  if (random.below(4) > 0) return rawMessage(Buffer.from(random.pick(messages), 'latin1'))
  return rawMessage(Buffer.concat([random.bytes(1 + random.below(200)), Buffer.from('\r\n\r\n')]))
}
