import { visibleLines } from '../../spec/language/index.js'
import { type Report, type RuleResult, shortenLinks, type Violation } from './report.js'

/**
 * A report as JUnit XML: a test suite per area, a test case per rule and site. Rules that were not exercised and known
 * failures are skipped, with the reason. A run without a verdict on the service is an error.
 */
export function renderJunit(report: Report): string {
  const areas = [...new Set([...report.rules, ...report.violations].map(({ area }) => area))]
  const suites = areas.map(area => suite(area, report))
  const failures = report.violations.filter(({ known }) => known === undefined).length
  const run = runSuite(report)
  const counts = `failures="${failures}" errors="${run.length === 0 ? 0 : 1}"`
  const head = `<testsuites name="specwright conformance" ${counts} time="${report.seconds}">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...run, ...suites, '</testsuites>', ''].join('\n')
}

function runSuite({ verdict, summary }: Report): readonly string[] {
  if (verdict === 'conforms' || verdict === 'partial' || verdict === 'violations') return []
  return [
    '  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0">',
    `    <testcase classname="run" name="${verdict}"><error message="${escapeXml(summary)}"/></testcase>`,
    '  </testsuite>',
  ]
}

function suite(area: string, report: Report): string {
  const results = report.rules.filter(result => result.area === area && result.state !== 'not-applicable')
  const violations = report.violations.filter(violation => violation.area === area)
  const cases = results.map(result =>
    testCase(
      result,
      violations.filter(violation => isOf(violation, result)),
    ),
  )
  // Violations that belong to no rule on a site, such as an illegal choice.
  const others = violations.filter(violation => !results.some(result => isOf(violation, result)))
  const extra = others.map(violation => failed(violation.rule, violation.site, [violation]))
  const skipped = results.filter(({ state }) => isSkipped(state)).length
  const failures = [...violations].filter(({ known }) => known === undefined).length
  const counts = `tests="${cases.length + extra.length}" failures="${failures}" skipped="${skipped}"`
  return [`  <testsuite name="${area}" ${counts}>`, ...cases, ...extra, '  </testsuite>'].join('\n')
}

function isOf(violation: Violation, { rule, site }: RuleResult): boolean {
  return violation.rule === rule && (site === '' || violation.site === site)
}

function isSkipped(state: RuleResult['state']): boolean {
  return state !== 'passed' && state !== 'violated'
}

function testCase(result: RuleResult, violations: readonly Violation[]): string {
  if (violations.length > 0 && result.state === 'violated') return failed(result.rule, result.site, violations)
  const open = `    <testcase classname="${escapeXml(result.rule)}" name="${escapeXml(nameOf(result))}"`
  if (!isSkipped(result.state)) return `${open}/>`
  const message = escapeXml(`${result.state}${result.why === undefined ? '' : `: ${result.why}`}`)
  return `${open}><skipped message="${message}"/></testcase>`
}

function failed(rule: string, site: string, violations: readonly Violation[]): string {
  const open = `    <testcase classname="${escapeXml(rule)}" name="${escapeXml(nameOf({ rule, site }))}">`
  const failures = violations.map(violation => {
    const text = [
      violation.statement,
      `expected: ${violation.expected}`,
      `received: ${violation.received}`,
      ...violation.why,
      ...violation.exchanges.map(({ curl }) => shortenLinks(curl)),
      ...(violation.replay === undefined ? [] : [`--replay ${violation.replay}`]),
    ].join('\n')
    return `<failure message="${escapeXml(violation.message)}" type="${escapeXml(rule)}">${escapeXml(text)}</failure>`
  })
  return `${open}${failures.join('')}</testcase>`
}

function nameOf({ rule, site }: { readonly rule: string; readonly site: string }): string {
  return site === '' ? rule : `${rule} at ${site}`
}

/**
 * Escapes a text for XML elements and quoted attributes. Control characters become visible, and other characters that
 * XML 1.0 does not allow become U+FFFD.
 */
function escapeXml(text: string): string {
  return visibleLines(text)
    .replaceAll(
      /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
