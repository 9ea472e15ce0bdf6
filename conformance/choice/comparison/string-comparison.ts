import { binary } from '../../query/build.js'
import type { Probing } from './probe.js'
import { textProbes, withOtherCase } from './text-probes.js'

/** Asks for texts in the other letter case. */
export const stringComparison: Probing = {
  choice: 'stringComparison',
  probes: field =>
    textProbes(field, 'eq', withOtherCase, (term, text) => binary('eq', term, text), {
      present: 'caseInsensitive',
      absent: 'ordinal',
    }),
}
