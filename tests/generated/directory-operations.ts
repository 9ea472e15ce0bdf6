import type { Directory } from '../../generated/directory/client.js'
import type { OperationCase } from './operation-case.js'

const user = { id: 'u1', displayName: 'Ada', '@odata.etag': 'W/"1"' }
const message = { id: 'm1', subject: "It's", isRead: false, '@odata.etag': 'W/"2"' }
const group = { id: 'g1', displayName: 'Staff' }
const item = { id: 'd1', name: 'a.txt', size: 3 }
const page = (...value: readonly object[]) => ({ value, count: undefined, nextLink: undefined })
const odd = "a/b?c#d%e'f g"

export const directoryOperations: readonly OperationCase<Directory>[] = [
  { operation: 'me.get', call: c => c.me.get(), handlerCall: {}, handlerResult: user, clientResult: user },
  {
    operation: 'me.update',
    call: c => c.me.update({ jobTitle: null, givenName: 'A' }, { ifMatch: 'W/"1"' }),
    handlerCall: { body: { jobTitle: null, givenName: 'A' } },
    handlerResult: user,
    clientResult: user,
  },
  {
    operation: 'me.calendar.get',
    call: c => c.me.calendar.get(),
    handlerCall: {},
    handlerResult: { id: 'c' },
    clientResult: { id: 'c' },
  },
  {
    operation: 'me.manager.get',
    call: c => c.me.manager.get(),
    handlerCall: {},
    handlerResult: user,
    clientResult: user,
  },
  {
    operation: 'me.messages.list',
    call: c => c.me.messages.list().page(),
    handlerCall: { pageSize: 10 },
    handlerResult: { value: [message] },
    clientResult: page(message),
  },
  {
    operation: 'me.messages.create',
    call: c => c.me.messages.create({ subject: "It's", toRecipients: [{ emailAddress: { address: 'a@b' } }] }),
    handlerCall: {
      body: {
        subject: "It's",
        toRecipients: [{ emailAddress: { address: 'a@b' } }],
        isRead: true,
        importance: 'normal',
      },
    },
    handlerResult: message,
    clientResult: message,
  },
  {
    operation: 'me.messages.get',
    call: c => c.me.messages.get(odd),
    handlerCall: { keys: { id: odd } },
    handlerResult: message,
    clientResult: message,
  },
  {
    operation: 'me.messages.update',
    call: c => c.me.messages.update('m1', { isRead: false, body: { content: 'x' } }, { ifMatch: 'W/"2"' }),
    handlerCall: {
      keys: { id: 'm1' },
      body: { isRead: false, body: { content: 'x' } },
      precondition: { ifMatch: [{ weak: true, opaque: '"2"' }] },
    },
    handlerResult: message,
    clientResult: message,
  },
  {
    operation: 'me.messages.delete',
    call: c => c.me.messages.delete('m1', { ifMatch: '*' }),
    handlerCall: { keys: { id: 'm1' }, precondition: { ifMatch: '*' } },
    handlerResult: undefined,
    clientResult: undefined,
  },
  {
    operation: 'me.drive.items.list',
    call: c => c.me.drive.items.list({ top: 3 }).page(),
    handlerCall: { pageSize: 3 },
    handlerResult: { value: [item] },
    clientResult: page(item),
  },
  {
    operation: 'drive.items.children.list',
    call: c => c.drive.items.children.list('d0').page(),
    handlerCall: { keys: { id: 'd0' } },
    handlerResult: { value: [item] },
    clientResult: page(item),
  },
  {
    operation: 'me.getMemberGroups',
    call: c => c.me.getMemberGroups({ securityEnabledOnly: true }),
    handlerCall: { parameters: { securityEnabledOnly: true } },
    handlerResult: ['g1', 'g2'],
    clientResult: ['g1', 'g2'],
  },
  {
    operation: 'me.checkMemberObjects',
    call: c => c.me.checkMemberObjects({ ids: ['g1', odd] }),
    handlerCall: { parameters: { ids: ['g1', odd] } },
    handlerResult: ['g1'],
    clientResult: ['g1'],
  },
  {
    operation: 'me.reminderView',
    call: c => c.me.reminderView({ startDateTime: '2024-01-01T00:00:00Z', endDateTime: '2024-02-01T00:00:00Z' }).page(),
    handlerCall: { parameters: { startDateTime: '2024-01-01T00:00:00Z', endDateTime: '2024-02-01T00:00:00Z' } },
    handlerResult: [{ eventId: 'e1' }],
    clientResult: page({ eventId: 'e1' }),
  },
  {
    operation: 'users.list',
    call: c => c.users.list({ count: true }).page(),
    handlerCall: {},
    handlerResult: { value: [user], count: 7 },
    clientResult: { ...page(user), count: 7 },
  },
  {
    operation: 'users.get',
    call: c => c.users.get('u1'),
    handlerCall: { keys: { id: 'u1' } },
    handlerResult: user,
    clientResult: user,
  },
  { operation: 'users.count', call: c => c.users.count(), handlerCall: {}, handlerResult: 42, clientResult: 42 },
  {
    operation: 'users.delta',
    call: c => c.users.delta().page(),
    handlerCall: {},
    handlerResult: { value: [user, { id: 'u2', '@removed': { reason: 'deleted' } }], deltaToken: 'd' },
    clientResult: {
      ...page(user, { id: 'u2', '@removed': { reason: 'deleted' } }),
      deltaLink: 'https://service.example/v1.0/users/delta?$deltatoken=d',
    },
  },
  {
    operation: 'groups.list',
    call: c => c.groups.list().page(),
    handlerCall: {},
    handlerResult: { value: [group] },
    clientResult: page(group),
  },
  {
    operation: 'groups.create',
    call: c =>
      c.groups.create({ displayName: 'Staff', mailEnabled: false, mailNickname: 'staff', securityEnabled: true }),
    handlerCall: { body: { displayName: 'Staff', mailEnabled: false, mailNickname: 'staff', securityEnabled: true } },
    handlerResult: group,
    clientResult: group,
  },
  {
    operation: 'groups.get',
    call: c => c.groups.get('g1'),
    handlerCall: { keys: { id: 'g1' } },
    handlerResult: group,
    clientResult: group,
  },
  {
    operation: 'groups.delete',
    call: c => c.groups.delete('g1'),
    handlerCall: { keys: { id: 'g1' } },
    handlerResult: undefined,
    clientResult: undefined,
  },
  {
    operation: 'groups.members.list',
    call: c => c.groups.members.list('g1', { select: ['displayName'] }).page(),
    handlerCall: { keys: { id: 'g1' } },
    handlerResult: { value: [{ ...user, '@odata.type': '#directory.user' }] },
    clientResult: page({ '@odata.type': '#directory.user', displayName: 'Ada', '@odata.etag': 'W/"1"' }),
  },
]
