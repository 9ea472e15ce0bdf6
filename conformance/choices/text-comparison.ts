import type { Expression } from '../../runtime/query/index.js'
import { binary, call, pathTo } from '../probes/expressions.js'
import type { Term } from '../probes/grammar.js'
import { literalOf, observedValues, swapCase, valueAt } from '../probes/observed-values.js'
import type { ChoiceProbe, ProbeContext, RowProbe } from './row-probes.js'

/** Compares texts with swapped letter case. */
export const stringComparison: ChoiceProbe = {
  choice: 'stringComparison',
  probes: context =>
    textProbes(context, 'eq', swapAsciiCase, (term, text) => binary('eq', term, text), {
      valueIfPresent: 'caseInsensitive',
      valueIfAbsent: 'ordinal',
      operators: 'equality',
    }),
  // By code points only, every capital letter is less than every small one.
  alternative: context =>
    textProbes(context, 'lt', earlierSmallLetter, (term, text) => binary('lt', term, text), {
      valueIfPresent: 'ordinal',
      valueIfAbsent: 'caseInsensitive',
      operators: 'relational',
    }),
}

function earlierSmallLetter(text: string): string | undefined {
  return /^[B-Z][A-Za-z]/.test(text) ? 'a' : undefined
}

/** Matches prefixes, suffixes and infixes with swapped letter case, with the functions that the service supports. */
export const functionComparison: ChoiceProbe = {
  choice: 'functionComparison',
  *probes(context) {
    for (const [name, part] of partsByFunction) {
      if (!context.grammar.has(name)) continue
      const alter = (text: string): string | undefined => swapAsciiCase(part(text))
      const outcome = { valueIfPresent: 'caseInsensitive', valueIfAbsent: 'ordinal' }
      yield* textProbes(context, name, alter, (term, text) => call(name, term, text), outcome)
    }
  },
}

const partsByFunction: readonly (readonly [name: string, part: (text: string) => string])[] = [
  ['startswith', text => text.slice(0, -1)],
  ['endswith', text => text.slice(1)],
  ['contains', text => text.slice(1)],
]

/** Compares texts without their accents. */
export const accents: ChoiceProbe = {
  choice: 'accents',
  probes: context =>
    textProbes(context, 'eq', withoutAccents, (term, text) => binary('eq', term, text), {
      valueIfPresent: 'folded',
      valueIfAbsent: 'distinct',
    }),
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
}

/** Compares texts in the other Unicode normalization form. */
export const normalization: ChoiceProbe = {
  choice: 'normalization',
  probes: context =>
    textProbes(
      context,
      'eq',
      text => (text === text.normalize('NFC') ? text.normalize('NFD') : text.normalize('NFC')),
      (term, text) => binary('eq', term, text),
      { valueIfPresent: 'folded', valueIfAbsent: 'distinct' },
    ),
}

/** Compares texts with a trailing space added or removed. */
export const trailingSpaces: ChoiceProbe = {
  choice: 'trailingSpaces',
  probes: context =>
    textProbes(
      context,
      'eq',
      text => (text.endsWith(' ') ? text.trimEnd() : `${text} `),
      (term, text) => binary('eq', term, text),
      { valueIfPresent: 'folded', valueIfAbsent: 'distinct' },
    ),
}

/**
 * Probes with altered texts: the row is returned only if the alteration makes no difference. Takes the properties in
 * turn.
 *
 * @param alter the text to compare with; absent if a value is unsuitable
 * @param ask the predicate with the altered text
 */
function* textProbes(
  context: ProbeContext,
  construct: string,
  alter: (text: string) => string | undefined,
  ask: (term: Expression, text: Expression) => Expression,
  outcome: Pick<RowProbe, 'valueIfPresent' | 'valueIfAbsent' | 'operators'>,
): Generator<RowProbe> {
  const terms = context.terms.filter(({ type, allows }) => type === 'Edm.String' && allows(construct))
  const queues = terms.map(term => alteredValues(context, term, alter))
  for (let round = 0; round < 3; round++) {
    for (const [index, queue] of queues.entries()) {
      const term = terms[index]
      const next = queue[round]
      if (term === undefined || next === undefined) continue
      const literal = literalOf('Edm.String', next.text, context.session)
      const row = context.snapshot.rows.find(each => valueAt(each, term.path) === next.value)
      if (literal === undefined || row === undefined) continue
      yield { row, predicate: ask(pathTo(term.path), literal), ...outcome }
    }
  }
}

function alteredValues(
  { snapshot }: ProbeContext,
  { path }: Term,
  alter: (text: string) => string | undefined,
): readonly { readonly value: string; readonly text: string }[] {
  const found: { value: string; text: string }[] = []
  for (const value of observedValues(snapshot.rows, path)) {
    if (typeof value !== 'string' || value.length < 2 || value.length > 60) continue
    const text = alter(value)
    if (text !== undefined && text !== value) found.push({ value, text })
    if (found.length === 3) break
  }
  return found
}

/** ASCII letters in the other case; absent if there are none, or there are non-ASCII letters. */
function swapAsciiCase(text: string): string | undefined {
  if (!/^[\x20-\x7E]*$/.test(text) || !/[A-Za-z]/.test(text)) return undefined
  return swapCase(text)
}
