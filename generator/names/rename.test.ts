import { describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { emitCsdlXml } from '../emit/csdl/emit-csdl-xml.js'
import { generate } from '../generate.js'
import { importCsdl } from '../import/import-csdl.js'
import { declaration, emitted } from '../testing/emitted.js'

const spec = ({ more = '', item = 'SalesOrder', first = 'InProgress' } = {}) => `
specwright: 1
service: { name: shop, version: v1 }
authentication: { scheme: none }
resources:
  sales_order_v2:
    kind: entityType
    rename: ${item}
    key: [order_id]
    properties:
      order_id: { type: Int32 }
      state: { type: order_state }
      total: { type: amount_t }
    navigation: { order_lines: { to: line, collection: true, contained: true, rename: lines } }
  line: { kind: entityType, key: [no], properties: { no: { type: Int32 } } }
  order_state:
    kind: enumType
    rename: State
    members: { IN_PROGRESS: { value: 1, rename: ${first} }, DONE: 2 }
  amount_t: { kind: typeDefinition, type: Int32, rename: Amount }
${more}
operations:
  zz_close:
    kind: action
    rename: close
    binding: sales_order_v2
    parameters: { close_reason: { type: String } }
  is_open_yn: { kind: function, rename: isOpen, binding: sales_order_v2, returns: { type: Boolean } }
container:
  sales_orders_v2: { entitySet: sales_order_v2, rename: orders }
queryOptions: { all: { filter: { functions: [shop.is_open_yn] } } }
paths:
  /sales_orders_v2: { get: { returns: collection, query: all } }
  /sales_orders_v2/{order_id}/order_lines: { get: { returns: collection } }
  /sales_orders_v2/{order_id}/shop.zz_close: { post: { calls: zz_close } }
errors: {}
`

describe('rename', () => {
  it('names types, the parameters of operations and the constants of members; what is sent keeps its name', () => {
    const types = emitted('types.ts', spec())
    expect(declaration(types, 'export interface SalesOrder ')).toContain('  readonly order_id: number\n')
    expect(declaration(types, 'export interface SalesOrder ')).toContain('OpenEnum<State>')
    expect(declaration(types, 'export const State')).toContain("  InProgress: 'IN_PROGRESS',\n  DONE: 'DONE',\n")
    expect(declaration(types, 'export interface CloseParameters')).toContain('  readonly close_reason: string\n')
    expect(types).toContain('export type Amount = number\n')
  })

  it('names resources, operations and the functions of filters in the client', () => {
    const client = emitted('client.ts', spec())
    expect(declaration(client, 'export interface Shop ')).toContain('  readonly orders: Orders\n')
    expect(client).toMatch(/`\/sales_orders_v2\/[^`]*\/shop\.zz_close`/)
    expect(declaration(client, 'export interface Orders ')).toContain('  readonly close: ActionOperation<')
    expect(declaration(client, 'export interface Orders ')).toContain('  readonly lines: OrdersLines\n')
    expect(client).toContain(
      "export const isOpen: BoundFunction<object, boolean> = boundFunction('shop.is_open_yn', {})",
    )
  })

  it('names handlers', () => {
    expect(emitted('handlers/orders.ts', spec())).toContain('  close: notImplemented,\n')
    expect(emitted('handlers/functions.ts', spec())).toContain('  isOpen: notImplemented,\n')
    expect(emitted('service-table.ts', spec())).toContain("name: 'isOpen'")
  })

  it('survives an export to CSDL and its import', () => {
    const { service } = loadSpecText(spec(), 'shop.yaml')
    if (service === undefined) throw new Error('The spec has errors.')
    const again = importCsdl(emitCsdlXml(service), 'shop.xml').spec?.text ?? ''
    for (const text of ['SalesOrder', 'lines', 'State', 'InProgress', 'Amount', 'close', 'isOpen', 'orders']) {
      expect(again).toMatch(new RegExp(`\\brename: ${text}\\b`))
    }
  })

  it.each([
    [
      { item: 'Line' },
      '15 names/clash: the entity type line and the entity type sales_order_v2 would both be called Line among types. Rename one of them, or give one another name in TypeScript with `rename`',
    ],
    [
      { first: 'DONE' },
      '19 names/clash: the member DONE and the member IN_PROGRESS would both be called DONE among the members of order_state. Rename one of them, or give one another name in TypeScript with `rename`',
    ],
    [
      { item: 'string' },
      '8 names/reserved: the entity type sales_order_v2 cannot be called string, which is a word of TypeScript. Choose another `rename`, such as String',
    ],
    [
      { item: 'Sales-Order' },
      '8 shape/text: "Sales-Order" does not fit here. Expected: The name in TypeScript, of letters, digits and underscores',
    ],
    [
      {
        more: '  other: { kind: entityType, key: [id], rename: Other, properties: { id: { type: String, rename: x } } }',
      },
      '21 shape/unknown-key: Unknown key "rename" in "id".',
    ],
  ])('%j gets a diagnostic with its place', (parts, expected) => {
    const { diagnostics } = generate({ path: 'shop.yaml', text: spec(parts) }, { only: ['types'] })
    const found = diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ code, message, location }) => `${location.line} ${code}: ${message}`)
    expect(found).toEqual([expect.stringContaining(expected)])
  })
})
