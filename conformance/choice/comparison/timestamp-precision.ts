import { type Expression, printFilter } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import { binary, joined, pathTo } from '../../query/build.js'
import { filterSites } from '../../query/filter-sites.js'
import { type Grammar, grammarOf } from '../../query/grammar.js'
import { literalOf } from '../../query/literal-of.js'
import { nodesOf } from '../../query/nodes-of.js'
import { observed } from '../../query/observed.js'
import { valueAt } from '../../query/value-at.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Calibrator } from '../calibrator.js'
import { momentDoubts } from './moment-doubts.js'
import { isAllGiven, type MomentQuestion, textOf } from './moment-question.js'

/** Questions, and moments of each property: some may be whole although others are kept finer. */
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
    for (const question of questions(session)) {
      const { whole, parts } = question
      // What does not bring all rows, or no answer, is asked for by one property at a time.
      const asked = parts.length > 1 && (await isAllGiven(whole, session)) === true ? [] : parts
      if (asked.length === 0) witnesses.push(`${textOf(whole)}: all rows that show these moments came`)
      for (const part of asked) {
        const isAll = await isAllGiven(part, session)
        if (isAll === true) witnesses.push(`${textOf(part)}: all rows that show these moments came`)
        if (isAll !== false || (await isAllGiven(part, session)) !== false) continue
        witnesses.push(`${textOf(part)}: not all rows came that show them`)
        return { kind: 'learned', value: 'finer', witnesses }
      }
    }
    if (witnesses.length === 0) return { kind: 'undecided', why: 'no row shows a moment that a filter may read' }
    return { kind: 'learned', value: 'shown', witnesses }
  },
  reconsider: async (filter, site, session) => {
    if (session.choices.get('timestampPrecision') !== 'shown') return undefined
    for (const question of momentDoubts(filter, site, session)) {
      if ((await isAllGiven(question, session)) !== false || (await isAllGiven(question, session)) !== false) continue
      return { kind: 'learned', value: 'finer', witnesses: [`${textOf(question)}: not all rows came that show them`] }
    }
    return undefined
  },
}

/** A question about several properties, and those about each of them. */
interface Joined {
  readonly whole: MomentQuestion
  readonly parts: readonly MomentQuestion[]
}

/** One question about all properties of a collection, if it can be: each row comes for one property's sake alone. */
function questions(session: Session): readonly Joined[] {
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
      const questionOf = ({ filter, rows: shown }: Asked): MomentQuestion => {
        return { site, filter, keys: new Set([...shown].flatMap(row => keyOf(row, type) ?? [])) }
      }
      return drafts.map(draft => ({ whole: questionOf(draft), parts: draft.parts.map(questionOf) }))
    })
    .slice(0, mostAsked)
}

/** A filter, and the rows that it asks for. */
interface Asked {
  readonly filter: Expression
  readonly rows: ReadonlySet<Row>
}

/** A question in the making. */
interface Draft extends Asked {
  readonly parts: readonly Asked[]
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
  const [first, ...others] = conditions
  if (first === undefined) return undefined
  const part = { filter: joined('or', first, ...others), rows: own }
  const filter = before === undefined ? part.filter : joined('or', before.filter, ...conditions)
  const rowsOfAll = new Set([...(before?.rows ?? []), ...own])
  const draft = { filter, rows: rowsOfAll, parts: [...(before?.parts ?? []), part] }
  const isTooLong = nodesOf(draft.filter) > grammar.maxNodes || encodedLength(draft.filter) > longest
  return before !== undefined && isTooLong ? undefined : draft
}

function encodedLength(filter: Expression): number {
  return encodeURIComponent(printFilter(filter)).length
}
