import { describe, expect, it } from 'vitest'
import { runConformance } from '../../conformance/index.js'
import { seedLines } from '../../reference/data/seed/seed-lines.js'
import { parseRowCounts } from '../../reference/data/seed/seed-rows.js'
import { createReferenceService } from '../../reference/index.js'
import { readAll } from '../../reference/testing/data-sample.js'
import { loadSpec } from '../../spec/language/index.js'

// The conformance suite with imported models, on the reference service: short keys, keys of several parts, contained items with
// equal numbers under different parents, computed values, singletons of the type of an entity set. shapes.xml names its own.

const names = ['northwind', 'trippin', 'shapes'] as const

/** The number of seeds. `npm run soak` tries 20. */
const runs = Number(process.env['IMPORTED_RUNS'] ?? 1)

describe.each(names)('%s, imported, seeded and served', async name => {
  const { service } = await loadSpec(`tests/import/fixtures/${name}.yaml`)
  it.each(Array.from({ length: runs }, (_, index) => index + 1))(
    'has no violation with seed %i, and is unchanged afterwards',
    async seed => {
      const rows = parseRowCounts('40')
      if (service === undefined || typeof rows === 'string') throw new Error('The spec is sound.')
      const lines = [...seedLines(service, { rows, seed: `${seed}` })]
      const { items, diagnostics } = await readAll(service, lines.join('\n'), 'data.jsonl')
      expect(diagnostics).toEqual([])
      const scopes = service.authentication.scopes.map(each => each.name)
      const reference = await createReferenceService({
        spec: service,
        store: 'sqlite::memory:',
        authenticate: ({ headers }) =>
          headers.get('authorization') === 'Bearer mine' ? { id: 'me', scopes } : undefined,
      })
      await reference.load(items)
      const sets = service.container.filter(({ kind }) => kind === 'entitySet')
      const contents = async (): Promise<readonly string[]> =>
        Promise.all(
          sets.map(async each => {
            const url = `http://service.test/${service.version}/${each.name}`
            return (await reference.fetch(new Request(url, { headers: { authorization: 'Bearer mine' } }))).text()
          }),
        )
      try {
        const before = await contents()
        const report = await runConformance({
          spec: service,
          target: reference.fetch,
          token: 'mine',
          allowWrites: true,
          seed,
          requests: 1_000,
        })
        expect(report.violations.map(({ rule, site, message }) => `${rule} ${site}: ${message}`)).toEqual([])
        expect(report.leftovers).toEqual([])
        expect(await contents()).toEqual(before)
      } finally {
        await reference.close()
      }
    },
  )
})
