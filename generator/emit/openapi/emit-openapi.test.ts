import { createConfig, lintFromString } from '@redocly/openapi-core'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadSpec, type Service } from '../../../spec/language/index.js'
import { loadService } from '../../testing/emitted.js'
import { sampleSpec } from '../../testing/sample-spec.js'
import { emitOpenapi } from './emit-openapi.js'

/** What the linter says with its recommended rules, but for those that a service described here cannot meet. */
async function problemsOf(document: string): Promise<readonly string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // Who may use the description, and under which terms, is not for a spec of a service to say.
      'info-license': 'off',
      // `/parcels/delta` beside `/parcels/{id}` is how OData names functions.
      'no-ambiguous-paths': 'off',
    },
  })
  const problems = await lintFromString({ source: document, absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`)
}

let service: Service

beforeAll(async () => {
  service = await loadService(JSON.stringify(sampleSpec('A text.')))
})

describe('the OpenAPI document', () => {
  it.each(['spec/directory.yaml', 'spec/library.yaml'])('of %s passes the linter', async path => {
    const loaded = await loadSpec(path)
    if (loaded.service === undefined) throw new Error(`${path} is not clean.`)
    expect(await problemsOf(emitOpenapi(loaded.service))).toEqual([])
  })

  it('of the sample passes the linter', async () => {
    expect(await problemsOf(emitOpenapi(service))).toEqual([])
  })
})

describe('an operation', () => {
  const operation = (path: string, method: string) => JSON.parse(emitOpenapi(service)).paths[path][method]

  it('describes the query options that its endpoint supports', () => {
    const { parameters } = operation('/parcels', 'get')
    const described = parameters.map((each: { name: string; description: string }) => [each.name, each.description])
    const refusable = ' An implementation may reject it with an error.'
    expect(described).toEqual([
      [
        '$select',
        'Only these properties are returned. Properties: id, label, weight, size, marks, sender, stops, sent, position, secret.',
      ],
      [
        '$filter',
        `An OData filter expression. Operators: eq, and. Functions: contains. Lambda operators: any. Not by: secret. On label only: eq, contains. At most 30 terms.${refusable}`,
      ],
      [
        '$orderby',
        `Properties to sort by, each ascending or followed by " desc". Properties: label, sent. At most 2 keys.${refusable}`,
      ],
      [
        '$expand',
        `Relations to include, with nested options in parentheses and semicolons between them. Relations: depot. Nested options: $select. At most 2 levels.${refusable}`,
      ],
      ['$top', `The number of items to return. Without it, a page has 20. At most 100.${refusable}`],
      ['$count', `Whether the response has @odata.count.${refusable}`],
      ['$compute', `Properties to compute for each item: price mul quantity as total.${refusable}`],
      [
        '$apply',
        `Transformations: groupby((genre),aggregate(price with sum as total)). Supported: groupby, aggregate.${refusable}`,
      ],
      [
        '$search',
        `Terms of the form "property:term", with their double quotes. Joined by: OR. Properties: label.${refusable}`,
      ],
      ['X-Mode', 'May be needed for filter.contains, filter with orderby; without it: slowQuery.'],
    ])
    expect(parameters.find((each: { name: string }) => each.name === '$top').schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
    })
  })

  it('declares its errors by status, with their codes as examples', () => {
    const { responses } = operation('/parcels/{id}', 'patch')
    expect(Object.keys(responses)).toEqual(['200', '204', '400', '401', '404', '409', '412', '415', '428', 'default'])
    expect(responses['404'].content['application/json'].examples).toEqual({
      gone: { value: { error: { code: 'A text.', message: 'A text.' } } },
    })
  })

  it('declares its keys, headers, body and success', () => {
    const patch = operation('/parcels/{id}', 'patch')
    expect(patch.operationId).toBe('parcels.update')
    expect(
      patch.parameters.map((each: { name: string; in: string; required?: boolean }) => [
        each.name,
        each.in,
        each.required,
      ]),
    ).toEqual([
      ['id', 'path', true],
      ['If-Match', 'header', true],
      ['Prefer', 'header', undefined],
    ])
    expect(patch.requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/parcel-patch' })
    expect(patch.responses['200'].headers.ETag.schema).toEqual({ type: 'string' })
  })

  it('puts quotes around keys and arguments in the path that are strings', () => {
    const depot = operation("/depots(country='{country}',code={code})", 'get')
    expect(depot.parameters.map((each: { name: string; schema: unknown }) => [each.name, each.schema])).toEqual([
      ['country', { type: 'string' }],
      ['code', { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 }],
    ])
    expect(depot.parameters[0].description).toBe('Key of depot. Single quotes inside it are doubled.')
    expect(operation("/parcels/{id}/route(from='{from}')", 'get').parameters[1].schema).toEqual({ type: 'string' })
  })

  it('leaves the quotes to the caller if the string may be null', async () => {
    const nullable = await loadService(
      JSON.stringify(sampleSpec('A text.')).replace('"format":"date"', '"format":"date","nullable":true'),
    )
    const { paths } = JSON.parse(emitOpenapi(nullable))
    expect(paths['/parcels/{id}/route(from={from})'].get.parameters[1]).toMatchObject({
      description: expect.stringContaining('In single quotes, with quotes inside it doubled. Or null.'),
      schema: { type: 'string', pattern: "^('.*'|null)$" },
    })
  })

  it('lists the members of a body without patterns, because other generators would then accept misspelt names', () => {
    const { schemas } = JSON.parse(emitOpenapi(service)).components
    expect(Object.keys(schemas['parcel-create'].properties)).toContain('label')
    for (const keyword of ['patternProperties', 'additionalProperties']) {
      expect(schemas['parcel-create']).not.toHaveProperty(keyword)
      expect(schemas['parcel-patch']).not.toHaveProperty(keyword)
    }
  })

  it('describes the related items that its body can link, create and change', async () => {
    const { service: library } = await loadSpec('spec/library.yaml')
    if (library === undefined) throw new Error('spec/library.yaml is not clean.')
    const { schemas } = JSON.parse(emitOpenapi(library)).components
    const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const membersOf = (schema: string, relation: string) =>
      Object.entries(schemas[schema].properties).filter(([name]) => name.split('@')[0] === relation)
    expect(membersOf('branch-create', 'copies')).toEqual([
      ['copies@odata.bind', reference('odata.urls')],
      ['copies', { type: 'array', items: reference('copy-related-create-without-branchCode') }],
    ])
    expect(schemas['copy-related-create-without-branchCode']).toEqual({
      anyOf: [reference('odata.link'), reference('copy-create-without-branchCode')],
    })
    expect(membersOf('branch-patch', 'copies')).toEqual([
      ['copies@odata.bind', reference('odata.urls')],
      ['copies', { type: 'array', items: reference('copy-related-change') }],
      ['copies@odata.delta', reference('copy-related-delta')],
    ])
    expect(membersOf('book-create', 'reviews')).toEqual([
      ['reviews', { type: 'array', items: reference('review-create') }],
    ])
    expect(schemas['copy-change']).not.toHaveProperty('required')
  })

  it('accepts items of derived types, which name their type', async () => {
    const { service: library } = await loadSpec('spec/library.yaml')
    if (library === undefined) throw new Error('spec/library.yaml is not clean.')
    const { paths, components } = JSON.parse(emitOpenapi(library))
    expect(paths['/books'].post.requestBody.content['application/json'].schema).toEqual({
      anyOf: [{ $ref: '#/components/schemas/book-create' }, { $ref: '#/components/schemas/audiobook-create' }],
    })
    expect(components.schemas['audiobook-create'].properties['@odata.type']).toEqual({ const: '#library.audiobook' })
    expect(components.schemas['audiobook-create'].required).toContain('@odata.type')
  })

  it.each([
    ['/books/{isbn}/authors/$ref', { get: 'read', post: 'add', delete: 'remove' }],
    ['/books/{isbn}/prequel/$ref', { get: 'read', put: 'set', delete: 'clear' }],
    // Contained items have no links to change.
    ['/books/{isbn}/reviews/$ref', { get: 'read' }],
  ])('describes the links at %s', async (path, verbs) => {
    const { service: library } = await loadSpec('spec/library.yaml')
    if (library === undefined) throw new Error('spec/library.yaml is not clean.')
    const { [path]: item, ...paths } = JSON.parse(emitOpenapi(library)).paths
    expect(Object.keys(item)).toEqual(Object.keys(verbs))
    for (const [method, verb] of Object.entries(verbs)) {
      expect(item[method].operationId).toBe(`${paths[path.slice(0, -'/$ref'.length)].get.operationId}.${verb}Reference`)
    }
    const ofUpdate = paths['/books/{isbn}'].patch
    if (item.delete === undefined) return
    expect(item.delete.security).toEqual(ofUpdate.security)
    const names = (parameters: readonly { name: string }[]) => parameters.map(({ name }) => name)
    expect(names(item.delete.parameters)).toEqual(expect.arrayContaining(names(ofUpdate.parameters)))
    expect(names(item.delete.parameters).includes('$id')).toBe(Object.hasOwn(verbs, 'post'))
  })

  it('requires one of its scopes', () => {
    expect(operation('/parcels', 'get').security).toEqual([{ bearer: ['Parcel.Read'] }, { bearer: ['Parcel.Write'] }])
    expect(operation('/mine', 'get').security).toEqual([{ bearer: [] }])
  })

  it('has a unique identifier', () => {
    const paths: Record<string, Record<string, { operationId?: string }>> = JSON.parse(emitOpenapi(service)).paths
    const ids = Object.values(paths).flatMap(item =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    )
    expect(ids).toHaveLength(service.endpoints.length)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('hostile text in a spec', () => {
  it('changes nothing but the texts', async () => {
    const token = 'QXZ'
    const plain = emitOpenapi(await loadService(JSON.stringify(sampleSpec(token))))
    const text = fc.oneof(
      fc.constantFrom(
        '"},"x":{"',
        '__proto__',
        '\\',
        '\u2028',
        '*/',
        '</script>',
        '{{x}}',
        '$ref',
        '\0',
        '😀',
        '#/components',
      ),
      fc
        .string({ unit: 'binary', minLength: 1, maxLength: 30 })
        .filter(each => each.trim() !== '' && !/\p{Cs}/u.test(each)),
    )
    await fc.assert(
      fc.asyncProperty(text, async hostile => {
        const emitted = emitOpenapi(await loadService(JSON.stringify(sampleSpec(hostile))))
        const expected = JSON.parse(plain, (_name, value: unknown) =>
          typeof value === 'string' ? value.replaceAll(token, () => hostile) : value,
        )
        expect(JSON.parse(emitted)).toEqual(expected)
      }),
      { numRuns: 25 },
    )
  })
})

describe('query options that many endpoints share', () => {
  const many = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`${prefix}${index}`, { to: 'a', collection: true }]))
  const entity = (prefix: string) => ({
    kind: 'entityType',
    key: ['id'],
    properties: { id: { type: 'String' } },
    navigation: many(prefix),
  })
  const shared = {
    specwright: 1,
    service: { name: 's', version: 'v1' },
    authentication: { scheme: 'none' },
    resources: { a: entity('x'), b: entity('y') },
    container: { as: { entitySet: 'a' }, bs: { entitySet: 'b' } },
    queryOptions: { all: { expand: { nested: ['select'] } } },
    paths: {
      '/as': { get: { returns: 'collection', query: 'all' } },
      '/bs': { get: { returns: 'collection', query: 'all' } },
    },
    errors: {},
  }

  it('name the relations of the type of each endpoint only, and at most sixty', async () => {
    const { paths } = JSON.parse(emitOpenapi(await loadService(JSON.stringify(shared))))
    const about = (path: string): string =>
      paths[path].get.parameters.find(({ name }: { readonly name: string }) => name === '$expand').description
    expect(about('/as')).toMatch(/Relations: x0, x1, .*x59, and 10 more\. Nested options/)
    expect(about('/as')).not.toContain('y0')
    expect(about('/bs')).toMatch(/Relations: y0, y1, .*y59, and 10 more\. Nested options/)
  })
})
