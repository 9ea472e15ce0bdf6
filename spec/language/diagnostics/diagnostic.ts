/** The severity of a diagnostic; a note asks for nothing. */
export type Severity = 'error' | 'warning' | 'note'

/** A stretch of one line of a source. */
export interface SourceLocation {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units, as editors count. */
  readonly column: number
  /** From 0, in UTF-16 code units of the text without its byte order mark. */
  readonly offset: number
  /** In UTF-16 code units; 0 marks a point. */
  readonly length: number
}

/** A related location, `first defined here`. */
interface RelatedLocation {
  readonly message: string
  readonly location: SourceLocation
  /** Its file, if that is another one than the file of the diagnostic. */
  readonly path?: string
}

/** One problem of a spec: where, what was found, what was expected, and how to fix it. */
export interface Diagnostic {
  readonly severity: Severity
  /** Stable, `spec/unknown-type`. */
  readonly code: string
  readonly message: string
  /** The file, as it was given. */
  readonly path: string
  readonly location: SourceLocation
  readonly related: readonly RelatedLocation[]
  /** What to write instead, when one answer is likely. */
  readonly suggestion?: string
}

/** A member of the document: its key, or its value. */
interface DocumentLocation {
  /** JSON Pointer into the document. */
  readonly at: string
  /** Default: `value`. */
  readonly on?: 'key' | 'value'
}

/** A diagnostic whose places are still pointers into the document; lines and columns are found when it is shown. */
export interface Problem extends DocumentLocation {
  /** Default: `error`. */
  readonly severity?: Severity
  readonly code: string
  readonly message: string
  readonly related?: readonly (DocumentLocation & { readonly message: string })[]
  readonly suggestion?: string | undefined
}

export type Report = (problem: Problem) => void

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts by file name and position, and removes duplicates. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>()
  return diagnostics
    .filter(({ path, location, code, message }) => {
      const identity = JSON.stringify([path, location.offset, code, message])
      if (seen.has(identity)) return false
      seen.add(identity)
      return true
    })
    .sort(
      (a, b) =>
        compareText(a.path, b.path) ||
        a.location.offset - b.location.offset ||
        compareText(a.severity, b.severity) ||
        compareText(a.code, b.code),
    )
}

/** The maximum number of diagnostics in a report, besides the one that counts the others. */
const maxReported = 1000

/**
 * The diagnostics of a report: all of them, or the first thousand, errors before warnings, and one that says how many more
 * there are. It has the place and the severity of the first that is missing.
 *
 * @param sorted in the order of the report, which stays
 */
export function limitDiagnostics(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  if (sorted.length <= maxReported) return sorted
  const bySeverity = [
    ...sorted.filter(({ severity }) => severity === 'error'),
    ...sorted.filter(({ severity }) => severity !== 'error'),
  ]
  const reported = new Set(bySeverity.slice(0, maxReported))
  const [missing] = bySeverity.slice(maxReported)
  if (missing === undefined) return sorted
  const count = (sorted.length - maxReported).toLocaleString('en')
  const message = `There are ${count} more errors and warnings. Fix the first ${maxReported.toLocaleString('en')}, and check again.`
  const { severity, path, location } = missing
  return [
    ...sorted.filter(each => reported.has(each)),
    { severity, code: 'report/more', message, path, location, related: [] },
  ]
}
