import type { Expression } from '../../../runtime/query/index.js'
import type { ComplexType, EntityType, ValueType } from '../../../spec/language/index.js'
import type { GeoFamily, JsonPlace, Sql } from '../dialect/dialect.js'
import type { StoredType } from '../schema/storage.js'
import type { Relation, Table } from '../schema/store-schema.js'
import type { ColumnReader } from './related.js'

/** What an expression is in SQL. */
export type Operand = Scalar | Structure | EntityRow | Collection | { readonly kind: 'null' }

/** A single value. */
export interface Scalar {
  readonly kind: 'scalar'
  readonly type: StoredType
  readonly sql: Sql
  readonly nullable: boolean
  /** The text of a literal string: it takes on the type of what it meets. */
  readonly text?: string
  /** The parameter that it is, which takes on the type of what it meets, too. */
  readonly parameter?: string
  /** The number in the form that loses no digits, where the engine's own would. */
  readonly exact?: Sql
  /** Whether it may be infinite, or no number, though its type knows neither: a quotient of `divby`. */
  readonly floating?: boolean
  /** Whether it is never what is no number, though its type knows that. */
  readonly isNumber?: boolean
  /** The value of a literal number. */
  readonly number?: string
  /** Of GeoJSON. */
  readonly geo?: GeoTraits
}

/** A kind of spatial values, and the number of their reference system, when that is known. */
export interface GeoTraits {
  readonly family: GeoFamily
  readonly srid: number | undefined
}

/** A complex value. */
export interface Structure {
  readonly kind: 'structure'
  readonly type: ComplexType
  readonly place: JsonPlace
}

/** An item: `column` reads what it has. */
export interface EntityRow {
  readonly kind: 'row'
  readonly type: EntityType
  readonly table: Table
  readonly column: ColumnReader
  /** Whether the item may not be there. */
  readonly nullable: boolean
}

/** What `any`, `all`, `in` and `$count` look into. */
export type Collection =
  | {
      readonly kind: 'items'
      readonly type: ValueType
      readonly place: JsonPlace
      readonly filters: readonly Expression[]
    }
  | {
      readonly kind: 'targets'
      readonly type: EntityType
      readonly relation: Relation
      readonly source: ColumnReader
      readonly filters: readonly Expression[]
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'parameter'; readonly name: string; readonly type: StoredType }
