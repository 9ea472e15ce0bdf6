import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { specOf } from '../../conformance/testing/rule-tests.js'
import { root } from '../root.js'
import { buildStranger, checkStranger, drawChoices, strangerNames } from './index.js'

const folder = join(root, 'tests/strangers')
const cache = mkdtempSync(join(tmpdir(), 'strangers-'))
afterAll(() => rmSync(cache, { recursive: true, force: true }))

const isRequired = process.env['STRANGERS'] === 'required'
/** The number of services with random choices to check of each stranger, and the requests of each run. */
const runs = Number(process.env['STRANGER_RUNS'] ?? 1)
const requests = Number(process.env['STRANGER_REQUESTS'] ?? 400)
const spec = specOf('directory')

/** The services to check: a sample of two, another one each day; `npm run soak` checks all. */
const names = strangerNames(folder)
const sampled = Number(process.env['STRANGERS_SAMPLED'] ?? 2)
const today = Math.floor(Date.now() / 86_400_000)
const sample = names.map((_, index) => names[(today * sampled + index) % names.length] ?? '').slice(0, sampled)

describe.each(sample)('the independent service %s', name => {
  const built = buildStranger(join(folder, name), cache)
  if (typeof built === 'string') {
    it.skipIf(!isRequired)(`is installed: ${built}`, () => expect(built).toBe(''))
    return
  }

  it('describes its choices and at least 20 faults', () => {
    const { choices, faults } = built.description
    expect(choices.every(({ values, default: usual }) => values.includes(usual))).toBe(true)
    expect(faults.length).toBeGreaterThanOrEqual(20)
  })

  it.each(Array.from({ length: runs }, (_, index) => index + 1))('conforms with the random choices %i', async seed => {
    const settings = { choices: drawChoices(built, seed) }
    const { violations, exercised } = await checkStranger(built, settings, spec, { seed, requests })
    expect(violations).toEqual([])
    expect(exercised).toEqual(expect.arrayContaining(['filter', 'ordering', 'paging', 'writing', 'errors']))
  })

  it('does not conform with its faults of authentication', async () => {
    const { faults } = built.description
    const found = await Promise.all(
      faults
        .filter(({ area }) => area === 'authentication')
        .slice(0, 1)
        .map(({ name: fault }) => checkStranger(built, { fault }, spec, { seed: 1, requests, stopAtFirst: true })),
    )
    expect(found.filter(({ violations }) => violations.length === 0).map(({ settings }) => settings.fault)).toEqual([])
  })
})
