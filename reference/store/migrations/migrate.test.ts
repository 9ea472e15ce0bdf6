import { expect, it } from 'vitest'
import { planChanges } from './migrate.js'
import type { StorePlan, TablePlan } from './plan.js'

const table: TablePlan = {
  name: 't',
  columns: [
    { name: '$id', storage: 'integer', required: true },
    { name: 'a', storage: 'text' },
    { name: 'e', storage: 'integer', members: { x: 0, y: 1 } },
  ],
  indexes: [{ name: 't.a', columns: ['a'] }],
}
const plan = (...tables: readonly TablePlan[]): StorePlan => ({ tables })
const column = { name: 'b', storage: 'text' } as const
const index = { name: 't.b', columns: ['b'] }

it('equal plans need no changes', () => {
  const { result, ...changes } = planChanges(plan(table), plan(table))
  expect(Object.values(changes).flat()).toEqual([])
  expect(result).toEqual(plan(table))
})

it('tables, columns and indexes are added, and obsolete indexes dropped', () => {
  const after = { ...table, columns: [...table.columns, column], indexes: [index] }
  const other = { ...table, name: 'u' }
  const changes = planChanges(plan(table), plan(after, other))
  expect(changes.newTables).toEqual([other])
  expect(changes.newColumns).toEqual([{ table: 't', column }])
  expect(changes.newIndexes).toEqual([{ table: 't', index }])
  expect(changes.oldIndexes).toEqual(table.indexes)
  expect(changes.conflicts).toEqual([])
})

it('what the spec no longer has stays, and is recognised when it returns', () => {
  const before = { ...table, columns: [...table.columns, column] }
  const { result, conflicts: refusals } = planChanges(plan(before, { ...table, name: 'u' }), plan(table))
  expect(refusals).toEqual([])
  expect(result.tables.map(({ name, columns }) => [name, columns.length])).toEqual([
    ['t', 4],
    ['u', 3],
  ])
  expect(planChanges(result, plan(before)).newColumns).toEqual([])
})

it.each([
  [{ name: 'a', storage: 'integer' }, 't/a is stored as text, but the spec now requires integer.'],
  [
    { name: 'a', storage: 'text', references: { table: 'u', onDelete: 'cascade' } },
    't/a refers to nothing, but now to u.',
  ],
  [{ name: 'e', storage: 'integer', members: { x: 1, y: 1 } }, 't/e: the member x was 0, now it is 1.'],
  [{ name: 'e', storage: 'integer', members: { x: 0 } }, 't/e: the member y was 1, now it is gone.'],
] as const)('the changed column %j is refused', (changed, sentence) => {
  const columns = table.columns.map(each => (each.name === changed.name ? changed : each))
  expect(planChanges(plan(table), plan({ ...table, columns })).conflicts).toEqual([sentence])
})
