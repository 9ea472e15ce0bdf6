import { printFilter } from '../../../runtime/query/index.js'
import { keyOf, type Site, type Snapshot, shareOf } from '../../discover/site.js'
import { isTrue } from '../../oracle/truth-set.js'
import { type Grammar, grammarOf } from '../../probes/grammar.js'
import { filterSites, queryKeys } from '../../probes/query-keys.js'
import { type SpatialCondition, spatialConditions, spatialFunctions } from '../../probes/spatial-conditions.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

/** Spatial functions, only where all common Earth models agree. */
export const filterSpatial: ActiveRule = {
  kind: 'active',
  id: 'filter-spatial',
  area: 'filter',
  statement: 'Distances, lengths and intersections match the positions that the rows show, within one percent.',
  advice:
    'Longitude comes before latitude. Geography lengths are in metres. A null position does not satisfy any comparison.',
  aspects: ['filter.functions'],
  covers: spatialFunctions.map(name => `filter.${name}`),
  severity: 'must',
  writes: false,
  requiredOptions: ['filter'],
  // Queries with these functions belong to this rule: filter-model would explain less.
  queries: () => [],
  cost: 1,
  weight: 12,
  sites: session =>
    filterSites(session).filter(site => {
      const grammar = grammarOf(site, session)
      return grammar !== undefined && spatialFunctions.some(grammar.has)
    }),
  cases: (site, session) => {
    const known = knownOf(site, session)
    const atoms = known === undefined ? [] : spatialConditions(known.grammar, known.snapshot)
    if (atoms.length === 0) return { skipReason: 'rows with positions that are far enough apart' }
    return { planned: atoms.map(({ filter }) => ({ options: { filter } })) }
  },
  check: async ({ options }, site, session) => {
    const known = knownOf(site, session)
    const filter = options?.filter
    if (known === undefined || filter === undefined) return { kind: 'inconclusive', why: 'no rows could be read' }
    const text = printFilter(filter)
    const atom = spatialConditions(known.grammar, known.snapshot).find(each => printFilter(each.filter) === text)
    if (atom === undefined) return { kind: 'inconclusive', why: 'the rows have other positions now' }
    const response = await queryKeys(site, session, { filter })
    if (response.kind === 'ended') return response.verdict
    const { must, may } = expected(atom, known.snapshot)
    const missing = response.isWhole ? [...must].filter(key => !response.keys.has(key)) : []
    const isWrong = (key: string): boolean =>
      !may.has(key) && (known.snapshot.complete || known.snapshot.byKey.has(key))
    const surplus = [...response.keys].filter(isWrong)
    if (missing.length + surplus.length === 0) {
      return { kind: 'pass', selected: [shareOf(response.keys.size, known.snapshot)] }
    }
    const wrong = [...missing, ...surplus].slice(0, 3)
    return failure({
      message: 'A spatial filter does not return the expected rows.',
      expected: `${must.size} of ${known.snapshot.rows.length} rows for ${text}`,
      received: `${response.keys.size} rows`,
      missing,
      surplus,
      why: wrong.map(
        key =>
          `${key} is ${missing.includes(key) ? 'missing' : 'there'}: ${JSON.stringify(known.snapshot.byKey.get(key))?.slice(0, 300)}`,
      ),
      answers: response.answers,
      features: spatialFunctions.filter(name => text.includes(name)).map(name => `filter.${name}`),
    })
  },
}

function knownOf(site: Site, session: Session): { readonly grammar: Grammar; readonly snapshot: Snapshot } | undefined {
  const grammar = grammarOf(site, session)
  const snapshot = session.snapshot(site)
  return grammar === undefined || snapshot === undefined ? undefined : { grammar, snapshot }
}

function expected(
  { truth }: SpatialCondition,
  { rows, site: { type } }: Snapshot,
): { readonly must: ReadonlySet<string>; readonly may: ReadonlySet<string> } {
  const must = new Set<string>()
  const may = new Set<string>()
  for (const row of rows) {
    const key = type === undefined ? undefined : keyOf(row, type)
    const each = truth(row)
    if (key === undefined) continue
    if (each === isTrue) must.add(key)
    if (each === undefined || (each & isTrue) !== 0) may.add(key)
  }
  return { must, may }
}
