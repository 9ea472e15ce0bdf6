import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { ActiveRule } from '../rule/rule.js'
import type { Session } from '../session/session.js'
import { openTestSession, specWithSmallPages } from '../testing/rule-tests.js'
import { shelf } from '../testing/services.js'
import { rules } from './index.js'

const askingRules = rules.filter(rule => rule.kind === 'active')

it('every rule declares the options that all its cases have and that it covers, so that shrinking keeps them', async () => {
  const sessions = await Promise.all(
    (['directory', 'library'] as const).map(async spec => (await openTestSession(spec, { writes: true })).session),
  )
  const common = (rule: ActiveRule): readonly string[] => {
    const all = sessions.flatMap(session =>
      rule
        .sites(session)
        .slice(0, 4)
        .flatMap(site => rule.cases(site, session).planned ?? [])
        .map(({ options }) => namesOf(options)),
    )
    const covered = rule.covers.map(construct => construct.split('.')[0])
    const [first] = all
    // Where these data give it nothing to try, what it says is held to what it covers.
    if (first === undefined) return (rule.requiredOptions ?? []).filter(name => covered.includes(name))
    return first.filter(name => covered.includes(name) && all.every(names => names.includes(name)))
  }
  const found = askingRules.map(rule => [rule.id, common(rule).toSorted()])
  expect(found, 'Correct requiredOptions: the received options are those that all cases of the rule have.').toEqual(
    askingRules.map(({ id, requiredOptions = [] }) => [id, requiredOptions.toSorted()]),
  )
})

function namesOf(options: QueryOptions = {}): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

/** All but the one that is about what lies beyond the maximum, and those that plan filters, which takes seconds. */
const rulesToAsk = rules.flatMap(rule =>
  rule.kind === 'passive' || rule.id === 'top-bounds' || rule.area === 'filter' ? [] : [rule],
)

/** What rules would ask for, planned or drawn, with more than $top may be at a site. */
function beyondMaximum(session: Session): readonly string[] {
  const found = new Set<string>()
  for (const rule of rulesToAsk) {
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

describe('no rule requests more than the maximum of $top', () => {
  it.each([
    ['shelf', shelf],
    ['directory', specWithSmallPages('directory', 1)],
    ['library', specWithSmallPages('library', 1)],
  ])('of the %s with small pages', async (_, service) => {
    const { session } = await openTestSession(service, { writes: true, choices: { topMeaning: 'pageSize' } })
    expect(beyondMaximum(session)).toEqual([])
    expect(beyondMaximum({ ...session, snapshot: () => undefined })).toEqual([])
  })
})
