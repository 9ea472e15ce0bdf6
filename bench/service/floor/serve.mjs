// The lower bound: code written by hand for exactly these requests, with `node:http`, better-sqlite3 and one prepared
// statement each. Its routes are fixed, it reads only the varying value of a query, and it checks only the token. Its
// responses equal those of Specwright, links included, and its writes are as durable.
// `node serve.mjs FILE TOKEN PRINCIPAL`.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import Database from 'better-sqlite3'

const [file = '', token = '', principal = ''] = process.argv.slice(2)
const credential = `Bearer ${token}`
const database = new Database(file)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')

const people = 'id, displayName, mail'
const listed = 'id, subject, receivedDateTime, isRead'
const userColumns =
  'id, displayName, mail, jobTitle, department, officeLocation, surname, accountEnabled, givenName, userPrincipalName'
const userNames = new Set(userColumns.split(', '))
const statements = {
  user: prepare(`SELECT version, ${userColumns} FROM users WHERE id = ?`),
  message: prepare(`SELECT version, ${listed} FROM messages WHERE owner = ? AND id = ?`),
  department: prepare(`SELECT version, ${people} FROM users WHERE department = ? ORDER BY id LIMIT ?`),
  departmentAfter: prepare(`SELECT version, ${people} FROM users WHERE department = ? AND id > ? ORDER BY id LIMIT ?`),
  departmentCount: prepare('SELECT count(*) AS count FROM users WHERE department = ?'),
  prefix: prepare(
    `SELECT version, ${people} FROM users WHERE displayName >= ? AND displayName < ? ORDER BY id LIMIT ?`,
  ),
  prefixCount: prepare('SELECT count(*) AS count FROM users WHERE displayName >= ? AND displayName < ?'),
  since: prepare(
    `SELECT version, ${listed} FROM messages WHERE owner = ? AND receivedDateTime >= ?
     ORDER BY receivedDateTime DESC, id DESC LIMIT ?`,
  ),
  latest: prepare(
    `SELECT version, ${listed} FROM messages WHERE owner = ? ORDER BY receivedDateTime DESC, id DESC LIMIT ?`,
  ),
  before: prepare(
    `SELECT version, ${listed} FROM messages WHERE owner = ? AND receivedDateTime < ?
     ORDER BY receivedDateTime DESC, id DESC LIMIT ?`,
  ),
  whole: prepare('SELECT * FROM messages WHERE owner = ? ORDER BY receivedDateTime DESC, id DESC LIMIT ?'),
  insert: prepare(
    `INSERT INTO messages VALUES (@owner, 1, @id, @subject, @body, @toRecipients, @ccRecipients, @from,
     @receivedDateTime, @isRead, @importance, @categories, @createdDateTime, @lastModifiedDateTime)`,
  ),
}

function prepare(sql) {
  return database.prepare(sql)
}

const server = createServer((request, response) => {
  if (request.headers.authorization !== credential) return send(response, 401, { error: { code: 'unauthenticated' } })
  const { url } = request
  const cut = url.indexOf('?')
  const path = cut < 0 ? url : url.slice(0, cut)
  const query = cut < 0 ? '' : decodeURIComponent(url.slice(cut + 1))
  const root = `http://${request.headers.host}/v1.0`
  if (request.method === 'POST') return create(request, response, root)
  if (path === '/v1.0/users/$count') return countUsers(query, response)
  if (path === '/v1.0/users') return listUsers(query, url, response, root)
  if (path === '/v1.0/me/messages') return listMessages(query, url, response, root)
  if (path.startsWith('/v1.0/users/')) return readUser(path.slice('/v1.0/users/'.length), response, root)
  return readMessage(path.slice('/v1.0/me/messages/'.length), response, root)
})

function readUser(id, response, root) {
  const row = statements.user.get(id)
  if (row === undefined) return send(response, 404, { error: { code: 'itemNotFound' } })
  const { version, ...user } = row
  send(response, 200, {
    '@odata.context': `${root}/$metadata#users/$entity`,
    '@odata.etag': `W/"${version}"`,
    ...user,
    accountEnabled: user.accountEnabled === 1,
    assignedLicenses: [],
    businessPhones: [],
    mobilePhone: null,
    preferredLanguage: null,
  })
}

function readMessage(id, response, root) {
  const row = statements.message.get(principal, id)
  if (row === undefined) return send(response, 404, { error: { code: 'itemNotFound' } })
  send(response, 200, {
    '@odata.context': `${root}/$metadata#me/messages(id,subject,receivedDateTime,isRead)/$entity`,
    ...messageLine(row),
  })
}

function listUsers(query, url, response, root) {
  const top = topOf(query)
  const department = /department eq '([^']*)'/.exec(query)?.[1]
  const prefix = /startswith\(displayName,'([^']*)'\)/.exec(query)?.[1]
  const after = continued(query)
  if (department !== undefined && prefix !== undefined)
    return selectUsers(query, url, response, root, department, prefix)
  const rows =
    department === undefined
      ? statements.prefix.all(prefix, behind(prefix), top + 1)
      : after === undefined
        ? statements.department.all(department, top + 1)
        : statements.departmentAfter.all(department, after, top + 1)
  const count = query.includes('$count=true')
    ? { '@odata.count': statements.departmentCount.get(department).count }
    : {}
  const context = `${root}/$metadata#users(id,displayName,mail)`
  sendPage(response, { '@odata.context': context, ...count }, rows, top, url, row => row.id, userLine)
}

/** Properties that vary: the statement is prepared for each request. */
function selectUsers(query, url, response, root, department, prefix) {
  const names = (/\$select=([\w,]+)/.exec(query)?.[1] ?? '').split(',').filter(name => userNames.has(name))
  const top = topOf(query)
  const rows = database
    .prepare(
      `SELECT version, ${names.join(', ')} FROM users
       WHERE department = ? AND displayName >= ? AND displayName < ? ORDER BY id LIMIT ?`,
    )
    .all(department, prefix, behind(prefix), top + 1)
  const line = ({ version, ...user }) => ({
    '@odata.etag': `W/"${version}"`,
    ...user,
    ...('accountEnabled' in user ? { accountEnabled: user.accountEnabled === 1 } : {}),
  })
  const context = `${root}/$metadata#users(${names.join(',')})`
  sendPage(response, { '@odata.context': context }, rows, top, url, row => row.id, line)
}

function countUsers(query, response) {
  const prefix = /startswith\(displayName,'([^']*)'\)/.exec(query)?.[1] ?? ''
  response.writeHead(200, { ...standard(), 'content-type': 'text/plain;charset=utf-8' })
  response.end(String(statements.prefixCount.get(prefix, behind(prefix)).count))
}

function listMessages(query, url, response, root) {
  const top = topOf(query)
  const since = /receivedDateTime ge (\S+?)(?:&|$)/.exec(query)?.[1]
  const after = continued(query)
  const context = `${root}/$metadata#me/messages`
  const key = row => row.receivedDateTime
  if (!query.includes('$select=')) {
    const rows = statements.whole.all(principal, top + 1)
    return sendPage(response, { '@odata.context': context }, rows, top, url, key, wholeMessage)
  }
  const rows =
    after !== undefined
      ? statements.before.all(principal, after, top + 1)
      : since === undefined
        ? statements.latest.all(principal, top + 1)
        : statements.since.all(principal, since, top + 1)
  const selected = `${context}(id,subject,receivedDateTime,isRead)`
  sendPage(response, { '@odata.context': selected }, rows, top, url, key, messageLine)
}

function create(request, response, root) {
  const chunks = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const given = JSON.parse(Buffer.concat(chunks).toString())
    const now = new Date().toISOString()
    const message = {
      id: randomUUID(),
      subject: given.subject ?? null,
      body: given.body ?? null,
      toRecipients: given.toRecipients ?? [],
      ccRecipients: given.ccRecipients ?? [],
      from: given.from ?? null,
      receivedDateTime: now,
      isRead: given.isRead ?? true,
      importance: given.importance ?? 'normal',
      categories: given.categories ?? [],
      createdDateTime: now,
      lastModifiedDateTime: now,
    }
    statements.insert.run({
      ...message,
      owner: principal,
      body: json(message.body),
      toRecipients: json(message.toRecipients),
      ccRecipients: json(message.ccRecipients),
      from: json(message.from),
      isRead: message.isRead ? 1 : 0,
      categories: json(message.categories),
    })
    response.setHeader('location', `${root}/me/messages/${message.id}`)
    const context = `${root}/$metadata#me/messages/$entity`
    send(response, 201, { '@odata.context': context, '@odata.etag': 'W/"1"', ...message })
  })
}

function sendPage(response, head, rows, top, url, keyOf, line) {
  const more = rows.length > top
  if (more) rows.pop()
  send(response, 200, {
    ...head,
    ...(more
      ? { '@odata.nextLink': `${head['@odata.context'].split('/v1.0')[0]}${linkTo(url, keyOf(rows.at(-1)))}` }
      : {}),
    value: rows.map(line),
  })
}

const userLine = ({ version, ...user }) => ({ '@odata.etag': `W/"${version}"`, ...user })
const messageLine = ({ version, ...message }) => ({
  '@odata.etag': `W/"${version}"`,
  ...message,
  isRead: message.isRead === 1,
})
const wholeMessage = ({ owner, version, ...message }) => ({
  '@odata.etag': `W/"${version}"`,
  ...message,
  body: JSON.parse(message.body),
  toRecipients: JSON.parse(message.toRecipients),
  ccRecipients: JSON.parse(message.ccRecipients),
  from: JSON.parse(message.from),
  isRead: message.isRead === 1,
  categories: JSON.parse(message.categories),
})

const json = value => JSON.stringify(value)
const topOf = query => Number(/\$top=(\d+)/.exec(query)?.[1] ?? 10)
/** Names begin with letters, so this sorts after all names with the prefix. */
const behind = prefix => `${prefix}\u{10ffff}`

/** A tamper-proof link, like those of the service. It contains the key of the last item. */
function linkTo(url, key) {
  const text = Buffer.from(JSON.stringify([principal, key])).toString('base64url')
  return `${url.replace(/&\$skiptoken=[^&]*$/, '')}&$skiptoken=${text}.${seal(text)}`
}

function continued(query) {
  const [, text, sealed] = /\$skiptoken=([^.&]+)\.([^&]+)/.exec(query) ?? []
  if (text === undefined || seal(text) !== sealed) return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString())[1]
}

const secret = createHash('sha256').update('floor').digest()
function seal(text) {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22)
}

function standard() {
  return { 'odata-version': '4.01', 'cache-control': 'no-store', 'request-id': randomUUID() }
}

function send(response, status, body) {
  response.writeHead(status, { ...standard(), 'content-type': 'application/json;odata.metadata=minimal' })
  response.end(JSON.stringify(body))
}

server.listen(0, '127.0.0.1', () => console.log(`listening http://127.0.0.1:${server.address().port}`))
process.on('SIGTERM', () => {
  server.close(() => database.close())
  server.closeAllConnections()
})
