import { findHandlers } from './find-handlers.js'
import { insertMembers } from './insert-members.js'
import { applyInsertions, type Insertion } from './insertion.js'
import { lineStyle } from './line-style.js'
import { loadParser } from './load-parser.js'
import { localName } from './local-name.js'
import { missingMembers } from './missing-members.js'
import { parseModule } from './parse-module.js'
import type { StubGroup } from './stub-group.js'

/** What became of a user's file. */
export interface AddedHandlers {
  /** The file's text; the very text that came in when nothing was added. */
  readonly text: string
  /** Dotted names of the handlers that were added, `me.messages.list`. */
  readonly added: readonly string[]
  /** What could not be told, and was therefore left alone. */
  readonly problems: readonly HandlerProblem[]
}

export interface HandlerProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/**
 * Appends a stub for each operation that a user's handlers lack. Every byte that was there stays: line ends, tabs, a
 * byte order mark, comments. Where the file does not show which handlers exist, it is left as it is.
 *
 * @throws {ParserMissingError} when ts-morph is not installed
 */
export async function addHandlers(text: string, stubs: StubGroup): Promise<AddedHandlers> {
  const { ts } = await loadParser()
  const module = parseModule(ts, text)
  if (module.problem !== undefined) return { text, added: [], problems: [module.problem] }
  const found = findHandlers(ts, module.file, stubs.name)
  if ('message' in found) return { text, added: [], problems: [found] }
  const { missing, problems } = missingMembers(ts, module.file, found, stubs)
  const style = lineStyle(text)
  const notImplemented = localName(ts, module.file, 'notImplemented')
  const insertions: readonly Insertion[] = missing.flatMap(({ into, members }) =>
    insertMembers(module.file, into, members, style, notImplemented),
  )
  return {
    text: applyInsertions(text, insertions),
    added: missing.flatMap(({ names }) => names),
    problems,
  }
}
