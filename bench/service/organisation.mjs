/**
 * The organisation that every contestant serves: people, each with a department, and mail. Its size determines it,
 * and a larger one begins with the people and the mail of a smaller one.
 *
 * @typedef {object} User
 * @property {string} id
 * @property {string} displayName
 * @property {string} mail
 * @property {string} jobTitle
 * @property {string} department
 * @property {string} officeLocation
 * @property {string} givenName
 * @property {string} surname
 * @property {boolean} accountEnabled
 * @property {string} userPrincipalName
 *
 * @typedef {object} Message as the interface has it, without what only the service sets
 */

/** The signed-in person. Their mail fills exactly 1,000 pages of {@link pageSize}. */
export const principal = userId(0)
export const ownMessages = 20_000
export const pageSize = 20

/** A department of exactly this many people, all among the first 10,000. */
export const rareDepartment = { name: 'Lighthouse', people: 100 }

export const departments = [
  ...['Accounting', 'Archive', 'Bookings', 'Catering', 'Design', 'Engineering', 'Facilities', 'Finance', 'Fleet'],
  ...['Hardware', 'Insurance', 'Internal Audit', 'Kitchen', 'Laboratory', 'Legal', 'Library', 'Logistics', 'Marketing'],
  ...['Medical', 'Operations', 'Payroll', 'Planning', 'Press', 'Printing', 'Procurement', 'Quality', 'Reception'],
  ...[
    'Repairs',
    'Research',
    'Sales',
    'Security',
    'Software',
    'Storage',
    'Support',
    'Surveying',
    'Training',
    'Transport',
  ],
  ...['Treasury', 'Warehouse', 'Workshop'],
]

export const givenNames = [
  ...['Ada', 'Amir', 'Anja', 'Boris', 'Carla', 'Chen', 'Dalia', 'Diego', 'Elif', 'Emil', 'Farid', 'Fiona', 'Goran'],
  ...['Hana', 'Hugo', 'Ines', 'Ivan', 'Jana', 'Jorge', 'Kaito', 'Karin', 'Lars', 'Leila', 'Marek', 'Mina', 'Nadia'],
  ...[
    'Nils',
    'Olga',
    'Omar',
    'Paula',
    'Pavel',
    'Rana',
    'Rosa',
    'Samir',
    'Sofia',
    'Tariq',
    'Uma',
    'Vera',
    'Yusuf',
    'Zoe',
  ],
]
const surnames = [
  ...['Abel', 'Bauer', 'Cohen', 'Dubois', 'Eriksen', 'Fischer', 'Garcia', 'Haddad', 'Ito', 'Jansen', 'Kovac', 'Lopez'],
  ...['Meyer', 'Novak', 'Okafor', 'Petrov', 'Quist', 'Rossi', 'Silva', 'Tanaka', 'Ulrich', 'Varga', 'Weber', 'Yilmaz'],
]
const titles = ['Analyst', 'Assistant', 'Clerk', 'Consultant', 'Director', 'Engineer', 'Manager', 'Specialist']
const topics = ['Delivery', 'Invoice', 'Meeting', 'Offer', 'Order', 'Plan', 'Report', 'Request', 'Review', 'Summary']
const sentence = 'The parts for the second line are in the yard, and the list of what is missing is attached below. '

export function userId(index) {
  return `11111111-0000-4000-8000-${String(index).padStart(12, '0')}`
}

export function messageId(index) {
  return `22222222-0000-4000-8000-${String(index).padStart(12, '0')}`
}

/** @returns {User} */
export function user(index) {
  const random = generator(index * 2 + 1)
  const givenName = pick(givenNames, random)
  const surname = pick(surnames, random)
  const mail = `${givenName}.${surname}.${index}@example.com`.toLowerCase()
  const isRare = index < 10_000 && index % (10_000 / rareDepartment.people) === 7
  return {
    id: userId(index),
    displayName: `${givenName} ${surname}`,
    mail,
    jobTitle: pick(titles, random),
    department: isRare ? rareDepartment.name : pick(departments, random),
    officeLocation: `${1 + Math.floor(random() * 40)}/${100 + Math.floor(random() * 900)}`,
    givenName,
    surname,
    accountEnabled: random() < 0.9,
    userPrincipalName: mail,
  }
}

/** @returns {Message} */
export function message(index) {
  const random = generator(index * 2 + 2)
  const at = moment(index)
  const topic = pick(topics, random)
  return {
    id: messageId(index),
    subject: `${topic} ${Math.floor(random() * 100_000)}`,
    body: { contentType: 'text', content: sentence.repeat(1 + Math.floor(random() * 5)) },
    toRecipients: [address(random)],
    ccRecipients: random() < 0.3 ? [address(random)] : [],
    from: address(random),
    receivedDateTime: at,
    isRead: random() < 0.7,
    importance: random() < 0.1 ? 'high' : 'normal',
    categories: random() < 0.2 ? ['Follow up'] : [],
    createdDateTime: at,
    lastModifiedDateTime: at,
  }
}

/** When a message was received: one a minute, in shuffled order, so that no two have the same time. */
export function moment(index) {
  const minute = (index * 7919) % ownMessages
  return new Date(Date.UTC(2026, 0, 1) + (index < ownMessages ? minute : index) * 60_000)
    .toISOString()
    .replace('.000', '')
}

/** The owner of a message: the signed-in person has the first 20,000, everybody else shares the rest. */
export function ownerOf(index, users) {
  return index < ownMessages ? 0 : 1 + ((index - ownMessages) % (users - 1))
}

/** Everybody with their mail, in the order of their keys. @returns {Generator<{ user: User, messages: Message[] }>} */
export function* organisation(users, messages) {
  for (let index = 0; index < users; index++) {
    const own = []
    if (index === 0) for (let at = 0; at < Math.min(ownMessages, messages); at++) own.push(message(at))
    else for (let at = ownMessages + index - 1; at < messages; at += users - 1) own.push(message(at))
    yield { user: user(index), messages: own }
  }
}

function address(random) {
  const name = `${pick(givenNames, random)} ${pick(surnames, random)}`
  return { emailAddress: { address: `${name.replace(' ', '.').toLowerCase()}@example.com`, name } }
}

function pick(values, random) {
  return values[Math.floor(random() * values.length)] ?? ''
}

/** Mulberry32: the same sequence for the same seed, everywhere. @returns {() => number} from 0 to 1 */
function generator(seed) {
  let state = Math.imul(seed, 0x9e3779b1) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
