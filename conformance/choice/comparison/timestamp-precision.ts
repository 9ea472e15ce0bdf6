import { type Expression, printFilter } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import { binary, joined, pathTo } from '../../query/build.js'
import { filterSites } from '../../query/filter-sites.js'
import { filtered } from '../../query/filtered.js'
import { type Grammar, grammarOf } from '../../query/grammar.js'
import { literalOf } from '../../query/literal-of.js'
import { nodesOf } from '../../query/nodes-of.js'
import { observed } from '../../query/observed.js'
import { pagedFilter } from '../../query/paged-filter.js'
import { valueAt } from '../../query/value-at.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Site } from '../../site/site.js'
import type { Calibrator } from '../calibrator.js'

/** Properties that are asked for, and moments of each: some may be whole although others are kept finer. */
const mostAsked = 12
const mostMoments = 8
/** Rows that are asked for by one property: few enough for any page. */
const smallPage = 10
/** Encoded; longer ones are refused by some servers on the way. */
const longest = 1500

/** Asks for many moments as they are shown: where they are kept finer, some rows do not come. */
export const timestampPrecision: Calibrator = {
  choice: 'timestampPrecision',
  after: ['optionSupport'],
  learn: async session => {
    const witnesses: string[] = []
    for (const { site, filter, keys } of questions(session)) {
      const answer = await filtered(site, session, pagedFilter(filter, site, session))
      if (answer.kind !== 'keys' || !answer.isWhole) continue
      const isAll = (given: ReadonlySet<string>): boolean => [...keys].every(key => given.has(key))
      const text = `${site.path}?$filter=${printFilter(filter)}`
      if (isAll(answer.keys)) {
        witnesses.push(`${text}: all rows that show these moments came`)
        continue
      }
      const again = await filtered(site, session, pagedFilter(filter, site, session))
      if (again.kind !== 'keys' || isAll(again.keys)) continue
      return { kind: 'learned', value: 'finer', witnesses: [...witnesses, `${text}: not all rows came that show them`] }
    }
    if (witnesses.length === 0) return { kind: 'undecided', why: 'no row shows a moment that a filter may read' }
    return { kind: 'learned', value: 'shown', witnesses }
  },
}

interface Question {
  readonly site: Site
  readonly filter: Expression
  readonly keys: ReadonlySet<string>
}

/** One question about all properties of a collection, if it can be: each row comes for one property's sake alone. */
function questions(session: Session): readonly Question[] {
  const asked = new Set<string>()
  return filterSites(session)
    .flatMap(site => {
      const { type } = site
      const grammar = grammarOf(site, session)
      const rows = session.snapshot(site)?.rows ?? []
      if (type === undefined || grammar === undefined) return []
      const paths = grammar.terms.flatMap(term => (term.type === 'Edm.DateTimeOffset' ? [term.path] : []))
      const drafts: Draft[] = []
      for (const path of paths) {
        const name = `${type.name} ${path.join('/')}`
        if (asked.has(name)) continue
        const last = drafts.at(-1)
        const more = last && withMoments(last, path, rows, grammar, session)
        const draft = more ?? withMoments(undefined, path, rows, grammar, session)
        if (draft === undefined) continue
        asked.add(name)
        if (more !== undefined) drafts.pop()
        drafts.push(draft)
      }
      return drafts.map(({ filter, rows: shown }) => ({
        site,
        filter,
        keys: new Set([...shown].flatMap(row => keyOf(row, type) ?? [])),
      }))
    })
    .slice(0, mostAsked)
}

/** A question in the making, and the rows that it asks for. */
interface Draft {
  readonly filter: Expression
  readonly rows: ReadonlySet<Row>
}

/** Asks for moments of one more property, on rows that are not asked for yet; absent when that cannot be in one question. */
function withMoments(
  before: Draft | undefined,
  path: readonly string[],
  rows: readonly Row[],
  grammar: Grammar,
  session: Session,
): Draft | undefined {
  const hasOr = grammar.has('or')
  if (before !== undefined && !hasOr) return undefined
  const own = new Set<Row>()
  const conditions: Expression[] = []
  for (const value of observed(rows, path)) {
    const shown = rows.filter(row => valueAt(row, path) === value)
    const literal = literalOf('Edm.DateTimeOffset', value, session)
    if (literal === undefined || shown.some(row => before?.rows.has(row))) continue
    if (own.size > 0 && own.size + shown.length > smallPage) continue
    conditions.push(binary('eq', pathTo(path), literal))
    for (const row of shown) own.add(row)
    if (conditions.length === (hasOr ? mostMoments : 1)) break
  }
  const [first, ...others] = before === undefined ? conditions : [before.filter, ...conditions]
  if (first === undefined || conditions.length === 0) return undefined
  const draft = { filter: joined('or', first, ...others), rows: new Set([...(before?.rows ?? []), ...own]) }
  const isTooLong = nodesOf(draft.filter) > grammar.maxNodes || encodedLength(draft.filter) > longest
  return before !== undefined && isTooLong ? undefined : draft
}

function encodedLength(filter: Expression): number {
  return encodeURIComponent(printFilter(filter)).length
}
