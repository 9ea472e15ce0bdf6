// What the compiler must say of the Directory client: compiled by `tsc`, never run. Each `@ts-expect-error` is a rule.

import { createDirectory } from './client.js'
import type { AnyDirectoryObject, Message, User } from './types.js'
import { Importance } from './types.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function same<_ extends true>(): void

const client = createDirectory({ baseUrl: 'https://service.example/v1.0', token: 't' })

export const narrowed = async () => {
  const users = await client.users
    .list({
      select: ['displayName'],
      filter: f => f.startsWith('displayName', 'A'),
      expand: { manager: { select: ['id'] } },
      orderby: ['displayName desc'],
      search: { displayName: 'ada' },
      top: 10,
    })
    .page()
  const user = users.value[0]
  same<Equal<NonNullable<typeof user>['displayName'], string>>()
  same<Equal<NonNullable<NonNullable<typeof user>['manager']>['id'], string>>()
  // @ts-expect-error not selected
  user?.mail
  // @ts-expect-error not selected of the manager
  user?.manager?.displayName

  same<Equal<Awaited<ReturnType<typeof client.me.messages.create>>, Message>>()
  const message = await client.me.messages.get('1', { select: ['subject'] })
  same<Equal<(typeof message)['@odata.etag'], string | undefined>>()
  const attachment = (await client.me.messages.get('1', { expand: { attachments: { select: ['contentBytes'] } } }))
    .attachments[0]
  same<Equal<NonNullable<typeof attachment>['contentBytes'], string | null>>()

  const groups: readonly string[] = await client.me.getMemberGroups({ securityEnabledOnly: true })
  const count: number = await client.users.count({ filter: f => f.contains('displayName', 'a') })
  const manager = await client.me.manager.get()
  // @ts-expect-error there may be none
  manager.id
  return [groups, count]
}

export const members = async () => {
  for await (const member of client.groups.members.list('1')) {
    same<Equal<typeof member.displayName, string>>()
    if (member['@odata.type'] === '#directory.user') same<Equal<typeof member.jobTitle, string | null>>()
    else same<Equal<typeof member.mailNickname, string>>()
    // @ts-expect-error groups have none
    member.jobTitle
  }
  const group = await client.groups.get('1', { expand: { members: { select: ['id', 'directory.user/jobTitle'] } } })
  const people = group.members.filter(member => member['@odata.type'] === '#directory.user')
  same<Equal<NonNullable<(typeof people)[0]>['jobTitle'], string | null>>()
  const any: AnyDirectoryObject | undefined = (await client.groups.members.list('1').page()).value[0]
  return any
}

export const changes = async () => {
  for await (const change of client.users.delta({ select: ['displayName'] })) {
    same<Equal<typeof change.id, string>>()
    if ('@removed' in change) same<Equal<(typeof change)['@removed']['reason'], 'changed' | 'deleted'>>()
    else same<Equal<typeof change.displayName, string | undefined>>()
  }
  for await (const page of client.users.delta().byPage()) same<Equal<typeof page.deltaLink, string | undefined>>()
}

export const bodies = (user: User) => {
  client.me.messages.update('1', { isRead: true, importance: Importance.high, subject: null }, { ifMatch: 'W/"1"' })
  client.me.messages.create({ body: { content: 'x' }, toRecipients: [{ emailAddress: { address: 'a@b' } }] })
  client.me.update({ jobTitle: null })
  // @ts-expect-error misspelt property
  client.me.messages.update('1', { isReda: true })
  // @ts-expect-error misspelt member
  client.me.messages.update('1', { importance: 'hihg' })
  // @ts-expect-error set by the service
  client.me.messages.update('1', { id: '2' })
  // @ts-expect-error what is never null cannot be cleared
  client.me.messages.update('1', { isRead: null })
  // @ts-expect-error a required property is missing
  client.groups.create({ displayName: 'x', mailEnabled: false, securityEnabled: true })
  // @ts-expect-error a required property is missing in a complex value
  client.me.messages.create({ toRecipients: [{ emailAddress: { name: 'a' } }] })
  // @ts-expect-error misspelt parameter
  client.me.getMemberGroups({ securityEnabled: true })
  // @ts-expect-error a parameter is missing
  client.me.reminderView({ startDateTime: '2024-01-31T12:00Z' })
  // @ts-expect-error what the service sends is only read
  user.displayName = 'x'
}

export const endpoints = () => {
  // @ts-expect-error only a filter narrows a count
  client.users.count({ top: 1 })
  // @ts-expect-error only select narrows changes
  client.users.delta({ filter: () => undefined })
  // @ts-expect-error the relation is not expanded here
  client.users.list({ expand: { messages: true } })
  // @ts-expect-error only select narrows an expanded relation
  client.users.list({ expand: { memberOf: { top: 1 } } })
  // @ts-expect-error there is no such operation
  client.users.create({})
  // @ts-expect-error without its key
  client.groups.members.list()
  // @ts-expect-error no query options
  client.me.reminderView({ startDateTime: 'x', endDateTime: 'y' }, { top: 1 })
  const group = { displayName: 'x', mailEnabled: false, mailNickname: 'x', securityEnabled: true }
  // @ts-expect-error nothing is there yet whose tag could match
  client.groups.create(group, { ifMatch: 'x' })
}

export const errors = async () => {
  const result = await client.users.get('1').result()
  if (result.ok) return
  if (result.error.code === 'ErrorItemNotFound') return
  // @ts-expect-error misspelt code
  if (result.error.code === 'ErrorItemNotfound') return
  // @ts-expect-error a code of other operations
  if (result.error.code === 'syncStateNotFound') return
}
