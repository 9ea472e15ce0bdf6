import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'

export const secret = 'a secret of this measurement, 32 bytes'
export const scopes = [
  'Calendars.Read',
  'Files.Read',
  'Group.Read.All',
  'Group.ReadWrite.All',
  'GroupMember.Read.All',
  'Mail.Read',
  'Mail.ReadWrite',
  'User.Read',
  'User.Read.All',
  'User.ReadBasic.All',
  'User.ReadWrite',
]

const tokens = new Map()

/** The token of a user. */
function tokenOf(id) {
  if (tokens.has(id)) return tokens.get(id)
  const encoded = value => Buffer.from(JSON.stringify(value)).toString('base64url')
  const expires = Math.floor(Date.now() / 1000) + 86_400
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: id, exp: expires, scp: scopes.join(' ') })}`
  const token = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  tokens.set(id, token)
  return token
}

/** A client that keeps one connection. It measures until the last byte. */
export function createClient(root) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (user, path, method = 'GET', body = undefined) =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        authorization: `Bearer ${tokenOf(user)}`,
        consistencylevel: 'eventual',
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      const url = path.startsWith('http') ? path : root + path
      const sent = request(url, { agent, method, headers }, response => {
        let received = ''
        response.setEncoding('utf8')
        response.on('data', part => {
          received += part
        })
        response.on('end', () => {
          const milliseconds = performance.now() - start
          if (response.statusCode >= 400)
            reject(new Error(`${method} ${url}: ${response.statusCode} ${received.slice(0, 500)}`))
          else resolve({ milliseconds, json: received === '' ? undefined : JSON.parse(received) })
        })
      })
      sent.on('error', reject)
      sent.end(text)
    })
  return { send, close: () => agent.destroy() }
}

/**
 * What is measured: a path for a random number, and what the page has, so that both stores return as much.
 *
 * @param random a number below its argument
 */
export function kindsOf({ users, messages }) {
  const anyUser = random => random(users) + 1
  const anyMessage = random => {
    const number = random(users * messages) + 1
    return { number, owner: ((number - 1) % users) + 1, topic: Math.floor((number - 1) / users) % 10 }
  }
  const time = number => new Date(Date.UTC(2020, 0, 1) + number * 17_000).toISOString()
  const encoded = (path, options) =>
    `${path}?${Object.entries(options)
      .map(([name, value]) => `$${name}=${encodeURIComponent(value)}`)
      .join('&')}`
  const read = (name, pathOf, count) => ({
    name,
    run: async (client, random) => {
      const { user, path } = pathOf(random)
      const { milliseconds, json } = await client.send(user, path)
      const found = Array.isArray(json.value) ? json.value.length : 1
      if (count !== undefined && found !== count)
        throw new Error(`${name}: ${path} returned ${found} items, not ${count}.`)
      return milliseconds
    },
  })
  const ofUsers = (name, options, count) =>
    read(name, random => ({ user: 'u1', path: encoded('/users', options(random)) }), count)
  const ofMail = (name, options, count) =>
    read(
      name,
      random => {
        const { number, owner, topic } = anyMessage(random)
        return { user: `u${owner}`, path: encoded('/me/messages', options(number, topic)) }
      },
      count,
    )
  return [
    read('item: a user', random => ({ user: 'u1', path: `/users/u${anyUser(random)}` })),
    read('item: a message', random => {
      const { number, owner } = anyMessage(random)
      return { user: `u${owner}`, path: `/me/messages/m${number}` }
    }),
    ofUsers('filtered page: users of a department', random => ({
      filter: `department eq 'Department ${random(100)}'`,
      top: 10,
    })),
    ofUsers('filtered page: users whose name begins with a text', random => ({
      filter: `startsWith(displayName,'User ${1 + random(9)}')`,
      top: 10,
    })),
    ofMail('filtered page: unread mail', () => ({ filter: 'isRead eq false', top: 2 }), 2),
    ofUsers('ordered page: users by name', () => ({ orderby: 'displayName', top: 10 })),
    ofUsers('ordered page: users of a department by name', random => ({
      filter: `department eq 'Department ${random(100)}'`,
      orderby: 'department,displayName',
      top: 10,
    })),
    ofMail('ordered page: the latest mail', () => ({ orderby: 'receivedDateTime desc', top: 10 }), 10),
    ofMail('ordered page: mail since a time', number => ({
      filter: `receivedDateTime ge ${time(number)}`,
      orderby: 'receivedDateTime',
      top: 10,
    })),
    ofUsers(
      'search: a word that one user has',
      random => ({ search: `"displayName:${(anyUser(random) * 7919) % 1_000_003}"` }),
      1,
    ),
    ofMail('search: a word that one message has', number => ({ search: `"subject:number${number}"` }), 1),
    ofMail(
      'search: a word that a tenth of the mail has',
      (_, topic) => ({ search: `"subject:topic${topic}"`, top: 1 }),
      1,
    ),
    {
      name: 'delta: a round with one changed user',
      prepare: async client => {
        const { json } = await client.send('u1', '/users/delta?$deltatoken=latest')
        return { link: json['@odata.deltaLink'] }
      },
      run: async (client, random, state) => {
        const user = `u${anyUser(random)}`
        const before = await client.send('u1', state.link)
        state.link = before.json['@odata.deltaLink']
        await client.send(user, '/me', 'PATCH', { mobilePhone: `+49 ${random(1_000_000)}` })
        const { milliseconds, json } = await client.send('u1', state.link)
        if (json.value.length !== 1) throw new Error(`A round has ${json.value.length} changes, not 1.`)
        state.link = json['@odata.deltaLink']
        return milliseconds
      },
    },
    {
      name: 'create: a message',
      run: async (client, random) => {
        const { number, owner } = anyMessage(random)
        const body = {
          subject: `new report ${number}`,
          body: { contentType: 'text', content: 'A text.' },
          toRecipients: [],
        }
        return (await client.send(`u${owner}`, '/me/messages', 'POST', body)).milliseconds
      },
    },
    {
      name: 'update: a user',
      run: async (client, random) =>
        (await client.send(`u${anyUser(random)}`, '/me', 'PATCH', { mobilePhone: `+49 ${random(1_000_000)}` }))
          .milliseconds,
    },
  ]
}
