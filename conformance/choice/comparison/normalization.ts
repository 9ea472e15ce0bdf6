import { binary } from '../../query/build.js'
import type { Probing } from './probe.js'
import { textProbes } from './text-probes.js'

/** Asks for texts in Unicode's other form. */
export const normalization: Probing = {
  choice: 'normalization',
  probes: field =>
    textProbes(
      field,
      'eq',
      text => (text === text.normalize('NFC') ? text.normalize('NFD') : text.normalize('NFC')),
      (term, text) => binary('eq', term, text),
      { present: 'folded', absent: 'distinct' },
    ),
}
