import type {
  ComplexType,
  EntityType,
  EnumType,
  NavigationProperty,
  Property,
  ValueType,
} from '../../../spec/language/index.js'
import type { StoredType } from './stored-type.js'

/** Where and how everything that a service describes is kept. Derived from the model alone. */
export interface StoreSchema {
  readonly tables: readonly Table[]
  readonly links: readonly LinkTable[]
  readonly tableOf: (type: EntityType) => Table
  readonly relationOf: (navigation: NavigationProperty) => Relation
  /** The entity type of an unqualified name. */
  readonly typeOf: (name: string) => EntityType
  readonly enumOf: (name: string) => EnumType
  readonly complexTypes: readonly ComplexType[]
  /** The type, of any kind, of an unqualified name; undefined: the service has none. */
  readonly typeNamed: (name: string) => ValueType | undefined
}

/** The items of an entity type and of all types derived from it. */
export interface Table {
  readonly name: string
  readonly root: EntityType
  /** The types that items may be of, in the order of the spec: abstract ones are not among them. */
  readonly types: readonly EntityType[]
  readonly columns: readonly Column[]
  readonly columnOf: (property: Property) => Column
  /** One for each relation that contains items of the table. */
  readonly owners: readonly OwnerColumn[]
  /** One for each single relation that is kept here. */
  readonly references: readonly ReferenceColumn[]
  /** Whether an entity set or singleton has items of the table. */
  readonly topLevel: boolean
  /** Whether some endpoint tells changes of its items. */
  readonly tracksChanges: boolean
  /** Where the words of its searchable properties are; absent when none is searchable. */
  readonly words: WordTable | undefined
}

/** Columns that every table has: their names cannot be those of properties. */
export const idColumn = '$id'
export const typeColumn = '$type'
export const versionColumn = '$version'
export const singletonColumn = '$singleton'
/** What items of open types have beside their declared properties, as JSON; only where a type of the table is open. */
export const openColumn = '$open'

export interface Column {
  readonly name: string
  readonly property: Property
  readonly type: StoredType
}

/** The `$id` of the item that contains this one; null when it stands in no item of that relation. */
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

/** The words of searchable properties: columns `row`, `property` (its place in `properties`), `word`, `position`. */
export interface WordTable {
  readonly name: string
  readonly properties: readonly Property[]
}

/** A relation of many to many: columns `from` and `to`, from the end that the spec tells first. */
export interface LinkTable {
  readonly name: string
  readonly relation: NavigationProperty
  readonly from: Table
  readonly to: Table
}

/** How the targets of a relation are found. */
export type Relation = {
  readonly navigation: NavigationProperty
  readonly source: Table
  readonly target: Table
} & RelationPlace

type RelationPlace =
  /** The target has the source's `$id` in an owner column. */
  | { readonly kind: 'contained'; readonly column: string }
  /** The source has the target's `$id` in a column. */
  | { readonly kind: 'reference'; readonly column: string }
  /** The target has the source's `$id` in a column: the other end of `reference`. */
  | { readonly kind: 'referenced'; readonly column: string }
  /** `from` is the column of the link table that has the source's `$id`. */
  | { readonly kind: 'link'; readonly table: string; readonly from: 'from' | 'to'; readonly to: 'from' | 'to' }
  /** The values of columns agree, as a referential constraint says. */
  | { readonly kind: 'constraint'; readonly pairs: readonly ConstraintPair[]; readonly dependent: 'source' | 'target' }

export interface ConstraintPair {
  readonly source: Column
  readonly target: Column
}

type Members = Readonly<Record<string, unknown>>

/** Whether a table keeps properties that are not declared. */
export function hasOpenType({ types }: Pick<Table, 'types'>): boolean {
  return types.some(type => type.open)
}

/** What a body has beside the declared properties of its type; annotations are none of it. */
export function dynamicProperties(type: EntityType, body: Members): Members {
  if (!type.open) return {}
  const declared = new Set([...type.properties, ...type.navigation].map(({ name }) => name))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !declared.has(name) && !name.includes('@')))
}

/** The type at the top of a type's hierarchy. */
export function rootOf(type: EntityType): EntityType {
  let root = type
  while (root.base !== undefined) root = root.base
  return root
}
