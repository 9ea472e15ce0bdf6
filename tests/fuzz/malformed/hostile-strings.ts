import type { Random } from '../random.js'
import { type RawRequest, rawRequest } from '../wire.js'
import { fragments } from './fragments.js'

const advanced = { ConsistencyLevel: 'eventual' }

/** A text that means something elsewhere, in each place where a text can be. Some of them are sound, and find nothing. */
export function hostileString(random: Random): RawRequest {
  const text = random.below(4) === 0 ? random.text(1 + random.below(30)) : random.pick(fragments)
  const encoded = encodeURIComponent(text)
  const quoted = `'${encodeURIComponent(text.replaceAll("'", "''"))}'`
  const phrase = encodeURIComponent(JSON.stringify(`displayName:${text}`))
  const ask = (path: string): RawRequest => rawRequest({ path, headers: advanced, expected: 'harmless' })
  const write = (method: string, path: string, body: unknown): RawRequest =>
    rawRequest({ method, path, body: JSON.stringify(body) })
  switch (random.below(24)) {
    case 0:
      return ask(`/users?$filter=displayName eq ${quoted}`)
    case 1:
      return ask(`/users?$filter=contains(displayName,${quoted}) or startsWith(mail,${quoted})`)
    case 2:
      return ask(`/users?$filter=tolower(displayName) eq ${quoted} and endsWith(jobTitle,${quoted})`)
    case 3:
      return ask(`/users?$filter=assignedLicenses/any(x:x/skuId eq ${quoted})`)
    case 4:
      return ask(`/users?$search=${phrase}`)
    case 5:
      return ask(`/users?$search=${phrase} OR ${phrase}`)
    case 6:
      return ask(`/users?$select=${encoded}&$orderby=${encoded}&$expand=${encoded}`)
    case 7:
      return ask(`/users?$skiptoken=${encoded}`)
    case 8:
      return ask(`/users/delta?$deltatoken=${encoded}`)
    case 9:
      return rawRequest({ path: `/users/x${encoded}`, method: random.pick(['GET', 'DELETE', 'PATCH']) })
    case 10:
      return rawRequest({ path: `/me/messages/x${encoded}`, method: random.pick(['GET', 'DELETE']) })
    case 11:
      return ask(`/users(${quoted})`)
    case 12:
      return rawRequest({ path: `/me/reminderView(startDateTime=${quoted},endDateTime=${quoted})` })
    case 13:
      return ask(`/users?${encoded}=${encoded}`)
    case 14:
      return rawRequest({ path: `/users?$top=${encoded || 'x'}x` })
    case 15:
      return rawRequest({
        path: '/me',
        headers: { 'if-none-match': latin(text), prefer: latin(text), accept: latin(text) },
        expected: 'harmless',
      })
    case 16:
      return rawRequest({ path: '/me', headers: { authorization: `Bearer ${latin(text)}x` } })
    case 17:
      return rawRequest({ method: 'DELETE', path: '/me/messages/msg-01', headers: { 'if-match': `${latin(text)}` } })
    case 18:
      return write('POST', '/me/messages', { subject: text, [text]: text, nope: text })
    case 19:
      return write('POST', '/me/messages', { subject: text, body: { contentType: text, content: text } })
    case 20:
      // With an @ it would be an annotation, which a service may ignore.
      return write('PATCH', '/me', { [`x${text.replaceAll('@', '')}`]: text })
    case 21:
      return write('POST', '/groups', {
        displayName: text,
        mailNickname: `${text} `,
        mailEnabled: text,
        securityEnabled: text,
      })
    case 22:
      return rawRequest({
        method: 'POST',
        path: '/me/checkMemberObjects',
        body: JSON.stringify({ ids: [text, text] }),
        expected: 'harmless',
      })
    default:
      return write('POST', '/me/getMemberGroups', { securityEnabledOnly: text })
  }
}

/** What of a text a header can hold. */
function latin(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?')
}
