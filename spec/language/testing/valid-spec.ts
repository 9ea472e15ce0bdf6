import { expect } from 'vitest'
import { formatDiagnostics } from '../diagnostics/format-diagnostics.js'
import { loadSpecText } from '../load.js'
import type { Service } from '../model/service.js'

/** The model of a spec that must be valid. */
export async function loadValid(text: string): Promise<Service> {
  const { service, diagnostics } = await loadSpecText(text, 'spec.yaml')
  expect(formatDiagnostics(diagnostics, { format: 'plain' })).toBe('')
  if (service === undefined) throw new Error('A spec without diagnostics has a service.')
  return service
}

/** A small valid spec, by chapter, so that a test can replace one chapter. */
interface ShopChapters {
  readonly service?: string
  readonly authentication?: string
  readonly resources?: string
  readonly container?: string
  readonly queryOptions?: string
  readonly paths?: string
  readonly operations?: string
  readonly errors?: string
  readonly rest?: string
}

const sound: Required<ShopChapters> = {
  service: 'service: { name: shop, version: v1 }',
  authentication: '',
  resources: `
resources:
  product:
    kind: entityType
    key: [id]
    entityTag: weak
    properties:
      id: { type: String, computed: true }
      name: { type: String, maxLength: 80, search: words }
      price: { type: Decimal, nullable: true }
      size: { type: size, nullable: true }
    navigation:
      maker: { to: maker, nullable: true, partner: products }
      parts: { to: part, collection: true, contained: true }
  part:
    kind: entityType
    key: [number]
    properties: { number: { type: Int32 } }
  book:
    kind: entityType
    base: product
    properties: { pages: { type: Int32, nullable: true } }
  maker:
    kind: entityType
    key: [id]
    properties: { id: { type: String } }
    navigation: { products: { to: product, collection: true, partner: maker } }
  copy:
    kind: entityType
    key: [isbn, number]
    properties: { isbn: { type: String }, number: { type: Int32 } }
  size:
    kind: complexType
    properties: { width: { type: Int32 } }
    navigation: { norm: { to: maker, nullable: true } }
`,
  container: `
container:
  products: { entitySet: product }
  makers: { entitySet: maker }
  copies: { entitySet: copy }
  me: { singleton: maker }
`,
  queryOptions: '',
  paths: 'paths: { /products: { get: { returns: collection } } }',
  operations: `
operations:
  rate: { kind: action, binding: product, parameters: { stars: { type: Byte } } }
  cheapest: { kind: function, binding: product, bindingCollection: true, returns: { type: product } }
  similar: { kind: function, binding: product, composable: true, parameters: { by: { type: String } }, returns: { type: product, collection: true } }
  open: { kind: function, returns: { type: Boolean } }
`,
  errors: 'errors: { notFound: { status: 404, code: not-found, message: There is no such item. } }',
  rest: '',
}

/** The text of a valid spec with some chapters replaced. */
export function shop(chapters: ShopChapters = {}): string {
  return ['specwright: 1', ...Object.values({ ...sound, ...chapters })].map(text => text.trim()).join('\n')
}
