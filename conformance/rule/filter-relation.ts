import fc from 'fast-check'
import { type Expression, printFilter } from '../../runtime/query/index.js'
import { type Site, type Snapshot, shareOf } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { predict } from '../oracle/predict.js'
import { conditionsOf } from '../probes/conditions.js'
import { type Condition, type Grammar, grammarOf } from '../probes/grammar.js'
import { filterRequest, filterSites, pagedFilter, queryKeys } from '../probes/query-keys.js'
import type { Session } from '../session/session.js'
import { constructsOf } from './query-request.js'
import { describeResponse, isRejection } from './response.js'
import type { ActiveRule, RuleMetadata } from './rule.js'
import { failure, type Verdict } from './verdict.js'

/** The rows that a filter returned. */
interface FilterRows {
  readonly filter: Expression
  readonly keys: ReadonlySet<string>
}

/** Keys that one response lacks, or must not have. */
interface KeyDifference {
  readonly missing: readonly string[]
  readonly surplus: readonly string[]
  readonly message: string
}

/** A metamorphic relation: it must hold between the results of some filters, whatever the data are. */
interface FilterRelation extends Omit<RuleMetadata, 'area'> {
  readonly cost: number
  readonly weight: number
  /** How many conditions it relates, and which ones are suitable. */
  readonly conditions: number
  readonly accepts?: (filter: Expression) => boolean
  /** Whether it holds for these conditions in every conforming service. Default: always. */
  readonly holdsFor?: (conditions: readonly Expression[], session: Session) => boolean
  /** Whether the spec declares what it needs. */
  readonly isSupported: (grammar: Grammar) => boolean
  /** The filters to query; absent if the conditions are unsuitable. */
  readonly filters: (conditions: readonly Expression[]) => readonly Expression[] | undefined
  readonly compare: (answers: readonly FilterRows[], snapshot: Snapshot) => KeyDifference | undefined
  /** The message if a service answers the first filter and rejects another. Absent: it may. */
  readonly rejected?: string
}

const plannedCases = 6

/** A rule that compares results with each other and needs no prediction. */
export function filterRelation(relation: FilterRelation): ActiveRule {
  const {
    cost,
    weight,
    conditions,
    accepts = () => true,
    isSupported,
    filters,
    compare,
    holdsFor,
    rejected,
    ...facts
  } = relation
  return {
    kind: 'active',
    ...facts,
    area: 'filter',
    writes: false,
    cost,
    weight,
    sites: session => filterSites(session).filter(site => declares(site, session, isSupported)),
    cases: (site, session) => {
      const snapshot = session.snapshot(site)
      const grammar = grammarOf(site, session)
      if (snapshot === undefined || grammar === undefined) return { skipReason: 'the collection could not be read' }
      const all = conditionsOf(grammar, snapshot, session).filter(({ filter }) => accepts(filter))
      const useful = distinguishing(all, snapshot, session)
      const usable = useful.length >= conditions ? useful : all
      if (usable.length < conditions) return { skipReason: 'different values in filterable properties' }
      const drawn = fc
        .shuffledSubarray([...usable], { minLength: conditions, maxLength: conditions })
        .filter(each => filters(each.map(({ filter }) => filter)) !== undefined)
        .map(each => ({ predicates: each.map(({ filter }) => filter) }))
      const isPossible = usable.some((_, index) => filters(rotated(usable, index, conditions)) !== undefined)
      if (!isPossible) return { skipReason: 'values suitable for its conditions' }
      return { planned: fc.sample(drawn, { seed: 1, numRuns: plannedCases }), random: drawn }
    },
    queries: ({ predicates = [] }) => (filters(predicates) ?? []).map(filter => ({ filter })),
    check: async ({ predicates = [] }, site, session) => {
      const asked = predicates.length === conditions ? filters(predicates) : undefined
      const snapshot = session.snapshot(site)
      if (asked === undefined || snapshot === undefined) return { kind: 'pass', vacuous: true }
      if (holdsFor?.(predicates, session) === false) return { kind: 'pass', vacuous: true }
      const rows: FilterRows[] = []
      const responses: TestResponse[] = []
      for (const filter of asked) {
        const answer = await queryKeys(site, session, pagedFilter(filter, site, session))
        if (answer.kind === 'ended') {
          const mayReject = rejected === undefined || rows.length === 0 || answer.verdict.kind !== 'unsupported'
          return mayReject ? answer.verdict : rejectionOf(filter, rejected, relation.id, site, session, responses)
        }
        if (!answer.isWhole) return { kind: 'inconclusive', why: 'the results have too many pages' }
        rows.push({ filter, keys: answer.keys })
        responses.push(...answer.answers)
      }
      const difference = compare(rows, snapshot)
      if (difference === undefined) {
        const isTrivial = rows.every(({ keys }) => keys.size === 0 || keys.size === snapshot.rows.length)
        return { kind: 'pass', vacuous: isTrivial, selected: rows.map(({ keys }) => shareOf(keys.size, snapshot)) }
      }
      const { message, missing, surplus } = difference
      return failure({
        message,
        expected: 'the same rows in total, whatever the data are',
        received: rows.map(({ filter, keys }) => `${keys.size} rows for ${printFilter(filter)}`).join('; '),
        missing,
        surplus,
        answers: responses,
        features: [
          ...new Set(predicates.flatMap(filter => constructsOf({ filter }).filter(each => each.startsWith('filter.')))),
          relation.id,
        ].sort(),
      })
    },
  }
}

/** The failure if the service rejects a filter of the same form as one that it answers. */
async function rejectionOf(
  filter: Expression,
  message: string,
  id: string,
  site: Site,
  session: Session,
  answers: readonly TestResponse[],
): Promise<Verdict> {
  const response = await session.send(filterRequest(site, pagedFilter(filter, site, session)))
  if (!isRejection(response, session)) {
    return { kind: 'inconclusive', why: `the filter returned ${describeResponse(response)}` }
  }
  return failure({
    message,
    expected: 'status 200, as for the first filter',
    received: describeResponse(response),
    answers: [response, ...answers],
    features: ['refused', id],
  })
}

function declares(site: Site, session: Session, needs: (grammar: Grammar) => boolean): boolean {
  const grammar = grammarOf(site, session)
  return grammar !== undefined && needs(grammar)
}

function rotated(conditions: readonly Condition[], start: number, count: number): readonly Expression[] {
  return [...conditions.slice(start), ...conditions.slice(0, start)].slice(0, count).map(({ filter }) => filter)
}

const known = new WeakMap<Snapshot, WeakMap<Condition, boolean>>()

/** The conditions that are certainly true on some rows and not on others. */
function distinguishing(conditions: readonly Condition[], snapshot: Snapshot, session: Session): readonly Condition[] {
  const step = Math.max(1, Math.floor(conditions.length / 120))
  const looked = known.get(snapshot) ?? new WeakMap<Condition, boolean>()
  known.set(snapshot, looked)
  return conditions.filter((condition, index) => {
    if (index % step !== 0) return false
    const splits = looked.get(condition) ?? distinguishesRows(condition, snapshot, session)
    looked.set(condition, splits)
    return splits
  })
}

function distinguishesRows({ filter }: Condition, snapshot: Snapshot, session: Session): boolean {
  const { must, may } = predict(filter, snapshot, session)
  return must.size > 0 && may.size < snapshot.rows.length
}

/** Compares two results that must be equal. */
export function mustBeEqual(message: string): (answers: readonly FilterRows[]) => KeyDifference | undefined {
  return ([first, second]) => {
    if (first === undefined || second === undefined) return undefined
    const missing = [...first.keys].filter(key => !second.keys.has(key))
    const surplus = [...second.keys].filter(key => !first.keys.has(key))
    return missing.length + surplus.length === 0 ? undefined : { message, missing, surplus }
  }
}
