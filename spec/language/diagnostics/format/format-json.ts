import type { Diagnostic, SourcePlace } from '../diagnostic.js'

/**
 * A JSON array of `{ severity, code, message, file, line, column, length, suggestion?, related: [{ message, line, column, length }] }`,
 * with everything beyond printable ASCII as an escape.
 */
export function formatJson(diagnostics: readonly Diagnostic[]): string {
  const at = ({ line, column, length }: SourcePlace) => ({ line, column, length })
  const list = diagnostics.map(({ severity, code, message, path, place, suggestion, related }) => ({
    severity,
    code,
    message,
    file: path,
    ...at(place),
    suggestion,
    related: related.map(other => ({ message: other.message, ...at(other.place) })),
  }))
  return JSON.stringify(list, undefined, 2).replace(
    /[\x7F-\uFFFF]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
