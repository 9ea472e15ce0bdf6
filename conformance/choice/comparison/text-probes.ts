import type { Expression } from '../../../runtime/query/index.js'
import { pathTo } from '../../query/build.js'
import type { Term } from '../../query/grammar.js'
import { literalOf } from '../../query/literal-of.js'
import { observed } from '../../query/observed.js'
import { valueAt } from '../../query/value-at.js'
import type { Probe, ProbeField } from './probe.js'

/**
 * Probes by texts that are written otherwise than a row has them: the row comes back only if the difference does not
 * count. Properties take turns.
 *
 * @param alter the text to ask for; absent when a value is of no use
 * @param ask the predicate with the altered text
 */
export function* textProbes(
  field: ProbeField,
  construct: string,
  alter: (text: string) => string | undefined,
  ask: (term: Expression, text: Expression) => Expression,
  outcome: { readonly present: string; readonly absent: string },
): Generator<Probe> {
  const terms = field.terms.filter(({ type, allows }) => type === 'Edm.String' && allows(construct))
  const queues = terms.map(term => altered(field, term, alter))
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

function altered(
  { snapshot }: ProbeField,
  { path }: Term,
  alter: (text: string) => string | undefined,
): readonly { readonly value: string; readonly text: string }[] {
  const found: { value: string; text: string }[] = []
  for (const value of observed(snapshot.rows, path)) {
    if (typeof value !== 'string' || value.length < 2 || value.length > 60) continue
    const text = alter(value)
    if (text !== undefined && text !== value) found.push({ value, text })
    if (found.length === 3) break
  }
  return found
}

/** Letters of ASCII in the other case; absent when there are none, or other letters beside them. */
export function withOtherCase(text: string): string | undefined {
  if (!/^[\x20-\x7E]*$/.test(text) || !/[A-Za-z]/.test(text)) return undefined
  return text.replace(/[A-Za-z]/g, letter =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
