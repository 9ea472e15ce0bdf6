import { binary } from '../../query/build.js'
import type { Probing } from './probe.js'
import { textProbes } from './text-probes.js'

/** Asks for texts with a space behind them, or without the one that they have. */
export const trailingSpaces: Probing = {
  choice: 'trailingSpaces',
  probes: field =>
    textProbes(
      field,
      'eq',
      text => (text.endsWith(' ') ? text.trimEnd() : `${text} `),
      (term, text) => binary('eq', term, text),
      { present: 'folded', absent: 'distinct' },
    ),
}
