import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EvaluationError, type Expression, evaluateFilter, printFilter } from '../../runtime/query/index.js'
import { buildServiceTable } from '../../spec/language/table/service-table.js'
import { allOf } from '../../sql/conditions.js'
import { StoreError } from '../../sql/dialects/dialect.js'
import { isTrue } from '../../sql/filter/expressions.js'
import { queryContext, queryFrame } from '../../sql/read/query-frame.js'
import type { Store } from '../store/store.js'
import { loadRecords } from '../store/write/load-records.js'
import { enginesWithRuns, type StoreMaker, storeMaker } from '../testing/engines.js'
import { filterArbitrary } from '../testing/query-arbitraries.js'
import { expandedRows, sampleRecords, sampleRows } from '../testing/sample-rows.js'
import { openSampleStore, sampleService } from '../testing/sample-service.js'

const rows = sampleRows(60)
const expanded = expandedRows(rows)
const { types } = buildServiceTable(sampleService())

/** The ids of the rows that satisfy a filter according to the evaluator; undefined if it refuses the filter for a row. */
function evaluated(filter: Expression): readonly unknown[] | undefined {
  try {
    return expanded.filter(row => evaluateFilter(filter, row, { types, type: 'sample' })).map(row => row['id'])
  } catch (error) {
    if (error instanceof EvaluationError) return undefined
    throw error
  }
}

async function selected(filter: Expression, store: Store): Promise<readonly unknown[]> {
  const type = store.schema.typeOf('sample')
  const frame = queryFrame(type, 't', store, queryContext(undefined), true)
  const where = allOf([isTrue(filter, frame)])
  const statement = store.engine.compile(sql`SELECT t.id FROM sample AS t WHERE ${where} ORDER BY t.id`)
  const found = await store.engine.read(async session => session.all(statement))
  return found.map(([id]) => id)
}

describe.each(enginesWithRuns(1500, 700))('filters on $engine', ({ engine, runs }) => {
  let maker: StoreMaker
  let store: Store

  beforeAll(async () => {
    maker = await storeMaker(engine)
    store = await openSampleStore(await maker.make())
    await loadRecords(store, sampleRecords(rows))
  })
  afterAll(async () => {
    await store.engine.close()
    await maker.stop()
  })

  it('agree with the evaluator', async () => {
    await fc.assert(
      fc.asyncProperty(filterArbitrary(), async filter => {
        const wanted = evaluated(filter)
        fc.pre(wanted !== undefined)
        const found = await selected(filter, store).catch((error: unknown) => {
          // PostgreSQL refuses numbers that no double can hold; the evaluator and SQLite have infinity.
          if (engine === 'postgres' && error instanceof StoreError && error.kind === 'outOfRange') return undefined
          throw error
        })
        fc.pre(found !== undefined)
        expect(found, printFilter(filter)).toEqual(wanted)
      }),
      { numRuns: Number(process.env['RUNS'] ?? runs) },
    )
  })
})
