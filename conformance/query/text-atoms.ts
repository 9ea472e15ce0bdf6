import type { Expression } from '../../runtime/query/index.js'
import type { Atom } from './atom.js'
import { binary, call, integer, text } from './build.js'
import { chooseValues } from './choose-values.js'
import type { Term } from './grammar.js'

/**
 * Conditions on a text: observed values, their parts, also where they do not belong, and neighbours that only a service
 * which misreads them takes for the value.
 */
export function* textAtoms(
  path: Expression,
  term: Term,
  values: readonly string[],
  name: string,
  seen: Set<string>,
): Generator<Atom> {
  const atom = (kind: string, filter: Expression): Atom => ({ kind: `${kind} ${name}`, filter })
  const ofEach = chooseValues(values, 5, seen).map((value, index): readonly Atom[] => {
    const other = values.find(each => each !== value) ?? value
    const all = [...plainAtoms(path, term, value, other, atom)]
    // Equal, and of one value unequal too, of every property: null shows there.
    const fixed = index === 0 && term.allows('ne') ? 2 : 1
    const plain = [...all.slice(0, fixed), ...turnedBy(name.length * 5 + index * 3, all.slice(fixed))]
    const odd = [...oddAtoms(path, term, value, atom)]
    // Each property begins elsewhere, so that few of each tell all.
    const turned = turnedBy(name.length * 7 + index * 5, odd)
    return Array.from({ length: Math.max(plain.length, turned.length) }, (_, at) => at).flatMap(at =>
      [plain[2 * at], plain[2 * at + 1], turned[at]].filter(next => next !== undefined),
    )
  })
  yield* byTurns(ofEach)
}

/** Three of the first, three of the next, and so on, until all are taken. */
function* byTurns(lists: readonly (readonly Atom[])[]): Generator<Atom> {
  const longest = Math.max(0, ...lists.map(list => list.length))
  for (let at = 0; at < longest; at += 3) {
    for (const list of lists) yield* list.slice(at, at + 3)
  }
}

function turnedBy(count: number, atoms: readonly Atom[]): readonly Atom[] {
  const start = count % Math.max(1, atoms.length)
  return [...atoms.slice(start), ...atoms.slice(0, start)]
}

function* plainAtoms(
  path: Expression,
  { allows }: Term,
  value: string,
  other: string,
  atom: MakeAtom,
): Generator<Atom> {
  yield atom('eq', binary('eq', path, text(value)))
  for (const operator of ['ne', 'gt', 'ge', 'lt', 'le'] as const) {
    if (allows(operator)) yield atom(operator, binary(operator, path, text(value)))
  }
  yield* functionAtoms(path, allows, value, atom)
  if (!allows('in')) return
  const items = [text(other), text(value)]
  yield atom('in', binary('in', path, { kind: 'list', form: 'parentheses', items }))
}

function* oddAtoms(path: Expression, { allows }: Term, value: string, atom: MakeAtom): Generator<Atom> {
  for (const changed of lookalikes(value)) yield atom('eq altered', binary('eq', path, text(changed)))
  const letters = [...value]
  const front = letters.slice(0, Math.max(1, Math.floor(letters.length / 2))).join('')
  for (const name of ['startswith', 'endswith', 'contains'].filter(allows)) {
    for (const part of patterns(letters)) yield atom(`${name} pattern`, call(name, path, text(part)))
    yield atom(`${name} other case`, call(name, path, text(otherCase(front))))
    yield atom(`${name} whole`, call(name, path, text(value)))
  }
}

type MakeAtom = (kind: string, filter: Expression) => Atom

function* functionAtoms(
  path: Expression,
  allows: (construct: string) => boolean,
  value: string,
  atom: MakeAtom,
): Generator<Atom> {
  const letters = [...value]
  const half = Math.max(1, Math.floor(letters.length / 2))
  const parts = {
    front: letters.slice(0, half).join(''),
    middle: letters.slice(Math.floor(half / 2), Math.floor(half / 2) + half).join(''),
    back: letters.slice(-half).join(''),
  }
  for (const name of ['startswith', 'endswith', 'contains']) {
    if (!allows(name)) continue
    for (const part of new Set(Object.values(parts))) yield atom(name, call(name, path, text(part)))
    if (allows('tolower')) {
      yield atom(`${name} tolower`, call(name, call('tolower', path), text(parts.front.toLowerCase())))
    }
  }
  if (allows('tolower')) {
    yield atom('tolower eq', binary('eq', call('tolower', path), text(value.toLowerCase())))
    yield atom('tolower eq upper', binary('eq', call('tolower', path), text(value.toUpperCase())))
    if (allows('ne')) yield atom('tolower ne', binary('ne', call('tolower', path), text(value.toLowerCase())))
  }
  if (allows('toupper')) yield atom('toupper eq', binary('eq', call('toupper', path), text(value.toUpperCase())))
  if (allows('length')) {
    yield atom('length eq', binary('eq', call('length', path), integer(value.length)))
    if (allows('gt')) yield atom('length gt', binary('gt', call('length', path), integer(value.length - 1)))
  }
  if (allows('indexof'))
    yield atom('indexof', binary('eq', call('indexof', path, text(parts.back)), integer(value.indexOf(parts.back))))
  if (allows('substring') && letters.length > 2) {
    yield atom('substring', binary('eq', call('substring', path, integer(1)), text(letters.slice(1).join(''))))
    yield atom(
      'substring length',
      binary('eq', call('substring', path, integer(1), integer(2)), text(letters.slice(1, 3).join(''))),
    )
  }
  if (allows('concat')) yield atom('concat', binary('eq', call('concat', path, text('x')), text(`${value}x`)))
  if (allows('trim')) yield atom('trim', binary('eq', call('trim', path), text(value.trim())))
}

/** Texts that only a service with wildcards or patterns finds. */
function* patterns(letters: readonly string[]): Generator<string> {
  const [first, second, third] = letters
  if (first === undefined || second === undefined || third === undefined) return
  yield `${first}_${third}`
  yield `${first}%${third}`
  yield `${first}.${third}`
  yield `${first}*${letters.at(-1)}`
  yield '%'
  yield '_'
}

/** Texts that are the value only to a service that decodes, cuts, trims or folds what it must not. */
function* lookalikes(value: string): Generator<string> {
  yield otherCase(value)
  yield `${value} `
  yield ` ${value}`
  for (const character of ["'", '&', '#', ';', '%', '+', '\\', '/', '"']) yield `${value}${character}`
  for (const character of ["'", '&', '#', ';']) yield `${value}${character}x`
  if (value.includes(' ')) yield value.replace(' ', '+')
  if (/^[\x21-\x7E]/.test(value)) yield `%${value.charCodeAt(0).toString(16).toUpperCase()}${value.slice(1)}`
  const letters = [...value]
  if (letters.length > 2) {
    yield [...letters.slice(0, 1), '_', ...letters.slice(2)].join('')
    yield `${letters.slice(0, 2).join('')}%`
    yield letters.slice(0, -1).join('')
    yield letters.slice(1).join('')
  }
}

function otherCase(value: string): string {
  return value.replace(/\p{L}/gu, letter =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
