import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { visibleLines } from '../../spec/language/index.js'
import { type CellCoverage, type CellState, cellStates } from '../coverage/coverage-table.js'
import { named } from './coverage-text.js'
import type { Report, ReportedExchange, RuleResult, RuleState, Violation } from './report.js'
import { isUnusual, relevantClauses, valueText } from './text.js'

/**
 * A report as a single HTML file: no external resources, and no script but its own, which filters and copies. It is
 * readable on a phone and by keyboard, light and dark. What it looks like is in `templates/report/`.
 */
export async function renderHtml(report: Report): Promise<string> {
  page ??= compilePage()
  const render = await page
  return visibleLines(render(pageView(report)).replaceAll(notInXml, '\ufffd'))
}

/** Characters that no XML or HTML document may contain. */
const notInXml =
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

let page: Promise<(view: PageView) => string> | undefined

/** Loads Handlebars only when a page is written: no other command needs it. */
async function compilePage(): Promise<(view: PageView) => string> {
  const { default: Handlebars } = await import('handlebars')
  const environment = Handlebars.create()
  const folder = templateFolder(dirname(fileURLToPath(import.meta.url)))
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  for (const name of ['violation', 'code', 'list', 'aspects', 'coverage', 'choices']) {
    environment.registerPartial(name, read(`${name}.hbs`))
  }
  environment.registerPartial('style', read('style.css'))
  const script = read('script.js')
  const scriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`
  const render = environment.compile<PageView & { readonly script: string; readonly scriptHash: string }>(
    read('page.hbs'),
  )
  return view => render({ ...view, script, scriptHash })
}

function templateFolder(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = join(folder, 'templates', 'report')
    if (existsSync(join(found, 'page.hbs'))) return found
    if (dirname(folder) === folder) throw new Error(`no templates/report above ${start}: the installation is damaged`)
  }
}

type PageView = ReturnType<typeof pageView>

function pageView(report: Report) {
  const { target, started, requests, seconds, seed, allowWrites, verdict, violations, choices, knownFailures } = report
  return {
    ...report,
    ...aspectsView(report),
    ...coverageView(report),
    areas: [...new Set(violations.map(({ area }) => area))].sort(),
    verdictClass: verdict === 'conforms' ? 'good' : verdict === 'partial' ? 'warn' : 'bad',
    facts: [
      { name: 'Target', value: target },
      { name: 'Started', value: started },
      { name: 'Requests', value: `${requests} in ${seconds} s` },
      { name: 'Seed', value: String(seed) },
      { name: 'Writes', value: allowWrites ? 'allowed' : 'none' },
    ],
    violations: violations.map(violationView),
    choices: choices.map(choice => ({
      ...choice,
      value: valueText(choice),
      evidence: choice.evidence[0] ?? choice.undecided,
      unusual: isUnusual(choice),
    })),
    knownFailures: knownFailures.map(({ rule, state, reason }) => `${rule}: ${state}. ${reason}`),
  }
}

/** @param index of the violation in the report, for labels that are unique */
function violationView(violation: Violation, index: number) {
  const { rule, times, known, replay, missing, surplus } = violation
  const name = `violation ${index + 1}`
  return {
    ...violation,
    tag: known === undefined ? 'fail' : 'known',
    tagClass: known === undefined ? 'bad' : 'known',
    seen: times > 1 ? times : undefined,
    clauses: relevantClauses(violation).map(clause => ({ ...clause, isInterface: clause.source === 'interface' })),
    keys: [keyView('Missing', missing), keyView('Surplus', surplus)].filter(({ shown }) => shown.length > 0),
    exchanges: violation.exchanges.slice(0, 4).map((each, at) => exchangeView(each, `${at + 1} of ${name}`)),
    also: namesOf(violation.also),
    replay: replay === undefined ? undefined : `--replay ${replay}`,
    replayLabel: `Replay option for ${name}, ${rule}`,
  }
}

const maxKeys = 12

function keyView(label: string, keys: readonly string[]) {
  return { label, shown: keys.slice(0, maxKeys), more: Math.max(0, keys.length - maxKeys) }
}

function namesOf(also: Violation['also']): string {
  const names = new Set(also.map(({ rule, site }) => (site === '' ? rule : `${rule} at ${site}`)))
  return [...names].slice(0, 12).join(', ')
}

function exchangeView({ curl, status, answer, url, method }: ReportedExchange, position: string) {
  return {
    curl,
    status,
    response: answer === '' ? '(empty)' : answer,
    requestLabel: `Request ${position}: ${method} ${url}`,
    responseLabel: `Response to request ${position}`,
  }
}

/** How a cell of the matrix shows a state. Of several results, the first state in this order counts. */
const states: readonly { readonly state: RuleState; readonly sign: string; readonly meaning: string }[] = [
  { state: 'violated', sign: '✗', meaning: 'violated' },
  { state: 'known', sign: 'known', meaning: 'a known failure' },
  { state: 'flaky', sign: 'flaky', meaning: 'seen once, not again' },
  { state: 'passed', sign: '✓', meaning: 'passed' },
  { state: 'inconclusive', sign: '?', meaning: 'inconclusive' },
  { state: 'unsupported', sign: '–', meaning: 'not supported, which is allowed' },
  { state: 'not-exercised', sign: '○', meaning: 'not exercised' },
]

/** Endpoints by rules: what ran where, and the result. */
function coverageView({ rules, sites }: Report) {
  const endpoints = [...new Set(rules.map(({ site }) => endpointOf(site)).filter(name => name !== ''))]
  const ids = [...new Set(rules.map(({ rule }) => rule))]
  const cells = new Map<string, RuleResult[]>()
  for (const result of rules) {
    const id = `${result.rule} ${endpointOf(result.site)}`
    cells.set(id, [...(cells.get(id) ?? []), result])
  }
  return {
    legend: states,
    endpoints,
    rows: ids.map(rule => ({
      rule,
      cells: ['', ...endpoints].map(endpoint => cellView(cells.get(`${rule} ${endpoint}`) ?? [])),
    })),
    unread: sites.filter(({ why }) => why !== undefined),
  }
}

function cellView(results: readonly RuleResult[]) {
  const found = states.find(({ state }) => results.some(result => result.state === state))
  if (found === undefined) return {}
  const checks = results.reduce((sum, result) => sum + result.checks, 0)
  const why = results.find(({ state }) => state === found.state)?.why
  return { ...found, title: `${found.meaning}, ${checks} checks${why === undefined ? '' : `: ${why}`}` }
}

const cellLegend: readonly { readonly state: CellState; readonly sign: string; readonly meaning: string }[] = [
  { state: 'checked', sign: '✓', meaning: 'checked' },
  { state: 'refused', sign: '–', meaning: 'refused, which is allowed' },
  { state: 'inconclusive', sign: '?', meaning: 'inconclusive' },
  { state: 'not-reached', sign: '○', meaning: 'not reached' },
  { state: 'not-allowed', sign: '×', meaning: 'not allowed, because it would write' },
  { state: 'not-selected', sign: '·', meaning: 'not selected' },
]

/** Places of unchecked constraints that the page names for each kind. */
const maxUnchecked = 12

/** Endpoints by aspects, and constraints by kind: what was checked. */
function aspectsView({ coverage: { endpoints, aspects, constraints } }: Report) {
  const aspectNames = aspects.map(({ aspect }) => aspect)
  const used = new Set(aspects.flatMap(each => cellStates.filter(state => each.endpoints[state] > 0)))
  return {
    constraints: constraints.map(each => ({ ...each, unchecked: named(each.unchecked, maxUnchecked) })),
    cellLegend: cellLegend.filter(({ state }) => used.has(state)),
    aspectNames,
    totals: aspects.map(({ aspect, endpoints: counts }) => {
      const all = cellStates.reduce((sum, state) => sum + counts[state], 0)
      return { aspect, text: `${counts.checked}/${all}` }
    }),
    endpointRows: endpoints.map(({ endpoint, why, cells }) => ({
      endpoint,
      why,
      cells: aspectNames.map(name => aspectCell(cells.find(({ aspect }) => aspect === name))),
    })),
  }
}

function aspectCell(cell: CellCoverage | undefined) {
  if (cell === undefined) return {}
  const found = cellLegend.find(({ state }) => state === cell.state)
  const why = cell.why === undefined ? '' : `: ${cell.why}`
  return { ...found, aspect: cell.aspect, title: `${cell.aspect}: ${found?.meaning}, ${cell.checks} checks${why}` }
}

function endpointOf(site: string): string {
  const at = site.indexOf('(')
  return at < 0 ? site : site.slice(0, at)
}
