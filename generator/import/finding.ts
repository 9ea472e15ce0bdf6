import { type Diagnostic, limitDiagnostics, type Severity, type SourceLocation } from '../../spec/language/index.js'
import type { CsdlLocation } from './csdl/csdl-element.js'

/** One element that could not be read, or that a spec cannot express. */
export interface Finding {
  readonly severity: Severity
  /** `import/annotation`. */
  readonly code: string
  /** The same for all findings of a kind, which are reported together. */
  readonly message: string
  /** The name of the element. */
  readonly element: string
  readonly location: CsdlLocation
}

/** Records a finding. */
export type ReportFinding = (finding: Finding) => void

/** An error of the whole document: nothing is imported. */
export function importError(code: string, message: string, location: CsdlLocation): Finding {
  return { severity: 'error', code: `import/${code}`, message, element: '', location }
}

/** An element that the spec omits. */
export function omission(code: string, message: string, what: string, location: CsdlLocation): Finding {
  return { severity: 'warning', code: `import/${code}`, message, element: what, location }
}

/** The number of further locations to show. */
const mostRelated = 3

/**
 * Findings as diagnostics: one for each kind, with the number of findings, the first location and a few more. Errors come
 * first, then the order of the document, and consequences of other findings last.
 */
export function diagnosticsOf(
  findings: readonly Finding[],
  path: string,
  locate: (location: CsdlLocation) => SourceLocation,
): readonly Diagnostic[] {
  const kinds = new Map<string, Finding[]>()
  for (const finding of findings) {
    const identity = JSON.stringify([finding.severity, finding.code, finding.message])
    const known = kinds.get(identity)
    if (known === undefined) kinds.set(identity, [finding])
    else known.push(finding)
  }
  return limitDiagnostics([...kinds.values()].map(all => diagnosticOf(all, path, locate)).sort(byPlace))
}

function diagnosticOf(
  findings: readonly Finding[],
  path: string,
  locate: (location: CsdlLocation) => SourceLocation,
): Diagnostic {
  const [first, ...others] = findings
  if (first === undefined) throw new Error('A kind of finding has at least one.')
  const { severity, code, message, element: what, location } = first
  const times = others.length === 0 ? '' : `, ${findings.length} times`
  const isWhole = severity === 'error'
  return {
    severity,
    code,
    message: isWhole ? message : `${message}${times}${what === '' ? '' : `: ${what.replace(/\.$/, '')}`}.`,
    path,
    location: locate(location),
    related: others
      .slice(0, mostRelated)
      .map(each => ({ message: each.element === '' ? 'also here' : each.element, location: locate(each.location) })),
  }
}

const byPlace = (a: Diagnostic, b: Diagnostic): number => rank(a) - rank(b) || a.location.offset - b.location.offset

const rank = ({ severity, code }: Diagnostic): number =>
  severity === 'error' ? 0 : code === 'import/refers-to-left-out' ? 2 : 1
