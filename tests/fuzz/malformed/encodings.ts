import type { Random } from '../random.js'
import { type RawRequest, rawRequest } from '../wire.js'

const message = '{"subject":"x","isRead":true}'

/** Bytes that are not valid UTF-8. */
const bodies: readonly [Buffer, ...Buffer[]] = [
  Buffer.from(message, 'utf16le'),
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(message, 'utf16le')]),
  Buffer.from('{"subject":"é"}', 'latin1'),
  Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from('{"subject":"+AEE-"', 'latin1'),
  Buffer.concat([Buffer.from('{"subject":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('{"subject":"'), Buffer.from([0xf4, 0x90, 0x80, 0x80]), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('{"subject":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('{"subject":"x"'), Buffer.from([0]), Buffer.from('}')]),
  Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
]

/** Texts whose encoding in a URL is broken, doubled or roundabout. */
const queries = [
  "$filter=displayName eq '%c3%28'",
  "$filter=displayName eq '%ff'",
  "$filter=displayName eq '%'",
  '$filter=%',
  '$select=%e2%82',
  '$orderby=%ed%a0%80',
  '%24filter=displayName%20eq%20%2527x%2527',
  "$filter=displayName%u0020eq%u0020'x'",
  '$search=%22displayName%3A%c0%af%22',
  '$top=%31%',
  '$%66%69%6c%74%65%72=%00',
  "$filter=displayName eq '\u0000'",
  '$filter=displayName%00eq%00null',
  '%ff=1',
] as const

/** Bytes that are no text, in bodies and in URLs. */
export function malformedEncoding(random: Random): RawRequest {
  switch (random.below(4)) {
    case 0: {
      const [method, path] = random.pick([
        ['POST', '/me/messages'],
        ['PATCH', '/me/messages/msg-01'],
        ['POST', '/$batch'],
      ] as const)
      return rawRequest({ method, path, body: random.pick(bodies) })
    }
    case 1: {
      const bytes = Buffer.concat([
        Buffer.from('{"subject":"'),
        random.bytes(20),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ])
      return rawRequest({ method: 'POST', path: '/me/messages', body: bytes })
    }
    case 2:
      return rawRequest({ path: `/users?${random.pick(queries)}`, headers: { ConsistencyLevel: 'eventual' } })
    default: {
      const bytes = [...random.bytes(1 + random.below(12))]
        .map(byte => `%${byte.toString(16).padStart(2, '0')}`)
        .join('')
      const path = random.pick([
        `/users?$filter=displayName eq '${bytes}'`,
        `/users/${bytes}`,
        `/users?$search="${bytes}"`,
      ])
      return rawRequest({ path, headers: { ConsistencyLevel: 'eventual' }, expected: 'harmless' })
    }
  }
}
