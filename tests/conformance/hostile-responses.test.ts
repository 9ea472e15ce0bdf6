import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { runConformance } from '../../conformance/index.js'
import { loadSpec, type Service } from '../../spec/language/index.js'
import { generateData } from '../mutants/data/generate-data.js'
import { createMutantService } from '../mutants/service/service.js'
import { root } from '../root.js'
import { malformedValues, namesIn, replacement, withReplacement } from './hostile-responses.js'

/** The number of hostile values. `npm run soak` tries 10,000. */
const runs = Number(process.env['HOSTILE_VALUES'] ?? 40)

describe.each(['directory', 'library'])('a service of %s with a hostile value in its responses', name => {
  let service: Service
  let target: (request: Request) => Promise<Response>
  beforeAll(async () => {
    const loaded = await loadSpec(join(root, 'spec', `${name}.yaml`))
    if (loaded.service === undefined) throw new Error('The spec has errors.')
    service = loaded.service
    target = createMutantService({ service, data: generateData(service, { seed: 1, rows: 6 }) })
  })

  it('never stops the suite', async () => {
    const property = fc.asyncProperty(replacement, fc.nat(), async (change, seed) => {
      const report = await runConformance({
        spec: service,
        target: withReplacement(target, change),
        token: 'mutant-token',
        seed,
        requests: 60,
      })
      expect(report.verdict).toBeTypeOf('string')
    })
    await fc.assert(property, { numRuns: Math.ceil(runs / 4), seed: 1 })
  })

  it('violates declared-types if the value is malformed, and the report names property, value and form', async () => {
    const options = { spec: service, token: 'mutant-token', seed: 1, requests: 120, only: ['declared-types'] } as const
    const shown = new Set<string>()
    await runConformance({
      ...options,
      target: async request => {
        const response = await target(request)
        const body = await response.clone().text()
        if (response.ok && body.startsWith('{')) for (const each of namesIn(JSON.parse(body))) shown.add(each)
        return response
      },
    })
    const values = malformedValues(service, each => shown.has(each))
    const property = fc.asyncProperty(fc.constantFrom(...values), async ({ name, text }) => {
      const end = new AbortController()
      const report = await runConformance({
        ...options,
        target: withReplacement(target, { position: name, text }),
        signal: end.signal,
        onProgress: ({ violations }) => {
          if (violations > 0) end.abort()
        },
      })
      const found = report.violations.filter(({ rule }) => rule === 'declared-types')
      expect(found.map(({ message }) => message).join()).toContain(name)
      expect(found.every(({ expected, received }) => expected !== '' && received !== '')).toBe(true)
    })
    await fc.assert(property, { numRuns: Math.ceil(runs / 4), seed: 1 })
  })
})
