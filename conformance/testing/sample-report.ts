import type { Report } from '../report/report.js'

/** The report of a run without findings, for a service without endpoints. */
export const sampleReport: Report = {
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
  coverage: { percent: 0, places: { applicable: 0, answered: 0 }, endpoints: [], aspects: [], constraints: [] },
  notes: [],
  choices: [],
  knownFailures: [],
  undetectableBugs: [],
  leftovers: [],
}
