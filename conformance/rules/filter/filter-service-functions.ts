import type { Expression } from '../../../runtime/query/index.js'
import { derivesFrom, isNumericType, type Operation } from '../../../spec/language/index.js'
import type { Site, Snapshot } from '../../discover/site.js'
import { primitiveOf } from '../../lists/properties.js'
import { predict } from '../../oracle/predict.js'
import { checkPrediction } from '../../probes/check-prediction.js'
import { binary, callsServiceFunction, not, withDefinitions } from '../../probes/expressions.js'
import { type Grammar, grammarOf } from '../../probes/grammar.js'
import { literalOf, observedValues, sampleValues } from '../../probes/observed-values.js'
import { filterSites, pagedFilter } from '../../probes/query-keys.js'
import type { ActiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { argumentsOnBorder } from '../operations/border-arguments.js'
import { type Arguments, argumentExpression, argumentsToTry, type ParameterizedFilter } from '../operations/call.js'

/** Calls of functions with a definition, compared with the oracle's evaluation of the definition. */
export const filterServiceFunctions: ActiveRule = {
  kind: 'active',
  id: 'filter-service-functions',
  area: 'filter',
  statement:
    'A filter that calls a function of the service selects the items for which the definition of the function is true.',
  advice:
    'The definition starts at the item that the function is bound to, and its aliases are the arguments of the call. The usual faults are an ignored argument and an excluded boundary.',
  aspects: ['filter.functions'],
  covers: ['filter', 'operation'],
  severity: 'must',
  writes: false,
  requiredOptions: ['filter'],
  // Queries with these functions belong to this rule: filter-model would explain less.
  queries: () => [],
  cost: 1,
  weight: 12,
  sites: session => filterSites(session).filter(site => callableAt(site, session).length > 0),
  cases: (site, session) => {
    const grammar = grammarOf(site, session)
    const snapshot = session.snapshot(site)
    if (grammar === undefined || snapshot === undefined) return { skipReason: 'the collection could not be read' }
    const filters = callableAt(site, session).flatMap(each => filtersWith(each, grammar, snapshot, session))
    if (filters.length === 0) return { skipReason: 'no values are known for the parameters of its functions' }
    return { planned: filters.map(filter => ({ options: pagedFilter(filter, site, session) })) }
  },
  check: async (test, site, session) => {
    const { filter } = test.options ?? {}
    if (filter === undefined || !callsServiceFunction(filter, session.service)) return { kind: 'pass', vacuous: true }
    const agreement = await checkPrediction(test.options, site, session)
    if (agreement.kind === 'ended') return agreement.verdict
    const { must, may } = agreement.prediction
    const trivial = may.size === 0 || must.size === agreement.rows || must.size < may.size
    return { kind: 'pass', vacuous: trivial, selected: [agreement.selected] }
  },
}

/** The functions with a definition that a filter of a site can call on its items. */
function callableAt(site: Site, session: Session): readonly Operation[] {
  const { type } = site
  const has = grammarOf(site, session)?.has
  if (has === undefined || type?.kind !== 'entityType') return []
  return session.service.operations.filter(
    ({ kind, definition, binding, qualifiedName }) =>
      kind === 'function' &&
      definition !== undefined &&
      binding?.collection === false &&
      derivesFrom(type, binding.type) &&
      has(qualifiedName),
  )
}

/** Filters to consider for each function, which bounds the time for many rows. */
const mostLookedAt = 24
/** Filters to send for each function. */
const mostSent = 4

/** Filters with a function whose arguments are on the borders of its definition, and those that split the rows best. */
function filtersWith(
  operation: Operation,
  grammar: Grammar,
  snapshot: Snapshot,
  session: Session,
): readonly Expression[] {
  const { definition } = operation
  const { type } = snapshot.site
  if (definition === undefined || type?.kind !== 'entityType') return []
  const call: ParameterizedFilter = { endpoint: { operation }, meaning: { filter: definition } }
  const usual = argumentsToTry(call, snapshot.rows)
  const border = argumentsOnBorder(
    { ...call, meaning: { filter: definition, of: { type }, assumed: operation.assumed } },
    snapshot.rows,
    session,
  )
  const filtersOf = (given: Arguments): readonly Expression[] => {
    const called = callExpression(operation, given)
    return called === undefined ? [] : conditionsOn(called, operation, grammar, snapshot, session)
  }
  const atBorder = border.flatMap(filtersOf).slice(0, mostSent)
  const isNegatable = grammar.has('not') && primitiveReturned(operation) === 'Boolean'
  const others = usual.flatMap(filtersOf).slice(0, mostLookedAt)
  const split = [...others, ...(isNegatable ? others.map(not) : [])]
    .map(filter => ({ filter, imbalance: imbalance(filter, snapshot, session) }))
    .toSorted((a, b) => a.imbalance - b.imbalance)
    .slice(0, mostSent)
    .map(({ filter }) => filter)
  return [...atBorder, ...split]
}

const primitiveReturned = ({ returns }: Operation) => (returns === undefined ? undefined : primitiveOf(returns.type))

function callExpression({ qualifiedName, parameters }: Operation, given: Arguments): Expression | undefined {
  const values = parameters.flatMap(parameter => {
    // A format is not a type: the argument is a string literal.
    const { format: _format, ...plain } = parameter
    const value = argumentExpression(given[parameter.name], plain)
    return value === undefined ? [] : [{ name: parameter.name, value }]
  })
  if (values.length < parameters.length) return undefined
  return {
    kind: 'path',
    root: { kind: 'it' },
    segments: [{ kind: 'function', name: qualifiedName, parameters: values }],
  }
}

/** Conditions on the value of a call: itself if it is a Boolean, or a comparison with numbers that the rows contain. */
function conditionsOn(
  called: Expression,
  operation: Operation,
  grammar: Grammar,
  { rows }: Snapshot,
  session: Session,
): readonly Expression[] {
  const primitive = primitiveReturned(operation)
  if (primitive === 'Boolean') return [called]
  if (primitive === undefined || !isNumericType(primitive) || !grammar.has('gt')) return []
  const values = grammar.terms
    .filter(({ type }) => isNumericType(type.replace('Edm.', '')))
    .flatMap(({ path, type }) =>
      sampleValues(observedValues(rows, path), 3).flatMap(value => literalOf(type, value, session) ?? []),
    )
  return values.map(value => binary('gt', called, value))
}

function imbalance(filter: Expression, snapshot: Snapshot, session: Session): number {
  const { must, may } = predict(withDefinitions(filter, session.service), snapshot, session)
  return (may.size - must.size) * snapshot.rows.length + Math.abs(2 * must.size - snapshot.rows.length)
}
