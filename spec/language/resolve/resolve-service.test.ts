import { describe, expect, it } from 'vitest'
import { loadValid, shop } from '../testing/valid-spec.js'

describe('what a spec omits has its default', () => {
  it('a service is titled and qualified by its name', async () => {
    expect(await loadValid(shop())).toMatchObject({
      title: 'shop',
      namespace: 'shop',
      authentication: { scheme: 'none', scopes: [] },
      limits: { url: 8192, body: 1048576 },
      errorBody: { required: ['code', 'message'], optional: ['target', 'details', 'innererror'] },
    })
  })

  it('a property is required on create unless it may be absent', async () => {
    const service = await loadValid(
      shop({
        resources: `
resources:
  thing:
    kind: entityType
    key: [plain]
    properties:
      plain: { type: String }
      nullable: { type: String, nullable: true }
      computed: { type: String, computed: true }
      default: { type: String, default: "" }
      collection: { type: String, collection: true }
      said: { type: String, nullable: true, required: true }
      unsaid: { type: String, required: false }`,
        container: 'container: { things: { entitySet: thing } }',
        paths: 'paths: {}',
        operations: '',
      }),
    )
    const required = service.entityTypes[0]?.properties.filter(property => property.required)
    expect(required?.map(property => property.name)).toEqual(['plain', 'said'])
  })

  it('a derived type has the members, the key and the entity tag of its base', async () => {
    const service = await loadValid(shop())
    const [product, , book] = service.entityTypes
    expect(book?.base).toBe(product)
    expect(book?.properties.map(property => property.name)).toEqual(['id', 'name', 'price', 'size', 'pages'])
    expect(book?.navigation.map(relation => relation.name)).toEqual(['maker', 'parts'])
    expect(book?.key).toBe(product?.key)
    expect(book?.entityTag).toBe('weak')
    expect(book?.ownProperties.map(property => property.name)).toEqual(['pages'])
  })

  it('partners refer to each other', async () => {
    const service = await loadValid(shop())
    const maker = service.entityTypes[0]?.navigation[0]
    expect(maker?.partner?.name).toBe('products')
    expect(maker?.partner?.partner).toBe(maker)
  })

  it('a relation that is not contained is bound to the one set of its type', async () => {
    const service = await loadValid(shop())
    const [products, makers] = service.container
    expect([...(products?.bindings.entries() ?? [])]).toEqual([
      ['maker', makers],
      ['size/norm', makers],
    ])
  })

  it('every fault has an error: the declared one, the one with its name, or a built-in one', async () => {
    const service = await loadValid(
      shop({
        errors: `
errors:
  notFound: { status: 404, code: not-found, message: No. }
  conflict: { status: 409, code: taken, message: No. }`,
        rest: 'faults: { itemNotFound: notFound }',
      }),
    )
    expect(service.faults.itemNotFound).toMatchObject({ name: 'notFound', builtIn: false })
    expect(service.faults.conflict).toMatchObject({ code: 'taken', builtIn: false })
    expect(service.faults.pathNotFound).toMatchObject({ name: 'pathNotFound', status: 404, builtIn: true })
    expect(service.errors.slice(0, 3).map(error => error.name)).toEqual(['notFound', 'conflict', 'pathNotFound'])
  })

  it('bearer authentication answers 401 and 403', async () => {
    const service = await loadValid(shop({ authentication: 'authentication: { scheme: bearer }' }))
    expect(service.authentication).toMatchObject({ missing: { status: 401 }, insufficient: { status: 403 } })
  })
})

describe('an endpoint has what its method and type imply', () => {
  const rows: readonly [path: string, method: string, expected: object][] = [
    ['/products', 'get: {}', { status: 200, support: 'required', ifNoneMatch: 'none' }],
    ['/products', 'post: {}', { kind: 'create', name: 'products.create', status: 201, type: { name: 'product' } }],
    ['/products', 'post: { creates: book }', { kind: 'create', type: { name: 'book' } }],
    ['/products/{id}', 'get: {}', { ifNoneMatch: 'optional', absent: 404, errors: [{ name: 'itemNotFound' }] }],
    [
      '/products/{id}',
      'patch: { updates: item }',
      {
        name: 'products.update',
        method: 'PATCH',
        ifMatch: 'optional',
        errors: [{ name: 'itemNotFound' }, { name: 'preconditionFailed' }],
      },
    ],
    ['/products/{id}', 'put: { updates: product }', { name: 'products.replace', method: 'PUT' }],
    ['/products/{id}', 'delete: { deletes: item }', { name: 'products.delete', status: 204 }],
    ['/copies(isbn={isbn},number={number})', 'delete: { deletes: item }', { ifMatch: 'none' }],
    ['/products/{id}/maker', 'get: { absent: 204 }', { absent: 204 }],
    [
      '/products',
      'get: { name: goods.all, support: false, status: 203 }',
      { name: 'goods.all', support: 'none', status: 203 },
    ],
  ]

  it.each(rows)('%s { %s }', async (path, method, expected) => {
    const service = await loadValid(shop({ paths: `paths:\n  ${path}: { ${method} }` }))
    expect(service.endpoints[0]).toMatchObject(expected)
  })

  it('endpoints are in the order of the spec', async () => {
    const paths =
      'paths:\n  /products/{id}: { delete: { deletes: item }, get: {}, patch: { updates: item } }\n  /me: { get: {} }'
    const service = await loadValid(shop({ paths }))
    expect(service.endpoints.map(endpoint => endpoint.name)).toEqual([
      'products.delete',
      'products.get',
      'products.update',
      'me.get',
    ])
  })
})

describe('query options are filled in', () => {
  async function capabilities(options: string) {
    const service = await loadValid(
      shop({
        queryOptions: `queryOptions: { list: { ${options} } }`,
        paths: 'paths: { /products: { get: { query: list } } }',
        rest: 'open: { topAboveMaximum: { legal: [error, clamp, rejected], reference: error } }',
      }),
    )
    return service.queryCapabilities[0]
  }

  const none = { support: 'none' }
  const rows: readonly [options: string, expected: object][] = [
    [
      '',
      {
        select: 'none',
        filter: none,
        orderby: none,
        expand: none,
        top: none,
        skip: 'none',
        count: 'none',
        search: none,
      },
    ],
    ['select: true, skip: required, count: false', { select: 'optional', skip: 'required', count: 'none' }],
    [
      'filter: required',
      { filter: { support: 'required', operators: { eq: 'required', not: 'required' }, functions: {}, lambdas: {} } },
    ],
    [
      'filter: { functions: [startsWith], lambdas: { any: required }, operators: [eq], properties: { name: none, price: { operators: [gt] } } }',
      {
        filter: {
          support: 'optional',
          operators: { eq: 'optional' },
          functions: { startswith: 'optional' },
          lambdas: { any: 'required' },
          properties: { name: none, price: { support: 'optional', operators: ['gt'] } },
        },
      },
    ],
    ['orderby: true', { orderby: { support: 'optional', properties: {} } }],
    ['orderby: { properties: [name] }', { orderby: { only: ['name'], properties: {} } }],
    ['orderby: { properties: { name: none } }', { orderby: { properties: { name: 'none' } } }],
    [
      'expand: true',
      {
        expand: {
          support: 'optional',
          relations: { maker: 'optional', parts: 'optional' },
          maxDepth: 1,
          nested: ['select'],
        },
      },
    ],
    [
      'expand: { maxDepth: 2, nested: [expand] }',
      { expand: { relations: { maker: 'optional', parts: 'optional' }, maxDepth: 2, nested: ['expand'] } },
    ],
    ['expand: { relations: { parts: required } }', { expand: { relations: { parts: 'required' } } }],
    ['top: { max: 9 }', { top: { support: 'optional', max: 9, above: 'open', min: 0 } }],
    ['search: true', { search: { syntax: 'words', join: ['AND', 'OR', 'NOT'], properties: ['name'] } }],
    ['search: { syntax: propertyTerms }', { search: { join: ['OR'], properties: ['name'] } }],
    [
      'filter: { functions: [contains] }, skip: true, requires: [{ when: [filter.Contains, filter+skip], header: { A: b }, otherwise: notFound, open: topAboveMaximum }]',
      {
        requires: [
          {
            when: [['filter.contains'], ['filter', 'skip']],
            header: { name: 'A', value: 'b' },
            otherwise: { name: 'notFound' },
            open: { name: 'topAboveMaximum' },
          },
        ],
      },
    ],
  ]

  it.each(rows)('{ %s }', async (options, expected) => {
    expect(await capabilities(options)).toMatchObject(expected)
  })

  it('options of a single endpoint have its name', async () => {
    const service = await loadValid(shop({ paths: 'paths: { /products: { get: { query: { select: true } } } }' }))
    expect(service.queryCapabilities).toMatchObject([{ name: 'products.list', select: 'optional' }])
    expect(service.endpoints[0]).toHaveProperty('query', service.queryCapabilities[0])
  })
})

describe('meaning and assumptions', () => {
  it('the meaning of an operation is parsed', async () => {
    const operations = `
operations:
  dear:
    kind: function
    binding: maker
    parameters: { than: { type: Decimal } }
    returns: { type: String, collection: true }
    meaning: { of: products, filter: price gt @than, orderby: name desc, value: name }`
    const [operation] = (await loadValid(shop({ operations }))).operations
    expect(operation?.meaning).toMatchObject({
      of: { name: 'products' },
      transitive: false,
      filter: { kind: 'binary', operator: 'gt', right: { kind: 'alias', name: 'than' } },
      orderby: [{ direction: 'desc' }],
      value: { name: 'name' },
    })
  })

  it('assumptions are listed in the order of the text, without elements that only have the name assumed', async () => {
    const service = await loadValid(
      shop({
        paths: `
paths:
  /products:
    get: { query: { top: { default: 5, assumed: first } }, assumed: second, ref: "4.1" }`,
        errors: 'errors: { notFound: { assumed: third, status: 404, code: x, message: No. } }',
        rest: 'open: { assumed: { legal: [a], reference: a } }\nprofiles: { strict: { assumed: a } }',
      }),
    )
    expect(service.assumptions.map(({ element, why, ref }) => [element, why, ref])).toEqual([
      ['paths/products/get', 'second', '4.1'],
      ['paths/products/get/query/top', 'first', undefined],
      ['errors/notFound', 'third', undefined],
    ])
  })
})
