import { describe, expect, it } from 'vitest'
import { loadSpecText } from './load.js'

/** With a quadratic algorithm, a spec with this many errors takes a minute. */
const count = 10_000

const lines = (line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

const withProperties = (properties: string, chapters = ''): string => `specwright: 1
service: { name: shop, version: v1 }
resources:
  product:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
${properties}
container:
  products: { entitySet: product }
paths:
  /products: { get: { returns: collection } }
errors:
  notFound: { status: 404, code: not-found, message: There is no such item. }
${chapters}
`

const specs: Readonly<Record<string, string>> = {
  'unknown chapters': withProperties(
    '',
    lines(index => `unknown${index}: 1`),
  ),
  'properties that are no mappings': withProperties(lines(index => `      p${index}: 1`)),
  'types that do not exist': withProperties(lines(index => `      p${index}: { type: nope${index} }`)),
}

describe('a spec with 10,000 errors', () => {
  it.each(Object.entries(specs))('of %s gets a thousand diagnostics and a count', (_, text) => {
    const { service, diagnostics } = loadSpecText(text, 'shop.yaml')
    expect(service).toBeUndefined()
    expect(diagnostics).toHaveLength(1001)
    expect(diagnostics.at(-1)?.message).toBe(
      `There are ${(count - 1000).toLocaleString('en')} more errors and warnings. Fix the first 1,000, and check again.`,
    )
  })
})
