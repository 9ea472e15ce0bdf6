import { calendar, children, driveItems, groups, members, messages, reminders, users } from './data.js'
import { listRows } from './generated/runtime/server.js'
import type { Handlers } from './generated/server.js'
import { serviceTable } from './generated/service-table.js'

const { types } = serviceTable

/** The groups of a person, direct and through other groups. */
function groupsOf(id: string, found = new Set<string>()): ReadonlySet<string> {
  for (const [groupId, inside] of members) {
    if (!inside.some(member => member.id === id) || found.has(groupId)) continue
    found.add(groupId)
    groupsOf(groupId, found)
  }
  return found
}

let lastId = 0
const nextId = (): string => `new-${++lastId}`
const nextTag = (tag: string | undefined): string => `W/"${Number(tag?.match(/\d+/)?.[0] ?? 0) + 1}"`

/** Every operation of the service over arrays. The server core removes what the query does not select or expand. */
export const handlers: Handlers = {
  users: {
    list: call => listRows(users, call, { types, type: 'user' }),
    get: ({ keys, fail }) => users.find(({ id }) => id === keys.id) ?? fail('itemNotFound'),
    count: ({ query }) => listRows(users, { query }, { types, type: 'user' }).count ?? 0,
    delta: ({ query }) => ({ value: query.deltatoken === undefined ? users : [], deltaToken: 'unchanging' }),
  },
  groups: {
    list: call => listRows(groups, call, { types, type: 'group' }),
    get: ({ keys, fail }) => groups.find(({ id }) => id === keys.id) ?? fail('itemNotFound'),
    create({ body }) {
      const created = {
        mail: null,
        description: null,
        groupTypes: [],
        ...body,
        id: nextId(),
        createdDateTime: new Date().toISOString(),
      }
      groups.push(created)
      return created
    },
    delete({ keys, fail }) {
      const index = groups.findIndex(({ id }) => id === keys.id)
      if (index < 0) fail('itemNotFound')
      groups.splice(index, 1)
    },
    members: {
      list(call) {
        if (!groups.some(({ id }) => id === call.keys.id)) call.fail('itemNotFound')
        const rows = (members.get(call.keys.id) ?? []).map(member => ({
          ...member,
          '@odata.type': 'userPrincipalName' in member ? ('#directory.user' as const) : ('#directory.group' as const),
        }))
        return listRows(rows, call, { types, type: 'directoryObject' })
      },
    },
  },
  me: {
    get: ({ principal, fail }) => users.find(({ id }) => id === principal.id) ?? fail('itemNotFound'),
    update: ({ principal, body, fail }) => {
      const found = users.find(({ id }) => id === principal.id) ?? fail('itemNotFound')
      return { ...found, ...body }
    },
    calendar: { get: () => calendar },
    manager: {
      get: ({ principal, fail }) => users.find(({ id }) => id === principal.id)?.manager ?? fail('itemNotFound'),
    },
    drive: {
      items: {
        list: call => listRows(driveItems, call, { types, type: 'driveItem' }),
      },
    },
    messages: {
      list: call => listRows(messages, call, { types, type: 'message' }),
      get: ({ keys, fail }) => messages.find(({ id }) => id === keys.id) ?? fail('itemNotFound'),
      create({ body }) {
        const now = new Date().toISOString()
        const created = {
          subject: null,
          body: null,
          toRecipients: [],
          ccRecipients: [],
          from: null,
          isRead: true,
          importance: 'normal',
          categories: [],
          ...body,
          id: nextId(),
          receivedDateTime: now,
          createdDateTime: now,
          lastModifiedDateTime: now,
          '@odata.etag': 'W/"1"',
        }
        messages.push(created)
        return created
      },
      update({ keys, body, precondition, fail }) {
        const index = messages.findIndex(({ id }) => id === keys.id)
        const found = messages[index] ?? fail('itemNotFound')
        if (!precondition.holds(found['@odata.etag'])) fail('preconditionFailed')
        const changed = { ...found, ...body, '@odata.etag': nextTag(found['@odata.etag']) }
        messages[index] = changed
        return changed
      },
      delete({ keys, precondition, fail }) {
        const index = messages.findIndex(({ id }) => id === keys.id)
        const found = messages[index] ?? fail('itemNotFound')
        if (!precondition.holds(found['@odata.etag'])) fail('preconditionFailed')
        messages.splice(index, 1)
      },
    },
    getMemberGroups: ({ principal, parameters }) =>
      [...groupsOf(principal.id)].filter(
        id =>
          parameters.securityEnabledOnly !== true || groups.find(group => group.id === id)?.securityEnabled === true,
      ),
    checkMemberObjects: ({ principal, parameters }) => parameters.ids.filter(id => groupsOf(principal.id).has(id)),
    reminderView: ({ parameters }) =>
      reminders.filter(
        ({ reminderFireTime }) =>
          Date.parse(reminderFireTime) >= Date.parse(parameters.startDateTime) &&
          Date.parse(reminderFireTime) <= Date.parse(parameters.endDateTime),
      ),
  },
  drive: {
    items: {
      children: {
        list(call) {
          const inside = children.get(call.keys.id) ?? call.fail('itemNotFound')
          return listRows(inside, call, { types, type: 'driveItem' })
        },
      },
    },
  },
}
