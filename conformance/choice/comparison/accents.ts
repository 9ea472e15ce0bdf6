import { binary } from '../../query/build.js'
import type { Probing } from './probe.js'
import { textProbes } from './text-probes.js'

/** Asks for texts with their accents taken away. */
export const accents: Probing = {
  choice: 'accents',
  probes: field =>
    textProbes(field, 'eq', plain, (term, text) => binary('eq', term, text), { present: 'folded', absent: 'distinct' }),
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
}
