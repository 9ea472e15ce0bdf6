import { describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import type { TestRequest } from '../http/message.js'
import type { Row } from '../json.js'
import type { Listing } from '../session/session.js'
import { discover } from './discover.js'

const { service, diagnostics } = loadSpecText(
  `
specwright: 1
service: { name: shop, title: Shop, namespace: shop, version: v1 }
authentication: { scheme: none }
resources:
  part: { kind: entityType, key: [id], properties: { id: { type: String } } }
  box:
    kind: entityType
    key: [id]
    properties: { id: { type: String } }
    navigation: { parts: { to: part, collection: true } }
container: { boxes: { entitySet: box } }
queryOptions:
  boxes: { expand: { relations: [parts] } }
  parts: {}
paths:
  /boxes: { get: { returns: collection, query: boxes } }
  /boxes/{id}/parts: { get: { returns: collection, query: parts } }
errors:
  notFound: { status: 404, code: notFound, message: None. }
`,
  'shop.yaml',
)

const partsOf: Readonly<Record<string, number>> = { a: 0, b: 1, c: 0, d: 7, e: 2, f: 9 }
const parts = (box: string): readonly Row[] =>
  Array.from({ length: partsOf[box] ?? 0 }, (_, index) => ({ id: `${box}${index}` }))
const whole = (rows: readonly Row[]): Listing => ({ rows, pages: [], end: 'complete' })
const refused: Listing = { rows: [], pages: [], end: 'rejected' }

function list({ path, options }: TestRequest, expanded: boolean): Listing {
  const box = /^\/boxes\/(\w)\/parts$/.exec(path)?.[1]
  if (box !== undefined) return whole(parts(box))
  const isExpanded = options?.expand !== undefined
  if (isExpanded && !expanded) return refused
  return whole(Object.keys(partsOf).map(id => ({ id, ...(isExpanded ? { parts: parts(id) } : {}) })))
}

describe('discovery below the items of a list', () => {
  it.each([
    [
      'reads the longest lists and an empty one, as an expanded read shows them',
      true,
      ['f', 'a', 'd'],
      ['f', 'd', 'a'],
    ],
    ['tries items in turn if they cannot be expanded', false, ['a', 'b', 'c', 'd', 'e', 'f'], ['d', 'f', 'a']],
  ])('%s', async (_, expanded, read, kept) => {
    if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
    const asked: string[] = []
    const session = {
      service,
      requestsLeft: () => 1000,
      list: async (request: TestRequest): Promise<Listing> => {
        asked.push(request.path)
        return list(request, expanded)
      },
    }
    const { sites } = await discover(service, { session, prefetch: (_tasks, work) => work() }, 100, () => {})
    const below = (paths: readonly string[]): readonly string[] =>
      paths.flatMap(path => /^\/boxes\/(\w)\/parts$/.exec(path)?.[1] ?? [])
    expect(below(asked)).toEqual(read)
    expect(below(sites.map(({ path }) => path))).toEqual(kept)
  })
})
