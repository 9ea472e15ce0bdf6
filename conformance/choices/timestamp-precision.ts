import { type Expression, type PathExpression, printFilter } from '../../runtime/query/index.js'
import { keyOf, type Site } from '../discover/site.js'
import type { Row } from '../json.js'
import { truthOn } from '../oracle/evaluate.js'
import type { EvaluationContext } from '../oracle/paths.js'
import { evaluationContextOf } from '../oracle/predict.js'
import { instantOf, instantText } from '../oracle/temporal.js'
import { binary, hasPart, joinConditions, nodeCount, operandsOf, pathTo } from '../probes/expressions.js'
import { type Grammar, grammarOf } from '../probes/grammar.js'
import { literalOf, observedValues, valueAt } from '../probes/observed-values.js'
import { filterSites, pagedFilter, queryKeys } from '../probes/query-keys.js'
import type { Session } from '../session/session.js'
import { type Calibrator, conclude, type Observation } from './calibrator.js'
import { scopeOf } from './scope.js'

/**
 * Limits on queries, and on timestamps per property. Some timestamps may be whole even if others have a hidden
 * fraction.
 */
const maxQueries = 12
const maxTimestamps = 8
/** Maximum rows per property, to fit any page size. */
const maxRowsPerProperty = 10
/** Length of the encoded filter. Some servers reject longer ones. */
const maxFilterLength = 1500

/**
 * Filters by timestamps as they are returned. If the service stores them with a higher precision, some rows are
 * missing.
 */
export const timestampPrecision: Calibrator = {
  choice: 'timestampPrecision',
  after: ['optionSupport'],
  learn: async session => {
    const observations: Observation[] = []
    const observe = ({ site }: TimestampQuery, value: string, evidence: string): void => {
      observations.push({ value, evidence, site })
    }
    for (const { whole, parts } of timestampQueries(session)) {
      // If rows are missing or the query is rejected, query each property on its own.
      const asked = parts.length > 1 && (await returnsAllRows(whole, session)) === true ? [] : parts
      if (asked.length === 0)
        observe(whole, 'shown', `${describeTimestampQuery(whole)}: all rows with these timestamps were returned`)
      for (const part of asked) {
        const isAll = await returnsAllRows(part, session)
        if (isAll === true)
          observe(part, 'shown', `${describeTimestampQuery(part)}: all rows with these timestamps were returned`)
        const place = isAll === false ? await locate(part, session) : undefined
        if (place === 'nearby')
          observe(part, 'finer', `${describeTimestampQuery(part)}: some rows with these timestamps are missing`)
        // Then no fraction of a second explains the filter.
        if (place === 'elsewhere' || place === 'exactly there')
          observe(part, 'shown', `${describeTimestampQuery(part)}: the rows that are missing are ${place}`)
      }
    }
    // One property with a finer precision says so of its whole collection.
    const finer = new Set(observations.flatMap(({ value, site }) => (value === 'finer' ? [site] : [])))
    return conclude(
      observations.filter(({ value, site }) => value === 'finer' || !finer.has(site)),
      'no row has a timestamp that can be filtered',
      ['shown'],
    )
  },
  reconsider: async (filter, site, session) => {
    if (session.choices.at(site).get('timestampPrecision') !== 'shown') return undefined
    const doubtful = doubtfulTimestamps(filter, site, session)
    let notFiner = 0
    for (const query of doubtful) {
      const isAll = await returnsAllRows(query, session)
      const place = isAll === false ? await locate(query, session) : undefined
      if (isAll === true || place === 'elsewhere' || place === 'exactly there') notFiner++
      if (place !== 'nearby') continue
      return {
        kind: 'learned',
        chosen: [{ value: 'finer', scope: scopeOf(site) }],
        evidence: [`${describeTimestampQuery(query)}: some rows with these timestamps are missing`],
      }
    }
    return doubtful.length > 0 && notFiner === doubtful.length ? 'same' : undefined
  },
}

/** A query about several properties, and its parts for each of them. */
interface CombinedQuery {
  readonly whole: TimestampQuery
  readonly parts: readonly TimestampQuery[]
}

/**
 * Combines all timestamp properties of a collection into one query if possible. Each row matches through one property
 * only.
 */
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
      const queryOf = ({ filter, rows: shown }: TimestampFilter): TimestampQuery => {
        return { site, filter, keys: new Set([...shown].flatMap(row => keyOf(row, type) ?? [])) }
      }
      return drafts.map(draft => ({ whole: queryOf(draft), parts: draft.parts.map(queryOf) }))
    })
    .slice(0, maxQueries)
}

/** A filter, and the rows that it must return. */
interface TimestampFilter {
  readonly filter: Expression
  readonly rows: ReadonlySet<Row>
}

interface QueryDraft extends TimestampFilter {
  readonly parts: readonly TimestampFilter[]
}

/** Adds timestamps of one more property, on rows that the query does not cover yet. Absent if they do not fit. */
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

/** A filter, and the keys that it must return. */
interface TimestampQuery {
  readonly site: Site
  readonly filter: Expression
  readonly keys: ReadonlySet<string>
}

/** Whether all rows were returned; absent if the query was not answered. */
async function returnsAllRows({ site, filter, keys }: TimestampQuery, session: Session): Promise<boolean | undefined> {
  const answer = await queryKeys(site, session, pagedFilter(filter, site, session))
  if (answer.kind !== 'keys' || !answer.isWhole) return undefined
  return [...keys].every(key => answer.keys.has(key))
}

/** How many timestamps are looked for nearby. */
const maxNearby = 3

type Place = 'nearby' | 'elsewhere' | 'exactly there'

/**
 * Where a service has the rows that were missing once: near the timestamps that it shows, which a higher precision explains,
 * elsewhere, or exactly there. Undefined if they are not missing again. If this cannot be asked, they may be nearby.
 */
async function locate(query: TimestampQuery, session: Session): Promise<Place | undefined> {
  const { site, filter, keys } = query
  if ((await returnsAllRows(query, session)) !== false) return undefined
  const grammar = grammarOf(site, session)
  if (grammar === undefined || !['gt', 'lt', 'and'].every(grammar.has)) return 'nearby'
  const hasRows = async (condition: Expression): Promise<boolean | undefined> => {
    const answer = await queryKeys(site, session, pagedFilter(condition, site, session))
    return answer.kind === 'keys' && answer.isWhole ? [...keys].some(key => answer.keys.has(key)) : undefined
  }
  const conditions = operandsOf(filter, 'or').slice(0, maxNearby)
  for (const condition of conditions) if ((await hasRows(nearby(condition))) === false) return 'elsewhere'
  // What is neither before nor after a timestamp, and not equal to it either, shows a fault of `eq`.
  for (const condition of ['ge', 'le'].every(grammar.has) ? conditions : []) {
    if ((await hasRows(condition)) === false && (await hasRows(exactly(condition))) === true) return 'exactly there'
  }
  return 'nearby'
}

/** The condition that a timestamp is neither before nor after one. */
function exactly(condition: Expression): Expression {
  if (condition.kind !== 'binary') return condition
  const { left, right } = condition
  return binary('and', binary('ge', left, right), binary('le', left, right))
}

/** The condition that a timestamp is one of those that are shown in the same way, rounded up or down. */
function nearby(condition: Expression): Expression {
  if (condition.kind !== 'binary' || condition.right.kind !== 'literal') return condition
  const { left, right } = condition
  const instant = right.type === 'DateTimeOffset' ? instantOf(right.value) : undefined
  if (instant === undefined || right.type !== 'DateTimeOffset') return condition
  const at = (ticks: bigint): Expression => ({ ...right, value: instantText(ticks) })
  return binary(
    'and',
    binary('gt', left, at(instant.ticks - instant.unit)),
    binary('lt', left, at(instant.ticks + instant.unit)),
  )
}

/** The query as text, for the report. */
function describeTimestampQuery({ site, filter }: TimestampQuery): string {
  return `${site.path}?$filter=${printFilter(filter)}`
}

/** How many timestamps per property to check when a result is suspected. */
const maxDoubtful = 6

/** Queries for the timestamps on which a filter's result depends, if they have a hidden fraction. */
function doubtfulTimestamps(filter: Expression, site: Site, session: Session): readonly TimestampQuery[] {
  const { type } = site
  const snapshot = session.snapshot(site)
  const grammar = grammarOf(site, session)
  if (type === undefined || snapshot === undefined || grammar === undefined) return []
  const context = evaluationContextOf(snapshot, session)
  const finer: EvaluationContext = {
    ...context,
    pathCache: new Map(),
    semantics: { ...context.semantics, instantsAreFiner: { possible: true, certain: false } },
  }
  const [asShown, asFiner] = [truthOn(filter, context), truthOn(filter, finer)]
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
  const joinedPath = path.join('/')
  return hasPart(filter, part => part.kind === 'path' && part.segments.map(segmentName).join('/') === joinedPath)
}

function segmentName(segment: PathExpression['segments'][number]): string {
  return segment.kind === 'property' ? segment.name : ''
}
