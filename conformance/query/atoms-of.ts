import type { Expression } from '../../runtime/query/index.js'
import { printFilter } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import type { Session } from '../session/session.js'
import type { Snapshot } from '../site/snapshot.js'
import type { Atom } from './atom.js'
import { binary, integer, joined, not, nullLiteral, pathTo } from './build.js'
import { chooseValues } from './choose-values.js'
import { edgeAtoms } from './edge-atoms.js'
import type { CollectionTerm, Grammar, Term } from './grammar.js'
import { letterAtoms } from './letter-atoms.js'
import { literalOf } from './literal-of.js'
import { observed } from './observed.js'
import { rareAtoms } from './rare-atoms.js'
import { spaceAtoms } from './space-atoms.js'
import { textAtoms } from './text-atoms.js'
import { valueAtoms } from './value-atoms.js'

/** In all, and about each property where there are many. */
const atoms = { least: 180, most: 320, each: 13 }
const longestAtom = 500

const known = new WeakMap<Snapshot, Map<unknown, readonly Atom[]>>()

/** Conditions about the rows of a snapshot, within what the spec declares. */
export function atomsOf(grammar: Grammar, snapshot: Snapshot, session: Session): readonly Atom[] {
  const made = known.get(snapshot) ?? new Map<unknown, readonly Atom[]>()
  known.set(snapshot, made)
  // The one choice that decides how a value is written.
  const way = session.choices.get('guidLiteral')
  const all = made.get(way) ?? makeAtoms(grammar, snapshot, session)
  made.set(way, all)
  return all
}

function makeAtoms(grammar: Grammar, snapshot: Snapshot, session: Session): readonly Atom[] {
  const found = new Map<string, Atom>()
  const { rows } = snapshot
  const terms = grammar.terms.filter(({ path: [name] }) => name !== undefined && snapshot.properties.has(name))
  const seen = new Set<string>()
  const sources = [
    ...terms.map(term =>
      termAtoms(pathTo(term.path), term, observed(rows, term.path), term.path.join('/'), session, seen),
    ),
    ...grammar.collections.map(collection => collectionAtoms(collection, grammar, rows, session, seen)),
    ...alternating(rareAtoms(grammar, snapshot, session)),
  ]
  const wanted = Math.min(atoms.most, Math.max(atoms.least, sources.length * atoms.each))
  // In turns, so that no property takes all the room.
  for (let open = sources; open.length > 0 && found.size < wanted; ) {
    open = open.filter(source => {
      const next = source.next()
      if (next.done === true) return false
      const printed = printFilter(next.value.filter)
      if (encodeURIComponent(printed).length <= longestAtom) found.set(printed, next.value)
      return true
    })
  }
  return [...found.values()]
}

/** Two turns in each round: there is much to ask of what few services have. */
function alternating(atoms: readonly Atom[]): readonly Iterator<Atom>[] {
  return [0, 1].map(turn => atoms.filter((_, index) => index % 2 === turn).values())
}

function* termAtoms(
  path: Expression,
  term: Term,
  values: readonly unknown[],
  name: string,
  session: Session,
  seen: Set<string>,
): Generator<Atom> {
  if (term.nullable) {
    yield { kind: `eq null ${name}`, filter: binary('eq', path, nullLiteral) }
    if (term.allows('ne')) yield { kind: `ne null ${name}`, filter: binary('ne', path, nullLiteral) }
  }
  yield* edgeAtoms(path, term, values, name, session)
  if (term.type !== 'Edm.String') return yield* valueAtoms(path, term, values, name, session)
  const texts = values.filter(isText)
  yield* spaceAtoms(path, term, texts, name)
  yield* letterAtoms(path, term, texts, name)
  yield* textAtoms(path, term, texts, name, seen)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && literalText(value)
}

function literalText(value: string): boolean {
  return literalOf('Edm.String', value, { choices: { get: () => undefined, all: () => [] }, types: {} }) !== undefined
}

/** Conditions on the items of a collection, and on how many there are. */
function* collectionAtoms(
  { path, items }: CollectionTerm,
  grammar: Grammar,
  rows: readonly Row[],
  session: Session,
  seen: Set<string>,
): Generator<Atom> {
  const name = path.join('/')
  const collection = pathTo(path)
  const over = (operator: 'any' | 'all', kind: string, predicate: Expression): Atom => ({
    kind: `${operator} ${kind} ${name}`,
    filter: { kind: 'lambda', operator, collection, variable: 'x', predicate },
  })
  const inner = items.map(term => {
    const values = observed(rows, [...path, ...term.path])
    return [
      ...termAtoms(pathTo(term.path, 'x'), term, chooseValues(values, 4, seen), term.path.join('/'), session, seen),
    ]
  })
  for (let index = 0; index < 60; index++) {
    for (const conditions of inner) {
      const atom = conditions[index]
      const partner = conditions[(index * 7 + 3) % Math.max(1, conditions.length)]
      if (atom === undefined || partner === undefined) continue
      yield over('any', atom.kind, atom.filter)
      if (grammar.has('or')) yield over('any', `${atom.kind} or`, joined('or', atom.filter, partner.filter))
      if (grammar.has('and')) yield over('any', `${atom.kind} and`, joined('and', atom.filter, partner.filter))
      if (grammar.has('not')) yield over('any', `${atom.kind} not`, not(atom.filter))
      if (grammar.has('all')) yield over('all', atom.kind, atom.filter)
    }
  }
  if (grammar.has('$count') && grammar.has('gt')) {
    const count: Expression = { kind: 'path', segments: [...collection.segments, { kind: 'count' }] }
    yield { kind: `count ${name}`, filter: binary('gt', count, integer(1)) }
    yield { kind: `count ${name}`, filter: binary('eq', count, integer(0)) }
  }
}
