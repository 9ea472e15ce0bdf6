import type { ListResult } from '../../runtime/server/handler.js'
import { type Handlers, type MeMessagesHandlers, type MeMessagesUpdateCall, type MeUpdateCall, type UserRow, type UsersHandlers, createDirectory } from './server.js'
import type { User } from './types.js'

interface Database {
  readonly tenant: string
}

const authenticate = (): undefined => undefined

// A handler file as users write it: calls are typed by the resource's handlers.
export const users = {
  list: ({ query, pageSize, context }): ListResult<UserRow> => ({
    value: [{ id: context.tenant, displayName: 'Ada', manager: { id: '2' } }],
    count: query.top ?? pageSize,
  }),
  get: ({ keys, fail }) => (keys.id === '' ? fail('itemNotFound', { target: 'id' }) : { id: keys.id }),
  count: async () => 3,
  delta: () => ({ value: [{ id: '1', '@removed': { reason: 'deleted' } }], deltaToken: 'x' }),
} satisfies UsersHandlers<Database>

export const messages = {
  list: ({ prefer }) => ({ value: [{ subject: prefer['body-content-type'] ?? null }] }),
  create: ({ body }) => ({ id: '1', subject: body.subject ?? null }),
  get: () => undefined,
  update: ({ keys, body, precondition, fail }) =>
    precondition.holds('W/"1"') ? { id: keys.id, subject: body.subject ?? null } : fail('preconditionFailed'),
  delete: async () => undefined,
} satisfies MeMessagesHandlers<Database>

createDirectory({ users, me: { messages } }, { authenticate, context: () => ({ tenant: 't' }) })
createDirectory({}, { authenticate })
createDirectory({ users: { count: () => 1 } }, { authenticate })

// @ts-expect-error the service takes nobody without a credential
createDirectory({}, {})
// @ts-expect-error these handlers rely on a context
createDirectory({ users }, { authenticate })
// @ts-expect-error the context is another
createDirectory({ users }, { authenticate, context: () => ({ tenant: 1 }) })
// @ts-expect-error there is no such resource
createDirectory({ user: users }, { authenticate, context: () => ({ tenant: 't' }) })
// @ts-expect-error there is no such operation
createDirectory({ users: { lists: () => 1 } }, { authenticate })

export const incomplete = {
  count: () => 1,
  // @ts-expect-error the other operations are missing
} satisfies UsersHandlers

export const wrong = {
  // @ts-expect-error a count is a number
  count: () => '3',
  // @ts-expect-error this operation declares no such error
  get: ({ fail }) => fail('expiredToken'),
  // @ts-expect-error there is no such property
  list: () => ({ value: [{ displayname: 'Ada' }] }),
} satisfies Partial<UsersHandlers>

export function rename({ keys, body }: MeMessagesUpdateCall): string {
  // @ts-expect-error the key is called id
  keys.key
  // @ts-expect-error the service sets it
  body.receivedDateTime
  return `${keys.id} ${body.subject}`
}

export function merged(user: User, { body }: MeUpdateCall): User {
  return { ...user, ...body }
}

export const all = (handlers: Handlers): unknown => createDirectory(handlers, { authenticate })
