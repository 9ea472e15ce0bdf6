import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderText, runConformance } from '../../conformance/index.js'
import { readData } from '../../reference/data/read-data.js'
import { createReferenceService } from '../../reference/reference-service.js'
import { engineNames, type StoreMaker, storeMaker } from '../../reference/testing/engines.js'
import { loadSpec } from '../../spec/language/index.js'
import { root } from '../root.js'

const token = 'let-me-in'
const service = { directory: 'mira', library: 'lib-1' } as const

describe.each(engineNames)('the conformance suite, on the reference service over %s,', engine => {
  let stores: StoreMaker
  beforeAll(async () => {
    stores = await storeMaker(engine)
  })
  afterAll(() => stores.stop())

  it.each(Object.entries(service))('finds no violation of the %s service, with reads and writes', async (name, id) => {
    const path = join(root, 'spec', `${name}.yaml`)
    const { service: spec } = await loadSpec(path)
    if (spec === undefined) throw new Error(`${path} has errors`)
    const scopes = spec.authentication.scopes.map(scope => scope.name)
    const reference = await createReferenceService({
      spec,
      store: await stores.make(),
      authenticate: ({ headers }) => (headers.get('authorization') === `Bearer ${token}` ? { id, scopes } : undefined),
    })
    try {
      await reference.load(readData(join(root, 'spec', `${name}.data.yaml`), spec))
      const report = await runConformance({
        spec,
        target: reference.fetch,
        token,
        allowWrites: true,
        requests: 500,
        seed: 20_261_121,
      })
      expect(
        report.violations.map(({ rule, message }) => `${rule}: ${message}`),
        renderText(report),
      ).toEqual([])
      expect(report.verdict).toMatch(/^(?:conforms|partial)$/)
      expect(report.leftovers).toEqual([])
    } finally {
      await reference.close()
    }
  })
})
