import { describe, expect, it } from 'vitest'
import { createMutantService, generateData } from '../tests/mutants/index.js'
import { isApplicable } from './coverage/coverage-table.js'
import { type Report, runConformance } from './index.js'
import { serviceWithSets } from './testing/services.js'
import { changed, correct, isList, run, type Target, withBody } from './testing/things.js'

const seeds = [1, 2, 3]

describe('on a service with 270 endpoints, three requests for each, or four with writes', () => {
  const service = serviceWithSets(30)
  const runMany = (allowWrites: boolean): Promise<Report> =>
    runConformance({
      spec: service,
      target: createMutantService({ service, data: generateData(service, { seed: 1, rows: 8 }) }),
      token: 'mutant-token',
      requests: (allowWrites ? 4 : 3) * service.endpoints.length,
      seed: 1,
      allowWrites,
    })

  it.each([false, true])('the suite checks each endpoint (writes allowed: %s)', async allowWrites => {
    const { coverage, verdict, violations } = await runMany(allowWrites)
    const unchecked = coverage.endpoints.filter(each => isApplicable(each) && each.state !== 'checked')
    expect(unchecked.map(({ endpoint, why }) => `${endpoint}: ${why}`)).toEqual([])
    expect(violations).toEqual([])
    expect(verdict).toBe('conforms')
  })
})

describe('the verdict does not depend on the seed', () => {
  it('for a conforming service', async () => {
    const reports = await Promise.all(seeds.map(seed => run(correct(), { seed, requests: 400 })))
    expect(reports.map(({ verdict }) => verdict)).toEqual(seeds.map(() => 'conforms'))
  })

  const empty: Target = changed(correct(), (response, request) =>
    isList(request) && request.url.includes('contains')
      ? withBody(response, body => ({ ...body, value: [] }))
      : response,
  )
  const unsorted: Target = changed(correct(), (response, request) =>
    isList(request) && request.url.includes('orderby')
      ? withBody(response, ({ value, ...body }) => ({ ...body, value: Array.isArray(value) ? value.toReversed() : [] }))
      : response,
  )

  it.each([
    ['ignores contains', empty],
    ['sorts the wrong way', unsorted],
  ])('for a service that %s', async (_, target) => {
    const reports = await Promise.all(seeds.map(seed => runUntilViolation(target, seed)))
    expect(reports.map(({ verdict }) => verdict)).toEqual(seeds.map(() => 'violations'))
  })
})

/** The first violation decides the verdict. */
function runUntilViolation(target: Target, seed: number): Promise<Report> {
  const end = new AbortController()
  const onProgress = ({ violations }: { readonly violations: number }): void => {
    if (violations > 0) end.abort()
  }
  return run(target, { seed, requests: 400, signal: end.signal, onProgress })
}

describe('required coverage', () => {
  it('ends with insufficient coverage if less was checked', async () => {
    const unreadable: Target = changed(correct(), (response, request) =>
      /things\/[^?]/.test(request.url)
        ? Response.json({ error: { code: 'x', message: 'x' } }, { status: 503 })
        : response,
    )
    const report = await run(unreadable, { requests: 300, skip: ['no-server-error'], requireCoverage: 100 })
    expect(report.verdict).toBe('insufficient-coverage')
    expect(report.summary).toContain('100 % coverage is required')
  })

  it('changes nothing if enough was checked', async () => {
    expect((await run(correct(), { requests: 300, requireCoverage: 50 })).verdict).toBe('conforms')
  })
})
