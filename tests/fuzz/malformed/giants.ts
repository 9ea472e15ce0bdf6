import type { Random } from '../random.js'
import { type RawRequest, rawMessage, rawRequest, token } from '../wire.js'

const million = 1_000_000
const advanced = { ConsistencyLevel: 'eventual' }

/** A request that is too much: a URL, a header or a body of a megabyte and more, thousands of options and operands. */
export function giant(random: Random): RawRequest {
  const unit = random.pick(['a', '%41', "'", '(', '/', '%', 'é', '$filter=x&', 'not '])
  const long = unit.repeat(million / unit.length)
  switch (random.below(9)) {
    case 0:
      return rawRequest({ path: `/users/${long}` })
    case 1:
      return rawRequest({ path: `/users?$filter=${long}`, headers: advanced })
    case 2:
      return rawRequest({ path: '/me', headers: { 'x-long': long.replaceAll('é', 'e') } })
    case 3: {
      const fields = 'a: b\r\n'.repeat(20_000)
      return rawMessage(
        Buffer.from(`GET /v1.0/me HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n${fields}\r\n`),
      )
    }
    case 4:
      return rawRequest({
        method: 'POST',
        path: '/me/messages',
        body: JSON.stringify({ subject: 'x'.repeat(4_300_000) }),
      })
    case 5:
      return rawRequest({ method: 'POST', path: '/me/messages', body: `[${'0,'.repeat(million)}0]` })
    case 6:
      return rawRequest({ path: `/users?${'$top=1&'.repeat(2_000)}$top=1` })
    case 7: {
      const filter = Array.from({ length: 800 }, (_, index) => `id eq '${index}'`).join(' or ')
      return rawRequest({ path: `/users?$filter=${filter}`, headers: advanced, expected: 'harmless' })
    }
    default:
      return rawRequest({ path: `/users?$select=${'id,'.repeat(4_000)}nope` })
  }
}
