import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Session } from '../session/session.js'
import { openBench } from '../testing/rule-bench.js'
import { shelf } from '../testing/shelf.js'
import { smallPages } from '../testing/small-pages.js'
import { rules } from './index.js'

/** All but the one that is about what lies beyond the maximum, and those that plan filters, which takes seconds. */
const asking = rules.flatMap(rule =>
  rule.kind === 'watching' || rule.id === 'top-bounds' || rule.area === 'filter' ? [] : [rule],
)

/** What rules would ask for, planned or drawn, with more than $top may be at a site. */
function beyondMaximum(session: Session): readonly string[] {
  const found = new Set<string>()
  for (const rule of asking) {
    for (const site of rule.sites(session)) {
      const { endpoint } = site
      const max = ('query' in endpoint ? endpoint.query?.top.max : undefined) ?? Number.POSITIVE_INFINITY
      const { planned = [], random } = rule.cases(site, session)
      const drawn = random === undefined ? [] : fc.sample(random, { numRuns: 20, seed: 1 })
      for (const { options } of [...planned, ...drawn])
        if ((options?.top ?? 0) > max) found.add(`${rule.id} ${site.id}`)
    }
  }
  return [...found]
}

describe('no rule asks for more items than $top may be', () => {
  it.each([
    ['shelf', shelf],
    ['directory', smallPages('directory', 1)],
    ['library', smallPages('library', 1)],
  ])('of the %s with small pages', async (_, service) => {
    const { session } = await openBench(service, { writes: true, choices: { topMeaning: 'pageSize' } })
    expect(beyondMaximum(session)).toEqual([])
    expect(beyondMaximum({ ...session, snapshot: () => undefined })).toEqual([])
  })
})
