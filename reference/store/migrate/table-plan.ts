import type { Storage } from '../schema/storage.js'

/** What a store's tables look like, as plain data: kept in the store itself, so that the next start can tell what changed. */
export interface StorePlan {
  readonly tables: readonly TablePlan[]
}

export interface TablePlan {
  readonly name: string
  readonly columns: readonly ColumnPlan[]
  /** Columns of the primary key; absent: `$id`, numbered by the engine. */
  readonly primaryKey?: readonly string[]
  readonly indexes: readonly IndexPlan[]
  /** Of a table of words: how each column of its items is searched. */
  readonly words?: Readonly<Record<string, string>>
}

export interface ColumnPlan {
  readonly name: string
  readonly storage: Storage
  readonly required?: true
  /** Of a property that may be null. */
  readonly nullable?: true
  /** The `$id` of an item of another table. */
  readonly references?: { readonly table: string; readonly onDelete: 'cascade' | 'set null' }
  /** Numbers of an enumeration's members: they may not change under values that are kept. */
  readonly members?: Readonly<Record<string, number>>
}

export interface IndexPlan {
  readonly name: string
  /** In their order; each orders null lowest. */
  readonly columns: readonly string[]
  readonly unique?: true
  /** Only rows in which all these columns are null. */
  readonly whereNull?: readonly string[]
}
