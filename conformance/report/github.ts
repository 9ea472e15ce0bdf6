import { visibleLines } from '../../spec/language/index.js'
import type { Report, ReportVerdict, Violation } from './report.js'
import type { PlaceOf } from './sarif.js'
import { disarmCommands, shortenLinks } from './visible-text.js'

/**
 * Annotations for a pull request on GitHub, one workflow command per violation.
 */
export function renderGithub(report: Report, placeOf: PlaceOf): string {
  const lines = report.violations.map(violation => annotation(violation, report, placeOf))
  const level = levels[report.verdict] ?? 'error'
  return [...lines, `::${level} title=conformance::${data(`${report.verdict}: ${report.summary}`)}`].join('\n')
}

/** How serious a verdict is. Default: `error`. */
const levels: Readonly<Partial<Record<ReportVerdict, string>>> = { conforms: 'notice', partial: 'warning' }

function annotation(violation: Violation, { service }: Report, placeOf: PlaceOf): string {
  const place = violation.pointer === undefined ? undefined : placeOf(violation.pointer)
  const level = violation.known !== undefined ? 'notice' : violation.severity === 'must' ? 'error' : 'warning'
  const path = place?.file ?? service.spec
  const file = path === undefined ? [] : [`file=${property(path)}`]
  const at = place === undefined ? [] : [`line=${place.line}`, `col=${place.column}`]
  const properties = [...file, ...at, `title=${property(violation.rule)}`].join(',')
  const curl = shortenLinks(violation.exchanges[0]?.curl ?? '')
  const text = `${violation.message}\nExpected: ${violation.expected}\nReceived: ${violation.received}\n${curl}`
  return `::${level} ${properties}::${data(text)}`
}

function data(text: string): string {
  return disarmCommands(visibleLines(text)).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
