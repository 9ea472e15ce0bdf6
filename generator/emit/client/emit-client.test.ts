import { describe, expect, it } from 'vitest'
import { declaration, emitted } from '../../testing/emitted.js'

interface Parts {
  readonly resources?: readonly string[]
  readonly container?: readonly string[]
  readonly paths?: readonly string[]
  readonly operations?: readonly string[]
  readonly query?: string
  readonly features?: string
}

/** A shop: items with a key, parts with a composite one; `/items` is listed with the given query options. */
const spec = ({
  resources = [],
  container = [],
  paths = [],
  operations = [],
  query = '{}',
  features = '{}',
}: Parts) => `
specwright: 1
service: { name: shop, version: v1 }
resources:
  item:
    kind: entityType
    key: [id]
    entityTag: weak
    properties:
      id: { type: Guid, computed: true }
      name: { type: String, search: words }
      added: { type: DateTimeOffset }
      spot: { type: spot, nullable: true }
      tags: { type: Guid, collection: true }
    navigation:
      parts: { to: part, collection: true, contained: true }
      twin: { to: item, nullable: true }
  part:
    kind: entityType
    key: [row, day]
    properties: { row: { type: Int32 }, day: { type: Date } }
  spot: { kind: complexType, properties: { since: { type: Date }, note: { type: String } } }
${resources.map(line => `  ${line}`).join('\n')}
container:
${['items: { entitySet: item }', ...container].map(line => `  ${line}`).join('\n')}
queryOptions:
  listing: ${query}
paths:
  /items: { get: { query: listing } }
${paths.map(line => `  ${line}`).join('\n')}
${operations.length === 0 ? '' : `operations:\n${operations.map(line => `  ${line}`).join('\n')}`}
features: ${features}
preferences: { shape: { name: row-shape, values: [wide, flat] } }
errors:
  notFound: { status: 404, code: no-such-item, message: Not found. }
  needsMode: { status: 400, code: needs-mode, message: Send the mode. }
faults: { itemNotFound: notFound }
`

const client = (parts: Parts) => emitted('client.ts', spec(parts))
const formats = (parts: Parts) => emitted('literal-formats.ts', spec(parts))

/** The type of an operation in its interface, and what makes it, each on one line. */
function operation(name: string, parts: Parts): readonly (string | undefined)[] {
  const text = client(parts).replace(/,?\n *(?=[)>])|(?<=[(<])\n */g, '')
  return [
    new RegExp(`^ {2}readonly ${name}: (.*)$`, 'm').exec(text.replace(/,\n {4,}/g, ', '))?.[1],
    new RegExp(`^ {4}${name}: (.*),$`, 'm').exec(text.replace(/,\n {6,}/g, ', '))?.[1],
  ]
}

const codes = "CommonErrorCode | 'no-such-item'"

describe('an operation in client.ts', () => {
  it.each<[string, string, Parts, string, string]>([
    [
      'an item by key',
      'get',
      { paths: ['/items/{id}: { get: {} }'] },
      `GetOperation<[id: string], ItemShape, NoQuery, ${codes}>`,
      'get(connection, id => `/items/#{segment(id)}`)',
    ],
    [
      'an item by a key in parentheses',
      'get',
      { paths: ['/items({id}): { get: {} }'] },
      `GetOperation<[id: string], ItemShape, NoQuery, ${codes}>`,
      'get(connection, id => `/items#{keyPredicate(id, guid)}`)',
    ],
    [
      'an item by a key in parentheses with its name',
      'get',
      { paths: ['/items(id={id}): { get: {} }'] },
      `GetOperation<[id: string], ItemShape, NoQuery, ${codes}>`,
      'get(connection, id => `/items#{inline({ id }, { id: guid })}`)',
    ],
    [
      'an item by a composite key, below another',
      'get',
      { paths: ['/items/{id}/parts(row={row},day={day}): { get: {} }'] },
      `GetOperation<[id: string, key: { readonly row: number; readonly day: string }], PartShape, NoQuery, ${codes}>`,
      'get(connection, (id, key) => `/items/#{segment(id)}/parts#{inline(key, { row: quoted, day: date })}`)',
    ],
    [
      'a relation that may lead nowhere',
      'get',
      { paths: ['/items/{id}/twin: { get: {} }'] },
      `GetOperation<[id: string], ItemShape, NoQuery, ${codes}, undefined>`,
      'get(connection, id => `/items/#{segment(id)}/twin`)',
    ],
    [
      'a create',
      'create',
      { paths: ['/items/{id}/parts: { post: { creates: part } }'] },
      `CreateOperation<[id: string], PartCreate, Part, ${codes} | 'conflict'>`,
      'create(connection, id => `/items/#{segment(id)}/parts`)',
    ],
    [
      'a change that needs the entity tag',
      'update',
      { paths: ['/items/{id}: { patch: { updates: item, ifMatch: required } }'] },
      `UpdateOperation<[id: string], ItemPatch, Item, ${codes} | 'preconditionFailed' | 'conflict' | 'preconditionRequired', TaggedChangeOptions>`,
      'update(connection, id => `/items/#{segment(id)}`)',
    ],
    [
      'a replacement that takes a preference',
      'replace',
      { paths: ['/items/{id}: { put: { updates: item, ifMatch: optional, prefer: [shape] } }'] },
      `UpdateOperation<[id: string], ItemReplace, Item, ${codes} | 'preconditionFailed' | 'conflict', ChangeOptions & Prefer<{ readonly 'row-shape'?: 'wide' | 'flat' }>>`,
      "update(connection, id => `/items/#{segment(id)}`, 'PUT')",
    ],
    [
      'a delete without entity tag',
      'delete',
      { paths: ['/items/{id}/parts(row={row},day={day}): { delete: { deletes: item } }'] },
      `DeleteOperation<[id: string, key: { readonly row: number; readonly day: string }], ${codes}, RequestOptions>`,
      'remove(connection, (id, key) => `/items/#{segment(id)}/parts#{inline(key, { row: quoted, day: date })}`)',
    ],
    [
      'an action without parameters that returns a number',
      'reset',
      {
        paths: ['/items/{id}/reset: { post: { calls: reset } }'],
        operations: ['reset: { kind: action, binding: item, returns: { type: Int32 } }'],
      },
      `ActionOperation<[id: string], number, ${codes}>`,
      'parameterlessAction(connection, id => `/items/#{segment(id)}/reset`, true)',
    ],
    [
      'an action with parameters that returns nothing',
      'move',
      {
        paths: ['/items/{id}/move: { post: { calls: move } }'],
        operations: ['move: { kind: action, binding: item, parameters: { to: { type: String } } }'],
      },
      `ActionOperation<[id: string, parameters: MoveParameters], void, ${codes}>`,
      'action(connection, id => `/items/#{segment(id)}/move`)',
    ],
    [
      'a function that returns a complex value, with an optional parameter',
      'place',
      {
        paths: ['/items/{id}/place(at={at},exact={exact}): { get: { calls: place } }'],
        operations: [
          'place: { kind: function, binding: item, parameters: { at: { type: Date }, exact: { type: Boolean, optional: true } }, returns: { type: spot } }',
        ],
      },
      `FunctionOperation<[id: string, parameters: PlaceParameters], Spot, ${codes}>`,
      'callFunction(connection, (id, parameters) => `/items/#{segment(id)}/place#{inline(parameters, { at: date }, { exact: quoted })}`)',
    ],
    [
      'a function that returns items, without parameters',
      'newest',
      {
        paths: ['/items/newest(): { get: { calls: newest } }'],
        operations: [
          'newest: { kind: function, binding: item, bindingCollection: true, returns: { type: item, collection: true } }',
        ],
      },
      'ListOperation<[], ItemShape, NoQuery, CommonErrorCode>',
      "list(connection, () => '/items/newest()')",
    ],
  ])('%s', (_, name, parts, type, value) => {
    expect(operation(name, parts)).toEqual([type, value.replaceAll('#{', '$\u007b')])
  })
})

describe('the parameter types of operations in client.ts', () => {
  it.each<[string, Parts, string]>([
    ['a key', { paths: ['/items/{id}: { get: {}, delete: { deletes: item } }'] }, 'type IdArguments = [id: string]'],
    [
      'a key and parameters',
      {
        paths: [
          '/items/{id}/move: { post: { calls: move } }',
          '/items/{id}/twin/move: { post: { calls: move } }',
          '/items/{id}/parts: { get: {} }',
        ],
        operations: ['move: { kind: action, binding: item, parameters: { to: { type: String } } }'],
      },
      'type IdAndMoveArguments = [id: string, parameters: MoveParameters]',
    ],
    [
      'composite keys',
      { paths: ['/items/{id}/parts(row={row},day={day}): { get: {}, delete: { deletes: part } }'] },
      'type IdAndKeyArguments = [id: string, key: { readonly row: number; readonly day: string }]',
    ],
  ])('is generated once for several functions: %s', (_, parts, tuple) => {
    const text = client(parts)
    expect(text.match(/^type .*/gm)).toEqual([tuple])
    expect(text.split(tuple.replace(/^.*= /, ''))).toHaveLength(2)
  })

  it('differs if the types differ', () => {
    const text = client({
      paths: [
        '/items/{id}: { get: {}, delete: { deletes: item } }',
        '/parts: { get: {} }',
        '/parts/{id}: { get: {}, delete: { deletes: numbered } }',
      ],
      container: ['parts: { entitySet: numbered }'],
      resources: ['numbered: { kind: entityType, key: [id], properties: { id: { type: Int32 } } }'],
    })
    expect(text.match(/^type .*/gm)).toEqual(['type IdArguments = [id: string]', 'type IdArguments_ = [id: number]'])
  })
})

describe('the types of queries in client.ts', () => {
  it('offer what the endpoint supports, and nothing else', () => {
    const query = `
    select: true
    filter: { operators: [eq, and], functions: [contains, length], lambdas: [any], properties: { name: none, parts: true } }
    orderby: { properties: [name, spot/since] }
    expand: { relations: { parts: true, twin: none } }
    top: true
    search: { syntax: propertyTerms, join: [OR] }`
    expect(declaration(client({ query }), 'export interface Listing ')).toBe(
      `export interface Listing {
  readonly options: 'select' | 'filter' | 'orderby' | 'expand' | 'top' | 'search'
  readonly filter: 'eq' | 'and' | 'contains' | 'length' | 'any'
  readonly unfilterable: 'name'
  readonly through: 'parts'
  readonly orderby: 'name' | 'spot/since'
  readonly expand: 'parts'
  readonly search: SearchTerms<'name'>
  readonly nested: SelectOnly
}`,
    )
  })

  it('omit properties without an order, and nest as deep as the endpoint expands', () => {
    const query = `{ orderby: { properties: { name: none } }, expand: { relations: [twin], maxDepth: 2, nested: [expand, top] } }`
    const text = client({ query })
    expect(declaration(text, 'export interface Listing ')).toContain(
      "readonly orderby: 'id' | 'added' | 'spot/since' | 'spot/note'\n",
    )
    expect(declaration(text, 'export interface ListingExpanded ')).toContain("readonly options: 'expand' | 'top'\n")
    expect(declaration(text, 'export interface ListingExpanded2 ')).toContain("readonly options: 'top'\n")
  })
})

describe('the formats of literals in literal-formats.ts', () => {
  it('contain every type that is not written as a string, nested, and for each item of a collection', () => {
    expect(declaration(formats({ query: '{ filter: true }' }), 'const itemFormats')).toBe(
      `const itemFormats: LiteralFormats = {
  id: guid,
  added: dateTimeOffset,
  spot: { since: date },
  tags: { $it: guid },
}`,
    )
  })

  it('are generated once for types that have few, and the same', () => {
    const like = (name: string, more: string) =>
      `${name}: { kind: entityType, key: [id], properties: { id: { type: String }, day: { type: Date }, at: { type: DateTimeOffset }${more} } }`
    const parts: Parts = {
      resources: [like('a', ''), like('b', ', note: { type: String }'), like('c', ', by: { type: Guid }')],
      container: ['a: { entitySet: a }', 'b: { entitySet: b }', 'c: { entitySet: c }'],
      paths: ['a', 'b', 'c'].map(name => `/${name}: { get: { query: { filter: true } } }`),
    }
    expect(formats(parts).match(/^export const .*/gm)).toEqual([
      'export const dayAndAtFormats: LiteralFormats = { day: date, at: dateTimeOffset }',
      'export const cFormats: LiteralFormats = { day: date, at: dateTimeOffset, by: guid }',
    ])
    expect(client(parts)).toContain("list: list(connection, () => '/b', dayAndAtFormats)")
  })

  it('follow relations only if filters do', () => {
    const text = formats({ query: '{ filter: { properties: { twin: true } } }' })
    expect(declaration(text, 'const itemFormats')).toContain('  get twin() {\n    return itemFormats\n  },\n')
  })
})

describe('the headers that queries need', () => {
  it.each([
    ['[filter.contains, filter.any]', '/(contains|any)\\(/i.test(query)'],
    ['[filter.eq, filter.not]', '/%20eq%20|not%20/i.test(query)'],
    ['[search, count]', '/\\$count=true|(\\$|%24)search(=|%3D)/i.test(query)'],
    ['[filter+orderby]', '/\\$filter=/i.test(query) && /\\$orderby=/i.test(query)'],
  ])('are derived from the query: %s', (when, test) => {
    const query = `
    filter: { functions: [contains], lambdas: [any] }
    orderby: true
    count: true
    search: true
    requires: [{ when: ${when}, header: { X-Mode: slow }, otherwise: needsMode }]`
    expect(declaration(client({ query }), 'const needsModeConditions').replace(/\n */, ' ')).toBe(
      `const needsModeConditions: RequiredHeaders = query => ${test} ? { 'X-Mode': 'slow' } : {}`,
    )
  })

  it('are always needed if the path itself counts', () => {
    const text = emitted(
      'client.ts',
      spec({
        paths: [
          '/items/$count: { get: { query: { filter: true, requires: [{ when: [countPath], header: { X-Mode: slow }, otherwise: needsMode }] } } }',
        ],
      }),
    )
    expect(text).toContain("const needsModeConditions: RequiredHeaders = () => ({ 'X-Mode': 'slow' })\n")
  })

  it('changes the links of a relation behind a cast with the update of the item', () => {
    const text = client({
      resources: [
        'tool: { kind: entityType, base: item, navigation: { spares: { to: item, collection: true }, box: { to: item, nullable: true } } }',
      ],
      paths: [
        '/items/{id}: { patch: { updates: item } }',
        '/items/{id}/shop.tool/spares: { get: {} }',
        '/items/{id}/shop.tool/box: { get: { returns: item } }',
      ],
      features: '{ references: true }',
    })
    expect(text).toMatch(/ref: links\(connection, id => `\/items\/\$\{segment\(id\)\}\/shop\.tool\/spares`\)/)
    expect(text).toMatch(/ref: link\(connection, id => `\/items\/\$\{segment\(id\)\}\/shop\.tool\/box`\)/)
  })
})
