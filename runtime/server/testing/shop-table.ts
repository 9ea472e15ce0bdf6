import type { Capabilities } from '../../query/capabilities/capabilities.js'
import type { ErrorInfo, Fault, OperationInfo, Route, ServiceTable } from '../service-table.js'

const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'and', 'or', 'not', 'in']

/** All capabilities except `compute`. `contains` and `search` require a header. */
const everything: Capabilities = {
  select: 'optional',
  filter: {
    support: 'optional',
    operators: Object.fromEntries(operators.map(name => [name, 'optional' as const])),
    functions: { startswith: 'optional', contains: 'optional' },
    lambdas: { any: 'optional' },
    properties: { secret: { support: 'none' } },
  },
  orderby: { support: 'optional', properties: {} },
  expand: {
    support: 'optional',
    relations: { author: 'optional', reviews: 'optional' },
    maxDepth: 1,
    nested: ['select'],
  },
  top: { support: 'optional', default: 2, max: 5, above: 'open', min: 0 },
  skip: 'optional',
  count: 'optional',
  search: { support: 'optional', syntax: 'words', join: ['OR'], properties: ['title'] },
  requires: [
    {
      when: [['filter.contains'], ['search'], ['countPath']],
      header: { name: 'ConsistencyLevel', value: 'eventual' },
      otherwise: 'advanced',
    },
  ],
}

const selectOnly: Capabilities = {
  ...everything,
  filter: { ...everything.filter, support: 'none' },
  requires: [],
}

function error(status: number, code: string, message = `${code}.`): ErrorInfo {
  return { status, code, message }
}

const faults: Readonly<Record<Fault, ErrorInfo>> = {
  pathNotFound: error(404, 'pathNotFound', 'There is nothing at {path}.'),
  itemNotFound: error(404, 'itemNotFound', 'There is no item {isbn}.'),
  methodNotAllowed: error(405, 'methodNotAllowed'),
  notAcceptable: error(406, 'notAcceptable'),
  unsupportedMediaType: error(415, 'unsupportedMediaType'),
  malformedQueryOption: error(400, 'malformedQueryOption', '{option}: {reason}'),
  unsupportedQueryOption: error(400, 'unsupportedQueryOption'),
  malformedBody: error(400, 'malformedBody'),
  invalidBody: error(400, 'invalidBody'),
  malformedKey: error(400, 'malformedKey'),
  invalidParameter: error(400, 'invalidParameter'),
  malformedEntityTag: error(400, 'malformedEntityTag'),
  preconditionFailed: error(412, 'preconditionFailed'),
  preconditionRequired: error(428, 'preconditionRequired'),
  conflict: error(409, 'conflict'),
  expiredToken: error(410, 'expiredToken'),
  payloadTooLarge: error(413, 'payloadTooLarge'),
  uriTooLong: error(414, 'uriTooLong'),
  tooManyRequests: error(429, 'tooManyRequests'),
  notImplemented: error(501, 'notImplemented'),
  internalError: error(500, 'internalError', 'The service failed.'),
  serviceUnavailable: error(503, 'serviceUnavailable'),
}

const books = { kind: 'name', name: 'books' } as const
const isbn = { kind: 'key', keys: [{ variable: 'isbn', property: 'isbn', type: 'Edm.String' }] } as const
const bookSet = { kind: 'entitySet', name: 'books', type: 'book' } as const
const bookKey = { kind: 'key', type: 'book', variables: ['isbn'] } as const
const copies = { kind: 'name', name: 'copies' } as const
const copySet = { kind: 'entitySet', name: 'copies', type: 'copy' } as const
const me = { kind: 'name', name: 'me' } as const
const meSingleton = { kind: 'singleton', name: 'me', type: 'person' } as const

function route(
  name: string,
  kind: Route['kind'],
  [method, path]: readonly [Route['method'], string],
  segments: Route['segments'],
  resource: Route['resource'],
  details: Partial<Route>,
): Route {
  const defaults = { status: 200, scopes: [], errors: [], preferences: [] }
  return { ...defaults, name, kind, method, path, segments, resource, ...details }
}

/** An operation that is bound to `me`. */
function operationOfMe(path: string, status: number, operation: OperationInfo): Route {
  const segment = { kind: 'operation', name: operation.name } as const
  const method = operation.kind === 'action' ? 'POST' : 'GET'
  const details = { status, operation }
  return route(`me.${operation.name}`, 'call', [method, path], [me, segment], [meSingleton, segment], details)
}

const routes: readonly Route[] = [
  route('books.list', 'collection', ['GET', '/books'], [books], [bookSet], {
    type: 'book',
    query: everything,
    preferences: ['cover'],
  }),
  route('books.create', 'create', ['POST', '/books'], [books], [bookSet], {
    status: 201,
    type: 'book',
    scopes: ['write', 'admin'],
  }),
  route('books.get', 'item', ['GET', '/books/{isbn}'], [books, isbn], [bookSet, bookKey], {
    type: 'book',
    query: selectOnly,
    ifNoneMatch: 'optional',
    errors: ['bookNotFound'],
  }),
  route('books.update', 'update', ['PATCH', '/books/{isbn}'], [books, isbn], [bookSet, bookKey], {
    type: 'book',
    ifMatch: 'optional',
    errors: ['bookNotFound', 'stale'],
  }),
  route('books.replace', 'replace', ['PUT', '/books/{isbn}'], [books, isbn], [bookSet, bookKey], {
    status: 204,
    type: 'book',
    ifMatch: 'required',
    errors: ['bookNotFound', 'stale'],
  }),
  route('books.delete', 'delete', ['DELETE', '/books/{isbn}'], [books, isbn], [bookSet, bookKey], {
    status: 204,
    type: 'book',
    ifMatch: 'none',
  }),
  route('books.count', 'count', ['GET', '/books/$count'], [books, { kind: 'count' }], [bookSet], {
    type: 'book',
    query: everything,
  }),
  route('books.delta', 'delta', ['GET', '/books/delta'], [books, { kind: 'delta' }], [bookSet], {
    type: 'book',
    query: everything,
  }),
  route(
    'books.author.get',
    'item',
    ['GET', '/books/{isbn}/author'],
    [books, isbn, { kind: 'name', name: 'author' }],
    [bookSet, bookKey, { kind: 'navigation', name: 'author', type: 'person', collection: false }],
    { type: 'person', query: selectOnly, absent: 204 },
  ),
  route(
    'books.reviews.list',
    'collection',
    ['GET', '/books/{isbn}/reviews'],
    [books, isbn, { kind: 'name', name: 'reviews' }],
    [bookSet, bookKey, { kind: 'navigation', name: 'reviews', type: 'review', collection: true }],
    { type: 'review', query: everything },
  ),
  route(
    'copies.get',
    'item',
    ['GET', '/copies(isbn={isbn},number={number})'],
    [
      copies,
      {
        kind: 'key',
        keys: [
          { variable: 'isbn', property: 'isbn', type: 'Edm.String' },
          { variable: 'number', property: 'number', type: 'Edm.Int32' },
        ],
      },
    ],
    [copySet, { kind: 'key', type: 'copy', variables: ['isbn', 'number'] }],
    { type: 'copy' },
  ),
  route('copies.create', 'create', ['POST', '/copies'], [copies], [copySet], { status: 204, type: 'copy' }),
  route('me.get', 'item', ['GET', '/me'], [me], [meSingleton], { type: 'person' }),
  operationOfMe('/me/recommend(since={since},genre={genre})', 200, {
    kind: 'function',
    name: 'recommend',
    parameters: {
      since: { type: 'Edm.String', minLength: 1, format: 'dateTimeOffset' },
      genre: { type: 'genre', optional: true },
      limit: { type: 'Edm.Int32', optional: true, minimum: 1 },
      tags: { type: 'Edm.String', collection: true, optional: true },
    },
    returns: { type: 'book', collection: true },
  }),
  operationOfMe('/me/follow', 200, {
    kind: 'action',
    name: 'follow',
    parameters: { ids: { type: 'Edm.String', collection: true, maxItems: 2 } },
    returns: { type: 'Edm.String', collection: true },
  }),
  operationOfMe('/me/reset', 204, { kind: 'action', name: 'reset', parameters: {} }),
  route(
    'people.list',
    'collection',
    ['GET', '/people'],
    [{ kind: 'name', name: 'people' }],
    [{ kind: 'entitySet', name: 'people', type: 'person' }],
    { type: 'person', query: everything },
  ),
]

const nullableText = { type: 'Edm.String', nullable: true } as const

/** A book shop, for the tests of the core. */
export const shopTable: ServiceTable = {
  name: 'shop',
  namespace: 'shop',
  version: 'v1',
  types: {
    book: {
      kind: 'entityType',
      key: ['isbn'],
      entityTag: 'weak',
      properties: {
        isbn: { type: 'Edm.String', required: true, createOnly: true, minLength: 1, maxLength: 13 },
        title: { type: 'Edm.String', required: true, maxLength: 20 },
        pages: { type: 'Edm.Int32', nullable: true, minimum: 1 },
        genre: { type: 'genre', default: 'novel' },
        price: { type: 'money', nullable: true },
        published: { type: 'Edm.Date', nullable: true },
        updatedAt: { type: 'Edm.DateTimeOffset', computed: true },
        tags: { type: 'Edm.String', collection: true, maxItems: 3, maxLength: 5 },
        size: { type: 'dimensions', nullable: true },
        boxes: { type: 'dimensions', collection: true },
        weight: { type: 'Edm.Double', nullable: true },
        cover: { type: 'Edm.Binary', nullable: true, onSelect: true },
        sold: { type: 'Edm.Int64', nullable: true },
        secret: { type: 'Edm.Guid', nullable: true, onSelect: true },
      },
      navigation: {
        author: { type: 'person', nullable: true },
        reviews: { type: 'review', collection: true, contained: true },
      },
    },
    review: {
      kind: 'entityType',
      key: ['id'],
      properties: { id: { type: 'Edm.Guid', computed: true }, stars: { type: 'Edm.Byte' } },
      navigation: {},
    },
    copy: {
      kind: 'entityType',
      key: ['isbn', 'number'],
      properties: {
        isbn: { type: 'Edm.String' },
        number: { type: 'Edm.Int32' },
        constructor: nullableText,
      },
      navigation: {},
    },
    person: {
      kind: 'entityType',
      key: ['id'],
      properties: { id: { type: 'Edm.Guid', computed: true }, name: { type: 'Edm.String', nullable: true } },
      navigation: {},
    },
    writer: {
      kind: 'entityType',
      base: 'person',
      key: ['id'],
      properties: {
        id: { type: 'Edm.Guid', computed: true },
        name: { type: 'Edm.String', nullable: true },
        penName: { type: 'Edm.String', nullable: true },
      },
      navigation: {},
    },
    dimensions: {
      kind: 'complexType',
      key: [],
      properties: {
        width: { type: 'Edm.Double', required: true },
        unit: { type: 'Edm.String', default: 'cm' },
        inner: { type: 'dimensions', nullable: true },
      },
      navigation: {},
    },
    genre: { kind: 'enumType', members: { novel: 0, poetry: 1, science: 2 } },
    money: { kind: 'typeDefinition', type: 'Edm.Decimal', precision: 6, scale: 2 },
  },
  container: {
    books: { kind: 'entitySet', type: 'book' },
    copies: { kind: 'entitySet', type: 'copy' },
    people: { kind: 'entitySet', type: 'person' },
    me: { kind: 'singleton', type: 'person', principal: true },
  },
  routes,
  errors: {
    unauthenticated: error(401, 'unauthenticated'),
    forbidden: error(403, 'forbidden'),
    bookNotFound: error(404, 'bookNotFound', 'There is no book {isbn}.'),
    stale: error(412, 'stale'),
    advanced: error(400, 'advanced', 'Send the header {header}: {value}.'),
  },
  faults,
  authentication: { scheme: 'bearer', missing: 'unauthenticated', insufficient: 'forbidden' },
  preferences: { cover: { name: 'cover-size', values: ['small', 'large'], default: 'small' } },
  choices: { topAboveMaximum: 'clamp', topMeaning: 'pageSize' },
  limits: { url: 2000, body: 1000 },
}
