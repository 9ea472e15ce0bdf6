import type { Diagnostic } from '../diagnostic.js'

/** The message with the suggestion, when there is one. */
export function messageOf({ message, suggestion }: Diagnostic): string {
  return suggestion === undefined ? message : `${message} Did you mean "${suggestion}"?`
}
