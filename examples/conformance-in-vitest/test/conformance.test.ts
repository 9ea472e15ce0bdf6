import { fileURLToPath } from 'node:url'
import { runConformance } from 'specwright/conformance'
import { describe, expect, it } from 'vitest'
import knownFailures from '../known-failures.json' with { type: 'json' }
import { sampleTasks } from '../src/sample-tasks.js'
import { todoService } from '../src/service.js'

const options = {
  spec: fileURLToPath(new URL('../todo.yaml', import.meta.url)),
  token: 'secret',
  allowWrites: true,
  // The same few requests in each run of the tests. A nightly run sends more, with a new seed each time.
  requests: 500,
  seed: 1,
}

describe('the to-do service', () => {
  it('conforms to its spec, except for known failures', async () => {
    const report = await runConformance({ ...options, target: todoService('secret', sampleTasks), knownFailures })
    const unknown = report.violations.filter(({ known }) => known === undefined)
    expect(unknown.map(({ rule, message, exchanges }) => [rule, message, exchanges.at(-1)?.curl])).toEqual([])
    expect(report.verdict).toMatch(/^(?:conforms|partial)$/)
    expect(report.leftovers).toEqual([])
  })

  it('gets a report of known failures, too, with the request that shows them', async () => {
    const report = await runConformance({
      ...options,
      target: todoService('secret', sampleTasks),
      only: ['top-skip-count'],
    })
    expect(report.verdict).toBe('violations')
    const known = knownFailures.map(({ rule }) => rule)
    expect(report.violations.filter(({ rule }) => !known.includes(rule))).toEqual([])
    expect(report.violations[0]?.exchanges[0]?.curl).toContain('$count=true')
  })

  it('gets the verdict stale if a known failure now passes, so that the list stays short', async () => {
    const fixed = [{ rule: 'item-not-found', reason: 'It answered 200 once.' }]
    const report = await runConformance({
      ...options,
      target: todoService('secret', sampleTasks),
      knownFailures: [...knownFailures, ...fixed],
    })
    expect(report.verdict).toBe('stale')
    expect(report.knownFailures.map(({ rule, state }) => [rule, state])).toContainEqual(['item-not-found', 'fixed'])
  })
})
