import { describe, expect, it } from 'vitest'
import { sampleReport } from '../testing/sample-report.js'
import type { Report } from './report.js'
import { renderText } from './text.js'

const report: Report = {
  ...sampleReport,
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
}

describe('the report as text', () => {
  it('names incompletely read lists', () => {
    expect(renderText(report)).toContain('Read in part: things.list (the first 1250).\n')
  })

  it.each([
    [1, '1 request in'],
    [2, '2 requests in'],
  ])('counts requests: %i', (requests, words) => {
    expect(renderText({ ...report, requests })).toContain(`: ${words}`)
  })

  it('omits them if all lists were read completely', () => {
    expect(renderText({ ...report, sites: report.sites.slice(1) })).not.toContain('Read in part')
  })
})
