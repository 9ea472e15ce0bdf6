import type { Diagnostic, SourcePlace } from '../../spec/language/index.js'
import type { Spot } from './csdl/csdl-element.js'
import type { Finding } from './finding.js'

/** Places that are shown beside the first. */
const mostPlaces = 3

/**
 * Findings as diagnostics: those of one kind together, with their number, the first place and a few more. Errors first, then
 * in the order of the document; what only follows from others comes last.
 */
export function reportOf(
  findings: readonly Finding[],
  path: string,
  placeOf: (spot: Spot) => SourcePlace,
): readonly Diagnostic[] {
  const kinds = new Map<string, Finding[]>()
  for (const finding of findings) {
    const identity = JSON.stringify([finding.severity, finding.code, finding.message])
    const known = kinds.get(identity)
    if (known === undefined) kinds.set(identity, [finding])
    else known.push(finding)
  }
  return [...kinds.values()].map(all => diagnosticOf(all, path, placeOf)).sort(byPlace)
}

function diagnosticOf(findings: readonly Finding[], path: string, placeOf: (spot: Spot) => SourcePlace): Diagnostic {
  const [first, ...others] = findings
  if (first === undefined) throw new Error('A kind of finding has at least one.')
  const { severity, code, message, what, spot } = first
  const times = others.length === 0 ? '' : `, ${findings.length} times`
  const isWhole = severity === 'error'
  return {
    severity,
    code,
    message: isWhole ? message : `${message}${times}${what === '' ? '' : `: ${what.replace(/\.$/, '')}`}.`,
    path,
    place: placeOf(spot),
    related: others
      .slice(0, mostPlaces)
      .map(each => ({ message: each.what === '' ? 'also here' : each.what, place: placeOf(each.spot) })),
  }
}

const byPlace = (a: Diagnostic, b: Diagnostic): number => rank(a) - rank(b) || a.place.offset - b.place.offset

const rank = ({ severity, code }: Diagnostic): number =>
  severity === 'error' ? 0 : code === 'import/refers-to-left-out' ? 2 : 1
