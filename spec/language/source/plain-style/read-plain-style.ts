import { forbiddenCharacter } from '../yaml-tree.js'
import { block } from './block.js'
import { nextContent, type Reader } from './reader.js'

/**
 * Reads YAML in the style that specs are written in: block and flow collections, scalars on one line, folded and literal
 * text, comments. It knows neither anchors, tags, directives, several documents, nor scalars over several lines, and finds no
 * fault: whatever is not plainly right is left to the full parser, which takes ten times as long and knows where each
 * part stands.
 *
 * @returns undefined when the text uses more of YAML than that
 */
export function readPlainStyle(text: string): { readonly document: unknown } | undefined {
  if (forbiddenCharacter.test(text)) return undefined
  const reader: Reader = { text, position: 0, beyond: false }
  const indent = nextContent(reader)
  if (indent !== 0) return undefined
  const document = block(reader, indent, 0)
  const isRead = nextContent(reader) === -1
  return isRead && !reader.beyond ? { document } : undefined
}
