import { describe, expect, it } from 'vitest'
import { sampleReport } from '../testing/sample-report.js'
import { renderHtml } from './html.js'
import { renderJunit } from './junit.js'
import type { Report, Violation } from './report.js'
import { renderGithub, renderSarif } from './sarif.js'
import { renderText } from './text.js'

const hostileTexts = {
  'a command to a CI runner': 'x\n::add-mask::secret\n  ::set-output name=a::b\r\n::stop-commands::t\nmore',
  'an older command to a CI runner': 'x ##[add-mask]y ##vso[task.setvariable variable=a]b',
  'control characters': 'a\u001b[2Jb\u0007c\u0000d\u009be\u007f',
  'characters that change the direction': 'a\u202etxt.exe\u2066b\u2069\u200f',
  'the end of a CDATA section': ']]></failure><failure message="x">&lt;!--',
  'separators of lines': 'a\u2028::add-mask::b\u2029::add-mask::c\u0085::add-mask::d',
  'half of a surrogate pair': 'a\ud800b',
  markup: '</code><script>alert(1)</script>" onload="x',
}

/** A report in which each text that can come from a service is hostile. */
const reportWith = (text: string): Report => {
  const violation: Violation = {
    fingerprint: '0123456789ab',
    rule: 'count-path',
    area: 'filter',
    severity: 'must',
    statement: 'A statement.',
    clauses: [],
    site: `things.get(${text})`,
    also: [{ rule: 'count-type', site: text }],
    times: 2,
    message: text,
    expected: text,
    received: text,
    missing: [text],
    surplus: [text],
    why: [text],
    features: [text],
    exchanges: [
      {
        method: 'GET',
        url: `http://x/${encodeURIComponent('y')}`,
        headers: { a: text },
        body: text,
        curl: `curl '${text}'`,
        status: 200,
        answerHeaders: { b: text },
        answer: text,
      },
    ],
    confirmed: 'seen again',
    reduced: { from: 1, to: 1, requests: 0 },
    replay: 'abc',
  }
  return {
    ...sampleReport,
    verdict: 'violations',
    summary: text,
    violations: [violation],
    rules: [
      {
        rule: 'count-path',
        area: 'filter',
        severity: 'must',
        statement: 'A statement.',
        site: text,
        state: 'inconclusive',
        checks: 1,
        vacuous: 0,
        requests: 1,
        why: text,
      },
    ],
    sites: [{ site: text, method: 'GET', template: '/x', path: text, unsupported: [text], why: text, complete: false }],
    choices: [{ name: 'x', legal: ['a'], value: text, reference: 'b', evidence: [text] }],
    knownFailures: [{ rule: 'x', site: text, reason: 'r', state: 'fixed' }],
    leftovers: [text],
    coverage: {
      percent: 0,
      places: { applicable: 1, answered: 0 },
      aspects: [],
      constraints: [],
      endpoints: [{ endpoint: 'x', method: 'GET', template: '/x', state: 'inconclusive', why: text, cells: [] }],
    },
  }
}

const place = () => ({ line: 1, column: 1 })
const forLogs = { plain: renderText, GitHub: (report: Report) => renderGithub(report, place) }
const forPeople = {
  ...forLogs,
  JUnit: renderJunit,
  SARIF: (report: Report) => renderSarif(report, [], place),
}

describe.each(Object.entries(hostileTexts))('with %s in every position', (_, text) => {
  it.each(Object.entries(forPeople))('%s output has no control or format character but line feeds', (_name, render) => {
    expect(render(reportWith(text))).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029]/u)
  })

  it.each(Object.entries(forLogs))('%s output has no commands but its own', (name, render) => {
    const lines = render(reportWith(text)).split(/[\n\r]/)
    const commands = lines.filter(line => /^\s*::/.test(line) || /##(?:vso)?\[/i.test(line))
    const own = /^::(?:error|warning|notice) (?:file|title)=/
    expect(commands.filter(line => name !== 'GitHub' || !own.test(line))).toEqual([])
    if (name === 'GitHub') expect(commands).toHaveLength(2)
  })

  it('JUnit output has the elements of one failure', () => {
    const xml = renderJunit(reportWith(text))
    expect(xml.match(/<failure/g)).toHaveLength(1)
    expect(xml).not.toContain(']]>')
    expect(xml).not.toMatch(/<script|&(?!amp;|lt;|gt;|quot;)/)
  })

  it('SARIF output is JSON with one result', () => {
    expect(JSON.parse(renderSarif(reportWith(text), [], place)).runs[0].results).toHaveLength(1)
  })

  it('the page has no script and no character that changes the direction', async () => {
    const page = await renderHtml(reportWith(text))
    expect(page).not.toContain('<script>alert')
    expect(page).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
  })
})
