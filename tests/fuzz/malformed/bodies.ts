import type { Random } from '../random.js'
import { type RawRequest, rawRequest } from '../wire.js'

const json = [
  '',
  ' ',
  '{',
  '}',
  '{"subject":',
  '{"subject":"x"',
  '{"subject":"x"}}',
  "{'subject':'x'}",
  '{subject:"x"}',
  '{"subject":"x",}',
  '// comment\n{}',
  'undefined',
  'NaN',
  '[]',
  '[{"subject":"x"}]',
  '"subject"',
  '1',
  'null',
  'true',
  '{"subject":1e999}',
  '{"subject":01}',
  '{"subject":"\t"}',
  '{"subject":"\\x"}',
  '{"subject":"\\u12"}',
  '\ufeff\ufeff{}',
  '<message/>',
  'subject=x',
  '--boundary\r\n\r\nx\r\n--boundary--',
] as const

const messages: readonly [unknown, ...unknown[]] = [
  { nope: 1 },
  { subject: 1 },
  { subject: {} },
  { subject: ['x'] },
  { subject: 'a\0b' },
  { subject: '\ud800' },
  { subject: 'x\udfff' },
  { body: 'text' },
  { body: { contentType: 'pdf' } },
  { body: { contentType: 1 } },
  { body: { content: null } },
  { body: { nope: 1 } },
  { body: [] },
  { toRecipients: {} },
  { toRecipients: [null] },
  { toRecipients: ['x'] },
  { toRecipients: [{}] },
  { toRecipients: [{ emailAddress: null }] },
  { toRecipients: [{ emailAddress: { address: 1 } }] },
  { toRecipients: [{ emailAddress: { address: 'x'.repeat(400) } }] },
  { from: { emailAddress: [] } },
  { isRead: 'true' },
  { isRead: null },
  { isRead: 1 },
  { importance: 'urgent' },
  { importance: 9 },
  { importance: null },
  { categories: 'x' },
  { categories: [1] },
  { categories: [null] },
  { subject: 'x', '@odata.type': '#directory.user' },
  { subject: 'x', '@odata.type': 1 },
  { 'subject@odata.type': 'Int32', nope: 1 },
  { constructor: 1 },
  { toString: 'x' },
  { hasOwnProperty: {} },
]

const groups: readonly [unknown, ...unknown[]] = [
  {},
  { displayName: 'x' },
  { displayName: 'x', mailEnabled: true, mailNickname: 'x' },
  { displayName: null, mailEnabled: true, mailNickname: 'x', securityEnabled: true },
  { displayName: 'x', mailEnabled: 'yes', mailNickname: 'x', securityEnabled: true },
  { displayName: 'x'.repeat(257), mailEnabled: true, mailNickname: 'x', securityEnabled: true },
  { displayName: 'x', mailEnabled: true, mailNickname: '', securityEnabled: true },
  { displayName: 'x', mailEnabled: true, mailNickname: 'a b', securityEnabled: true },
  { displayName: 'x', mailEnabled: true, mailNickname: 'x'.repeat(65), securityEnabled: true },
  { displayName: 'x', mailEnabled: true, mailNickname: 'é', securityEnabled: true },
  { displayName: 'x', mailEnabled: true, mailNickname: 'x', securityEnabled: true, members: [{ id: 'mira' }], nope: 1 },
  {
    displayName: 'x',
    mailEnabled: true,
    mailNickname: 'x',
    securityEnabled: true,
    'members@odata.bind': ['users/nope'],
  },
  { displayName: 'x', mailEnabled: true, mailNickname: 'x', securityEnabled: true, 'members@odata.bind': 'users/mira' },
  { displayName: 'x', mailEnabled: true, mailNickname: 'x', securityEnabled: true, 'members@odata.bind': [1] },
  { displayName: 'x', mailEnabled: true, mailNickname: 'x', securityEnabled: true, 'nope@odata.bind': ['users/mira'] },
  { displayName: 'x', mailEnabled: true, mailNickname: 'x', securityEnabled: true, groupTypes: [null] },
]

const people: readonly [unknown, ...unknown[]] = [
  { nope: 1 },
  { displayName: null },
  { displayName: 1 },
  { displayName: 'x'.repeat(257) },
  { jobTitle: 'x'.repeat(129) },
  { jobTitle: 'a\0b' },
  { jobTitle: '\udc00' },
  { surname: [] },
  { businessPhones: 'x' },
  { businessPhones: [null] },
  { manager: {} },
  { 'manager@odata.bind': 'users/nope' },
  { 'manager@odata.bind': 1 },
  { department: { toString: 'x' } },
]

const calls: readonly [readonly [string, unknown], ...(readonly [string, unknown])[]] = [
  ['/me/getMemberGroups', {}],
  ['/me/getMemberGroups', { securityEnabledOnly: 'true' }],
  ['/me/getMemberGroups', { securityEnabledOnly: null }],
  ['/me/getMemberGroups', { securityEnabledOnly: true, more: 1 }],
  ['/me/getMemberGroups', [true]],
  ['/me/checkMemberObjects', {}],
  ['/me/checkMemberObjects', { ids: 'x' }],
  ['/me/checkMemberObjects', { ids: null }],
  ['/me/checkMemberObjects', { ids: [1] }],
  ['/me/checkMemberObjects', { ids: [null] }],
  ['/me/checkMemberObjects', { ids: Array.from({ length: 21 }, (_, id) => String(id)) }],
  ['/me/checkMemberObjects', { ids: ['x'], ID: ['x'] }],
]

/** 10,000 levels: whatever reads or writes JSON by recursion without a bound ends here. */
const depth = 10_000
const deep = [
  '['.repeat(depth),
  `${'['.repeat(depth)}${']'.repeat(depth)}`,
  `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  `{"subject":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  `{"body":${'{"content":'.repeat(depth)}"x"${'}'.repeat(depth)}}`,
  `{"toRecipients":${'[{"emailAddress":'.repeat(depth)}`,
] as const

const writable = [
  ['POST', '/me/messages'],
  ['PATCH', '/me/messages/msg-01'],
  ['PATCH', '/me'],
  ['POST', '/groups'],
  ['POST', '/me/getMemberGroups'],
  ['POST', '/me/checkMemberObjects'],
  ['POST', '/$batch'],
] as const

/** A body that is no JSON, or whose values do not fit. */
export function malformedBody(random: Random): RawRequest {
  const [method, path] = random.pick(writable)
  const send = (at: string, value: unknown, how = 'POST'): RawRequest =>
    rawRequest({ method: how, path: at, body: JSON.stringify(value) })
  switch (random.below(12)) {
    case 0:
      return rawRequest({ method, path, body: random.below(8) === 0 ? random.pick(deep) : random.pick(json) })
    case 1:
    case 2:
      return rawRequest({ method, path, body: random.pick(json) })
    case 3:
      return rawRequest({ method, path, body: Buffer.concat([Buffer.from('{"'), random.bytes(1 + random.below(60))]) })
    case 4:
    case 5:
      return send('/me/messages', random.pick(messages))
    case 6:
    case 7:
      return send('/me/messages/msg-01', random.pick(messages), 'PATCH')
    case 8:
      return send('/groups', random.pick(groups))
    case 9:
      return send('/me', random.pick(people), 'PATCH')
    case 10: {
      const name = random.text(1 + random.below(12))
      // With an @ it would be an annotation, which a service may ignore.
      return send('/me/messages', { [`x${name.replaceAll('@', '')}`]: name, subject: name })
    }
    default: {
      const [at, value] = random.pick(calls)
      return send(at, value)
    }
  }
}
