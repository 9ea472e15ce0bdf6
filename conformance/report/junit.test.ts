import { describe, expect, it } from 'vitest'
import { sampleReport } from '../testing/sample-report.js'
import { renderJunit } from './junit.js'
import type { ReportVerdict } from './report.js'

describe('the report as JUnit XML', () => {
  it.each<ReportVerdict>(['unreachable', 'refused', 'insufficient-coverage', 'interrupted', 'stale'])(
    'has an error if a run ended as %s, because its rules are skipped',
    verdict => {
      const text = renderJunit({ ...sampleReport, verdict, summary: 'It is <gone>.' })
      expect(text).toContain('<testsuites name="specwright conformance" failures="0" errors="1" time="1">')
      expect(text).toContain(
        `<testcase classname="run" name="${verdict}"><error message="It is &lt;gone&gt;."/></testcase>`,
      )
    },
  )

  it('has none if the service was checked', () => {
    expect(renderJunit(sampleReport)).toContain('failures="0" errors="0"')
    expect(renderJunit(sampleReport)).not.toContain('<error')
  })
})
