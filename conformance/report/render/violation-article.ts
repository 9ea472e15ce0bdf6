import type { ReportedExchange, Violation } from '../report.js'
import { escapeXml as e } from './escape-xml.js'
import { toldClauses } from './told-clauses.js'

/**
 * One violation: what, where, why, and how to see it oneself.
 *
 * @param index among those of the report, so that each of its parts has a name of its own
 */
export function violationArticle(violation: Violation, index: number): string {
  const number = `violation ${index + 1}`
  const { rule, severity, site, message, statement, expected, received, known, times, also } = violation
  const sources = toldClauses(violation).map(
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

/** @param place which of the requests of which violation, so that each has a name of its own */
function exchange({ curl, status, answer, url, method }: ReportedExchange, place: string): string {
  return `${code(curl, `Request ${place}: ${method} ${url}`)}
<details><summary>Answer ${status}</summary>${code(answer === '' ? '(empty)' : answer, `Answer to request ${place}`)}</details>`
}

function code(text: string, label: string): string {
  return `<pre tabindex="0" role="region" aria-label="${e(label)}"><code>${e(text)}</code></pre>`
}
