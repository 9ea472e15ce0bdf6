import type { Diagnostic, SourcePlace } from '../diagnostic.js'
import { messageOf } from './message-of.js'
import { visibleText } from './visible-text.js'

/** `file:line:column severity code: message`, one line each; related places follow as `note`. */
export function formatPlain(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .flatMap(diagnostic => {
      const { severity, code, path, place, related } = diagnostic
      const at = ({ line, column }: SourcePlace): string => `${path}:${line}:${column}`
      return [
        `${at(place)} ${severity} ${code}: ${messageOf(diagnostic)}`,
        ...related.map(other => `${at(other.place)} note ${code}: ${other.message}`),
      ]
    })
    .map(visibleText)
    .join('\n')
}
