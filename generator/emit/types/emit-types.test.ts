import { describe, expect, it } from 'vitest'
import { declaration, emitted } from '../../testing/emitted.js'

/** A service with one entity type, read, created and changed. */
const spec = (properties: string, more = '') => `
specwright: 1
service: { name: shop, version: v1 }
resources:
  item:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
      ${properties}
${more}
container: { items: { entitySet: item } }
paths:
  /items: { get: {}, post: { creates: item } }
  /items/{id}: { patch: { updates: item }, put: { updates: item } }
errors: { notFound: { status: 404, code: notFound, message: Not found. } }
`

/** What becomes of the property `x` in what is read, created and changed. */
function lines(property: string): readonly (string | undefined)[] {
  const text = emitted(
    'types.ts',
    spec(
      `x: ${property}`,
      '  size: { kind: enumType, members: { small: 0 } }\n  marks: { kind: enumType, flags: true, members: { a: 1 } }\n  spot: { kind: complexType, properties: { at: { type: Date }, note: { type: String, nullable: true } } }\n  money: { kind: typeDefinition, type: Decimal }',
    ),
  )
  return ['Item', 'ItemCreate', 'ItemPatch', 'ItemReplace'].map(name =>
    interfaceOf(text, name)
      .split('\n')
      .find(line => /^ {2}readonly x\b/.test(line))
      ?.replace('  readonly x', ''),
  )
}

/** An interface, or the one that its name refers to. */
function interfaceOf(text: string, name: string): string {
  const sameAs = new RegExp(`^export type ${name} = (\\w+)$`, 'm').exec(text)?.[1]
  return declaration(text, `export interface ${sameAs ?? name} `)
}

const absent = undefined

describe('a property in types.ts', () => {
  it.each([
    ['{ type: String }', ': string', ': string', '?: string | undefined', ': string'],
    [
      '{ type: String, nullable: true }',
      ': string | null',
      '?: string | null | undefined',
      '?: string | null | undefined',
      '?: string | null | undefined',
    ],
    [
      '{ type: String, default: a }',
      ': string',
      '?: string | undefined',
      '?: string | undefined',
      '?: string | undefined',
    ],
    [
      '{ type: String, collection: true }',
      ': readonly string[]',
      '?: readonly string[] | undefined',
      '?: readonly string[] | undefined',
      '?: readonly string[] | undefined',
    ],
    ['{ type: String, computed: true }', ': string', absent, absent, absent],
    ['{ type: String, createOnly: true }', ': string', ': string', absent, absent],
    [
      '{ type: String, nullable: true, returned: onSelect }',
      '?: string | null',
      '?: string | null | undefined',
      '?: string | null | undefined',
      '?: string | null | undefined',
    ],
    ['{ type: Boolean }', ': boolean', ': boolean', '?: boolean | undefined', ': boolean'],
    ['{ type: Int64 }', ': string', ': string', '?: string | undefined', ': string'],
    ['{ type: Decimal }', ': string', ': string', '?: string | undefined', ': string'],
    ['{ type: Int64, minimum: 0, maximum: 99 }', ': number', ': number', '?: number | undefined', ': number'],
    ['{ type: Guid }', ': string', ': string', '?: string | undefined', ': string'],
    ['{ type: Stream, nullable: true }', absent, absent, absent, absent],
    ['{ type: size }', ': OpenEnum<Size>', ': Size', '?: Size | undefined', ': Size'],
    [
      '{ type: marks }',
      ': OpenEnum<Marks>',
      ': OpenEnum<Marks>',
      '?: OpenEnum<Marks> | undefined',
      ': OpenEnum<Marks>',
    ],
    ['{ type: money }', ': Money', ': Money', '?: Money | undefined', ': Money'],
    ['{ type: spot }', ': Spot', ': SpotCreate', '?: SpotPatch | undefined', ': SpotCreate'],
    [
      '{ type: spot, collection: true }',
      ': readonly Spot[]',
      '?: readonly SpotCreate[] | undefined',
      '?: readonly SpotCreate[] | undefined',
      '?: readonly SpotCreate[] | undefined',
    ],
  ])('%s is read, created, changed and replaced as', (property, ...expected) => {
    expect(lines(property)).toEqual(expected)
  })
})

describe('types.ts', () => {
  it('states in the comment on a property what its type cannot express', () => {
    const text = emitted(
      'types.ts',
      spec(
        'x: { type: String, description: A name., ref: "2.1", minLength: 1, maxLength: 9, pattern: "^a$", unique: true }',
      ),
    )
    expect(text).toContain('  /** A name. 1 to 9 characters. Matches `^a$`. Unique. */\n  readonly x: string\n')
    expect(text).toContain('  /** Set by the service. */\n  readonly id: string\n')
  })

  it.each([
    ['{ type: String, nullable: true }', 'export type ItemPatch = ItemCreate\n'],
    ['{ type: String, nullable: true }', 'export type ItemReplace = ItemCreate\n'],
    ['{ type: String }', 'export type ItemReplace = ItemCreate\n'],
    ['{ type: spot }', 'export type SpotPatch = SpotCreate\n'],
    ['{ type: spot, nullable: true }', 'export type ItemPatch = ItemCreate\n'],
  ])('declares bodies with the same members once: with %s, %s', (property, line) => {
    const spot = '  spot: { kind: complexType, properties: { note: { type: String, nullable: true } } }'
    expect(emitted('types.ts', spec(`x: ${property}`, spot))).toContain(line)
  })

  it('declares an enumeration as an object and as the union of its values, open to new values', () => {
    const text = emitted(
      'types.ts',
      spec(
        'x: { type: size }',
        '  size: { kind: enumType, members: { small: 0, new: { value: 1, description: Just in. } } }',
      ),
    )
    expect(declaration(text, 'export const Size')).toBe(
      `export const Size = {
  small: 'small',
  /** Just in. */
  'new': 'new',
} as const
export type Size = (typeof Size)[keyof typeof Size]`,
    )
  })

  it('derives types, and declares the names of derived types in bodies', () => {
    const text = emitted(
      'types.ts',
      spec(
        'x: { type: String }',
        '  tool:\n    kind: entityType\n    base: item\n    properties: { y: { type: Int32 } }',
      ),
    )
    expect(declaration(text, 'export interface Item ')).toContain(
      "readonly '@odata.type'?: '#shop.item' | '#shop.tool'",
    )
    expect(declaration(text, 'export interface Tool ')).toBe(
      'export interface Tool extends Item {\n  /** A whole number. */\n  readonly y: number\n}',
    )
    expect(declaration(text, 'export interface ToolCreate ')).toContain("  readonly '@odata.type': '#shop.tool'\n")
  })
})

describe('an open type in types.ts', () => {
  const text = emitted(
    'types.ts',
    spec('name: { type: String, nullable: true }', '  tool: { kind: entityType, base: item }').replace(
      'kind: entityType\n',
      'kind: entityType\n    open: true\n',
    ),
  )
  const has = (name: string): boolean => interfaceOf(text, name).includes('\n  readonly [dynamic: string]: unknown\n')

  it.each(['ItemCreate', 'ItemPatch', 'ItemReplace', 'ToolCreate'])('%s accepts undeclared properties', name => {
    expect(has(name)).toBe(true)
  })

  it('is read and selected by its declared names', () => expect(has('Item')).toBe(false))
})

it.each([
  ['Int64', 'string'],
  ['Int32', 'number'],
])('the result of an operation, %s, decides about the Int64 of all properties: %s', (result, type) => {
  const text = emitted(
    'types.ts',
    spec('x: { type: Int64, minimum: 0, maximum: 99 }')
      .replace('paths:\n', 'paths:\n  /weight(): { get: { calls: weight } }\n')
      .replace('errors:', `operations:\n  weight: { kind: function, returns: { type: ${result} } }\nerrors:`),
  )
  expect(interfaceOf(text, 'Item')).toContain(`readonly x: ${type}`)
})
