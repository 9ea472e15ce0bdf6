import { describe, expect, it } from 'vitest'
import type { Report, ReportVerdict } from '../report.js'
import { renderJunit } from './render-junit.js'

const report: Report = {
  version: 1,
  verdict: 'conforms',
  summary: 'No violation found.',
  service: { name: 'shelf', title: 'Shelf', version: 'v1' },
  target: 'http://127.0.0.1/v1',
  seed: 1,
  started: '2026-01-01T00:00:00Z',
  seconds: 1,
  requests: 10,
  allowWrites: false,
  violations: [],
  rules: [],
  sites: [],
  choices: [],
  knownFailures: [],
  tooThinFor: [],
  leftovers: [],
}

describe('the report as JUnit XML', () => {
  it.each<ReportVerdict>(['unreachable', 'refused', 'hollow', 'interrupted', 'stale'])(
    'has an error where a run ended as %s, since all that it could not ask is skipped',
    verdict => {
      const text = renderJunit({ ...report, verdict, summary: 'It is <gone>.' })
      expect(text).toContain('<testsuites name="specwright conformance" failures="0" errors="1" time="1">')
      expect(text).toContain(
        `<testcase classname="run" name="${verdict}"><error message="It is &lt;gone&gt;."/></testcase>`,
      )
    },
  )

  it('has none where the service was judged', () => {
    expect(renderJunit(report)).toContain('failures="0" errors="0"')
    expect(renderJunit(report)).not.toContain('<error')
  })
})
