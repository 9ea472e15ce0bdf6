import fc from 'fast-check'
import { type Expression, printFilter } from '../../runtime/query/index.js'
import type { Answer } from '../http/answer.js'
import type { Atom } from '../query/atom.js'
import { atomsOf } from '../query/atoms-of.js'
import { filterSites } from '../query/filter-sites.js'
import { filtered } from '../query/filtered.js'
import { type Grammar, grammarOf } from '../query/grammar.js'
import { pagedFilter } from '../query/paged-filter.js'
import { constructsOf } from '../rule/constructs-of.js'
import type { Rule, RuleFacts } from '../rule/rule.js'
import { predict } from '../semantics/predict.js'
import type { Session } from '../session/session.js'
import { shareOf } from '../site/share-of.js'
import type { Site } from '../site/site.js'
import type { Snapshot } from '../site/snapshot.js'

/** The rows of one filter. */
export interface FilterRows {
  readonly filter: Expression
  readonly keys: ReadonlySet<string>
}

/** Keys that are in one answer and must not be, or should be and are not. */
export interface Difference {
  readonly missing: readonly string[]
  readonly surplus: readonly string[]
  readonly message: string
}

/** A relation between the answers to some filters that must hold whatever the rows are. */
export interface FilterRelation extends Omit<RuleFacts, 'area'> {
  readonly cost: number
  readonly weight: number
  /** How many conditions it relates, and which may be among them. */
  readonly conditions: number
  readonly isOfUse?: (filter: Expression) => boolean
  /** Whether the spec declares what it asks for. */
  readonly needs: (grammar: Grammar) => boolean
  /** The filters to ask, from the conditions; absent when these are of no use. */
  readonly filters: (conditions: readonly Expression[]) => readonly Expression[] | undefined
  readonly differs: (answers: readonly FilterRows[], snapshot: Snapshot) => Difference | undefined
}

const planned = 6

/** A rule that relates answers, and needs no prediction. */
export function filterRelation(relation: FilterRelation): Rule {
  const { cost, weight, conditions, isOfUse = () => true, needs, filters, differs, ...facts } = relation
  return {
    kind: 'asking',
    ...facts,
    area: 'filter',
    writes: false,
    cost,
    weight,
    sites: session => filterSites(session).filter(site => declares(site, session, needs)),
    cases: (site, session) => {
      const snapshot = session.snapshot(site)
      const grammar = grammarOf(site, session)
      if (snapshot === undefined || grammar === undefined) return { thin: 'the collection could not be read' }
      const all = atomsOf(grammar, snapshot, session).filter(({ filter }) => isOfUse(filter))
      const telling = splitting(all, snapshot, session)
      const usable = telling.length >= conditions ? telling : all
      if (usable.length < conditions) return { thin: 'different values in properties that can be filtered' }
      const drawn = fc
        .shuffledSubarray([...usable], { minLength: conditions, maxLength: conditions })
        .filter(each => filters(each.map(({ filter }) => filter)) !== undefined)
        .map(each => ({ predicates: each.map(({ filter }) => filter) }))
      const isPossible = usable.some((_, index) => filters(rotated(usable, index, conditions)) !== undefined)
      if (!isPossible) return { thin: 'values that the conditions it needs can be made of' }
      return { planned: fc.sample(drawn, { seed: 1, numRuns: planned }), random: drawn }
    },
    queries: ({ predicates = [] }) => (filters(predicates) ?? []).map(filter => ({ filter })),
    check: async ({ predicates = [] }, site, session) => {
      const asked = predicates.length === conditions ? filters(predicates) : undefined
      const snapshot = session.snapshot(site)
      if (asked === undefined || snapshot === undefined) return { kind: 'pass', trivial: true }
      const rows: FilterRows[] = []
      const answers: Answer[] = []
      for (const filter of asked) {
        const answer = await filtered(site, session, pagedFilter(filter, site, session))
        if (answer.kind === 'ended') return answer.verdict
        if (!answer.isWhole) return { kind: 'inconclusive', why: 'the answers have more pages than are read' }
        rows.push({ filter, keys: answer.keys })
        answers.push(...answer.answers)
      }
      const difference = differs(rows, snapshot)
      if (difference === undefined) {
        const isTrivial = rows.every(({ keys }) => keys.size === 0 || keys.size === snapshot.rows.length)
        return { kind: 'pass', trivial: isTrivial, selected: rows.map(({ keys }) => shareOf(keys.size, snapshot)) }
      }
      const { message, missing, surplus } = difference
      return {
        kind: 'fail',
        finding: {
          message,
          expected: 'the same rows put together, whatever the data are',
          received: rows.map(({ filter, keys }) => `${keys.size} rows for ${printFilter(filter)}`).join('; '),
          missing,
          surplus,
          answers,
          features: [
            ...new Set(
              predicates.flatMap(filter => constructsOf({ filter }).filter(each => each.startsWith('filter.'))),
            ),
            relation.id,
          ].sort(),
        },
      }
    },
  }
}

function declares(site: Site, session: Session, needs: (grammar: Grammar) => boolean): boolean {
  const grammar = grammarOf(site, session)
  return grammar !== undefined && needs(grammar)
}

function rotated(atoms: readonly Atom[], start: number, count: number): readonly Expression[] {
  return [...atoms.slice(start), ...atoms.slice(0, start)].slice(0, count).map(({ filter }) => filter)
}

const known = new WeakMap<Snapshot, WeakMap<Atom, boolean>>()

/** The conditions that some rows meet for certain, and some do not. */
function splitting(atoms: readonly Atom[], snapshot: Snapshot, session: Session): readonly Atom[] {
  const step = Math.max(1, Math.floor(atoms.length / 120))
  const looked = known.get(snapshot) ?? new WeakMap<Atom, boolean>()
  known.set(snapshot, looked)
  return atoms.filter((atom, index) => {
    if (index % step !== 0) return false
    const splits = looked.get(atom) ?? splitsRows(atom, snapshot, session)
    looked.set(atom, splits)
    return splits
  })
}

function splitsRows({ filter }: Atom, snapshot: Snapshot, session: Session): boolean {
  const { must, may } = predict(filter, snapshot, session)
  return must.size > 0 && may.size < snapshot.rows.length
}

/** The difference of two answers that must be equal. */
export function unequal(message: string): (answers: readonly FilterRows[]) => Difference | undefined {
  return ([first, second]) => {
    if (first === undefined || second === undefined) return undefined
    const missing = [...first.keys].filter(key => !second.keys.has(key))
    const surplus = [...second.keys].filter(key => !first.keys.has(key))
    return missing.length + surplus.length === 0 ? undefined : { message, missing, surplus }
  }
}
