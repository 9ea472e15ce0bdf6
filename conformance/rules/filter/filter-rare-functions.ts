import { filterArbitrary } from '../../query/candidates.js'
import { filterFinding } from '../../query/filter-finding.js'
import { filterSites } from '../../query/filter-sites.js'
import { filtered } from '../../query/filtered.js'
import { grammarOf } from '../../query/grammar.js'
import { pagedFilter } from '../../query/paged-filter.js'
import { rareAtoms, rareFunctions } from '../../query/rare-atoms.js'
import type { Rule } from '../../rule/rule.js'
import { predict } from '../../semantics/predict.js'

/** Functions that few services have, against our own evaluation over the harvested rows. */
export const filterRareFunctions: Rule = {
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
  cost: 1,
  weight: 3,
  sites: session =>
    filterSites(session).filter(site => {
      const grammar = grammarOf(site, session)
      return grammar !== undefined && rareFunctions.some(grammar.has)
    }),
  cases: (site, session) => {
    const grammar = grammarOf(site, session)
    const snapshot = session.snapshot(site)
    if (grammar === undefined || snapshot === undefined) return { thin: 'the collection could not be read' }
    const atoms = rareAtoms(grammar, snapshot, session)
    if (snapshot.rows.length < 2 || atoms.length === 0) return { thin: 'at least two rows with values for functions' }
    const options = (filter: Parameters<typeof pagedFilter>[0]) => ({ options: pagedFilter(filter, site, session) })
    // One of each kind first: what is wrong with a function shows in the simplest condition.
    const kinds = new Map(atoms.map(atom => [atom.kind, atom]))
    return {
      planned: [...kinds.values()].map(({ filter }) => options(filter)),
      random: filterArbitrary(atoms, grammar).map(options),
    }
  },
  check: async (test, site, session) => {
    const filter = test.options?.filter
    const snapshot = session.snapshot(site)
    if (filter === undefined || test.options === undefined) return { kind: 'pass', trivial: true }
    if (snapshot === undefined) return { kind: 'inconclusive', why: 'the collection could not be read' }
    const answer = await filtered(site, session, test.options)
    if (answer.kind === 'ended') return answer.verdict
    const prediction = predict(filter, snapshot, session)
    const finding = filterFinding(filter, answer, prediction, snapshot, session)
    if (finding !== undefined) return { kind: 'fail', finding }
    const { must, may } = prediction
    return { kind: 'pass', trivial: may.size === 0 || must.size === snapshot.rows.length || must.size < may.size }
  },
}
