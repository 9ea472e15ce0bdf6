import { escapeXml as e } from './junit.js'
import type { ChoiceResult, Report, ReportedExchange, RuleResult, RuleState, Violation } from './report.js'
import { relevantClauses } from './text.js'

/**
 * A report as a single HTML file: no script, no external resources, readable on a phone and by keyboard, light and
 * dark.
 */
export function renderHtml(report: Report): string {
  const { service, verdict, summary, violations, choices, undetectableBugs, leftovers, knownFailures } = report
  const title = `${service.title}: ${verdict}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${e(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the result</a>
<header>
<h1>${e(service.title)} ${e(service.version)}</h1>
<p class="verdict ${verdict === 'conforms' ? 'good' : 'bad'}"><strong>${e(verdict)}</strong> ${e(summary)}</p>
${facts(report)}
<nav aria-label="Sections"><ul>
<li><a href="#violations">Violations (${violations.length})</a></li>
<li><a href="#coverage">Coverage</a></li>
<li><a href="#choices">Choices</a></li>
</ul></nav>
</header>
<main id="main">
<section aria-labelledby="violations">
<h2 id="violations">Violations</h2>
${violations.length === 0 ? '<p>None was found.</p>' : violations.map(violationArticle).join('\n')}
</section>
<section aria-labelledby="coverage">
<h2 id="coverage">Coverage</h2>
${matrix(report)}
${listed('These data could not show', undetectableBugs)}
</section>
<section aria-labelledby="choices">
<h2 id="choices">Choices of this service that the spec leaves open</h2>
${choicesTable(choices)}
</section>
${listed('Left over, please remove', leftovers)}
${listed(
  'Known failures',
  knownFailures.map(({ rule, state, reason }) => `${rule}: ${state}. ${reason}`),
)}
</main>
</body>
</html>
`
}

function facts({ target, requests, seconds, seed, started, allowWrites }: Report): string {
  const all = [
    ['Target', target],
    ['Begun', started],
    ['Requests', `${requests} in ${seconds} s`],
    ['Seed', String(seed)],
    ['Writes', allowWrites ? 'allowed' : 'none'],
  ]
  return `<dl class="facts">${all.map(([name = '', value = '']) => `<div><dt>${e(name)}</dt><dd>${e(value)}</dd></div>`).join('')}</dl>`
}

function listed(title: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  return `<h3>${e(title)}</h3><ul>${items.map(item => `<li>${e(item)}</li>`).join('')}</ul>`
}

function choicesTable(choices: readonly ChoiceResult[]): string {
  if (choices.length === 0) return '<p>The spec leaves none open.</p>'
  const rows = choices.map(({ name, description, value, reference, evidence, undecided }) => {
    const seen = evidence[0] ?? undecided ?? ''
    const unusual = value !== undefined && String(value) !== String(reference) ? ' class="unusual"' : ''
    return `<tr${unusual}><th scope="row">${e(name)}</th><td>${e(description ?? '')}</td><td>${e(String(value ?? 'not known'))}</td><td>${e(String(reference))}</td><td>${e(seen)}</td></tr>`
  })
  return `<div class="scroll" role="region" aria-label="Choices" tabindex="0"><table>
<thead><tr><th scope="col">Choice</th><th scope="col">What it is about</th><th scope="col">This service</th><th scope="col">Reference service</th><th scope="col">Seen from</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`
}

function violationArticle(violation: Violation, index: number): string {
  const number = `violation ${index + 1}`
  const { rule, severity, site, message, statement, expected, received, known, times, also } = violation
  const sources = relevantClauses(violation).map(
    ({ ref, quote }) => `<blockquote><p>${e(quote)}</p><footer>Interface ${e(ref)}</footer></blockquote>`,
  )
  const keys = [...keyList('Missing', violation.missing), ...keyList('Surplus', violation.surplus)]
  const because =
    violation.why.length === 0
      ? ''
      : `<h4>Why</h4><ul class="why">${violation.why.map(line => `<li>${e(line)}</li>`).join('')}</ul>`
  const again =
    violation.replay === undefined
      ? ''
      : `<details><summary>Replay exactly this</summary>${code(`--replay ${violation.replay}`, `Replay option for ${number}, ${rule}`)}</details>`
  const elsewhere = also.length === 0 ? '' : `<p>Also seen by ${e(names(also))}.</p>`
  return `<article id="v-${e(violation.fingerprint)}">
<h3><span class="tag ${known === undefined ? 'bad' : 'known'}">${known === undefined ? 'fail' : 'known'}</span> ${e(rule)}</h3>
<p class="where">${e(severity)}${site === '' ? '' : `, at <code>${e(site)}</code>`}${times > 1 ? `, seen ${times} times` : ''}</p>
<p><strong>${e(message)}</strong></p>
<p>${e(statement)}</p>
${sources.join('\n')}
<dl><dt>Expected</dt><dd>${e(expected)}</dd><dt>Received</dt><dd>${e(received)}</dd></dl>
${keys.join('\n')}${because}
${known === undefined ? '' : `<p>Accepted for now: ${e(known)}</p>`}
<h4>See it yourself</h4>
${violation.exchanges
  .slice(0, 4)
  .map((each, at) => exchange(each, `${at + 1} of ${number}`))
  .join('\n')}
<p>${e(violation.confirmed)}.</p>
${elsewhere}
${again}
</article>`
}

function keyList(label: string, keys: readonly string[]): readonly string[] {
  if (keys.length === 0) return []
  const shown = keys.slice(0, 12).map(key => `<code>${e(key)}</code>`)
  return [`<p>${label}: ${shown.join(', ')}${keys.length > 12 ? ` and ${keys.length - 12} more` : ''}</p>`]
}

function names(also: Violation['also']): string {
  return [...new Set(also.map(({ rule, site }) => (site === '' ? rule : `${rule} at ${site}`)))].slice(0, 12).join(', ')
}

function exchange({ curl, status, answer, url, method }: ReportedExchange, place: string): string {
  return `${code(curl, `Request ${place}: ${method} ${url}`)}
<details><summary>Answer ${status}</summary>${code(answer === '' ? '(empty)' : answer, `Answer to request ${place}`)}</details>`
}

function code(text: string, label: string): string {
  return `<pre tabindex="0" role="region" aria-label="${e(label)}"><code>${e(text)}</code></pre>`
}

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

/** Endpoints by rules: what ran where, and the result. */
function matrix({ rules, sites }: Report): string {
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

/** Colors have a contrast of at least 4.5:1 in both color schemes. */
const pageStyle = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --quiet: #55595f; --line: #c9ccd1; --panel: #f4f5f7; --good: #0a6b2d; --bad: #b00020; --warn: #7a4d00; --link: #0b4fb3 }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ec; --paper: #15171a; --quiet: #b3b8bf; --line: #454a51; --panel: #1f2226; --good: #6fd08c; --bad: #ff8a9b; --warn: #f0b95a; --link: #8ab8ff } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
a { color: var(--link) }
.skip { position: absolute; left: -100vw } .skip:focus { left: 1rem }
h1 { margin: 0; font-size: 1.6rem } h2 { margin-top: 2rem; border-bottom: 1px solid var(--line) } h3 { margin: 1rem 0 .25rem } h4 { margin: .75rem 0 .25rem; font-size: 1rem }
.verdict { font-size: 1.1rem } .verdict strong { text-transform: uppercase }
.good strong { color: var(--good) } .bad strong { color: var(--bad) }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 } .facts div { display: flex; gap: .5rem } .facts dd { margin: 0 } dt { color: var(--quiet) } dd { margin: 0 0 .5rem }
nav ul, .legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none }
article { margin: 1rem 0; padding: .25rem 1rem 1rem; border: 1px solid var(--line); border-left: .3rem solid var(--bad); border-radius: .3rem }
.tag { padding: 0 .4rem; border: 1px solid currentColor; border-radius: .3rem; font-size: .8rem; text-transform: uppercase } .tag.bad { color: var(--bad) } .tag.known { color: var(--warn) }
.where { margin: 0; color: var(--quiet) }
blockquote { margin: .5rem 0; padding: 0 1rem; border-left: .2rem solid var(--line) } blockquote p { margin: 0 } blockquote footer { color: var(--quiet) }
pre { margin: .25rem 0; padding: .5rem; overflow: auto; max-height: 20rem; background: var(--panel); border-radius: .3rem } code { font-family: ui-monospace, monospace; font-size: .9em }
.scroll { position: relative; overflow: auto; max-height: 40rem } :focus-visible { outline: .15rem solid var(--link); outline-offset: .1rem }
table { border-collapse: collapse; font-size: .9rem } th, td { padding: .25rem .5rem; border: 1px solid var(--line); text-align: left; vertical-align: top } thead th { position: sticky; top: 0; background: var(--panel) } tbody th { font-weight: 500; background: var(--panel) } .matrix td { text-align: center } .matrix th { overflow-wrap: normal; white-space: nowrap } .matrix thead th + th { writing-mode: vertical-rl }
.passed { color: var(--good) } .violated, .flaky { color: var(--bad) } .known, .inconclusive { color: var(--warn) } .unusual td, .unusual th { font-weight: 600 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media print { .scroll, pre { max-height: none } }
`
