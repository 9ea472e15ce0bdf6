// Queries as SQL. Parsed queries, and a mapping of types to tables, become statements for a database.

export * from './own-tables.js'

// For the reference service

export { allOf, type ColumnReader, related } from './conditions.js'
export {
  asParameters,
  type Dialect,
  type MaybePromise,
  mergeValues,
  Placeholder,
  type PlaceholderValues,
  parametersOf,
  type Session,
  type Sql,
  type SqlRow,
  type SqlValue,
  type Statement,
  StoreError,
} from './dialects/dialect.js'
export {
  type CaseCorrection,
  type CaseDifference,
  matchOperator,
  postgresDialect,
} from './dialects/postgres-dialect.js'
export { sqliteDialect } from './dialects/sqlite-dialect.js'
export {
  type LiteralPlaceholders,
  literalPlaceholder,
  literalPlaceholders,
  type ParameterType,
} from './filter/frame.js'
export { nowPlaceholder } from './filter/functions.js'
export { geoTraits } from './filter/literals.js'
export { typeCondition } from './filter/paths.js'
export type { QueryEngine, QueryTarget } from './query-target.js'
export { type CollectionPlan, collectionPlan, itemsUpTo, type Page } from './read/collection-plan.js'
export type { ExpandedCollection, ExpansionLink } from './read/expansion-budget.js'
export type { JsonPage } from './read/json-page.js'
export type { PageRequest } from './read/keyset-pagination.js'
export {
  type ByteLimit,
  byteValues,
  firstByteLimit,
  limitedRows,
  maxRowBytes,
  type NamedColumn,
  namedColumn,
  type ResponseLimits,
  responseLimits,
  rowBytes,
  totalBytes,
  withGuard,
} from './read/page-bytes.js'
export { type QueryContext, queryContext, valueReader } from './read/query-frame.js'
export {
  columnReader,
  keyPlaceholder,
  principalPlaceholder,
  relatedScope,
  type Scope,
  scopeOf,
  transitiveScope,
} from './read/scope.js'
export {
  type ItemId,
  type ItemReader,
  itemByIdReader,
  itemFinder,
  lockedItemReader,
  rowMapper,
  type StoredItem,
} from './read/stored-item.js'
export {
  type Column,
  type ConstraintPair,
  dynamicProperties,
  hasOpenType,
  idColumn,
  type LinkTable,
  type OwnerColumn,
  openColumn,
  type ReferenceColumn,
  type Relation,
  rootOf,
  type StoreSchema,
  type StreamTable,
  singletonColumn,
  type Table,
  typeColumn,
  versionColumn,
  type WordTable,
} from './schema/schema.js'
export {
  type Storage,
  storageOf,
  storedProperties,
  storedType,
  storedTypeOfProperty,
  type ValueKind,
} from './schema/stored-type.js'
export { eachWordOf, wholeWord, wordsOf } from './search.js'
export { decoderFor, defineMember, encodeValue, isObject } from './values/codec.js'
export { storedNumber } from './values/sortable-decimal.js'
export { instantOf, isStorable } from './values/temporal.js'
