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

/** Functions that few services have, against our own evaluation over the harvested rows. */
export const filterRareFunctions: ActiveRule = {
  kind: 'asking',
  id: 'filter-rare-functions',
  area: 'filter',
  statement: 'Casts, tests of types, cases, subsets, patterns and the limits of time give what the standard says.',
  advice:
    'What cannot be cast is null, not an error; a subset has any order, and a subsequence that of the collection; the first condition of a case that is true decides.',
  clauses: ['filter.functions'],
  covers: rareFunctions.map(name => `filter.${name}`),
  severity: 'must',
  writes: false,
  requiredOptions: ['filter'],
  // Whatever uses them is theirs: the rule of all filters says less of it.
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
      return { skipReason: 'at least two rows with values for functions' }
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

/** Conditions in one filter: each still shows on the rows that the others do not give. */
const mostTogether = 4
/** Encoded; longer ones are refused by some servers on the way. */
const longest = 1500

/** Conditions of several forms in one filter, each true on the fewer rows: few requests then tell of all functions. */
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

/** Atoms of a form that are looked at, so that many rows and properties take no longer. */
const mostLookedAt = 12

/** Of each form of condition the one that splits the rows best: what is wrong with a function shows in the simplest. */
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
