import { expect, it } from 'vitest'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { Rule } from '../rule/rule.js'
import { openBench } from '../testing/rule-bench.js'
import { rules } from './index.js'

const asking = rules.filter(rule => rule.kind === 'asking')

it('what each of its cases has, and the rule covers, is what a rule is about: no example loses it', async () => {
  const sessions = await Promise.all(
    (['directory', 'library'] as const).map(async spec => (await openBench(spec, { writes: true })).session),
  )
  const common = (rule: Rule): readonly string[] => {
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
    if (first === undefined) return (rule.about ?? []).filter(name => covered.includes(name))
    return first.filter(name => covered.includes(name) && all.every(names => names.includes(name)))
  }
  const found = asking.map(rule => [rule.id, common(rule).toSorted()])
  expect(found).toEqual(asking.map(({ id, about = [] }) => [id, about.toSorted()]))
}, 60_000)

function namesOf(options: QueryOptions = {}): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}
