import { describe, expect, it } from 'vitest'
import { fuzz } from './fuzz.js'

// In this environment variable a number of runs may be given; a million takes a minute or two.
const given = Number(process.env['FUZZ_RUNS'])
const runs = Number.isSafeInteger(given) && given > 0 ? given : 20_000

describe('random and mutated texts', () => {
  it('are parsed or rejected with a QuerySyntaxError, and printing is a fixed point', () => {
    const report = fuzz(runs, Date.now() % 0x1_0000_0000)
    expect(report.findings).toEqual([])
    // The texts are near enough to the grammar that many are read and many are not.
    expect(report.read).toBeGreaterThan(runs / 20)
    expect(report.refused).toBeGreaterThan(runs / 20)
  })
})
