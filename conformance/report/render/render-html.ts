import type { ChoiceResult, Report } from '../report.js'
import { escapeXml as e } from './escape-xml.js'
import { matrix } from './matrix.js'
import { pageStyle } from './page-style.js'
import { violationArticle } from './violation-article.js'

/** A report as one HTML file: no script, nothing loaded, readable on a phone and by keyboard, dark and light. */
export function renderHtml(report: Report): string {
  const { service, verdict, summary, violations, choices, tooThinFor, leftovers, knownFailures } = report
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
${listed('These data could not show', tooThinFor)}
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
  const rows = choices.map(({ name, description, value, reference, witnesses, undecided }) => {
    const seen = witnesses[0] ?? undecided ?? ''
    const unusual = value !== undefined && String(value) !== String(reference) ? ' class="unusual"' : ''
    return `<tr${unusual}><th scope="row">${e(name)}</th><td>${e(description ?? '')}</td><td>${e(String(value ?? 'not known'))}</td><td>${e(String(reference))}</td><td>${e(seen)}</td></tr>`
  })
  return `<div class="scroll" role="region" aria-label="Choices" tabindex="0"><table>
<thead><tr><th scope="col">Choice</th><th scope="col">What it is about</th><th scope="col">This service</th><th scope="col">Reference service</th><th scope="col">Seen from</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`
}
