import { describe, expect, it } from 'vitest'
import type { Endpoint, ResolvedSegment } from '../model/service.js'
import { loadValid, shop } from '../testing/valid-spec.js'

function show(segment: ResolvedSegment): string {
  switch (segment.kind) {
    case 'entitySet':
    case 'singleton':
      return `${segment.kind} ${segment.element.name}`
    case 'key':
      return `key of ${segment.type.name} by ${segment.style}: ${segment.variables.join(', ')}`
    case 'navigation':
      return `relation ${segment.property.name} in ${segment.source?.name ?? 'no set'}`
    case 'property':
      return `property ${segment.property.name}`
    case 'cast':
      return `cast ${segment.type.name}`
    case 'operation':
      return `${segment.operation.kind} ${segment.operation.name}(${Object.entries(segment.variables).join(',')})`
    default:
      return segment.kind
  }
}

async function endpointOf(path: string, document = 'get: {}'): Promise<Endpoint | undefined> {
  const service = await loadValid(shop({ paths: `paths:\n  ${path}: { ${document} }` }))
  return service.endpoints[0]
}

const makerOf = 'relation maker in products'

describe('a path resolves step by step from the container', () => {
  const rows: readonly [path: string, name: string, kind: string, ...steps: string[]][] = [
    ['/products', 'products.list', 'collection', 'entitySet products'],
    ['/products/{id}', 'products.get', 'item', 'entitySet products', 'key of product by segment: id'],
    ['/products({id})', 'products.get', 'item', 'entitySet products', 'key of product by parentheses: id'],
    ['/products(id={no})', 'products.get', 'item', 'entitySet products', 'key of product by parentheses: no'],
    ['/copies(number={n},isbn={i})', 'copies.get', 'item', 'entitySet copies', 'key of copy by parentheses: i, n'],
    ['/products/$count', 'products.count', 'count', 'entitySet products', 'count'],
    ['/products/delta', 'products.delta', 'delta', 'entitySet products', 'delta'],
    ['/products/delta()', 'products.delta', 'delta', 'entitySet products', 'delta'],
    ['/me', 'me.get', 'item', 'singleton me'],
    ['/me/products', 'me.products.list', 'collection', 'singleton me', 'relation products in me'],
    [
      '/products/{id}/maker',
      'products.maker.get',
      'item',
      'entitySet products',
      'key of product by segment: id',
      makerOf,
    ],
    [
      '/products/{id}/maker/products/{other}',
      'products.maker.products.get',
      'item',
      'entitySet products',
      'key of product by segment: id',
      makerOf,
      'relation products in makers',
      'key of product by segment: other',
    ],
    [
      '/products/{id}/parts/{number}',
      'products.parts.get',
      'item',
      'entitySet products',
      'key of product by segment: id',
      'relation parts in products',
      'key of part by segment: number',
    ],
    [
      '/products/{id}/size/norm',
      'products.size.norm.get',
      'item',
      'entitySet products',
      'key of product by segment: id',
      'property size',
      'relation norm in products',
    ],
    ['/products/shop.book', 'products.book.list', 'collection', 'entitySet products', 'cast book'],
    [
      '/products/shop.book/{id}',
      'products.book.get',
      'item',
      'entitySet products',
      'cast book',
      'key of book by segment: id',
    ],
    ['/products/cheapest()', 'products.cheapest', 'call', 'entitySet products', 'function cheapest()'],
    ['/products/shop.cheapest', 'products.cheapest', 'call', 'entitySet products', 'function cheapest()'],
    ['/open()', 'open', 'call', 'function open()'],
    [
      '/products/{id}/similar(by={by})',
      'products.similar',
      'call',
      'entitySet products',
      'key of product by segment: id',
      'function similar(by,by)',
    ],
    [
      '/products/{id}/similar(by={by})/$count',
      'products.similar.count',
      'count',
      'entitySet products',
      'key of product by segment: id',
      'function similar(by,by)',
      'count',
    ],
  ]

  it.each(rows)('%s is %s', async (path, name, kind, ...steps) => {
    const endpoint = await endpointOf(path)
    expect(endpoint?.name).toBe(name)
    expect(endpoint?.kind).toBe(kind)
    expect(endpoint?.resolved.map(show)).toEqual(steps)
  })

  it('an action is called with POST', async () => {
    const endpoint = await endpointOf('/products/{id}/rate', 'post: {}')
    expect(endpoint).toMatchObject({ name: 'products.rate', kind: 'call', method: 'POST', status: 204 })
  })

  it('`resource` states where the path leads, and the path gives the name', async () => {
    const endpoint = await endpointOf('/goods/{id}/made', 'resource: "products/{id}/maker", get: {}')
    expect(endpoint?.name).toBe('goods.made.get')
    expect(endpoint?.resolved.map(show)).toEqual(['entitySet products', 'key of product by segment: id', makerOf])
  })

  it('keys are resolved to variable, property and segment', async () => {
    const endpoint = await endpointOf('/copies(number={n},isbn={i})')
    expect(endpoint?.keys.map(({ variable, property, segment }) => [variable, property.name, segment])).toEqual([
      ['i', 'isbn', 1],
      ['n', 'number', 1],
    ])
  })

  it.each([
    ['/products/near(by={by})', 'nearProduct'],
    ['/products/near()', 'near'],
    ['/products/shop.more.near(of={of})', 'nearOther'],
    ['/products/{id}/near()', 'nearOne'],
    ['/products/shop.book/{id}/near()', 'nearBook'],
    ['/near()', 'nearNothing'],
  ])('%s calls the overload with the binding and the parameters of the path: %s', async (path, name) => {
    const returns = 'returns: { type: Boolean }'
    const bound = `{ kind: function, binding: product, qualifiedName: shop.near, ${returns}`
    const operations = `operations:
  near: { kind: function, binding: product, bindingCollection: true, ${returns} }
  nearProduct: ${bound}, bindingCollection: true, parameters: { by: { type: String } } }
  nearOther: ${bound.replace('shop.near', 'shop.more.near')}, bindingCollection: true, parameters: { of: { type: String } } }
  nearOne: ${bound} }
  nearBook: ${bound.replace('binding: product', 'binding: book')} }
  nearNothing: { kind: function, qualifiedName: shop.near, ${returns} }`
    const service = await loadValid(shop({ operations, paths: `paths: { "${path}": { get: {} } }` }))
    expect(service.endpoints.map(endpoint => endpoint.kind === 'call' && endpoint.operation.name)).toEqual([name])
  })

  it('a cast uses the name of the type in CSDL', async () => {
    const spec = shop({ paths: 'paths: { /products/shop.paper.book: { get: {} } }' })
    const pamphlet = '  pamphlet: { kind: entityType, base: product, qualifiedName: shop.paper.book }'
    const service = await loadValid(spec.replace('resources:', `resources:\n${pamphlet}`))
    expect(service.endpoints[0]?.resolved.map(show)).toEqual(['entitySet products', 'cast pamphlet'])
  })
})
