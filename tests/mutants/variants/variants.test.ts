import { describe, expect, it } from 'vitest'
import { transcript } from '../testing/probe.js'
import { probedSpecs } from '../testing/specs.js'
import { combineVariants, createVariantService, variantsOf } from './index.js'

describe.each(probedSpecs)('variants of $name', ({ service, probes, root }) => {
  const variants = variantsOf(service)

  it('have names of their own', () => {
    const names = variants.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('are at least thirty', () => {
    expect(variants.length).toBeGreaterThanOrEqual(30)
  })

  it('take each open choice some other legal way', () => {
    const others = service.open.filter(({ legal }) => legal.length > 1)
    const untaken = others.filter(({ name }) => !variants.some(variant => variant.choices.includes(name)))
    expect(untaken.map(({ name }) => name)).toEqual([])
  })

  it.each(variants)('$name answers everything, and nothing with an internal error', async variant => {
    for (const [about, probe] of Object.entries(probes)) {
      // Hundreds of queries that no variant answers in another way than a few.
      if (about === 'lists') continue
      const told = await transcript(probe, createVariantService([variant], service, 1), root)
      expect(told.filter(answer => / 500 \[/.test(answer))).toEqual([])
    }
  })

  it('combine without excluding each other, the same way each time', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const combined = combineVariants(variants, seed)
      const groups = combined.map(({ name, group }) => group ?? name)
      expect(new Set(groups).size).toBe(groups.length)
      expect(combineVariants(variants, seed)).toEqual(combined)
    }
  })
})
