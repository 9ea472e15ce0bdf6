import { describe, expect, it } from 'vitest'
import type { Report } from '../report.js'
import { renderText } from './render-text.js'

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
  sites: [
    {
      site: 'things.list',
      method: 'GET',
      template: '/things',
      path: '/things',
      rows: 1250,
      complete: false,
      unsupported: [],
    },
    {
      site: 'labels.list',
      method: 'GET',
      template: '/labels',
      path: '/labels',
      rows: 3,
      complete: true,
      unsupported: [],
    },
  ],
  choices: [],
  knownFailures: [],
  tooThinFor: [],
  leftovers: [],
}

describe('the report as text', () => {
  it('names the lists that were read in part', () => {
    expect(renderText(report)).toContain('Read in part, and judged by less: things.list (the first 1250).\n')
  })

  it('says nothing of lists where all were read to the end', () => {
    expect(renderText({ ...report, sites: report.sites.slice(1) })).not.toContain('Read in part')
  })
})
