import type { Expression } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import type { ComparisonSemantics, Deviation } from '../../oracle/comparison-semantics.js'
import { integerFunctions, stringFunctions } from '../../oracle/functions.js'
import { isFalse, isNull as isNullTruth, isTrue, type TruthSet, truthOfBoolean } from '../../oracle/truth-set.js'
import { binary, not, rewriteStrings, stringLiteral } from '../expressions.js'
import { valueAt } from '../observed-values.js'
import { type BugModel, callAs, callBug, callIgnored, rewriteBug } from './bug-model.js'

function asEqual(name: string): BugModel {
  return callBug(
    name,
    `${name}-as-eq`,
    `${name} matches the whole text only`,
    ({ arguments: [whole, part] }) => whole && part && binary('eq', whole, part),
  )
}

/** A text comparison evaluated as a function. */
function comparisonAs(operator: 'eq' | 'ne', name: string): BugModel {
  return rewriteBug(`${operator}-as-${name}`, `${operator} is evaluated as ${name}`, [operator], part => {
    if (part.kind !== 'binary' || part.operator !== operator) return undefined
    if (part.right.kind !== 'literal' || part.right.type !== 'String') return undefined
    const match: Expression = { kind: 'call', function: name, arguments: [part.left, part.right] }
    return operator === 'eq' ? match : not(match)
  })
}

const onLiterals = (id: string, description: string, change: (text: string) => string): BugModel => ({
  id,
  description,
  affects: ['String'],
  rewriteCondition: rewriteStrings(change),
})

/** The property path and the literal of a simple comparison or match; absent for anything more complex. */
function plainMatch(
  filter: Expression,
):
  | { readonly name: string; readonly path: readonly string[]; readonly fold: boolean; readonly part: string }
  | undefined {
  const [left, right, name] =
    filter.kind === 'call'
      ? [filter.arguments[0], filter.arguments[1], filter.function]
      : filter.kind === 'binary'
        ? [filter.left, filter.right, filter.operator]
        : []
  if (left === undefined || right?.kind !== 'literal' || right.type !== 'String' || name === undefined) return undefined
  const fold = left.kind === 'call' && left.function === 'tolower'
  const path = fold ? left.arguments[0] : left
  if (path?.kind !== 'path' || path.root !== undefined) return undefined
  const names = path.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  return { name, path: names, fold, part: right.value }
}

/** A match with a different test. */
function matching(
  id: string,
  description: string,
  names: readonly string[],
  test: (name: string, part: string) => ((whole: string) => boolean) | undefined,
): BugModel {
  return {
    id,
    description,
    affects: names,
    evaluateRow: filter => {
      const match = plainMatch(filter)
      if (match === undefined || !names.includes(match.name)) return undefined
      const isRaw = id === 'tolower-ascii'
      const holds = isRaw && !match.fold ? undefined : test(match.name, match.part)
      if (holds === undefined) return undefined
      return (row: Row): TruthSet => {
        const value = valueAt(row, match.path)
        if (typeof value !== 'string') return value === null ? isFalse | isNullTruth : isTrue | isFalse | isNullTruth
        return truthOfBoolean(holds(match.fold && !isRaw ? value.toLowerCase() : value))
      }
    },
  }
}

/** So many letters a service may compare that looks at the beginning of a text only. */
const comparedLengths = [15, 31, 63]

const digits = /^\d{1,15}$/

const matchFunctions = ['contains', 'startswith', 'endswith']

/** The same wrong match in all functions, and in each alone: a service may translate each function in its own way. */
function matchingFunctions(
  id: string,
  description: string,
  test: (name: string, part: string) => ((whole: string) => boolean) | undefined,
): readonly BugModel[] {
  const each = matchFunctions.map(name => matching(`${id}-in-${name}`, `${description} in ${name}`, [name], test))
  return [matching(id, description, matchFunctions, test), ...each]
}

/** Treats `%` and `_` as wildcards. */
function like(name: string, part: string, folds: boolean): ((whole: string) => boolean) | undefined {
  if (!folds && !/[%_]/.test(part)) return undefined
  const pattern = `${name === 'contains' || name === 'endswith' ? '%' : ''}${part}${name === 'contains' || name === 'startswith' ? '%' : ''}`
  return whole => isLike(folds ? whole.toLowerCase() : whole, folds ? pattern.toLowerCase() : pattern)
}

function isLike(whole: string, pattern: string): boolean {
  let reached = new Set([0])
  for (const character of pattern) {
    const next = new Set<number>()
    for (const index of reached) {
      if (character === '%') for (let to = index; to <= whole.length; to++) next.add(to)
      else if (index < whole.length && (character === '_' || whole[index] === character)) next.add(index + 1)
    }
    reached = next
  }
  return reached.has(whole.length)
}

/** Treats `.` as a wildcard. */
function dotted(name: string, part: string): ((whole: string) => boolean) | undefined {
  if (!part.includes('.')) return undefined
  return like(name, part.replaceAll(/[%_]/g, '\0').replaceAll('.', '_'), false)
}

/** Bugs of text literals and text functions. */
export const textBugs: readonly BugModel[] = [
  callAs('startswith', 'contains'),
  callAs('endswith', 'contains'),
  callAs('contains', 'startswith'),
  callAs('contains', 'endswith'),
  callAs('startswith', 'endswith'),
  callAs('endswith', 'startswith'),
  ...['startswith', 'endswith', 'contains'].map(asEqual),
  comparisonAs('eq', 'startswith'),
  comparisonAs('eq', 'contains'),
  comparisonAs('eq', 'endswith'),
  comparisonAs('ne', 'startswith'),
  comparisonAs('ne', 'contains'),
  ...[...stringFunctions, ...integerFunctions].map(callIgnored),
  ...matchFunctions.map(name =>
    callBug(name, `${name}-reversed`, `${name} swaps its arguments`, part => ({
      ...part,
      arguments: part.arguments.toReversed(),
    })),
  ),
  callBug('contains', 'contains-misses-end', 'contains does not match at the end of a text', part => ({
    kind: 'binary',
    operator: 'and',
    left: part,
    right: not({ ...part, function: 'endswith' }),
  })),
  ...matchingFunctions('like-wildcards', '% and _ are wildcards', (name, part) => like(name, part, false)),
  matching('eq-wildcards', '% and _ are wildcards in eq', ['eq'], (name, part) => like(name, part, false)),
  ...matchingFunctions('dot-wildcard', '. is a wildcard', dotted),
  matching('function-folds-case', 'functions ignore letter case', matchFunctions, (name, part) => {
    const lower = part.toLowerCase()
    return whole => matchesPlainly(name, whole.toLowerCase(), lower)
  }),
  {
    id: 'eq-folds-case',
    description: 'comparisons ignore letter case',
    semantics: semantics => withLetterCase(semantics, { possible: true, certain: true }),
    isAffected: isTextComparison,
  },
  {
    id: 'eq-distinguishes-case',
    description: 'comparisons are case-sensitive',
    semantics: semantics => withLetterCase(semantics, { possible: false, certain: false }),
    isAffected: isTextComparison,
  },
  {
    id: 'function-distinguishes-case',
    description: 'functions are case-sensitive',
    semantics: semantics => ({ ...semantics, functionsFoldCase: { possible: false, certain: false } }),
    isAffected: part => part.kind === 'call',
  },
  matching('eq-folds-accents', 'accents are ignored', ['eq'], (_name, part) => {
    const plain = (value: string): string => value.normalize('NFD').replace(/\p{M}/gu, '')
    return whole => plain(whole) === plain(part)
  }),
  {
    id: 'eq-folds-spaces',
    description: 'trailing spaces are ignored',
    semantics: semantics => ({ ...semantics, trailingSpacesFold: { possible: true, certain: true } }),
    isAffected: isTextComparison,
  },
  ...comparedLengths.map(length =>
    matching(`eq-of-first-${length}`, `eq compares the first ${length} letters only`, ['eq'], (_name, part) => {
      return part.length < length ? undefined : whole => whole.slice(0, length) === part.slice(0, length)
    }),
  ),
  matching('endswith-first', 'endswith looks at the first occurrence only', ['endswith'], (_name, part) => {
    return whole => part === '' || whole.indexOf(part) === whole.length - part.length
  }),
  matching(
    'quote-doubled-in-function',
    'doubled quotes in functions are not unescaped',
    matchFunctions,
    (name, part) => (part.includes("'") ? whole => matchesPlainly(name, whole, part.replaceAll("'", "''")) : undefined),
  ),
  matching('match-at-words', 'startswith and endswith match words', ['startswith', 'endswith'], (name, part) => {
    return whole => whole.split(' ').some(word => matchesPlainly(name, word, part)) || matchesPlainly(name, whole, part)
  }),
  ...[')', ','].map(character =>
    matching(
      `cut-at-${character === ',' ? 'comma' : 'parenthesis'}`,
      `a text in a function ends at its first ${character}`,
      matchFunctions,
      (name, part) =>
        part.includes(character) ? whole => matchesPlainly(name, whole, cutAt(part, character)) : undefined,
    ),
  ),
  matching('star-wildcard', '* is a wildcard', matchFunctions, (name, part) =>
    part.includes('*') ? like(name, part.replaceAll(/[%_]/g, '\0').replaceAll('*', '%'), false) : undefined,
  ),
  matching('tolower-ascii', 'tolower converts ASCII letters only', [...matchFunctions, 'eq', 'ne'], asciiLower),
  rewriteBug('tolower-inside-ignored', 'tolower inside a function is ignored', ['tolower'], part => {
    const [first, ...others] = part.kind === 'call' && matchFunctions.includes(part.function) ? part.arguments : []
    if (part.kind !== 'call' || first?.kind !== 'call' || first.function !== 'tolower') return undefined
    const [inner] = first.arguments
    return inner && { ...part, arguments: [inner, ...others] }
  }),
  {
    id: 'function-of-null-true',
    description: 'functions of null are true',
    evaluateRow: filter => {
      const match = filter.kind === 'call' ? plainMatch(filter) : undefined
      return match && (row => (valueAt(row, match.path) === null ? isTrue : undefined))
    },
  },
  onLiterals('backslash-escapes', 'a backslash escapes the next character', each => each.replace(/\\(.)/g, '$1')),
  onLiterals('backslash-doubled', 'backslashes are doubled', each => each.replaceAll('\\', '\\\\')),
  onLiterals('first-plane-only', 'characters outside the Basic Multilingual Plane are lost', each =>
    each.replace(/[\u{10000}-\u{10FFFF}]/gu, ''),
  ),
  onLiterals('percent-dropped', 'percent signs are dropped', each => each.replaceAll('%', '')),
  onLiterals('cut-at-length', 'texts are truncated', each => [...each].slice(0, 8).join('')),
  onLiterals('trimmed', 'texts are trimmed', each => each.trim()),
  onLiterals('trimmed-end', 'trailing spaces of texts are dropped', each => each.trimEnd()),
  onLiterals('spaces-collapsed', 'several spaces in a text become one', each => each.replaceAll(/ {2,}/g, ' ')),
  matching('digits-as-numbers', 'texts of digits are compared as numbers', ['eq', 'ne'], (name, part) => {
    if (!digits.test(part)) return undefined
    return whole => (digits.test(whole) && Number(whole) === Number(part)) === (name === 'eq')
  }),
  onLiterals('lower-literal', 'texts are converted to lower case', each => each.toLowerCase()),
  onLiterals('plus-as-space', '+ is decoded as a space', each => each.replaceAll('+', ' ')),
  onLiterals('decoded-twice', 'percent-encoding is decoded twice', each => decoded(each)),
  onLiterals('quote-doubled', 'doubled quotes are not unescaped', each => each.replaceAll("'", "''")),
  onLiterals('quote-dropped', 'quotes are dropped', each => each.replaceAll("'", '')),
  onLiterals('cut-at-quote', 'a text ends at its first quote', each => cutAt(each, "'")),
  onLiterals('cut-at-ampersand', 'a text ends at its first &', each => cutAt(each, '&')),
  onLiterals('cut-at-hash', 'a text ends at its first #', each => cutAt(each, '#')),
  onLiterals('cut-at-semicolon', 'a text ends at its first ;', each => cutAt(each, ';')),
  onLiterals('cut-at-percent', 'a text ends at its first %', each => cutAt(each, '%')),
  onLiterals('backslash-dropped', 'backslashes are dropped', each => each.replaceAll('\\', '')),
  onLiterals('plus-dropped', '+ is dropped', each => each.replaceAll('+', '')),
  onLiterals('slash-dropped', '/ is dropped', each => each.replaceAll('/', '')),
  onLiterals('quote-marks-dropped', 'double quotes are dropped', each => each.replaceAll('"', '')),
  onLiterals('ascii-only', 'non-ASCII letters are lost', each => each.replace(/[^\0-\x7F]/g, '?')),
  rewriteBug('relation-folds-case', 'gt, ge, lt and le ignore letter case', ['gt', 'ge', 'lt', 'le'], part => {
    if (part.kind !== 'binary' || !['gt', 'ge', 'lt', 'le'].includes(part.operator)) return undefined
    if (part.right.kind !== 'literal' || part.right.type !== 'String') return undefined
    const left: Expression = { kind: 'call', function: 'tolower', arguments: [part.left] }
    return { ...part, left, right: stringLiteral(part.right.value.toLowerCase()) }
  }),
]

/** Lowers ASCII letters only. */
function asciiLower(name: string, part: string): ((whole: string) => boolean) | undefined {
  const lower = (value: string): string => value.replace(/[A-Z]/g, letter => letter.toLowerCase())
  return whole => {
    const given = lower(whole)
    return name === 'eq' ? given === part : name === 'ne' ? given !== part : matchesPlainly(name, given, part)
  }
}

function withLetterCase(semantics: ComparisonSemantics, deviation: Deviation): ComparisonSemantics {
  const none = { possible: false, certain: false }
  return {
    ...semantics,
    equalityFoldsCase: deviation,
    relationalFoldsCase: deviation,
    relationalIsByLocale: none,
  }
}

function isTextComparison(part: Expression): boolean {
  return part.kind === 'binary' && part.right.kind === 'literal' && part.right.type === 'String'
}

function matchesPlainly(name: string, whole: string, part: string): boolean {
  return name === 'contains'
    ? whole.includes(part)
    : name === 'startswith'
      ? whole.startsWith(part)
      : whole.endsWith(part)
}

function cutAt(value: string, character: string): string {
  const index = value.indexOf(character)
  return index < 0 ? value : value.slice(0, index)
}

function decoded(value: string): string {
  return value.replace(/%([0-7][0-9A-Fa-f])/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
