import { describe, expect, it } from 'vitest'
import { createMutantService, makeData } from '../mutants/index.js'
import type { Report } from '../report/report.js'
import { runConformance } from '../run-conformance.js'
import type { SpecName } from '../testing/rule-bench.js'
import { smallPages } from '../testing/small-pages.js'

interface Size {
  readonly rows: number
  readonly size: number
  readonly maxRows: number
  readonly requests: number
}

function judged(name: SpecName, { rows, size, maxRows, requests }: Size): Promise<Report> {
  const service = smallPages(name, size)
  const target = createMutantService({ service, data: makeData(service, { rows }) })
  return runConformance({ spec: service, target, token: 'mutant-token', seed: 1, requests, maxRows, allowWrites: true })
}

describe('a correct service', () => {
  it.each<[string, SpecName, Omit<Size, 'requests'>]>([
    ['whose $top limits pages, with more pages than a rule reads', 'directory', { rows: 140, size: 2, maxRows: 400 }],
    ['whose $top limits lists, with more items than it may ask for', 'library', { rows: 140, size: 2, maxRows: 400 }],
    ['whose $top limits lists, with more items than are read', 'library', { rows: 140, size: 6, maxRows: 100 }],
  ])('%s, is accused of nothing', async (_, name, size) => {
    const { violations } = await judged(name, { ...size, requests: 400 })
    expect(violations.map(({ rule, site, message }) => `${rule} ${site} ${message}`)).toEqual([])
  })
})

it('a run that spent its budget on reading what is there says that it says nothing', async () => {
  expect(await judged('library', { rows: 140, size: 2, maxRows: 400, requests: 60 })).toMatchObject({
    verdict: 'hollow',
    summary: expect.stringContaining('the budget was spent on reading'),
  })
})
