import type { ColumnPlan, IndexPlan, StorePlan, TablePlan } from './plan.js'

/** The changes from one plan to another. */
export interface PlanChanges {
  readonly newTables: readonly TablePlan[]
  readonly newColumns: readonly { readonly table: string; readonly column: ColumnPlan }[]
  readonly newIndexes: readonly { readonly table: string; readonly index: IndexPlan }[]
  readonly oldIndexes: readonly IndexPlan[]
  /** Columns of decimal numbers that were stored as floating-point numbers. */
  readonly newlyExact: readonly { readonly table: string; readonly column: string }[]
  /** Changes that need a decision about the data, one sentence each. */
  readonly conflicts: readonly string[]
  /** The plan after the migration. It keeps what the spec no longer has. */
  readonly result: StorePlan
}

/**
 * Compares the current plan with the required one. Tables, columns and indexes are added, and obsolete indexes are dropped.
 * Columns and tables are never dropped, because they may contain data.
 */
export function planChanges(current: StorePlan, required: StorePlan): PlanChanges {
  const known = new Map(current.tables.map(table => [table.name, table]))
  const kept = required.tables.flatMap(table => {
    const before = known.get(table.name)
    return before === undefined ? [] : [{ before, table }]
  })
  return {
    newTables: required.tables.filter(table => !known.has(table.name)),
    newColumns: kept.flatMap(({ before, table }) =>
      table.columns
        .filter(column => columnNamed(before, column.name) === undefined)
        .map(column => ({ table: table.name, column })),
    ),
    newIndexes: kept.flatMap(({ before, table }) =>
      table.indexes.filter(index => !hasIndex(before, index)).map(index => ({ table: table.name, index })),
    ),
    oldIndexes: kept.flatMap(({ before, table }) => before.indexes.filter(index => !hasIndex(table, index))),
    newlyExact: kept.flatMap(({ before, table }) =>
      table.columns
        .filter(column => isNewlyExact(columnNamed(before, column.name), column))
        .map(column => ({ table: table.name, column: column.name })),
    ),
    conflicts: kept.flatMap(({ before, table }) => conflictsOf(before, table)),
    result: {
      tables: [
        ...required.tables.map(table => withOldColumns(table, known.get(table.name))),
        ...current.tables.filter(table => !required.tables.some(({ name }) => name === table.name)),
      ],
    },
  }
}

function columnNamed(table: TablePlan, name: string): ColumnPlan | undefined {
  return table.columns.find(column => column.name === name)
}

function isNewlyExact(old: ColumnPlan | undefined, column: ColumnPlan): boolean {
  return old?.storage === 'decimal' && column.storage === 'exact'
}

function hasIndex(table: TablePlan, index: IndexPlan): boolean {
  return table.indexes.some(other => JSON.stringify(other) === JSON.stringify(index))
}

function withOldColumns(table: TablePlan, before: TablePlan | undefined): TablePlan {
  const old = before?.columns.filter(column => columnNamed(table, column.name) === undefined) ?? []
  return old.length === 0 ? table : { ...table, columns: [...table.columns, ...old] }
}

function conflictsOf(before: TablePlan, after: TablePlan): readonly string[] {
  return after.columns.flatMap(column => {
    const old = columnNamed(before, column.name)
    return old === undefined ? [] : columnConflicts(after.name, old, column)
  })
}

function columnConflicts(table: string, old: ColumnPlan, column: ColumnPlan): readonly string[] {
  const name = `${table}/${column.name}`
  const refusals: string[] = []
  if (old.storage !== column.storage && !isNewlyExact(old, column)) {
    refusals.push(`${name} is stored as ${old.storage}, but the spec now requires ${column.storage}.`)
  }
  if (old.references?.table !== column.references?.table) {
    refusals.push(
      `${name} refers to ${old.references?.table ?? 'nothing'}, but now to ${column.references?.table ?? 'nothing'}.`,
    )
  }
  for (const [member, number] of Object.entries(old.members ?? {})) {
    const now =
      column.members === undefined || !Object.hasOwn(column.members, member) ? undefined : column.members[member]
    if (now !== number) refusals.push(`${name}: the member ${member} was ${number}, now it is ${now ?? 'gone'}.`)
  }
  return refusals
}
