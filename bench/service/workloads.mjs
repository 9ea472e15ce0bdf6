import {
  departments,
  givenNames,
  messageId,
  moment,
  ownMessages,
  pageSize,
  rareDepartment,
  userId,
} from './organisation.mjs'

/**
 * One request as the interface states it. Contestants with other addresses translate it.
 *
 * @typedef {object} Asked
 * @property {'GET' | 'POST'} method
 * @property {string} path below the service's root, `/me/messages`
 * @property {Readonly<Record<string, string>>} [query]
 * @property {unknown} [body]
 * @property {string} [as] in place of path and query, a link that the service itself gave
 *
 * @typedef {object} Workload
 * @property {string} name
 * @property {string} request how it is shown in the report
 * @property {(users: number, round: number) => readonly Asked[]} requests sent in turn
 * @property {boolean} [isFresh] whether each round has requests that no other round has
 */

const requestsEach = 400
/** More than a service answers in a round. */
const freshRequests = 20_000
const listed = 'id,subject,receivedDateTime,isRead'
const people = 'id,displayName,mail'
const selectable = [
  ...['displayName', 'mail', 'jobTitle', 'department', 'officeLocation', 'surname', 'accountEnabled', 'givenName'],
  'userPrincipalName',
]

/** @type {readonly Workload[]} */
export const workloads = [
  {
    name: 'item',
    request: 'GET /users/{id}',
    requests: users => spread(at => get(`/users/${userId((at * 7919) % users)}`)),
  },
  {
    name: 'item, selected',
    request: 'GET /me/messages/{id}?$select=…',
    requests: () => spread(at => get(`/me/messages/${messageId((at * 7919) % ownMessages)}`, { $select: listed })),
  },
  {
    name: 'filtered page, equality',
    request: "GET /users?$filter=department eq '…'&$select=…&$top=50",
    requests: () =>
      spread(at => get('/users', { $filter: `department eq '${of(departments, at)}'`, $select: people, $top: '50' })),
  },
  {
    name: 'filtered page, prefix',
    request: "GET /users?$filter=startsWith(displayName,'…')&$select=…&$top=50",
    requests: () =>
      spread(at =>
        get('/users', { $filter: `startswith(displayName,'${of(givenNames, at)}')`, $select: people, $top: '50' }),
      ),
  },
  {
    name: 'ordered page',
    request: 'GET /me/messages?$filter=receivedDateTime ge …&$orderby=receivedDateTime desc&$select=…&$top=50',
    requests: () =>
      spread(at =>
        get('/me/messages', {
          $filter: `receivedDateTime ge ${moment((at * 7919) % 10_000)}`,
          $orderby: 'receivedDateTime desc',
          $select: listed,
          $top: '50',
        }),
      ),
  },
  {
    name: 'ordered page, whole items',
    request: 'GET /me/messages?$orderby=receivedDateTime desc&$top=50',
    requests: () => [get('/me/messages', { $orderby: 'receivedDateTime desc', $top: '50' })],
  },
  {
    name: 'count',
    request: "GET /users/$count?$filter=startsWith(displayName,'…')",
    requests: () => spread(at => get('/users/$count', { $filter: `startswith(displayName,'${of(givenNames, at)}')` })),
  },
  {
    name: 'counted page',
    request: "GET /users?$filter=department eq '…'&$count=true&$select=…&$top=10",
    requests: () =>
      spread(at =>
        get('/users', {
          $filter: `department eq '${of(departments, at)}'`,
          $count: 'true',
          $select: people,
          $top: '10',
        }),
      ),
  },
  {
    name: 'page, never asked before',
    request: "GET /users?$filter=department eq '…' and startsWith(displayName,'…')&$select=(another list)&$top=…",
    isFresh: true,
    requests: (_, round) =>
      Array.from({ length: freshRequests }, (_, index) => {
        const at = round * freshRequests + index
        return get('/users', {
          $filter: `department eq '${of(departments, at)}' and startswith(displayName,'${of(givenNames, at)}')`,
          $select: selection(at),
          $top: String(1 + (at % 50)),
        })
      }),
  },
  {
    name: 'create',
    request: 'POST /me/messages',
    requests: () => spread(at => ({ method: 'POST', path: '/me/messages', body: draft(at) })),
  },
]

/** The first page of the signed-in person's mail. Links lead to the others. */
export const firstPage = get('/me/messages', {
  $orderby: 'receivedDateTime desc',
  $select: listed,
  $top: String(pageSize),
})

/** Has the same response whether the table has 10,000 people or ten times as many. */
export const rarePage = get('/users', {
  $filter: `department eq '${rareDepartment.name}'`,
  $select: people,
  $top: String(rareDepartment.people),
})

/** The address below a root, encoded as clients do. @param {Asked} asked */
export function targetOf({ path, query = {}, as }, root) {
  if (as !== undefined) return as
  const options = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${root}${path}${options.length === 0 ? '' : `?${options.join('&')}`}`
}

function get(path, query) {
  return { method: 'GET', path, ...(query && { query }) }
}

function spread(make) {
  return Array.from({ length: requestsEach }, (_, at) => make(at))
}

/** Seven of the nine properties in some order: 181,440 lists, each of which comes once before the first one comes again. */
function selection(at) {
  const rest = [...selectable]
  let number = (at * 7919) % 181_440
  const chosen = []
  while (chosen.length < 7) {
    const index = number % rest.length
    number = Math.floor(number / rest.length)
    chosen.push(...rest.splice(index, 1))
  }
  return ['id', ...chosen].join(',')
}

function of(values, at) {
  return values[at % values.length] ?? ''
}

function draft(at) {
  return {
    subject: `Delivery ${at}`,
    body: { contentType: 'text', content: 'The parts for the second line are in the yard.' },
    toRecipients: [{ emailAddress: { address: 'ada.abel@example.com', name: 'Ada Abel' } }],
    importance: at % 10 === 0 ? 'high' : 'normal',
    categories: ['Follow up'],
  }
}
