import { DOT } from '../lexical/characters.js'
import { identifierEnd, isTooLong, maxIdentifierLength } from '../lexical/identifier.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'

/** Reads one identifier here. */
export function takeIdentifier(cursor: Cursor, expected: string): string {
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  if (end === position) fail(cursor, position, [expected])
  const name = text.slice(position, end)
  requireLegalLength(cursor, name)
  cursor.position = end
  return name
}

/** Adds `.name` as often as it follows to a name already read. */
export function takeQualifiedRest(cursor: Cursor, first: string): string {
  let name = first
  while (cursor.text.charCodeAt(cursor.position) === DOT) {
    const end = identifierEnd(cursor.text, cursor.position + 1)
    if (end === cursor.position + 1) return name
    cursor.position += 1
    name += `.${takeIdentifier(cursor, 'a name')}`
  }
  return name
}

/** Fails at the name that begins here when it has more characters than allowed. */
export function requireLegalLength(cursor: Cursor, name: string): void {
  if (isTooLong(name)) fail(cursor, cursor.position, [`a name of at most ${maxIdentifierLength} characters`])
}
