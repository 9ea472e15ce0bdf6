import { describe, expect, it } from 'vitest'
import { probedSpecs } from './testing/specs.js'
import { runVariant } from './trial.js'
import { variantsOf } from './variants/index.js'

// Takes calibrators away: what the suite does not learn, it must not presume. `npm test` takes a few of them away, the
// soak run all of them.

const requests = Number(process.env['HELD_OUT_REQUESTS'] ?? 250)
/** Every so many variants are run. */
const step = Number(process.env['HELD_OUT_STEP'] ?? 28)

const cases = probedSpecs
  .flatMap(({ service }) => variantsOf(service).map(variant => ({ ...variant, service, spec: service.name, variant })))
  .filter(({ choices }) => choices.length > 0)
  .filter((_, index) => index % step === 0)

describe('a suite that does not learn a choice', () => {
  it.each(cases)('reports nothing for the variant $name of $spec', async ({ service, variant, choices }) => {
    const { violations } = await runVariant([variant], service, { seed: 1, requests, excludedChoices: choices })
    expect(violations.map(({ rule, site, message }) => [rule, site, message])).toEqual([])
  })
})
