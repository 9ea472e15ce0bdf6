import { sql } from 'kysely'
import type {
  ComplexType,
  EntityType,
  EnumType,
  NavigationProperty,
  Property,
  ValueType,
} from '../../spec/language/index.js'
import type { Sql } from '../dialects/dialect.js'
import type { Storage, StoredType } from './stored-type.js'

/** How a store keeps the data of a service. Derived from the model alone. */
export interface StoreSchema {
  readonly tables: readonly Table[]
  readonly links: readonly LinkTable[]
  readonly tableOf: (type: EntityType) => Table
  readonly relationOf: (navigation: NavigationProperty) => Relation
  /** The entity type with an unqualified name. */
  readonly typeOf: (name: string) => EntityType
  readonly enumOf: (name: string) => EnumType
  readonly complexTypes: readonly ComplexType[]
  /** The type of any kind with an unqualified name; undefined if there is none. */
  readonly typeNamed: (name: string) => ValueType | undefined
}

/** The items of an entity type and its derived types. */
export interface Table {
  readonly name: string
  /**
   * The rows with the columns that this interface names, if they are not those of a table called `name`: a subquery in
   * parentheses, which engines merge into the statement.
   */
  readonly source?: Sql
  /** The storage class of `$id`. */
  readonly idStorage: Storage
  /** The name of the column of `source` that is `$id`. */
  readonly idName?: string
  /** Whether the indexes of properties place nulls. If not, only keys that can be null do. */
  readonly placesNulls: boolean
  readonly root: EntityType
  /** The types that items can have, without abstract types, in the order of the spec. */
  readonly types: readonly EntityType[]
  readonly columns: readonly Column[]
  readonly columnOf: (property: Property) => Column
  /** One for each relation that contains items of the table. */
  readonly owners: readonly OwnerColumn[]
  /** One for each single relation that is stored in this table. */
  readonly references: readonly ReferenceColumn[]
  /** Whether an entity set or singleton has items of the table. */
  readonly topLevel: boolean
  /** Whether an endpoint reports changes of its items. */
  readonly tracksChanges: boolean
  /** The index of words of the searchable properties; undefined if there are none. */
  readonly words: WordTable | undefined
  /** The streams of its items; absent if they have none. */
  readonly streams?: StreamTable
  /** How `$search` finds words without an index of words. */
  readonly search?: ReadonlyMap<Property, 'words' | 'prefix'>
}

/** Columns of every table. Properties cannot have these names. */
export const idColumn = '$id'
export const typeColumn = '$type'
export const versionColumn = '$version'
export const singletonColumn = '$singleton'
/** The dynamic properties of items of open types, as JSON. Only in tables with an open type. */
export const openColumn = '$open'

export interface Column {
  readonly name: string
  readonly property: Property
  readonly type: StoredType
  /** The same values in a type of the engine, which its indexes have. */
  readonly native?: NativeColumn
}

interface NativeColumn {
  readonly name: string
  readonly storage: Storage
}

/** What stands in FROM for a table. */
export function rowsOf({ name, source }: Pick<Table, 'name' | 'source'>): Sql {
  return source ?? sql`${sql.id(name)}`
}

/** The `$id` of the item that contains this one; null if the item is not contained by this relation. */
export interface OwnerColumn {
  readonly name: string
  readonly relation: NavigationProperty
  readonly owner: Table
}

/** The `$id` of the target of a single relation. */
export interface ReferenceColumn {
  readonly name: string
  readonly relation: NavigationProperty
  readonly target: Table
}

/** The words of searchable properties: columns `row`, `property` (its index in `properties`), `word` and `position`. */
export interface WordTable {
  readonly name: string
  readonly properties: readonly Property[]
}

/**
 * The streams of items: columns `row`, `name` (that of the property; empty for the media stream), `tag`, `type` and `content`. A
 * table of their own, so that a list of items does not read them.
 */
export interface StreamTable {
  readonly name: string
}

/** A many-to-many relation: columns `from` and `to`, from the end that the spec declares first. */
export interface LinkTable {
  readonly name: string
  readonly relation: NavigationProperty
  readonly from: Table
  readonly to: Table
}

/** How to find the targets of a relation. */
export type Relation = {
  readonly navigation: NavigationProperty
  readonly source: Table
  readonly target: Table
} & RelationPlace

type RelationPlace =
  /** An owner column of the target has the `$id` of the source. */
  | { readonly kind: 'contained'; readonly column: string }
  /** A column of the source has the `$id` of the target. */
  | { readonly kind: 'reference'; readonly column: string }
  /** A column of the target has the `$id` of the source: the partner of `reference`. */
  | { readonly kind: 'referenced'; readonly column: string }
  /** The column `from` of the link table has the `$id` of the source. */
  | {
      readonly kind: 'link'
      readonly table: string
      /** The rows with the columns `from` and `to`, if they are not those of a table called `table`. */
      readonly links?: Sql
      readonly from: 'from' | 'to'
      readonly to: 'from' | 'to'
    }
  /** Columns have equal values, as a referential constraint requires. */
  | { readonly kind: 'constraint'; readonly pairs: readonly ConstraintPair[]; readonly dependent: 'source' | 'target' }

export interface ConstraintPair {
  readonly source: Column
  readonly target: Column
}

type Members = Readonly<Record<string, unknown>>

/** Whether items of the table can have dynamic properties. */
export function hasOpenType({ types }: Pick<Table, 'types'>): boolean {
  return types.some(type => type.open)
}

/** The properties of a body that its type does not declare, without annotations. */
export function dynamicProperties(type: EntityType, body: Members): Members {
  if (!type.open) return {}
  const declared = new Set([...type.properties, ...type.navigation].map(({ name }) => name))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !declared.has(name) && !name.includes('@')))
}

/** The root of a type's hierarchy. */
export function rootOf(type: EntityType): EntityType {
  let root = type
  while (root.base !== undefined) root = root.base
  return root
}
