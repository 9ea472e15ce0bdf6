// Makes the tables in the database of the configuration, gives them the indexes that the other contestants have, and
// fills them: `node fill.cjs USERS MESSAGES`.
const cds = require('@sap/cds')

const batch = 1000
const indexes = [
  'CREATE INDEX users_displayName ON directory_Users (displayName, id)',
  'CREATE INDEX users_mail ON directory_Users (mail, id)',
  'CREATE INDEX users_jobTitle ON directory_Users (jobTitle, id)',
  'CREATE INDEX users_department ON directory_Users (department, id)',
  'CREATE INDEX users_surname ON directory_Users (surname, id)',
  'CREATE INDEX messages_id ON directory_Messages (owner_id, id)',
  'CREATE INDEX messages_receivedDateTime ON directory_Messages (owner_id, receivedDateTime, id)',
  'CREATE INDEX messages_isRead ON directory_Messages (owner_id, isRead, id)',
]

async function fill(users, messages) {
  const { organisation } = await import('../organisation.mjs')
  const { flat } = await import('./flat.mjs')
  const model = await cds.load('*')
  await cds.deploy(model).to('db')
  cds.model = cds.compile.for.nodejs(model)
  const db = await cds.connect.to('db')
  const people = []
  const mail = []
  const store = async (entity, rows) => void (await db.run(INSERT.into(entity).entries(rows.splice(0))))
  for (const { user, messages: own } of organisation(users, messages)) {
    people.push(user)
    for (const message of own) mail.push({ ...flat(message), owner_id: user.id })
    if (people.length >= batch) await store('directory.Users', people)
    if (mail.length >= batch) await store('directory.Messages', mail)
  }
  if (people.length > 0) await store('directory.Users', people)
  if (mail.length > 0) await store('directory.Messages', mail)
  for (const index of indexes) await db.run(index)
  await db.run('ANALYZE')
  await db.disconnect()
}

const [users, messages] = process.argv.slice(2).map(Number)
fill(users, messages).catch(error => {
  console.error(error)
  process.exitCode = 1
})
