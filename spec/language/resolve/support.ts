import type { SupportWord } from '../document/index.js'
import type { Support } from '../model/query-capabilities.js'

/** What a word of support stands for. */
export function supportOf(word: SupportWord | undefined, absent: Support): Support {
  if (word === undefined) return absent
  if (word === true) return 'optional'
  return word === false ? 'none' : word
}
