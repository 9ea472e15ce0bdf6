import type { Random } from '../random.js'
import { type RawRequest, rawRequest } from '../wire.js'

const sound = [
  '/me',
  '/me/calendar',
  '/me/manager',
  '/me/messages',
  '/me/messages/msg-01',
  '/me/drive/items',
  '/drive/items/folder-root/children',
  '/users',
  '/users/mira',
  '/groups',
  '/groups/product',
  '/groups/product/members',
] as const

const unknown = [
  'nope',
  'Me',
  '$count',
  '$value',
  '$ref',
  '$links',
  '$metadata',
  '$batch',
  'directory.user',
  '0',
  '*',
  '-1',
] as const

/** Invalid percent-encodings: cut off, not UTF-8, too long, halves of characters, beyond Unicode. */
const broken = [
  '%',
  '%z',
  '%zz',
  '%2',
  '%c3%28',
  '%ff',
  '%c0%af',
  '%e2%82',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%f8%80%80%80%80',
  '%u0041',
] as const

const keys = [
  "users('mira",
  'users(mira',
  "users('mira'))",
  "users('a','b')",
  "users(id='mira',id='mira')",
  "users(nope='mira')",
  'users(1)',
  'users(null)',
  "users(id=')",
  'users()x',
  'groups(%00)',
  "me('mira')",
  "me/messages('%00')",
  "me/messages('nope')",
  "me/messages(id='nope')",
] as const

const calls = [
  'me/reminderView',
  'me/reminderView()',
  "me/reminderView(startDateTime='2024-01-01T00:00:00Z')",
  "me/reminderView(startDateTime='',endDateTime='')",
  "me/reminderView(startDateTime='x',endDateTime='y')",
  "me/reminderView(startDateTime='2024-13-01T00:00:00Z',endDateTime='2024-01-01T00:00:00Z')",
  'me/reminderView(startDateTime=1,endDateTime=2)',
  'me/reminderView(startDateTime=null,endDateTime=null)',
  'me/reminderView(startDateTime=@a,endDateTime=@b)',
  "me/reminderView(startDateTime='2024-01-01T00:00:00Z',endDateTime='2024-01-01T00:00:00Z',more=1)",
  "me/reminderView(startDateTime='2024-01-01T00:00:00Z',startDateTime='2024-01-01T00:00:00Z')",
  "me/reminderView(startDateTime='2024-01-01T00:00:00Z',endDateTime='2024-01-01T00:00:00Z'",
  'me/getMemberGroups',
  'me/getMemberGroups()',
  "me/checkMemberObjects(ids=['a'])",
  'users/delta(1)',
  'users/$count/x',
  'users/$count()',
] as const

/** Methods that none of the sound paths has, or that HTTP has and nobody uses. */
const methods = [
  'PUT',
  'TRACE',
  'PROPFIND',
  'LOCK',
  'MKCOL',
  'SEARCH',
  'PURGE',
  'LINK',
  'REPORT',
  'M-SEARCH',
  'CONNECTED',
  'get',
  'BREW',
] as const

/** An unknown path, a malformed key, a call that does not fit, a method that does not exist. */
export function malformedPath(random: Random): RawRequest {
  const base = random.pick(sound)
  switch (random.below(9)) {
    case 0:
      return rawRequest({ path: `${base}/${random.pick(unknown)}/${random.pick(unknown)}` })
    case 1:
      return rawRequest({ path: `${base}/${random.pick(broken)}` })
    case 2:
      return rawRequest({ path: `/${random.pick(keys)}` })
    case 3:
      return rawRequest({ path: `/${random.pick(calls)}` })
    case 4:
      return rawRequest({ path: base, method: random.pick(methods) })
    case 5:
      return rawRequest({ path: `${base}//${random.pick(sound)}` })
    case 6:
      return rawRequest({
        path: `${base}/../${random.pick(['..', '%2e%2e', '.%2E'])}/${random.pick(['..', 'etc', '%5c..'])}/passwd`,
      })
    case 7:
      return rawRequest({ path: `${base}/x%00y/${encodeURIComponent(random.text(1 + random.below(20)))}` })
    default:
      return rawRequest({
        path: `/${encodeURIComponent(random.text(1 + random.below(40)))}${base}`,
        method: random.pick(['GET', 'HEAD', 'DELETE']),
      })
  }
}
