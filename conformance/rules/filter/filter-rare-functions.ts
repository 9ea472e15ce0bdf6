import { type Expression, printFilter } from '../../../runtime/query/index.js'
import type { Snapshot } from '../../discover/site.js'
import { predict } from '../../oracle/predict.js'
import { checkPrediction } from '../../probes/check-prediction.js'
import { joinConditions, nodeCount, not } from '../../probes/expressions.js'
import { type Condition, type Grammar, grammarOf } from '../../probes/grammar.js'
import { filterArbitrary } from '../../probes/plan.js'
import { filterSites, pagedFilter } from '../../probes/query-keys.js'
import { rareConditions, rareFunctions } from '../../probes/rare-conditions.js'
import type { ActiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'

/** Functions that few services support, compared with the oracle's evaluation over the harvested rows. */
export const filterRareFunctions: ActiveRule = {
  kind: 'active',
  id: 'filter-rare-functions',
  area: 'filter',
  statement:
    '`cast`, `isof`, `case`, subset and subsequence functions, patterns and the date limits return what the standard defines.',
  advice:
    'A failed cast is null, not an error. A subset ignores order; a subsequence respects the order of the collection. The first true condition of a `case` decides.',
  aspects: ['filter.functions'],
  covers: rareFunctions.map(name => `filter.${name}`),
  severity: 'must',
  writes: false,
  requiredOptions: ['filter'],
  // Queries with these functions belong to this rule: filter-model would explain less.
  queries: () => [],
  cost: 1,
  weight: 24,
  sites: session =>
    filterSites(session).filter(site => {
      const grammar = grammarOf(site, session)
      return grammar !== undefined && rareFunctions.some(grammar.has)
    }),
  cases: (site, session) => {
    const grammar = grammarOf(site, session)
    const snapshot = session.snapshot(site)
    if (grammar === undefined || snapshot === undefined) return { skipReason: 'the collection could not be read' }
    const atoms = rareConditions(grammar, snapshot, session)
    if (snapshot.rows.length < 2 || atoms.length === 0)
      return { skipReason: 'at least two rows with values for the functions' }
    const options = (filter: Parameters<typeof pagedFilter>[0]) => ({ options: pagedFilter(filter, site, session) })
    return {
      planned: together(tellingOfEach(atoms, snapshot, session), grammar, snapshot, session).map(options),
      random: filterArbitrary(atoms, grammar).map(options),
    }
  },
  check: async (test, site, session) => {
    const agreement = await checkPrediction(test.options, site, session)
    if (agreement.kind === 'ended') return agreement.verdict
    const { must, may } = agreement.prediction
    const trivial = may.size === 0 || must.size === agreement.rows || must.size < may.size
    return { kind: 'pass', vacuous: trivial, selected: [agreement.selected] }
  },
}

/** Conditions combined in one filter. Each still shows on rows that the others do not match. */
const mostTogether = 4
/** Length after encoding. Some proxies reject longer URLs. */
const longest = 1500

/**
 * Combines conditions on several functions in one filter, negated if needed to match fewer rows, so that few requests cover
 * all functions.
 */
function together(
  atoms: readonly Condition[],
  { has, maxNodes }: Grammar,
  snapshot: Snapshot,
  session: Session,
): readonly Expression[] {
  if (!has('or') || !has('not')) return atoms.map(({ filter }) => filter)
  const sparse = atoms.map(({ filter }) => {
    const { must } = predict(filter, snapshot, session)
    return 2 * must.size > snapshot.rows.length ? not(filter) : filter
  })
  const count = Math.ceil(sparse.length / mostTogether)
  const fits = (filter: Expression): boolean =>
    nodeCount(filter) <= maxNodes && encodeURIComponent(printFilter(filter)).length <= longest
  return Array.from({ length: count }, (_, group) => sparse.filter((_each, index) => index % count === group)).flatMap(
    group => {
      const [first, ...others] = group
      const whole = first === undefined ? undefined : joinConditions('or', first, ...others)
      return whole === undefined || fits(whole) ? (whole ?? []) : group
    },
  )
}

/** Conditions of each form to consider, which bounds the time for many rows and properties. */
const mostLookedAt = 12

/** The condition of each form that splits the rows best. A fault in a function shows in the simplest condition. */
function tellingOfEach(atoms: readonly Condition[], snapshot: Snapshot, session: Session): readonly Condition[] {
  const forms = new Map<string, Condition[]>()
  for (const atom of atoms) {
    const form = atom.kind.slice(0, atom.kind.lastIndexOf(' '))
    forms.set(form, [...(forms.get(form) ?? []), atom])
  }
  const imbalance = ({ filter }: Condition): number => {
    const { must, may } = predict(filter, snapshot, session)
    const unsure = may.size - must.size
    return unsure * snapshot.rows.length + Math.abs(2 * must.size - snapshot.rows.length)
  }
  return [...forms.values()].flatMap(all => {
    const some = all.slice(0, mostLookedAt).map(atom => ({ atom, imbalance: imbalance(atom) }))
    return some
      .toSorted((a, b) => a.imbalance - b.imbalance)
      .slice(0, 1)
      .map(({ atom }) => atom)
  })
}
