import { createServer } from 'node:http'
import { createDirectory as createClient } from './generated/client.js'
import { toNodeListener } from './generated/runtime/server.js'
import { createDirectory as createService } from './generated/server.js'
import { handlers } from './handlers.js'

// The generated server with handlers over arrays, on a socket, and the generated client that calls it.

const token = 'the token of the example'
const service = createService(handlers, {
  authenticate: ({ headers }) =>
    headers.get('authorization') === `Bearer ${token}` ? { id: 'alan', scopes: allScopes() } : undefined,
  onError: error => console.error(error),
})

const server = createServer(toNodeListener(service))
await new Promise<void>(listening => void server.listen(0, '127.0.0.1', listening))
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
const baseUrl = `http://127.0.0.1:${port}/v1.0`
console.log(`serving Directory and Mailbox at ${baseUrl}`)

const requests: string[] = []
const client = createClient({
  baseUrl,
  token,
  interceptors: [
    next => async (url, request) => {
      const response = await next(url, request)
      requests.push(`${request.method} ${decodeURIComponent(url.slice(baseUrl.length))} -> ${response.status}`)
      return response
    },
  ],
})

/** Runs one step, and prints its requests and its result. */
async function step(title: string, run: () => Promise<unknown>): Promise<void> {
  requests.length = 0
  const result = await run()
  console.log(`\n${title}`)
  for (const request of requests) console.log(`  ${request}`)
  console.log(`  ${JSON.stringify(result)}`)
}

await step('People without a job title, or whose name begins with A', async () => {
  const names: string[] = []
  const list = client.users.list({
    select: ['displayName', 'jobTitle'],
    filter: f => f.or(f.eq('jobTitle', null), f.startsWith('displayName', 'A')),
    orderby: ['displayName desc'],
    expand: { manager: { select: ['displayName'] } },
    top: 2,
  })
  for await (const user of list) names.push(`${user.displayName} (${user.manager?.displayName ?? 'nobody'})`)
  return names
})

await step('An advanced query: the client adds the header ConsistencyLevel', () =>
  client.users.count({ filter: f => f.contains('displayName', "O'Neil") }),
)

await step('Unread mail since the ninth', async () => {
  const page = await client.me.messages
    .list({
      select: ['subject', 'receivedDateTime'],
      filter: f => f.and(f.eq('isRead', false), f.ge('receivedDateTime', '2026-11-09T08:00:00Z')),
      orderby: ['receivedDateTime'],
      count: true,
    })
    .page()
  return { count: page.count, subjects: page.value.map(message => message.subject) }
})

await step('A message is created, read, updated with a precondition, and deleted', async () => {
  const created = await client.me.messages.create({ subject: 'Hello', body: { contentType: 'text', content: 'Hi' } })
  const etag = created['@odata.etag']
  const changed = await client.me.messages.update(created.id, { subject: null }, { ifMatch: etag })
  const stale = await client.me.messages.update(created.id, { isRead: false }, { ifMatch: etag }).result()
  await client.me.messages.delete(created.id)
  const gone = await client.me.messages.get(created.id).result()
  return {
    subject: changed?.subject,
    stale: stale.ok ? 'changed' : `${stale.error.status} ${stale.error.code}`,
    gone: gone.ok ? 'there' : `${gone.error.status} ${gone.error.code}`,
  }
})

await step('Groups, direct and transitive', () => client.me.getMemberGroups({ securityEnabledOnly: true }))

await step('Reminders of a day', async () => {
  const subjects: (string | null)[] = []
  const range = { startDateTime: '2026-11-23T00:00:00Z', endDateTime: '2026-11-24T00:00:00Z' }
  for await (const reminder of client.me.reminderView(range)) subjects.push(reminder.eventSubject)
  return subjects
})

await step('Without a token', async () => {
  const answer = await createClient({ baseUrl }).me.get().result()
  return answer.ok ? 'let in' : `${answer.error.status} ${answer.error.code}: ${answer.error.message}`
})

server.close()
server.closeAllConnections()
console.log('\nDone: every request above went over HTTP.')

function allScopes(): readonly string[] {
  return ['User', 'Group', 'GroupMember', 'Mail', 'Calendars', 'Files'].flatMap(area =>
    ['Read', 'ReadWrite', 'Read.All', 'ReadWrite.All', 'ReadBasic.All'].map(verb => `${area}.${verb}`),
  )
}
