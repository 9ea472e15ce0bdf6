import { call } from '../../query/build.js'
import type { Probing } from './probe.js'
import { textProbes, withOtherCase } from './text-probes.js'

/** Asks for beginnings, ends and parts of texts in the other letter case, whichever functions there are. */
export const functionComparison: Probing = {
  choice: 'functionComparison',
  *probes(field) {
    for (const [name, part] of parts) {
      if (!field.grammar.has(name)) continue
      const alter = (text: string): string | undefined => withOtherCase(part(text))
      const outcome = { present: 'caseInsensitive', absent: 'ordinal' }
      yield* textProbes(field, name, alter, (term, text) => call(name, term, text), outcome)
    }
  },
}

const parts: readonly (readonly [name: string, part: (text: string) => string])[] = [
  ['startswith', text => text.slice(0, -1)],
  ['endswith', text => text.slice(1)],
  ['contains', text => text.slice(1)],
]
