import { describe, expect, it } from 'vitest'
import { transcript } from '../testing/probe.js'
import { sampleOf } from '../testing/sample.js'
import { probedSpecs } from '../testing/specs.js'
import { combineVariants, createVariantService, variantsOf } from './index.js'
import type { Variant } from './variant.js'

/** The variants of each spec that are called. `npm run soak` calls all. */
const sampled = Number(process.env['VARIANTS_SAMPLED'] ?? 60)

/** Makes the services small, unless another variant makes them large. */
const few: Variant = { name: 'few', choices: [], statement: 'There are few items.', data: { rows: 24 } }

describe.each(probedSpecs)('variants of $name', ({ service, probes, root }) => {
  const variants = variantsOf(service)

  it('have unique names', () => {
    const names = variants.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('number at least thirty', () => {
    expect(variants.length).toBeGreaterThanOrEqual(30)
  })

  it('make each open choice in another permitted way', () => {
    const others = service.open.filter(({ legal }) => legal.length > 1)
    const untaken = others.filter(({ name }) => !variants.some(variant => variant.choices.includes(name)))
    expect(untaken.map(({ name }) => name)).toEqual([])
  })

  it.each(sampleOf(variants, sampled))('$name answers everything without an internal error', async variant => {
    for (const [about, probe] of Object.entries(probes)) {
      // Hundreds of queries that no variant answers in another way than a few.
      if (about === 'lists' || about === 'filters' || about === 'more') continue
      const reported = await transcript(probe, createVariantService([few, variant], service, 1), root)
      expect(reported.filter(answer => / 500 \[/.test(answer))).toEqual([])
    }
  })

  it('combine without excluding each other, deterministically', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const combined = combineVariants(variants, seed)
      const groups = combined.map(({ name, group }) => group ?? name)
      expect(new Set(groups).size).toBe(groups.length)
      expect(combineVariants(variants, seed).map(({ name }) => name)).toEqual(combined.map(({ name }) => name))
    }
  })
})
