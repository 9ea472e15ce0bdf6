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
  /** The message has its own count. */
  readonly isCounted?: true
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

/** A fact that no caller needs, or a choice of the import. */
export function note(code: string, message: string, what: string, location: CsdlLocation): Finding {
  return { severity: 'note', code: `import/${code}`, message, element: what, location }
}

/** The number of further locations to show. */
const mostRelated = 3

/**
 * Findings as diagnostics: one for each kind, with the number of findings, the first location and a few more. They are
 * ranked: errors, then what the spec leaves out, then facts that it ignores, then annotations, then notes; equal ranks in
 * the order of the document.
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
  const { severity, code, message, element: what, location, isCounted } = first
  const times = others.length === 0 || isCounted ? '' : `, ${findings.length} times`
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

/** What a spec leaves out, the most important first. What has another code is a fact that the spec ignores. */
const leftOut = [
  ...[
    'container-element',
    // Entity sets can be of such a type.
    'unknown-type',
    'base',
    'key',
    'keyless',
    'alternate-key',
    'type',
    'name',
    'entity-as-value',
    'relation',
    'type-definition',
  ],
  ...['duplicate', 'enum-empty', 'enum-member', 'flag', 'parameter', 'return-type', 'binding', 'refused'],
  ...['refers-to-left-out', 'operations-without-path', 'relations-without-path', 'paths', 'function-parameter'],
  ...['reference', 'extends', 'container', 'foreign-element', 'media'],
].map(code => `import/${code}`)

/** Where a diagnostic stands in the report. */
function rank({ severity, code }: Diagnostic): number {
  if (severity === 'error') return -1
  if (severity === 'note') return leftOut.length + 3
  const place = leftOut.indexOf(code)
  if (place >= 0) return place
  return leftOut.length + (code === 'import/vocabulary' ? 2 : code === 'import/annotation' ? 1 : 0)
}
