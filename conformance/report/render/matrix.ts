import type { Report, RuleResult, RuleState } from '../report.js'
import { escapeXml as e } from './escape-xml.js'

const signs: Readonly<Record<RuleState, string>> = {
  passed: '✓',
  violated: '✗',
  known: 'known',
  flaky: 'flaky',
  inconclusive: '?',
  unsupported: '–',
  'not-exercised': '○',
  'not-applicable': '',
}

const legend: Readonly<Record<RuleState, string>> = {
  passed: 'passed',
  violated: 'violated',
  known: 'a known failure',
  flaky: 'seen once, not again',
  inconclusive: 'could not be told',
  unsupported: 'not supported, which is allowed',
  'not-exercised': 'not exercised',
  'not-applicable': 'not applicable',
}

/** Endpoints by rules: what was tried where, and how it ended. */
export function matrix({ rules, sites }: Report): string {
  const endpoints = [...new Set(rules.map(({ site }) => endpointOf(site)).filter(name => name !== ''))]
  const ids = [...new Set(rules.map(({ rule }) => rule))]
  const cells = new Map<string, RuleResult[]>()
  for (const result of rules) {
    const id = `${result.rule} ${endpointOf(result.site)}`
    cells.set(id, [...(cells.get(id) ?? []), result])
  }
  const head = ['Whole service', ...endpoints].map(name => `<th scope="col">${e(name)}</th>`).join('')
  const rows = ids.map(rule => {
    const tds = ['', ...endpoints].map(endpoint => cell(cells.get(`${rule} ${endpoint}`) ?? []))
    return `<tr><th scope="row">${e(rule)}</th>${tds.join('')}</tr>`
  })
  const key = Object.entries(signs)
    .filter(([state]) => state !== 'not-applicable')
    .map(([state, sign]) => `<li><span class="${state}">${sign}</span> ${legend[stateOf(state)]}</li>`)
  const unread = sites
    .filter(({ why }) => why !== undefined)
    .map(({ site, why }) => `<li><code>${e(site)}</code>: ${e(why ?? '')}</li>`)
  return `<ul class="legend">${key.join('')}</ul>
<div class="scroll" role="region" aria-label="Rules by endpoints" tabindex="0"><table class="matrix">
<thead><tr><th scope="col">Rule</th>${head}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
${unread.length === 0 ? '' : `<h3>What could not be judged</h3><ul>${unread.join('')}</ul>`}`
}

const worst: readonly RuleState[] = [
  'violated',
  'known',
  'flaky',
  'passed',
  'inconclusive',
  'unsupported',
  'not-exercised',
  'not-applicable',
]

function cell(results: readonly RuleResult[]): string {
  const state = worst.find(each => results.some(result => result.state === each))
  if (state === undefined || state === 'not-applicable') return '<td></td>'
  const checks = results.reduce((sum, result) => sum + result.checks, 0)
  const why = results.find(result => result.state === state)?.why
  const title = `${legend[state]}, ${checks} checks${why === undefined ? '' : `: ${why}`}`
  return `<td class="${state}" title="${e(title)}"><span aria-hidden="true">${signs[state]}</span><span class="unseen">${e(legend[state])}</span></td>`
}

function stateOf(text: string): RuleState {
  return worst.find(state => state === text) ?? 'not-applicable'
}

function endpointOf(site: string): string {
  const at = site.indexOf('(')
  return at < 0 ? site : site.slice(0, at)
}
