import Database from 'better-sqlite3'
import { organisation } from '../organisation.mjs'

const userColumns = [
  ...['id', 'displayName', 'mail', 'jobTitle', 'department', 'officeLocation', 'surname', 'accountEnabled'],
  ...['givenName', 'userPrincipalName'],
]
const messageColumns = [
  ...['id', 'subject', 'body', 'toRecipients', 'ccRecipients', 'from', 'receivedDateTime', 'isRead', 'importance'],
  ...['categories', 'createdDateTime', 'lastModifiedDateTime'],
]
const quoted = columns => columns.map(name => `"${name}"`).join(', ')
const schema = `
  CREATE TABLE users (version INTEGER NOT NULL, ${quoted(userColumns)});
  CREATE UNIQUE INDEX users_id ON users (id);
  CREATE INDEX users_displayName ON users (displayName, id);
  CREATE INDEX users_department ON users (department, id);
  CREATE TABLE messages (owner TEXT NOT NULL, version INTEGER NOT NULL, ${quoted(messageColumns)});
  CREATE UNIQUE INDEX messages_id ON messages (owner, id);
  CREATE INDEX messages_receivedDateTime ON messages (owner, receivedDateTime, id);
  CREATE INDEX messages_isRead ON messages (owner, isRead, id);
`

/** Creates the database of the lower bound: plain tables, with the indexes that its statements need. */
export function fill(file, { users, messages }) {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.exec(schema)
  const addUser = database.prepare(`INSERT INTO users VALUES (1${', ?'.repeat(userColumns.length)})`)
  const addMessage = database.prepare(`INSERT INTO messages VALUES (?, 1${', ?'.repeat(messageColumns.length)})`)
  const addAll = database.transaction(() => {
    for (const { user, messages: own } of organisation(users, messages)) {
      addUser.run(...userColumns.map(name => stored(user[name])))
      for (const message of own) addMessage.run(user.id, ...messageColumns.map(name => stored(message[name])))
    }
  })
  addAll()
  database.exec('ANALYZE')
  database.close()
}

function stored(value) {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
