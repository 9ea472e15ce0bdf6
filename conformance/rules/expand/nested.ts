import type { Row } from '../../json.js'
import { openTo } from '../../reading/choice-of.js'
import { listSites, querySite } from '../../reading/list-sites.js'
import { onePage } from '../../reading/one-page.js'
import { readRows } from '../../reading/read-rows.js'
import { relatedRows } from '../../reading/related-rows.js'
import { relationsOf } from '../../reading/relations-of.js'
import type { Rule } from '../../rule/rule.js'
import { keyOf } from '../../site/key-of.js'
import { nestedVariants } from './nested-variant.js'

const sliceOptions = ['orderby', 'skip', 'top', 'count']

/** EXP-NEST for all options but $select. */
export const expandNested: Rule = {
  kind: 'asking',
  id: 'expand-nested',
  area: 'expand',
  statement: 'Options inside $expand work on the related items of each item, as they do on a list of their own.',
  advice:
    'Options in the parentheses belong to the relation, for each item anew: neither to the list around it nor to all ' +
    'related items together. They are separated by semicolons.',
  clauses: ['expand.include'],
  covers: ['expand.filter', 'expand.orderby', 'expand.top', 'expand.skip', 'expand.count', 'expand.expand'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 8,
  sites: session => listSites(session, ({ expand }) => expand.nested.some(name => nestedVariants.has(name))),
  cases: site => {
    const found = querySite(site)
    if (found === undefined) return { thin: 'a relation to expand' }
    const { nested, maxDepth } = found.endpoint.query.expand
    const names = [...nestedVariants.keys()].filter(name => {
      if (name === 'slice') return sliceOptions.every(option => nested.includes(option))
      return (
        nested.includes(name) && (name !== 'expand' || maxDepth > 1) && (name !== 'count' || nested.includes('top'))
      )
    })
    const relations = relationsOf(found)
    const lists = relations.filter(({ collection }) => collection)
    const planned = names.flatMap(variant =>
      (variant === 'expand' ? relations : lists).map(({ name }, index) => ({ variant, name, index })),
    )
    if (planned.length === 0) return { thin: 'a relation to many items' }
    // What is about one option alone is for services that do not take several at once.
    const turn = (variant: string): number => (['slice', 'filter', 'expand'].includes(variant) ? 0 : 10)
    const ordered = planned.sort((a, b) => a.index + turn(a.variant) - b.index - turn(b.variant))
    return { planned: ordered.map(({ variant, name }) => ({ variant, name })) }
  },
  check: async ({ variant = '', name = '' }, site, session) => {
    const found = querySite(site)
    const relation = found === undefined ? undefined : relationsOf(found).find(each => each.name === name)
    const check = nestedVariants.get(variant)
    if (found === undefined || relation === undefined || check === undefined) return { kind: 'pass', trivial: true }
    // Where related items may be cut at will, it is open which ones an option works on.
    if (openTo(session, 'expandedItems', 'all').may('limited')) return { kind: 'pass', trivial: true }
    const page = onePage(found, session)
    const plain = await readRows(found, session, { expand: [{ path: [name] }], ...page })
    if (plain.kind === 'ended') return plain.verdict
    const whole = new Map<string, readonly Row[]>()
    for (const row of plain.listing.rows) {
      const key = keyOf(row, found.type)
      const related = relatedRows(row, relation)
      const isCut = Object.hasOwn(row, `${name}@odata.nextLink`)
      if (key !== undefined && related !== undefined && !isCut) whole.set(key, related)
    }
    const plan = check({ relation, whole, type: found.type, session })
    if (plan === undefined) return { kind: 'pass', trivial: true }
    const reading = await readRows(found, session, { expand: [{ path: [name], options: plan.options }], ...page })
    if (reading.kind === 'ended') return reading.verdict
    for (const row of reading.listing.rows) {
      const key = keyOf(row, found.type)
      const expected = key === undefined ? undefined : whole.get(key)
      if (key === undefined || expected === undefined) continue
      const related = relatedRows(row, relation)
      if (related === undefined) continue
      const fault = plan.faultOf(row, related, expected)
      if (fault === undefined) continue
      return {
        kind: 'fail',
        finding: {
          message: `${fault.message} Item ${key}.`,
          expected: fault.expected,
          received: fault.received,
          answers: [...reading.listing.pages.slice(0, 1), ...plain.listing.pages.slice(0, 1)],
          features: [fault.feature ?? `expand.${variant}`],
        },
      }
    }
    return { kind: 'pass' }
  },
}
