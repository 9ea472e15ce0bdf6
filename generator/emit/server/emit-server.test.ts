import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { type CompactServiceTable, readServiceTable } from '../../../runtime/server/index.js'
import { buildServiceTable, loadSpec, type ServiceTableData } from '../../../spec/language/index.js'
import { declaration, emitted } from '../../testing/emitted.js'
import { dataLiteral } from '../../text/literals.js'
import { compactTable } from './emit-server.js'

const spec = (paths: string, { scheme = 'none', operations = '' } = {}) => `
specwright: 1
service: { name: shop, version: v1, title: The Shop }
authentication: { scheme: ${scheme}${scheme === 'none' ? '' : ', missing: unknownCaller, insufficient: notAllowed'} }
resources:
  item:
    kind: entityType
    key: [id]
    entityTag: weak
    properties: { id: { type: String, computed: true }, name: { type: String } }
    navigation: { parts: { to: part, collection: true, contained: true }, twin: { to: item, nullable: true } }
  tool: { kind: entityType, base: item, properties: { size: { type: Int32 } } }
  part: { kind: entityType, key: [row], properties: { row: { type: Int32 } } }
  thing: { kind: entityType, key: [code], properties: { code: { type: String } } }
container: { items: { entitySet: item }, things: { entitySet: thing } }
queryOptions: { listing: { top: { default: 10 }, expand: { relations: [twin] } } }
paths:
${paths}
${operations}
errors:
  unknownCaller: { status: 401, code: who, message: Who? }
  notAllowed: { status: 403, code: no, message: No. }
`

const server = (...all: Parameters<typeof spec>) => emitted('server.ts', spec(...all))

describe('a handler in server.ts', () => {
  it.each([
    [
      'a collection',
      '/items: { get: { query: listing } }',
      'list',
      'ListResult<AnyItemRow>',
      ['query: QueryOptions', 'pageSize: number'],
    ],
    [
      'a collection without limits',
      '/items: { get: {} }',
      'list',
      'ListResult<AnyItemRow>',
      ['query: QueryOptions', 'pageSize: number | undefined'],
    ],
    [
      'an item',
      '/items/{id}: { get: {} }',
      'get',
      'AnyItemRow | null | undefined',
      ['keys: { readonly id: string }', 'query: QueryOptions'],
    ],
    ['a count', '/items/$count: { get: {} }', 'count', 'number', ['query: QueryOptions']],
    [
      'changes',
      '/items/delta: { get: { returns: delta } }',
      'delta',
      'DeltaResult<AnyItemRow>',
      ['query: QueryOptions', 'pageSize: number | undefined'],
    ],
    [
      'a create',
      '/items: { post: { creates: item } }',
      'create',
      'AnyItemRow',
      ['body: RequestBody<ItemCreate | ToolCreate>'],
    ],
    [
      'an update',
      '/items/{id}: { patch: { updates: item } }',
      'update',
      'AnyItemRow | null | undefined',
      [
        'keys: { readonly id: string }',
        'body: RequestBody<ItemPatch | ToolPatch>',
        "bodyAs: BodyAs<{ readonly '#shop.item': ItemPatch; readonly '#shop.tool': ToolPatch }>",
        'precondition: Precondition',
      ],
    ],
    [
      'a delete',
      '/items/{id}: { delete: { deletes: item } }',
      'delete',
      'void',
      ['keys: { readonly id: string }', 'precondition: Precondition'],
    ],
  ])('%s', (_, path, name, answer, members) => {
    const text = server(`  ${path}`)
    expect(declaration(text, 'export interface ItemsHandlers')).toContain(
      `  ${name}(call: Items${name[0]?.toUpperCase()}${name.slice(1)}Call<Context>): MaybePromise<${answer}>\n`,
    )
    const call = declaration(text, `export type Items${name[0]?.toUpperCase()}${name.slice(1)}Call`)
    expect(call.split('\n').flatMap(line => /^ {2}readonly (.*)$/.exec(line)?.[1] ?? [])).toEqual(members)
  })

  it.each([
    ['{ type: String, collection: true }', 'readonly string[]'],
    ['{ type: Int32, nullable: true }', 'number | null | undefined'],
    ['{ type: part, collection: true }', 'readonly PartRow[]'],
    ['{ type: item }', 'AnyItemRow'],
  ])('of an action that returns %s', (returns, answer) => {
    const text = server('  /go: { post: { calls: go } }', {
      operations: `operations: { go: { kind: action, returns: ${returns} } }`,
    })
    expect(declaration(text, 'export interface Handlers')).toContain(
      `  go(call: GoCall<Context>): MaybePromise<${answer}>\n`,
    )
  })

  it('of an update can create the item, unless the service computes its key', () => {
    const paths = ['/things/{code}', '/items/{id}'].map(path => `  ${path}: { patch: { updates: item } }`)
    const text = server(paths.join('\n'), { operations: 'features: { upsert: true }' })
    expect(declaration(text, 'export interface ThingsHandlers')).toContain('<ThingRow | CreatedItem<ThingRow> | null |')
    expect(declaration(text, 'export type ThingsUpdateCall')).toContain('  newItem(): RequestBody<ThingCreate>\n')
    expect(declaration(text, 'export interface ItemsHandlers')).toContain('<AnyItemRow | null | undefined>')
  })

  it('may return the errors that only the handler can detect, and no others', () => {
    const text = server('  /items/{id}: { patch: { updates: item } }')
    expect(declaration(text, 'export type ItemsUpdateCall')).toContain(
      "Call<Context, 'itemNotFound' | 'preconditionFailed' | 'invalidBody' | 'conflict'> & {",
    )
  })
})

describe('a type with the name Context', () => {
  it('is the type of results, not of the context of handlers', () => {
    const text = emitted(
      'server.ts',
      spec('  /go: { post: { calls: go } }', {
        operations: 'operations: { go: { kind: action, returns: { type: context } } }',
      }).replace('  part:', '  context: { kind: complexType, properties: { name: { type: String } } }\n  part:'),
    )
    expect(declaration(text, 'export interface Handlers')).toContain(
      '  go(call: GoCall<Context_>): MaybePromise<Context>\n',
    )
    expect(declaration(text, 'export type GoCall')).toBe(
      "export type GoCall<Context_ = undefined> = Call<Context_, 'invalidParameter'>",
    )
  })
})

describe('the common type of the calls of several handlers', () => {
  const several = server(
    [
      '  /items/{id}: { get: {}, patch: { updates: item }, delete: { deletes: item } }',
      '  /items/{id}/twin: { get: {}, patch: { updates: item } }',
      '  /items/{id}/parts: { get: {}, post: { creates: part } }',
    ].join('\n'),
  )

  it('is generated once, and takes the parts of a single operation as arguments', () => {
    expect(declaration(several, 'export type ItemsGetCall')).toBe(
      "export type ItemsGetCall<Context = undefined> = IdAndQueryCall<Context, 'itemNotFound'>",
    )
    expect(declaration(several, 'export type ItemsTwinUpdateCall')).toBe(
      [
        'export type ItemsTwinUpdateCall<Context = undefined> =',
        '  IdAndBodyAndPreconditionCall<',
        '    Context,',
        "    'itemNotFound' | 'preconditionFailed' | 'invalidBody' | 'conflict',",
        '    ItemPatch | ToolPatch',
        '  >',
      ].join('\n'),
    )
    expect(declaration(several, 'export interface IdAndBodyAndPreconditionCall')).toBe(
      [
        'export interface IdAndBodyAndPreconditionCall<Context, Errors extends string, Body> extends Call<Context, Errors> {',
        '  readonly keys: { readonly id: string }',
        '  readonly body: RequestBody<Body>',
        "  readonly bodyAs: BodyAs<{ readonly '#shop.item': ItemPatch; readonly '#shop.tool': ToolPatch }>",
        '  readonly precondition: Precondition',
        '}',
      ].join('\n'),
    )
  })

  it('does not exist if only one handler has such calls', () => {
    expect(declaration(several, 'export type ItemsPartsCreateCall')).toContain(
      '  readonly body: RequestBody<PartCreate>',
    )
    expect(several.match(/^export interface \w+Call</gm)).toHaveLength(2)
  })

  it('avoids names of the service, in its own name and those of its parameters', () => {
    const text = emitted(
      'server.ts',
      [
        'specwright: 1',
        'service: { name: shop, version: v1, title: The Shop }',
        'authentication: { scheme: none }',
        'resources:',
        '  idAndBodyCall: { kind: entityType, key: [id], properties: { id: { type: String } } }',
        '  errors: { kind: entityType, key: [id], properties: { id: { type: String }, is: { type: body } } }',
        '  body: { kind: complexType, properties: { name: { type: String } } }',
        'container: { bodies: { entitySet: idAndBodyCall }, errors: { entitySet: errors } }',
        'paths:',
        '  /bodies/{id}: { get: {}, patch: { updates: idAndBodyCall } }',
        '  /errors/{id}: { get: {}, patch: { updates: errors } }',
        'errors: {}',
      ].join('\n'),
    )
    expect(text).toContain(
      'export interface IdAndBodyCall_<Context, Errors_ extends string, Body_> extends Call<Context, Errors_> {\n',
    )
    expect(text).toContain('  readonly body: RequestBody<Body_>\n')
  })
})

describe('server.ts', () => {
  it('requires authenticate if the service has a scheme', () => {
    expect(server('  /items: { get: {} }', { scheme: 'bearer' })).toContain(
      '  options: SecuredServiceOptions<Context> & RequiredContext<Context>,\n',
    )
    expect(server('  /items: { get: {} }')).toContain(
      '  options: ServiceOptions<Context> & RequiredContext<Context>,\n',
    )
  })

  it('declares the relations that queries expand as members of rows', () => {
    const text = server('  /items: { get: { query: listing } }')
    expect(declaration(text, 'export type ItemRow')).toBe(
      'export type ItemRow = Row<Item> & {\n  readonly twin?: AnyItemRow | null\n}',
    )
    expect(text).toContain('export type AnyItemRow = ItemRow | ToolRow\n')
  })
})

describe('service-table.ts', () => {
  it('prints query options once, however many routes share them', () => {
    const text = emitted(
      'service-table.ts',
      spec('  /items: { get: { query: listing } }\n  /items/{id}/twin: { get: { query: listing } }'),
    )
    const queries = text.slice(text.indexOf('\n  queries: {'), text.indexOf('\n  routes: {'))
    expect(queries.match(/^ {4}'/gm)).toHaveLength(1)
    expect(text.match(/query: 'items\.list'/g)).toHaveLength(2)
  })
})

async function tableOf(spec: string): Promise<ServiceTableData> {
  const { service } = await loadSpec(new URL(`../../../spec/${spec}.yaml`, import.meta.url).pathname)
  if (service === undefined) throw new Error(`spec/${spec}.yaml does not load`)
  return buildServiceTable(service)
}

/** The table as a service has it that runs the generated code. */
const tableInCode = (table: ServiceTableData): CompactServiceTable =>
  new Function(`${ts.transpile(`var table = ${dataLiteral(compactTable(table))}`)}; return table`)()

describe.each(['directory', 'library'])('the generated service table of %s', spec => {
  it('evaluates to the table', async () => {
    const table = await tableOf(spec)
    expect(readServiceTable(tableInCode(table))).toEqual(table)
  })

  it('shares query options as the table does', async () => {
    const table = await tableOf(spec)
    const { routes } = readServiceTable(tableInCode(table))
    const distinct = (all: ServiceTableData['routes'] | typeof routes): number =>
      new Set(all.map(({ query }) => query)).size
    expect(distinct(routes)).toBe(distinct(table.routes))
  })
})

it('a generated service table can contain any text and any name, with every character visible', async () => {
  const table = await tableOf('library')
  const message = 'a\u202eb\u2028c`\\\ud800"\u0007'
  const named = JSON.parse('{ "__proto__": { "status": 400, "code": "x", "message": "y" } }')
  const hostile = { ...table, errors: { ...table.errors, ...named, odd: { status: 400, code: 'odd', message } } }
  const read = readServiceTable(tableInCode(hostile))
  expect(read.errors['odd']?.message).toBe(message)
  expect(Object.keys(read.errors)).toContain('__proto__')
  expect(dataLiteral(compactTable(hostile))).toMatch(/^[\n\x20-\x7e]*$/)
})

it('a service table is rejected if a route names query options that it lacks', async () => {
  const table = tableInCode(await tableOf('library'))
  const queries = Object.fromEntries(Object.entries(table.queries).filter(([name]) => name !== 'books.list'))
  expect(() => readServiceTable({ ...table, queries })).toThrow(
    'books.list refers to the query options of books.list, which are missing in the table.',
  )
})

describe('functions that queries can call', () => {
  const operations = `
operations:
  isNear:
    kind: function
    binding: item
    parameters: { to: { type: String }, within: { type: Int32, optional: true } }
    returns: { type: Boolean }
  rank: { kind: function, returns: { type: Int32, nullable: true } }
  isLong: { kind: function, binding: item, returns: { type: Boolean }, definition: length(name) gt 9 }
`
  const paths = `
  /items: { get: { query: { filter: { functions: [shop.isNear, shop.rank, shop.isLong] } } } }
`

  it('are options of the server with the types of the item, the parameters and the result', () => {
    const text = server(paths, { operations })
    expect(text).toContain('    readonly functions?: Partial<QueryFunctions>\n')
    expect(declaration(text, 'export interface QueryFunctions')).toBe(
      [
        'export interface QueryFunctions {',
        '  isNear(call: QueryFunctionCall<AnyItem, IsNearParameters>): boolean',
        '  rank(call: QueryFunctionCall<undefined, object>): number | null',
        '}',
      ].join('\n'),
    )
  })

  it('have stubs, which the index exports', () => {
    expect(emitted('handlers/functions.ts', spec(paths, { operations }))).toContain(
      'export const functions: QueryFunctions = {\n  isNear: notImplemented,\n\n  rank: notImplemented,\n}\n',
    )
    expect(emitted('handlers/index.ts', spec(paths, { operations }))).toContain(
      "export { functions } from './functions.js'",
    )
  })

  it('are constants of the client', () => {
    const text = emitted('client.ts', spec(paths, { operations }))
    expect(text).toContain(
      "export const isNear: BoundFunction<IsNearParameters, boolean> = boundFunction('shop.isNear', {})",
    )
    expect(text).toContain("export const rank: UnboundFunction<object, number> = unboundFunction('shop.rank', {})")
    expect(text).toContain("export const isLong: BoundFunction<object, boolean> = boundFunction('shop.isLong', {})")
  })

  it('are absent without such functions', () => {
    expect(server('  /items: { get: {} }', { operations })).not.toContain('QueryFunctions')
  })
})
