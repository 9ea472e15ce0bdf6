import { describe, expect, it } from 'vitest'
import type { Report } from '../../conformance/index.js'
import { nextStep } from './check-service.js'

const site = { site: 'GET /things', method: 'GET', template: '/things', path: '/things', unsupported: [] }

describe('nextStep', () => {
  it.each<[Report['verdict'], boolean, RegExp]>([
    ['unreachable', false, /running.*address/],
    ['unreachable', true, /log.*--seed 7/],
    ['refused', false, /--token or SPECWRIGHT_TOKEN/],
    ['refused', true, /valid for the whole run.*--time/],
    ['insufficient-coverage', true, /--allow-writes/],
  ])('of a run that is %s (begun: %s)', (verdict, hasBegun, words) => {
    expect(nextStep({ verdict, sites: hasBegun ? [site] : [], seed: 7 })).toMatch(words)
  })

  it.each<Report['verdict']>(['conforms', 'violations', 'stale', 'interrupted'])(
    'is left to the report: %s',
    verdict => {
      expect(nextStep({ verdict, sites: [site], seed: 7 })).toBeUndefined()
    },
  )
})
