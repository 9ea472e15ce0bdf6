import { type Expression, type PathExpression, printFilter } from '../../runtime/query/index.js'
import { keyOf, type Site } from '../discover/site.js'
import type { Row } from '../json.js'
import { truthOn } from '../oracle/evaluate.js'
import type { EvaluationContext } from '../oracle/paths.js'
import { evaluationContextOf } from '../oracle/predict.js'
import { binary, hasPart, joinConditions, nodeCount, pathTo } from '../probes/expressions.js'
import { type Grammar, grammarOf } from '../probes/grammar.js'
import { literalOf, observedValues, valueAt } from '../probes/observed-values.js'
import { filterSites, pagedFilter, queryKeys } from '../probes/query-keys.js'
import type { Session } from '../session/session.js'
import type { Calibrator } from './calibrator.js'

/** Questions, and moments of each property: some may be whole although others are kept finer. */
const maxQueries = 12
const maxTimestamps = 8
/** Rows that are asked for by one property: few enough for any page. */
const maxRowsPerProperty = 10
/** Encoded; longer ones are refused by some servers on the way. */
const maxFilterLength = 1500

/** Asks for many moments as they are shown: where they are kept finer, some rows do not come. */
export const timestampPrecision: Calibrator = {
  choice: 'timestampPrecision',
  after: ['optionSupport'],
  learn: async session => {
    const witnesses: string[] = []
    for (const question of timestampQueries(session)) {
      const { whole, parts } = question
      // What does not bring all rows, or no answer, is asked for by one property at a time.
      const asked = parts.length > 1 && (await returnsAllRows(whole, session)) === true ? [] : parts
      if (asked.length === 0) witnesses.push(`${describeTimestampQuery(whole)}: all rows that show these moments came`)
      for (const part of asked) {
        const isAll = await returnsAllRows(part, session)
        if (isAll === true) witnesses.push(`${describeTimestampQuery(part)}: all rows that show these moments came`)
        if (isAll !== false || (await returnsAllRows(part, session)) !== false) continue
        witnesses.push(`${describeTimestampQuery(part)}: not all rows came that show them`)
        return { kind: 'learned', value: 'finer', witnesses }
      }
    }
    if (witnesses.length === 0) return { kind: 'undecided', why: 'no row shows a moment that a filter may read' }
    return { kind: 'learned', value: 'shown', witnesses }
  },
  reconsider: async (filter, site, session) => {
    if (session.choices.get('timestampPrecision') !== 'shown') return undefined
    for (const question of doubtfulTimestamps(filter, site, session)) {
      if ((await returnsAllRows(question, session)) !== false || (await returnsAllRows(question, session)) !== false)
        continue
      return {
        kind: 'learned',
        value: 'finer',
        witnesses: [`${describeTimestampQuery(question)}: not all rows came that show them`],
      }
    }
    return undefined
  },
}

/** A question about several properties, and those about each of them. */
interface CombinedQuery {
  readonly whole: TimestampQuery
  readonly parts: readonly TimestampQuery[]
}

/** One question about all properties of a collection, if it can be: each row comes for one property's sake alone. */
function timestampQueries(session: Session): readonly CombinedQuery[] {
  const asked = new Set<string>()
  return filterSites(session)
    .flatMap(site => {
      const { type } = site
      const grammar = grammarOf(site, session)
      const rows = session.snapshot(site)?.rows ?? []
      if (type === undefined || grammar === undefined) return []
      const paths = grammar.terms.flatMap(term => (term.type === 'Edm.DateTimeOffset' ? [term.path] : []))
      const drafts: QueryDraft[] = []
      for (const path of paths) {
        const name = `${type.name} ${path.join('/')}`
        if (asked.has(name)) continue
        const last = drafts.at(-1)
        const more = last && addTimestamps(last, path, rows, grammar, session)
        const draft = more ?? addTimestamps(undefined, path, rows, grammar, session)
        if (draft === undefined) continue
        asked.add(name)
        if (more !== undefined) drafts.pop()
        drafts.push(draft)
      }
      const questionOf = ({ filter, rows: shown }: TimestampFilter): TimestampQuery => {
        return { site, filter, keys: new Set([...shown].flatMap(row => keyOf(row, type) ?? [])) }
      }
      return drafts.map(draft => ({ whole: questionOf(draft), parts: draft.parts.map(questionOf) }))
    })
    .slice(0, maxQueries)
}

/** A filter, and the rows that it asks for. */
interface TimestampFilter {
  readonly filter: Expression
  readonly rows: ReadonlySet<Row>
}

/** A question in the making. */
interface QueryDraft extends TimestampFilter {
  readonly parts: readonly TimestampFilter[]
}

/** Asks for moments of one more property, on rows that are not asked for yet; absent when that cannot be in one question. */
function addTimestamps(
  before: QueryDraft | undefined,
  path: readonly string[],
  rows: readonly Row[],
  grammar: Grammar,
  session: Session,
): QueryDraft | undefined {
  const hasOr = grammar.has('or')
  if (before !== undefined && !hasOr) return undefined
  const own = new Set<Row>()
  const conditions: Expression[] = []
  for (const value of observedValues(rows, path)) {
    const shown = rows.filter(row => valueAt(row, path) === value)
    const literal = literalOf('Edm.DateTimeOffset', value, session)
    if (literal === undefined || shown.some(row => before?.rows.has(row))) continue
    if (own.size > 0 && own.size + shown.length > maxRowsPerProperty) continue
    conditions.push(binary('eq', pathTo(path), literal))
    for (const row of shown) own.add(row)
    if (conditions.length === (hasOr ? maxTimestamps : 1)) break
  }
  const [first, ...others] = conditions
  if (first === undefined) return undefined
  const part = { filter: joinConditions('or', first, ...others), rows: own }
  const filter = before === undefined ? part.filter : joinConditions('or', before.filter, ...conditions)
  const rowsOfAll = new Set([...(before?.rows ?? []), ...own])
  const draft = { filter, rows: rowsOfAll, parts: [...(before?.parts ?? []), part] }
  const isTooLong = nodeCount(draft.filter) > grammar.maxNodes || encodedLength(draft.filter) > maxFilterLength
  return before !== undefined && isTooLong ? undefined : draft
}

function encodedLength(filter: Expression): number {
  return encodeURIComponent(printFilter(filter)).length
}

/** A filter, and the rows that show what it asks for. */
interface TimestampQuery {
  readonly site: Site
  readonly filter: Expression
  readonly keys: ReadonlySet<string>
}

/** Whether all rows came; absent when that was not answered. */
async function returnsAllRows({ site, filter, keys }: TimestampQuery, session: Session): Promise<boolean | undefined> {
  const answer = await queryKeys(site, session, pagedFilter(filter, site, session))
  if (answer.kind !== 'keys' || !answer.isWhole) return undefined
  return [...keys].every(key => answer.keys.has(key))
}

/** The query of a question, as the report shows it. */
function describeTimestampQuery({ site, filter }: TimestampQuery): string {
  return `${site.path}?$filter=${printFilter(filter)}`
}

/** Moments of each property that are asked for when an answer is suspected. */
const maxDoubtful = 6

/** Asks, one at a time, for the moments on which a filter would go otherwise if they were kept finer. */
function doubtfulTimestamps(filter: Expression, site: Site, session: Session): readonly TimestampQuery[] {
  const { type } = site
  const snapshot = session.snapshot(site)
  const grammar = grammarOf(site, session)
  if (type === undefined || snapshot === undefined || grammar === undefined) return []
  const subject = evaluationContextOf(snapshot, session)
  const finer: EvaluationContext = {
    ...subject,
    pathCache: new Map(),
    semantics: { ...subject.semantics, instantsAreFiner: { possible: true, certain: false } },
  }
  const [asShown, asFiner] = [truthOn(filter, subject), truthOn(filter, finer)]
  const doubtful = snapshot.rows.filter(row => asShown(row) !== asFiner(row))
  return grammar.terms
    .filter(term => term.type === 'Edm.DateTimeOffset' && readsPath(filter, term.path))
    .flatMap(({ path }) =>
      observedValues(doubtful, path)
        .slice(0, maxDoubtful)
        .flatMap((value): TimestampQuery[] => {
          const literal = literalOf('Edm.DateTimeOffset', value, session)
          if (literal === undefined) return []
          const rows = snapshot.rows.filter(row => valueAt(row, path) === value)
          return [
            {
              site,
              filter: binary('eq', pathTo(path), literal),
              keys: new Set(rows.flatMap(row => keyOf(row, type) ?? [])),
            },
          ]
        }),
    )
}

function readsPath(filter: Expression, path: readonly string[]): boolean {
  const wanted = path.join('/')
  return hasPart(filter, part => part.kind === 'path' && part.segments.map(segmentName).join('/') === wanted)
}

function segmentName(segment: PathExpression['segments'][number]): string {
  return segment.kind === 'property' ? segment.name : ''
}
