import type { Principal, RequestHead } from '../../runtime/server/index.js'

/** How the types of a service are stored in tables that exist already. */
export interface TableMapping<Context = unknown> {
  /** The table or view of each entity type, by the name of the type in the spec. Derived types share the table of their base. */
  readonly tables: Readonly<Record<string, EntityTable<Context>>>
  /** The names of columns that the mapping does not give. Default: `same`, the name of the property. */
  readonly naming?: 'same' | 'snake_case'
  /**
   * Signs the tokens of next links. Without it, a caller can change where a page starts. A token never shows a row that
   * the caller may not see.
   */
  readonly secret?: string
}

/** The rows of an entity type. */
export interface EntityTable<Context = unknown> {
  /** The name of the table, `users` or `crm.users`. */
  readonly table: string
  /** Columns by property, if their names or types are not the default. `null`: there is no column, the value is null. */
  readonly columns?: Readonly<Record<string, string | ColumnMapping | null>>
  /** The column that identifies a row, for relations. Default: the column of the key, if it is a single property. */
  readonly id?: string | { readonly column: string; readonly type: 'integer' | 'uuid' | 'text' }
  /** A column that changes with the row, for entity tags. Default: `xmin` on PostgreSQL. */
  readonly version?: string
  /** Tables with at most one row for each row of this one, by alias. Columns refer to them with `join`. */
  readonly joins?: Readonly<Record<string, Join>>
  /** Only rows that meet all conditions exist: soft deletes, the tenant of the caller. */
  readonly where?: Conditions<Context>
  /** The columns behind navigation properties. */
  readonly relations?: Readonly<Record<string, RelationMapping<Context>>>
  /** The properties that `$search` searches. `words`: adjacent whole words; `prefix`: the text begins with the term. */
  readonly search?: Readonly<Record<string, 'words' | 'prefix'>>
  /** The column with the type of a row, and the type for each of its values. */
  readonly discriminator?: { readonly column: string; readonly types: Readonly<Record<string, string>> }
}

export interface ColumnMapping {
  /** Default: the name of the property, spelt as `naming` says. */
  readonly column?: string
  /** The alias of a joined table. */
  readonly join?: string
  /** The path of members in a JSON column. */
  readonly path?: readonly string[]
  /** The type of the column, if it is not the default for the property. */
  readonly type?: ColumnType
}

/**
 * Types of columns. The defaults: `uuid` for Guid, `timestamptz` for DateTimeOffset, `json` for complex values and collections
 * on PostgreSQL; text in the formats of JSON on SQLite. `unixSeconds` and `unixMilliseconds`: numbers. `array`: an array of
 * PostgreSQL. `base64url`: binary values as text. An enumeration is `text`, the names of its members, or `integer`.
 */
export type ColumnType =
  | 'text'
  | 'uuid'
  | 'timestamptz'
  | 'timestamp'
  | 'unixSeconds'
  | 'unixMilliseconds'
  | 'integer'
  | 'bytea'
  | 'base64url'
  | 'interval'
  | 'json'
  | 'array'

/** `on`: the columns of the joined table, and the equal columns of this table. */
export interface Join {
  readonly table: string
  readonly on: Readonly<Record<string, string>>
}

/** Columns and what they equal: a value, null, or a value of the call. */
export type Conditions<Context> = Readonly<Record<string, ConditionValue | ((call: CallOf<Context>) => ConditionValue)>>

export type ConditionValue = string | number | boolean | null

/** What conditions can depend on. */
export interface CallOf<Context> {
  readonly principal: Principal
  readonly context: Context
  readonly request: RequestHead
}

/** Where a relation is stored. */
export type RelationMapping<Context = unknown> =
  /** A column of this table has the id of the related row. */
  | { readonly column: string }
  /** A column of the related table has the id of this row. */
  | { readonly foreignKey: string }
  /** A table with the ids of both: `from` is that of this row. */
  | {
      readonly through: string
      readonly from: string
      readonly to: string
      readonly where?: Conditions<Context>
    }

/** An item as handlers return it. */
export type MappedItem = Readonly<Record<string, unknown>>
