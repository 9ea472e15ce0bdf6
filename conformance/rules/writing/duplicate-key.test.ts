import { describe, expect, it } from 'vitest'
import { loadSpecText, type Service } from '../../../spec/language/index.js'
import type { Verdict } from '../../rule/verdict.js'
import { openTestSession, verdictsOf } from '../../testing/rule-tests.js'
import { duplicateKey } from './duplicate-key.js'

/** A service whose orders have these properties beside a name. */
function orders(properties: string, key = 'id'): Service {
  const { service, diagnostics } = loadSpecText(
    `
specwright: 1
service: { name: orders, title: Orders, namespace: orders, version: v1 }
authentication: { scheme: none }
resources:
  order:
    kind: entityType
    key: [${key}]
    properties:
      name: { type: String, nullable: true }
${properties}
container: { orders: { entitySet: order } }
queryOptions: { all: { filter: { operators: [eq] }, top: { default: 10, max: 10 } } }
paths:
  /orders: { get: { returns: collection, query: all }, post: { creates: order } }
  /orders${key === 'id' ? '/{id}' : '(id={id},part={part})'}: { get: { returns: item }, delete: { deletes: item } }
errors:
  notFound: { status: 404, code: notFound, message: None. }
`,
    'orders.yaml',
  )
  if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return service
}

async function verdictOn(service: Service, mutant?: string): Promise<Verdict | undefined> {
  const bench = await openTestSession(service, { writes: true, rows: 5, ...(mutant === undefined ? {} : { mutant }) })
  const [verdict] = await verdictsOf(duplicateKey, bench, { sites: 1, cases: 1 })
  return verdict
}

describe('duplicate-key', () => {
  it.each<[string, Service, Verdict['kind'] | undefined]>([
    ['a key that the client provides', orders('      id: { type: String }'), 'pass'],
    ['a key that the service may generate', orders('      id: { type: Int32, required: false }'), 'inconclusive'],
    [
      'a key of which the service may generate a part',
      orders('      id: { type: String }\n      part: { type: Int32, required: false }', 'id, part'),
      'inconclusive',
    ],
    ['a key that the service generates', orders('      id: { type: String, computed: true }'), undefined],
  ])('reports nothing for a conforming service: %s', async (_, service, kind) => {
    expect((await verdictOn(service))?.kind).toBe(kind)
  })

  it('detects a create with an existing key', async () => {
    const verdict = await verdictOn(orders('      id: { type: String }'), 'duplicate-key-accepted')
    expect(verdict).toMatchObject({
      kind: 'fail',
      finding: { features: [expect.stringMatching(/^error\./), 'accepted'] },
    })
  })
})
