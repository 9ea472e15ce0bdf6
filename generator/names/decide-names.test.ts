import { describe, expect, it } from 'vitest'
import { generate } from '../generate.js'
import { compileErrors } from '../testing/compile-errors.js'

interface Parts {
  readonly service?: string
  readonly resources?: readonly string[]
  readonly container?: readonly string[]
  readonly paths?: readonly string[]
  readonly operations?: readonly string[]
}

const entity = (name: string) => `${name}: { kind: entityType, key: [id], properties: { id: { type: String } } }`

/** A spec, its chapters one line an element; `item` and `items` are always there. */
const spec = ({ service = 'shop', resources = [], container = [], paths = [], operations = [] }: Parts) =>
  [
    'specwright: 1',
    `service: { name: ${service}, version: v1 }`,
    'resources:',
    ...[entity('item'), ...resources].map(line => `  ${line}`),
    'container:',
    ...['items: { entitySet: item }', ...container].map(line => `  ${line}`),
    'paths:',
    ...['/items: { get: {} }', ...paths].map(line => `  ${line}`),
    ...(operations.length === 0 ? [] : ['operations:', ...operations.map(line => `  ${line}`)]),
    'errors: { notFound: { status: 404, code: notFound, message: Not found. } }',
    '',
  ].join('\n')

const problems = (parts: Parts) =>
  generate({ path: 'shop.yaml', text: spec(parts) }, { only: ['types', 'client', 'server'] }).diagnostics.map(
    ({ code, message, location: place, related }) => `${place.line} ${code}: ${message} (${related[0]?.location.line})`,
  )

const clashes: readonly (readonly [string, Parts, string])[] = [
  [
    'two types',
    { resources: [entity('Item')] },
    '5 names/clash: the entity type Item and the entity type item would both be called Item among types. Rename one of them, or give one another name in TypeScript with `rename` (4)',
  ],
  [
    'a type and what changes another',
    {
      resources: ['itemPatch: { kind: enumType, members: { a: 0 } }'],
      paths: ['/items/{id}: { patch: { updates: item } }'],
    },
    '5 names/clash: the enumeration itemPatch and the entity type item would both be called ItemPatch among types. Rename one of them, or give one another name in TypeScript with `rename` (4)',
  ],
  [
    'a type and the parameters of an operation',
    {
      resources: [entity('sellParameters')],
      paths: ['/sell: { post: { calls: sell } }'],
      operations: ['sell: { kind: action, parameters: { to: { type: String } } }'],
    },
    '12 names/clash: the operation sell and the entity type sellParameters would both be called SellParameters among types. Rename one of them, or give one another name in TypeScript with `rename` (5)',
  ],
  [
    'two resources',
    {
      container: ['Items: { entitySet: item }'],
      paths: ['/Items: { get: {} }'],
    },
    '10 names/clash: the resource Items and the resource items would both be called Items among resources. Rename one of them, or give one another name in TypeScript with `rename` (9)',
  ],
]

describe('names that clash', () => {
  it('do not exist in a plain service', () => expect(problems({})).toEqual([]))

  it.each(clashes)('%s', (_, parts, message) => expect(problems(parts)).toContain(message))

  it('stop the run before anything is emitted', () => {
    const { files } = generate({ path: 'shop.yaml', text: spec({ resources: [entity('Item')] }) })
    expect(files).toEqual([])
  })
})

const kept: readonly (readonly [string, Parts])[] = [
  [
    'types named as what the runtime exports',
    {
      resources: [
        'service',
        'call',
        'row',
        'answer',
        'connection',
        'handlers',
        'context',
        'record',
        'promise',
        'response',
        'list',
        'openEnum',
      ].map(entity),
    },
  ],
  ['the service named as a type', { service: 'item' }],
  [
    'a set named as a function of the runtime',
    {
      container: [
        'list: { entitySet: item }',
        'connect: { entitySet: item }',
        'connection: { entitySet: item }',
        'options: { entitySet: item }',
      ],
      paths: ['/list: { get: {} }', '/connect: { get: {} }', '/connection: { get: {} }', '/options: { get: {} }'],
    },
  ],
  [
    'a set named as a reserved word',
    {
      container: ['delete: { entitySet: item }', 'class: { entitySet: item }'],
      paths: ['/delete: { get: {} }', '/class: { get: {} }'],
    },
  ],
  [
    'a set named as a member of every object',
    {
      container: ['constructor: { entitySet: item }', 'toString: { entitySet: item }'],
      paths: ['/constructor: { get: {} }', '/toString: { get: {} }'],
    },
  ],
  [
    'an operation named as a keyword',
    {
      operations: ['new: { kind: action }', 'if: { kind: action }'],
      paths: ['/new: { post: { calls: new } }', '/if: { post: { calls: if } }'],
    },
  ],
  [
    'names that mean something to ECMAScript',
    {
      resources: [
        'constructor: { kind: complexType, properties: { isPrototypeOf: { type: String }, constructor: { type: Date }, new: { type: String }, if: { type: String } } }',
        'isPrototypeOf: { kind: enumType, members: { isPrototypeOf: 0, constructor: 1, toString: 2, new: 3 } }',
        'odd: { kind: entityType, key: [isPrototypeOf], properties: { isPrototypeOf: { type: String }, constructor: { type: constructor }, valueOf: { type: isPrototypeOf, default: constructor } }, navigation: { toString: { to: odd, collection: true } } }',
      ],
      container: ['isPrototypeOf: { entitySet: odd }'],
      paths: [
        '/isPrototypeOf: { get: { query: { select: true, filter: { properties: { constructor: none } }, expand: { relations: [toString], nested: [filter] } } }, post: { creates: odd } }',
        '/isPrototypeOf/{isPrototypeOf}: { get: {}, patch: { updates: odd } }',
        '/isPrototypeOf/{isPrototypeOf}/hasOwnProperty(valueOf={valueOf}): { get: { calls: hasOwnProperty } }',
      ],
      operations: [
        'hasOwnProperty: { kind: function, binding: odd, parameters: { valueOf: { type: isPrototypeOf } }, returns: { type: constructor } }',
      ],
    },
  ],
]

describe('names that only seem to clash', () => {
  const generated = kept.map(([, parts]) =>
    generate(
      { path: 'shop.yaml', text: spec(parts) },
      { only: ['types', 'client', 'server'], runtime: '../runtime', runtimeLayout: 'parts' },
    ),
  )

  it.each(kept.map(([name], index) => [name, index] as const))('%s are kept or avoided', (_, index) => {
    expect(generated[index]?.diagnostics).toEqual([])
  })

  it('compile, each with all the others of its kind', async () => {
    const runtime = new Map(
      kept.flatMap(([, parts]) =>
        generate({ path: 'shop.yaml', text: spec(parts) }, { only: ['client', 'server'] })
          .files.filter(({ path }) => path.startsWith('runtime/'))
          .map(file => [file.path, file] as const),
      ),
    )
    const files = generated.flatMap(({ files }, index) =>
      files.map(file => ({ ...file, path: `${index}/${file.path}` })),
    )
    expect(await compileErrors([...runtime.values(), ...files])).toBe('')
  })
})
