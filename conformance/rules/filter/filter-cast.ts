import type { Expression, PathSegment } from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import type { Site } from '../../discover/site.js'
import type { Row } from '../../json.js'
import { derivedTypes, namedType } from '../../lists/properties.js'
import { checkPrediction } from '../../probes/check-prediction.js'
import { binary, call, not, nullLiteral } from '../../probes/expressions.js'
import { type Grammar, grammarOf, type Term } from '../../probes/grammar.js'
import { literalOf, observedValues, sampleValues } from '../../probes/observed-values.js'
import { filterSites, pagedFilter } from '../../probes/query-keys.js'
import type { ActiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'

/** Conditions on what only derived types have, compared with the oracle's evaluation over the harvested rows. */
export const filterCast: ActiveRule = {
  kind: 'active',
  id: 'filter-cast',
  area: 'filter',
  statement:
    'A path with a type cast in a filter is the value of the items of that type, and null for all other items.',
  advice:
    'Do not read a column of the derived type without a check of the type. A cast of an item of another type is null, not an error.',
  aspects: ['filter.comparison', 'filter.null'],
  covers: ['filter'],
  severity: 'must',
  writes: false,
  requiredOptions: ['filter'],
  // Queries with casts belong to this rule: filter-model would explain less.
  queries: () => [],
  cost: 1,
  weight: 6,
  sites: session => filterSites(session).filter(site => castConditions(site, session).length > 0),
  cases: (site, session) => ({
    planned: castConditions(site, session).map(filter => ({ options: pagedFilter(filter, site, session) })),
    ...(grammarOf(site, session) === undefined ? { skipReason: 'the collection could not be read' } : {}),
  }),
  check: async (test, site, session) => {
    const agreement = await checkPrediction(test.options, site, session)
    if (agreement.kind === 'ended') return agreement.verdict
    const { must, may } = agreement.prediction
    const trivial = may.size === agreement.rows || must.size === agreement.rows
    return { kind: 'pass', vacuous: trivial, selected: [agreement.selected] }
  },
}

/** Conditions for each property. */
const maxValues = 2
/** Properties of each type. */
const maxProperties = 4

/**
 * Conditions on properties that only derived types have, through a type cast. Empty unless the rows of the collection name
 * derived types.
 */
function castConditions(site: Site, session: Session): readonly Expression[] {
  const snapshot = session.snapshot(site)
  const grammar = grammarOf(site, session)
  if (snapshot === undefined || grammar === undefined || site.type === undefined) return []
  const declared = new Set(site.type.properties.map(({ name }) => name))
  return derivedTypes(site.type, session.service).flatMap(type => {
    const rows = snapshot.rows.filter(row => namedType(row) === type.qualifiedName)
    if (rows.length === 0) return []
    const terms = (grammarOf({ ...site, type }, session)?.terms ?? []).filter(({ path: [name = ''] }) => {
      return !declared.has(name) && snapshot.properties.has(name)
    })
    return terms.slice(0, maxProperties).flatMap(term => [...conditionsOn(term, type, rows, grammar, session)])
  })
}

function* conditionsOn(
  { path, type: valueType, allows }: Term,
  type: EntityType,
  rows: readonly Row[],
  { has }: Grammar,
  session: Session,
): Generator<Expression> {
  const segments: readonly PathSegment[] = [
    { kind: 'cast', type: type.qualifiedName },
    ...path.map(name => ({ kind: 'property', name }) as const),
  ]
  const value: Expression = { kind: 'path', segments }
  const literals = sampleValues(observedValues(rows, path), maxValues).flatMap(
    each => literalOf(valueType, each, session) ?? [],
  )
  for (const literal of literals) {
    yield binary('eq', value, literal)
    if (allows('ne')) yield binary('ne', value, literal)
    if (allows('ge')) yield binary('ge', value, literal)
  }
  if (allows('ne')) yield binary('ne', value, nullLiteral)
  yield binary('eq', value, nullLiteral)
  const [literal] = literals
  if (literal === undefined || !has('isof') || !has('or') || !has('not')) return
  const isOfType = call('isof', { kind: 'type', name: type.qualifiedName, collection: false })
  yield binary('or', not(isOfType), binary('eq', value, literal))
}
