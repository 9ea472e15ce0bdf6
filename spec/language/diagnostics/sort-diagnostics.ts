import type { Diagnostic } from './diagnostic.js'

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** In the order of the files' names and then of the text, each said once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>()
  return diagnostics
    .filter(({ path, place, code, message }) => {
      const identity = JSON.stringify([path, place.offset, code, message])
      if (seen.has(identity)) return false
      seen.add(identity)
      return true
    })
    .sort(
      (a, b) =>
        compareText(a.path, b.path) ||
        a.place.offset - b.place.offset ||
        compareText(a.severity, b.severity) ||
        compareText(a.code, b.code),
    )
}
