import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { createVariantService, variantsOf } from '../../tests/mutants/index.js'
import type { Report } from '../report/report.js'
import { runConformance } from '../run-conformance.js'
import { reportOf, specOf } from '../testing/mutant-run.js'

const text = readFileSync(new URL('../../spec/directory.yaml', import.meta.url), 'utf8')

/** Checks a service of which the moments that calibration asks for are whole, and those that one filter rests on are not. */
async function checked(spec: string, profile?: string): Promise<Report> {
  const { service } = loadSpecText(spec, 'directory.yaml')
  if (service === undefined) throw new Error('The spec has errors.')
  const variants = variantsOf(specOf('directory')).filter(({ name }) => name === 'timestamps-finer-than-shown')
  return runConformance({
    spec: service,
    target: createVariantService(variants, service, 1),
    token: 'mutant-token',
    allowWrites: true,
    seed: 1,
    requests: 400,
    ...(profile === undefined ? {} : { profile }),
  })
}

describe('a choice that is reconsidered', () => {
  it('must match the profile', async () => {
    const spec = text.replace('\nprofiles:\n', '\nprofiles:\n  whole:\n    timestampPrecision: shown\n')
    const { violations, choices } = await checked(spec, 'whole')
    expect(violations.map(({ features }) => features)).toContainEqual(['profile', 'timestampPrecision'])
    const { value, differing = [] } = choices.find(({ name }) => name === 'timestampPrecision') ?? {}
    expect([value, ...differing.map(place => place.value)]).toContain('finer')
  })

  it('excuses nothing if it is not legal', async () => {
    const { violations } = await checked(text.replace('legal: [shown, finer]', 'legal: [shown]'))
    expect(violations.map(({ area }) => area)).toContain('filter')
  })
})

describe('a choice that would explain a finding', () => {
  it.each(['like-wildcards', 'eq-is-a-prefix', 'third-condition-lost'])(
    'is observed on the properties of the query, so that %s is found at once',
    async mutant => {
      const { violations } = await reportOf({ rules: ['filter-model'], mutant, requests: 100 })
      expect(violations.map(({ rule }) => rule)).toContain('filter-model')
    },
  )
})
