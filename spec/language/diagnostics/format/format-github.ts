import type { Diagnostic } from '../diagnostic.js'
import { messageOf } from './message-of.js'
import { visibleText } from './visible-text.js'

const data = (text: string): string =>
  visibleText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Workflow commands of GitHub Actions, `::error file=…,line=…,col=…,title=…::message`. */
export function formatGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(diagnostic => {
      const { severity, code, path, place, related } = diagnostic
      const end = place.column + Math.max(1, place.length)
      const where = `file=${property(path)},line=${place.line},col=${place.column},endColumn=${end},title=${property(code)}`
      const notes = related.map(other => ` (line ${other.place.line}: ${other.message})`).join('')
      return `::${severity} ${where}::${data(messageOf(diagnostic) + notes)}`
    })
    .join('\n')
}
