import { visibleLines } from '../../spec/language/index.js'
import { coverageText } from './coverage-text.js'
import {
  type ChoiceResult,
  disarmCommands,
  type Report,
  type ReportedClause,
  type RuleResult,
  type SiteResult,
  shortenLinks,
  type Violation,
} from './report.js'

export interface TextOptions {
  /** Whether to use terminal colors. Default: no. */
  readonly colour?: boolean
  /** Columns. Default: 100. */
  readonly width?: number
}

/** A report for the terminal: first violations, then choices, then what could not be checked. */
export function renderText(report: Report, { colour = false, width = 100 }: TextOptions = {}): string {
  const paint = colour ? painted : plain
  const isRun = report.verdict !== 'unreachable' && report.verdict !== 'refused'
  const sections = [
    ...report.violations.map(violation => violationText(violation, paint, width)),
    unusualChoices(report.choices, width),
    isRun ? unexercised(report.rules, width) : '',
    readInPart(report.sites, width),
    knownFailures(report, width),
    isRun ? coverageText(report.coverage).map(visibleLines).join('\n') : '',
    report.undetectableBugs.length === 0
      ? ''
      : wrapText(`These data cannot reveal whether: ${report.undetectableBugs.join(', ')}.`, width),
    report.leftovers.length === 0
      ? ''
      : [
          'Items left over or changed. Delete the former, and set the old values of the latter:',
          ...report.leftovers.map(path => `  ${visibleLines(path)}`),
        ].join('\n'),
    lastLines(report, paint, width),
  ]
  return disarmCommands(sections.filter(text => text !== '').join('\n\n'))
}

type Paint = (style: 'bold' | 'red' | 'green' | 'yellow' | 'dim', text: string) => string

const codes = { bold: 1, red: 31, green: 32, yellow: 33, dim: 2 } as const
const painted: Paint = (style, text) => `\u001B[${codes[style]}m${text}\u001B[0m`
const plain: Paint = (_, text) => text

/** One violation, as `renderText` shows it, without colors. */
export function renderViolation(violation: Violation, width = 100): string {
  return disarmCommands(violationText(violation, plain, width))
}

function violationText(violation: Violation, paint: Paint, width: number): string {
  const { known, severity, rule, site, message, expected, received } = violation
  const head = known === undefined ? paint('red', 'FAIL') : paint('yellow', 'KNOWN')
  const more = violation.times > 1 ? paint('dim', `  (seen ${violation.times} times)`) : ''
  const lines = [
    `${head}  ${paint('bold', rule)}  ${severity}${site === '' ? '' : `  ${visibleLines(site)}`}${more}`,
    indented(message, width),
    indented(`Rule: ${violation.statement}`, width),
    ...relevantClauses(violation).map(clause => indented(clauseText(clause), width)),
    indented(`expected  ${expected}`, width),
    indented(`received  ${received}`, width),
    ...listed('missing', violation.missing, width),
    ...listed('surplus', violation.surplus, width),
    ...violation.why.slice(0, 8).map(line => indented(`because  ${line}`, width)),
    // Never wrapped, so that you can copy it.
    ...violation.exchanges.slice(0, 3).map(({ curl }) => `  ${visibleLines(shortenLinks(curl))}`),
    indented(`${violation.confirmed}; ${reduction(violation)}fingerprint ${violation.fingerprint}`, width),
    ...(violation.also.length === 0 ? [] : [indented(`also seen by ${alsoText(violation)}`, width)]),
    ...(violation.replay === undefined ? [] : [`  replay  --replay ${violation.replay}`]),
  ]
  if (known !== undefined) lines.push(indented(`known: ${known}`, width))
  return lines.join('\n')
}

function reduction({ reduced: { from, to, requests } }: Violation): string {
  return to < from ? `reduced from ${from} to ${to} parts with ${requests} requests;  ` : ''
}

function alsoText({ also }: Violation): string {
  const names = [...new Set(also.map(({ rule, site }) => (site === '' ? rule : `${rule} (${site})`)))]
  return names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ')
}

function listed(label: string, keys: readonly string[], width: number): readonly string[] {
  if (keys.length === 0) return []
  const shown = keys.slice(0, 6).join(', ')
  return [indented(`${label}  ${shown}${keys.length > 6 ? ` and ${keys.length - 6} more` : ''}`, width)]
}

function unusualChoices(choices: readonly ChoiceResult[], width: number): string {
  const unusual = choices.filter(isUnusual)
  if (unusual.length === 0) return ''
  const lines = unusual.map(choice =>
    indented(`${choice.name}: ${valueText(choice)} (the reference service: ${choice.reference})`, width),
  )
  return ['Choices of this service that the spec leaves open:', ...lines].join('\n')
}

/** The value of a choice, or its values by place. */
export function valueText({ value, differing = [] }: ChoiceResult): string {
  const values = [...new Set(differing.map(place => place.value))]
  if (values.length === 0) return String(value ?? 'unknown')
  const placesOf = (chosen: string | number): string => {
    const places = differing.filter(place => place.value === chosen).map(({ where }) => where)
    return places.length > 3 ? `${places.slice(0, 3).join('; ')}; …` : places.join('; ')
  }
  return values.map(chosen => `${chosen} (${placesOf(chosen)})`).join(', ')
}

/** Whether a service chooses otherwise than the reference service, in some place at least. */
export function isUnusual({ value, differing, reference }: ChoiceResult): boolean {
  return differing !== undefined || (value !== undefined && String(value) !== String(reference))
}

function unexercised(rules: readonly RuleResult[], width: number): string {
  const byRule = new Map<string, RuleResult[]>()
  for (const result of rules) byRule.set(result.rule, [...(byRule.get(result.rule) ?? []), result])
  const idle = [...byRule].filter(([, results]) =>
    results.every(({ state }) => !['passed', 'violated', 'known', 'not-applicable'].includes(state)),
  )
  if (idle.length === 0) return ''
  const lines = idle.map(([rule, [first]]) => indented(`${rule}: ${first?.why ?? first?.state ?? ''}`, width))
  return ['Not exercised:', ...lines].join('\n')
}

/** Lists that were not read completely. */
function readInPart(sites: readonly SiteResult[], width: number): string {
  const parts = sites
    .filter(({ complete }) => complete === false)
    .map(({ site, rows = 0 }) => `${visibleLines(site)} (the first ${rows})`)
  return parts.length === 0 ? '' : wrapText(`Read in part: ${parts.join(', ')}.`, width)
}

function knownFailures({ knownFailures: failures }: Report, width: number): string {
  const stale = failures.filter(({ state }) => state !== 'seen')
  if (stale.length === 0) return ''
  const lines = stale.map(({ rule, site, state, reason }) =>
    indented(`${rule}${site === undefined ? '' : ` at ${site}`}: ${state} (${reason})`, width),
  )
  return ['Known failures that did not occur:', ...lines].join('\n')
}

function lastLines(report: Report, paint: Paint, width: number): string {
  const verdict = report.verdict.toUpperCase()
  const coloured = paint('bold', paint(colourOf(report.verdict), verdict))
  const { requests, seconds, seed, target } = report
  return [
    wrapText(`${verdict}  ${visibleLines(report.summary)}`, width).replace(verdict, () => coloured),
    ...report.notes.map(note => wrapText(visibleLines(note), width)),
    wrapText(
      `${visibleLines(target)}: ${requests} ${requests === 1 ? 'request' : 'requests'} in ${seconds} s, seed ${seed}.`,
      width,
    ),
  ].join('\n')
}

function colourOf(verdict: Report['verdict']): 'green' | 'yellow' | 'red' {
  if (verdict === 'conforms') return 'green'
  return verdict === 'partial' ? 'yellow' : 'red'
}

function indented(text: string, width: number): string {
  return wrapText(visibleLines(text), Math.max(20, width - 2))
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')
}

function clauseText({ source, ref, quote }: ReportedClause): string {
  return source === 'interface' ? `Interface ${ref}: "${quote}"` : `${ref}: ${quote}`
}

/** The clauses that mention a feature of the violation, or else the first ones. */
export function relevantClauses({ clauses, features }: Violation): Violation['clauses'] {
  const words = features.flatMap(feature => feature.split('.').slice(1)).map(word => word.toLowerCase())
  const naming = clauses.filter(({ quote }) => {
    const said = new Set(quote.toLowerCase().match(/\$?\w+/g) ?? [])
    return words.some(word => said.has(word))
  })
  return (naming.length > 0 ? naming : clauses).slice(0, 2)
}

/** Wraps lines between words; longer words stay whole. */
function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .map(line => wrappedLine(line, width))
    .join('\n')
}

function wrappedLine(line: string, width: number): string {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  lines.push(current)
  return lines.join('\n')
}
