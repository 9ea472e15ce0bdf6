import type { Expression } from '../../runtime/query/index.js'
import { binary, call, pathTo } from '../probes/expressions.js'
import type { Term } from '../probes/grammar.js'
import { literalOf, observedValues, valueAt } from '../probes/observed-values.js'
import type { ChoiceProbe, ProbeContext, RowProbe } from './row-probes.js'

/** Asks for texts in the other letter case. */
export const stringComparison: ChoiceProbe = {
  choice: 'stringComparison',
  probes: field =>
    textProbes(field, 'eq', swapAsciiCase, (term, text) => binary('eq', term, text), {
      valueIfPresent: 'caseInsensitive',
      valueIfAbsent: 'ordinal',
    }),
}

/** Asks for beginnings, ends and parts of texts in the other letter case, whichever functions there are. */
export const functionComparison: ChoiceProbe = {
  choice: 'functionComparison',
  *probes(field) {
    for (const [name, part] of partsByFunction) {
      if (!field.grammar.has(name)) continue
      const alter = (text: string): string | undefined => swapAsciiCase(part(text))
      const outcome = { valueIfPresent: 'caseInsensitive', valueIfAbsent: 'ordinal' }
      yield* textProbes(field, name, alter, (term, text) => call(name, term, text), outcome)
    }
  },
}

const partsByFunction: readonly (readonly [name: string, part: (text: string) => string])[] = [
  ['startswith', text => text.slice(0, -1)],
  ['endswith', text => text.slice(1)],
  ['contains', text => text.slice(1)],
]

/** Asks for texts with their accents taken away. */
export const accents: ChoiceProbe = {
  choice: 'accents',
  probes: field =>
    textProbes(field, 'eq', withoutAccents, (term, text) => binary('eq', term, text), {
      valueIfPresent: 'folded',
      valueIfAbsent: 'distinct',
    }),
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
}

/** Asks for texts in Unicode's other form. */
export const normalization: ChoiceProbe = {
  choice: 'normalization',
  probes: field =>
    textProbes(
      field,
      'eq',
      text => (text === text.normalize('NFC') ? text.normalize('NFD') : text.normalize('NFC')),
      (term, text) => binary('eq', term, text),
      { valueIfPresent: 'folded', valueIfAbsent: 'distinct' },
    ),
}

/** Asks for texts with a space behind them, or without the one that they have. */
export const trailingSpaces: ChoiceProbe = {
  choice: 'trailingSpaces',
  probes: field =>
    textProbes(
      field,
      'eq',
      text => (text.endsWith(' ') ? text.trimEnd() : `${text} `),
      (term, text) => binary('eq', term, text),
      { valueIfPresent: 'folded', valueIfAbsent: 'distinct' },
    ),
}

/**
 * Probes by texts that are written otherwise than a row has them: the row comes back only if the difference does not
 * count. Properties take turns.
 *
 * @param alter the text to ask for; absent when a value is of no use
 * @param ask the predicate with the altered text
 */
function* textProbes(
  field: ProbeContext,
  construct: string,
  alter: (text: string) => string | undefined,
  ask: (term: Expression, text: Expression) => Expression,
  outcome: Pick<RowProbe, 'valueIfPresent' | 'valueIfAbsent'>,
): Generator<RowProbe> {
  const terms = field.terms.filter(({ type, allows }) => type === 'Edm.String' && allows(construct))
  const queues = terms.map(term => alteredValues(field, term, alter))
  for (let round = 0; round < 3; round++) {
    for (const [index, queue] of queues.entries()) {
      const term = terms[index]
      const next = queue[round]
      if (term === undefined || next === undefined) continue
      const literal = literalOf('Edm.String', next.text, field.session)
      const row = field.snapshot.rows.find(each => valueAt(each, term.path) === next.value)
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

/** Letters of ASCII in the other case; absent when there are none, or other letters beside them. */
function swapAsciiCase(text: string): string | undefined {
  if (!/^[\x20-\x7E]*$/.test(text) || !/[A-Za-z]/.test(text)) return undefined
  return text.replace(/[A-Za-z]/g, letter =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
