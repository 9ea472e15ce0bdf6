import { visibleLines } from '../../spec/language/index.js'
import type { RuleMetadata } from '../rule/rule.js'
import { disarmCommands, type Report, type ReportVerdict, shortenLinks, type Violation } from './report.js'

/** The place of a JSON Pointer into the spec: line and column from 1, and the file, if it is included. */
export type PlaceOf = (
  pointer: string,
) => { readonly line: number; readonly column: number; readonly file?: string } | undefined

/**
 * A report as SARIF 2.1.0, with a result per violation, located in the spec.
 */
export function renderSarif(report: Report, rules: readonly RuleMetadata[], placeOf: PlaceOf): string {
  const known = new Set(rules.map(({ id }) => id))
  const named = report.violations.filter(({ rule }) => !known.has(rule))
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'specwright',
            rules: [
              ...rules.map(({ id, statement, advice, area }) => ({
                id,
                shortDescription: { text: statement },
                help: { text: advice },
                properties: { tags: [area] },
              })),
              ...named.map(({ rule, statement }) => ({ id: rule, shortDescription: { text: statement } })),
            ],
          },
        },
        properties: { seed: report.seed, target: report.target, verdict: report.verdict },
        results: report.violations.map(violation => resultOf(violation, report, placeOf)),
      },
    ],
  }
  return `${visibleLines(JSON.stringify(document, null, 2))}\n`
}

function resultOf(violation: Violation, { service }: Report, placeOf: PlaceOf): unknown {
  const place = violation.pointer === undefined ? undefined : placeOf(violation.pointer)
  const region = { startLine: place?.line ?? 1, startColumn: place?.column ?? 1 }
  const text = [
    violation.message,
    `Expected: ${violation.expected}`,
    `Received: ${violation.received}`,
    ...violation.exchanges.slice(0, 2).map(({ curl }) => shortenLinks(curl)),
  ].join('\n')
  return {
    ruleId: violation.rule,
    level: violation.severity === 'must' ? 'error' : 'warning',
    message: { text: visibleLines(text) },
    locations: [
      { physicalLocation: { artifactLocation: { uri: place?.file ?? service.spec ?? service.name }, region } },
    ],
    partialFingerprints: { fault: violation.fingerprint },
    ...(violation.known === undefined ? {} : { suppressions: [{ kind: 'external', justification: violation.known }] }),
  }
}

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
