import { isRow } from '../../is-row.js'
import { differenceText, rowDifferences } from '../../rule/row-differences.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import type { Session } from '../../session/session.js'
import { firstOfEach } from '../../site/first-of-each.js'
import { keyOf } from '../../site/key-of.js'
import type { Site } from '../../site/site.js'

export const itemElsewhere: Rule = {
  kind: 'asking',
  id: 'item-elsewhere',
  area: 'items',
  statement: 'An item reached by another path, a singleton or a relation, has the values that its collection shows.',
  advice: 'There is one item behind both paths: read it by one function, whatever the path that leads to it.',
  clauses: ['navigation.path', 'item.read'],
  covers: ['endpoint.item', 'singleton'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: session =>
    firstOfEach(session.sites).filter(site => {
      const last = site.endpoint.resolved.at(-1)?.kind
      return site.endpoint.kind === 'item' && last !== 'key' && setOf(site, session) !== undefined
    }),
  cases: () => ({ planned: [{ variant: 'as in its collection' }] }),
  check: async (_test, site, session) => {
    const set = setOf(site, session)
    const answer = await session.ask({ method: 'GET', path: site.path })
    const nothing = untold(answer)
    if (nothing !== undefined) return nothing
    const { type } = site
    if (answer.status !== 200 || !isRow(answer.json) || type === undefined || set === undefined) {
      return { kind: 'pass', trivial: true }
    }
    const key = keyOf(answer.json, type)
    const row = key === undefined ? undefined : session.snapshot(set)?.byKey.get(key)
    if (row === undefined) return { kind: 'pass', trivial: true }
    const differences = rowDifferences(row, answer.json, type, session.service)
    if (differences.length === 0) return { kind: 'pass' }
    return {
      kind: 'fail',
      finding: {
        message: `What ${site.path} shows differs from the same item in ${set.path}.`,
        expected: `the values of the item with the key ${key}`,
        received: differences.map(({ property }) => property.name).join(', '),
        why: differences.map(difference => differenceText(difference, `in ${set.path}`, `at ${site.path}`)),
        answers: [answer],
        features: ['item.values'],
      },
    }
  },
}

/** The collection at the root that holds items of the type. */
function setOf({ type }: Site, { sites }: Session): Site | undefined {
  return sites.find(({ endpoint, type: of }) => {
    return endpoint.kind === 'collection' && endpoint.resolved.length === 1 && of === type
  })
}
