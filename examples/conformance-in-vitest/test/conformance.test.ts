import { fileURLToPath } from 'node:url'
import { runConformance } from 'specwright/conformance'
import { describe, expect, it } from 'vitest'
import knownFailures from '../known-failures.json' with { type: 'json' }
import { todoService } from '../src/service.js'
import { someTasks } from '../src/some-tasks.js'

const judged = {
  spec: fileURLToPath(new URL('../todo.yaml', import.meta.url)),
  token: 'secret',
  allowWrites: true,
  // Many requests each night, with a seed that is new each time; here, in each run of the tests, the same few.
  requests: 500,
  seed: 1,
}

describe('the to-do service', () => {
  it('conforms to its spec, but for what is known', async () => {
    const report = await runConformance({ ...judged, target: todoService('secret', someTasks), knownFailures })
    const unknown = report.violations.filter(({ known }) => known === undefined)
    expect(unknown.map(({ rule, message, exchanges }) => [rule, message, exchanges.at(-1)?.curl])).toEqual([])
    expect(report.verdict).toBe('conforms')
    expect(report.leftovers).toEqual([])
  })

  it('is told what is known, too, with the request that shows it', async () => {
    const report = await runConformance({
      ...judged,
      target: todoService('secret', someTasks),
      only: ['top-skip-count'],
    })
    expect(report.verdict).toBe('violations')
    expect(new Set(report.violations.map(({ rule }) => rule))).toEqual(new Set(knownFailures.map(({ rule }) => rule)))
    expect(report.violations[0]?.exchanges[0]?.curl).toContain('$count=true')
  })

  it('is told when a known failure is gone, so that the list stays short', async () => {
    const mended = [{ rule: 'item-not-found', reason: 'It answered 200 once.' }]
    const report = await runConformance({
      ...judged,
      target: todoService('secret', someTasks),
      knownFailures: [...knownFailures, ...mended],
    })
    expect(report.verdict).toBe('stale')
    expect(report.knownFailures.map(({ rule, state }) => [rule, state])).toContainEqual(['item-not-found', 'fixed'])
  })
})
