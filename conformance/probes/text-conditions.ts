import type { Expression } from '../../runtime/query/index.js'
import { integerFunctions, integerResult, stringFunctions, stringResult } from '../oracle/functions.js'
import { binary, call, integerLiteral, stringLiteral } from './expressions.js'
import type { Condition, Term } from './grammar.js'
import { sampleValues, swapCase } from './observed-values.js'

/**
 * Conditions on a text: values, their parts in expected and other positions, and lookalikes that only a buggy service
 * accepts.
 */
export function* textConditions(
  path: Expression,
  term: Term,
  values: readonly string[],
  name: string,
  seen: Set<string>,
): Generator<Condition> {
  const condition = (kind: string, filter: Expression): Condition => ({ kind: `${kind} ${name}`, filter })
  const ofEach = sampleValues(values, 5, seen).map((value, index): readonly Condition[] => {
    const other = values.find(each => each !== value) ?? value
    const all = [...plainConditions(path, term, value, other, condition)]
    // Always include `eq`, and `ne` for one value of each property, because null shows there.
    const fixed = index === 0 && term.allows('ne') ? 2 : 1
    const plain = [...all.slice(0, fixed), ...rotate(name.length * 5 + index * 3, all.slice(fixed))]
    const odd = [...lookalikeConditions(path, term, value, condition)]
    // Start at a different one for each property, so that a few per property cover all.
    const turned = rotate(name.length * 7 + index * 5, odd)
    return Array.from({ length: Math.max(plain.length, turned.length) }, (_, at) => at).flatMap(at =>
      [plain[2 * at], plain[2 * at + 1], turned[at]].filter(next => next !== undefined),
    )
  })
  yield* roundRobin(ofEach)
}

/** Takes three from each list in turn until all are used. */
function* roundRobin(lists: readonly (readonly Condition[])[]): Generator<Condition> {
  const longest = Math.max(0, ...lists.map(list => list.length))
  for (let at = 0; at < longest; at += 3) {
    for (const list of lists) yield* list.slice(at, at + 3)
  }
}

function rotate(count: number, conditions: readonly Condition[]): readonly Condition[] {
  const start = count % Math.max(1, conditions.length)
  return [...conditions.slice(start), ...conditions.slice(0, start)]
}

function* plainConditions(
  path: Expression,
  { allows }: Term,
  value: string,
  other: string,
  condition: MakeCondition,
): Generator<Condition> {
  yield condition('eq', binary('eq', path, stringLiteral(value)))
  for (const operator of ['ne', 'gt', 'ge', 'lt', 'le'] as const) {
    if (allows(operator)) yield condition(operator, binary(operator, path, stringLiteral(value)))
  }
  yield* functionConditions(path, allows, value, condition)
  if (!allows('in')) return
  const items = [stringLiteral(other), stringLiteral(value)]
  yield condition('in', binary('in', path, { kind: 'list', form: 'parentheses', items }))
}

function* lookalikeConditions(
  path: Expression,
  { allows }: Term,
  value: string,
  condition: MakeCondition,
): Generator<Condition> {
  for (const changed of lookalikes(value)) yield condition('eq altered', binary('eq', path, stringLiteral(changed)))
  const letters = [...value]
  const front = letters.slice(0, Math.max(1, Math.floor(letters.length / 2))).join('')
  for (const name of ['startswith', 'endswith', 'contains'].filter(allows)) {
    for (const part of wildcardPatterns(letters))
      yield condition(`${name} pattern`, call(name, path, stringLiteral(part)))
    yield condition(`${name} other case`, call(name, path, stringLiteral(swapCase(front))))
    yield condition(`${name} whole`, call(name, path, stringLiteral(value)))
  }
}

/** Functions with conditions of their own. */
const otherConditions: ReadonlySet<string> = new Set(['tolower', 'toupper', 'trim'])

type MakeCondition = (kind: string, filter: Expression) => Condition

function* functionConditions(
  path: Expression,
  allows: (construct: string) => boolean,
  value: string,
  condition: MakeCondition,
): Generator<Condition> {
  const letters = [...value]
  const half = Math.max(1, Math.floor(letters.length / 2))
  const parts = {
    front: letters.slice(0, half).join(''),
    middle: letters.slice(Math.floor(half / 2), Math.floor(half / 2) + half).join(''),
    back: letters.slice(-half).join(''),
  }
  for (const name of ['startswith', 'endswith', 'contains']) {
    if (!allows(name)) continue
    for (const part of new Set(Object.values(parts))) yield condition(name, call(name, path, stringLiteral(part)))
    if (allows('tolower')) {
      yield condition(`${name} tolower`, call(name, call('tolower', path), stringLiteral(parts.front.toLowerCase())))
    }
  }
  if (allows('tolower')) {
    yield condition('tolower eq', binary('eq', call('tolower', path), stringLiteral(value.toLowerCase())))
    yield condition('tolower eq upper', binary('eq', call('tolower', path), stringLiteral(value.toUpperCase())))
    if (allows('ne'))
      yield condition('tolower ne', binary('ne', call('tolower', path), stringLiteral(value.toLowerCase())))
  }
  if (allows('toupper'))
    yield condition('toupper eq', binary('eq', call('toupper', path), stringLiteral(value.toUpperCase())))
  for (const name of integerFunctions) {
    const result = allows(name) ? integerResult(name, value) : undefined
    if (result === undefined) continue
    yield condition(`${name} eq`, binary('eq', call(name, path), integerLiteral(result)))
    if (allows('gt')) yield condition(`${name} gt`, binary('gt', call(name, path), integerLiteral(result - 1)))
  }
  if (allows('indexof'))
    yield condition(
      'indexof',
      binary('eq', call('indexof', path, stringLiteral(parts.back)), integerLiteral(value.indexOf(parts.back))),
    )
  if (allows('substring') && letters.length > 2) {
    yield condition(
      'substring',
      binary('eq', call('substring', path, integerLiteral(1)), stringLiteral(letters.slice(1).join(''))),
    )
    yield condition(
      'substring length',
      binary(
        'eq',
        call('substring', path, integerLiteral(1), integerLiteral(2)),
        stringLiteral(letters.slice(1, 3).join('')),
      ),
    )
  }
  if (allows('concat'))
    yield condition('concat', binary('eq', call('concat', path, stringLiteral('x')), stringLiteral(`${value}x`)))
  if (allows('trim')) yield condition('trim', binary('eq', call('trim', path), stringLiteral(value.trim())))
  for (const name of stringFunctions) {
    const result = otherConditions.has(name) || !allows(name) ? undefined : stringResult(name, value)
    if (result !== undefined) yield condition(`${name} eq`, binary('eq', call(name, path), stringLiteral(result)))
  }
}

/** Texts that match only if the service treats them as patterns. */
function* wildcardPatterns(letters: readonly string[]): Generator<string> {
  const [first, second, third] = letters
  if (first === undefined || second === undefined || third === undefined) return
  yield `${first}_${third}`
  yield `${first}%${third}`
  yield `${first}.${third}`
  yield `${first}*${letters.at(-1)}`
  yield '%'
  yield '_'
}

/** Texts that match only if the service decodes, truncates, trims or folds them. */
function* lookalikes(value: string): Generator<string> {
  yield swapCase(value)
  yield `${value} `
  yield ` ${value}`
  if (/\S \S/.test(value)) yield value.replace(/(?<=\S) (?=\S)/, '  ')
  for (const character of ["'", '&', '#', ';', '%', '+', '\\', '/', '"']) yield `${value}${character}`
  for (const character of ["'", '&', '#', ';']) yield `${value}${character}x`
  if (value.includes(' ')) yield value.replace(' ', '+')
  if (/^\d{1,15}$/.test(value)) yield value.startsWith('0') ? String(Number(value)) : `0${value}`
  if (/^[\x21-\x7E]/.test(value)) yield `%${value.charCodeAt(0).toString(16).toUpperCase()}${value.slice(1)}`
  const letters = [...value]
  if (letters.length > 2) {
    yield [...letters.slice(0, 1), '_', ...letters.slice(2)].join('')
    yield `${letters.slice(0, 2).join('')}%`
    yield letters.slice(0, -1).join('')
    yield letters.slice(1).join('')
  }
}

/** Conditions that show whether `tolower` and `toupper` convert non-ASCII letters, if the values have any. */
export function* letterConditions(
  path: Expression,
  { allows }: Term,
  values: readonly string[],
  name: string,
): Generator<Condition> {
  for (const [turned, change] of caseFunctions) {
    const value = allows(turned) ? values.find(each => change(each) !== changeAsciiOnly(each, change)) : undefined
    if (value === undefined) continue
    yield { kind: `${turned} letters ${name}`, filter: binary('eq', call(turned, path), stringLiteral(change(value))) }
  }
}

/**
 * Functions whose part has an apostrophe, which a literal doubles, a parenthesis or a comma, which must not end it, or begins
 * or ends at a word within the text, and `endswith` with an end that occurs earlier in the text, too. And the longest text without
 * its last letter, which equals no text.
 */
export function* partConditions(
  path: Expression,
  { allows }: Term,
  values: readonly string[],
  name: string,
): Generator<Condition> {
  const long = longestText(values)
  if (long !== undefined) {
    const end = long.slice(-endLength).join('')
    if (allows('contains')) yield { kind: `contains end ${name}`, filter: call('contains', path, stringLiteral(end)) }
    const beginning = long.slice(0, -1).join('')
    yield { kind: `eq beginning ${name}`, filter: binary('eq', path, stringLiteral(beginning)) }
  }
  const quoted = values.find(value => value.includes("'"))
  const ends = values.map(value => ({ value, end: repeatedEnd(value) })).find(({ end }) => end !== undefined)?.end
  if (ends !== undefined && allows('endswith'))
    yield { kind: `endswith repeated ${name}`, filter: call('endswith', path, stringLiteral(ends)) }
  if (quoted !== undefined) {
    const letters = [...quoted]
    const at = letters.indexOf("'")
    const parts = {
      startswith: letters.slice(0, at + 1).join(''),
      contains: letters.slice(at, at + 2).join(''),
      endswith: letters.slice(at).join(''),
    }
    for (const [match, part] of Object.entries(parts)) {
      if (allows(match)) yield { kind: `${match} quote ${name}`, filter: call(match, path, stringLiteral(part)) }
    }
  }
  for (const [match, part] of partsWithDelimiters(values)) {
    if (allows(match)) yield { kind: `${match} delimiter ${name}`, filter: call(match, path, stringLiteral(part)) }
  }
  for (const [match, part] of partsWithinWords(values)) {
    if (allows(match)) yield { kind: `${match} word ${name}`, filter: call(match, path, stringLiteral(part)) }
  }
}

/** Parts with the characters that end an argument outside a literal. */
function partsWithDelimiters(values: readonly string[]): readonly (readonly [match: string, part: string])[] {
  return [')', ','].flatMap(character => {
    const value = values.find(each => each.includes(character))
    if (value === undefined) return []
    // Whole characters: a URL cannot contain half of a surrogate pair.
    const letters = [...value]
    const at = letters.indexOf(character)
    const from = Math.max(0, at - 2)
    return [
      ['endswith', letters.slice(from).join('')],
      ['contains', letters.slice(from, at + 2).join('')],
      ['startswith', letters.slice(0, at + 1).join('')],
    ]
  })
}

/** Short texts need no such part. */
const longText = 16
const endLength = 6

/** The letters of the longest text, of which a service may compare the beginning only. */
function longestText(values: readonly string[]): readonly string[] | undefined {
  const longest = values.reduce((longer, value) => (value.length > longer.length ? value : longer), '')
  const letters = [...longest]
  return letters.length < longText ? undefined : letters
}

/** The beginning of a later word, with which no text starts, and the end of an earlier one, with which no text ends. */
function partsWithinWords(values: readonly string[]): readonly (readonly [match: string, part: string])[] {
  const words = values.map(value => value.split(' ')).filter(({ length }) => length > 1)
  const later = words
    .map(parts => parts.at(-1) ?? '')
    .find(word => isWord(word) && !values.some(each => each.startsWith(word)))
  const earlier = words
    .map(([first = '']) => first)
    .find(word => isWord(word) && !values.some(each => each.endsWith(word)))
  return [
    ...(later === undefined ? [] : [['startswith', later] as const]),
    ...(earlier === undefined ? [] : [['endswith', earlier] as const]),
  ]
}

const isWord = (text: string): boolean => /^[\p{L}]{3,}$/u.test(text)

/** The longest end of a text, of at most three letters, that the text also has before its end. */
function repeatedEnd(value: string): string | undefined {
  const letters = [...value]
  return [3, 2, 1]
    .map(length => letters.slice(-length).join(''))
    .find(end => end !== value && value.indexOf(end) < value.length - end.length)
}

type CaseChange = (value: string) => string

const caseFunctions: readonly (readonly [turned: string, change: CaseChange])[] = [
  ['toupper', value => value.toUpperCase()],
  ['tolower', value => value.toLowerCase()],
]

function changeAsciiOnly(value: string, change: CaseChange): string {
  return value.replace(/[A-Za-z]/g, change)
}

/** Conditions that show whether leading and trailing spaces are significant, and whether `trim` removes them. */
export function* spaceConditions(
  path: Expression,
  { allows }: Term,
  values: readonly string[],
  name: string,
): Generator<Condition> {
  const padded = values.find(value => value.trim() !== value && value.trim() !== '')
  const [value = padded] = values
  if (value === undefined) return
  yield { kind: `eq spaces ${name}`, filter: binary('eq', path, stringLiteral(padded ?? `${value} `)) }
  if (padded === undefined || !allows('trim')) return
  yield { kind: `trim spaces ${name}`, filter: binary('eq', call('trim', path), stringLiteral(padded.trim())) }
}
