import type { Directory } from '../../generated/directory/client.js'
import type { OperationCase } from './operation-case.js'

const user = { id: 'u1', displayName: 'Ada', '@odata.etag': 'W/"1"' }
const message = { id: 'm1', subject: "It's", isRead: false, '@odata.etag': 'W/"2"' }
const group = { id: 'g1', displayName: 'Staff' }
const item = { id: 'd1', name: 'a.txt', size: 3 }
const page = (...value: readonly object[]) => ({ value, count: undefined, nextLink: undefined })
const odd = "a/b?c#d%e'f g"

export const directoryOperations: readonly OperationCase<Directory>[] = [
  { operation: 'me.get', use: c => c.me.get(), asks: {}, answers: user, gives: user },
  {
    operation: 'me.update',
    use: c => c.me.update({ jobTitle: null, givenName: 'A' }, { ifMatch: 'W/"1"' }),
    asks: { body: { jobTitle: null, givenName: 'A' } },
    answers: user,
    gives: user,
  },
  { operation: 'me.calendar.get', use: c => c.me.calendar.get(), asks: {}, answers: { id: 'c' }, gives: { id: 'c' } },
  { operation: 'me.manager.get', use: c => c.me.manager.get(), asks: {}, answers: user, gives: user },
  {
    operation: 'me.messages.list',
    use: c => c.me.messages.list().page(),
    asks: { pageSize: 10 },
    answers: { value: [message] },
    gives: page(message),
  },
  {
    operation: 'me.messages.create',
    use: c => c.me.messages.create({ subject: "It's", toRecipients: [{ emailAddress: { address: 'a@b' } }] }),
    asks: {
      body: {
        subject: "It's",
        toRecipients: [{ emailAddress: { address: 'a@b' } }],
        isRead: true,
        importance: 'normal',
      },
    },
    answers: message,
    gives: message,
  },
  {
    operation: 'me.messages.get',
    use: c => c.me.messages.get(odd),
    asks: { keys: { id: odd } },
    answers: message,
    gives: message,
  },
  {
    operation: 'me.messages.update',
    use: c => c.me.messages.update('m1', { isRead: false, body: { content: 'x' } }, { ifMatch: 'W/"2"' }),
    asks: {
      keys: { id: 'm1' },
      body: { isRead: false, body: { content: 'x' } },
      precondition: { ifMatch: [{ weak: true, opaque: '"2"' }] },
    },
    answers: message,
    gives: message,
  },
  {
    operation: 'me.messages.delete',
    use: c => c.me.messages.delete('m1', { ifMatch: '*' }),
    asks: { keys: { id: 'm1' }, precondition: { ifMatch: '*' } },
    answers: undefined,
    gives: undefined,
  },
  {
    operation: 'me.drive.items.list',
    use: c => c.me.drive.items.list({ top: 3 }).page(),
    asks: { pageSize: 3 },
    answers: { value: [item] },
    gives: page(item),
  },
  {
    operation: 'drive.items.children.list',
    use: c => c.drive.items.children.list('d0').page(),
    asks: { keys: { id: 'd0' } },
    answers: { value: [item] },
    gives: page(item),
  },
  {
    operation: 'me.getMemberGroups',
    use: c => c.me.getMemberGroups({ securityEnabledOnly: true }),
    asks: { parameters: { securityEnabledOnly: true } },
    answers: ['g1', 'g2'],
    gives: ['g1', 'g2'],
  },
  {
    operation: 'me.checkMemberObjects',
    use: c => c.me.checkMemberObjects({ ids: ['g1', odd] }),
    asks: { parameters: { ids: ['g1', odd] } },
    answers: ['g1'],
    gives: ['g1'],
  },
  {
    operation: 'me.reminderView',
    use: c => c.me.reminderView({ startDateTime: '2024-01-01T00:00:00Z', endDateTime: '2024-02-01T00:00:00Z' }).page(),
    asks: { parameters: { startDateTime: '2024-01-01T00:00:00Z', endDateTime: '2024-02-01T00:00:00Z' } },
    answers: [{ eventId: 'e1' }],
    gives: page({ eventId: 'e1' }),
  },
  {
    operation: 'users.list',
    use: c => c.users.list({ count: true }).page(),
    asks: {},
    answers: { value: [user], count: 7 },
    gives: { ...page(user), count: 7 },
  },
  { operation: 'users.get', use: c => c.users.get('u1'), asks: { keys: { id: 'u1' } }, answers: user, gives: user },
  { operation: 'users.count', use: c => c.users.count(), asks: {}, answers: 42, gives: 42 },
  {
    operation: 'users.delta',
    use: c => c.users.delta().page(),
    asks: {},
    answers: { value: [user, { id: 'u2', '@removed': { reason: 'deleted' } }], deltaToken: 'd' },
    gives: {
      ...page(user, { id: 'u2', '@removed': { reason: 'deleted' } }),
      deltaLink: 'https://service.example/v1.0/users/delta?$deltatoken=d',
    },
  },
  {
    operation: 'groups.list',
    use: c => c.groups.list().page(),
    asks: {},
    answers: { value: [group] },
    gives: page(group),
  },
  {
    operation: 'groups.create',
    use: c =>
      c.groups.create({ displayName: 'Staff', mailEnabled: false, mailNickname: 'staff', securityEnabled: true }),
    asks: { body: { displayName: 'Staff', mailEnabled: false, mailNickname: 'staff', securityEnabled: true } },
    answers: group,
    gives: group,
  },
  { operation: 'groups.get', use: c => c.groups.get('g1'), asks: { keys: { id: 'g1' } }, answers: group, gives: group },
  {
    operation: 'groups.delete',
    use: c => c.groups.delete('g1'),
    asks: { keys: { id: 'g1' } },
    answers: undefined,
    gives: undefined,
  },
  {
    operation: 'groups.members.list',
    use: c => c.groups.members.list('g1', { select: ['displayName'] }).page(),
    asks: { keys: { id: 'g1' } },
    answers: { value: [{ ...user, '@odata.type': '#directory.user' }] },
    gives: page({ '@odata.type': '#directory.user', displayName: 'Ada', '@odata.etag': 'W/"1"' }),
  },
]
