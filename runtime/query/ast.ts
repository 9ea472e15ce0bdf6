/**
 * The syntax tree of the query language, which parser, printer, evaluator, server and conformance suite share.
 *
 * It is plain, immutable data without positions or types. Two queries mean the same to the grammar exactly when their trees
 * are deeply equal. The binder decides later whether a name is a property, a relation or an operation.
 *
 * @see OData 4.01 URL Conventions, 5.1.1 (common expressions), and the OData ABNF, `commonExpr`
 */
export type Expression =
  | Literal
  | PathExpression
  | UnaryExpression
  | BinaryExpression
  | FunctionCall
  | LambdaExpression
  | ListExpression
  | ObjectExpression
  | ParameterAlias
  | TypeExpression

/** The type of a literal. `Integer` covers SByte to Int64, because a URL does not distinguish them. */
export type LiteralType =
  | 'null'
  | 'Boolean'
  | 'String'
  | 'Integer'
  | 'Decimal'
  | 'Double'
  | 'Guid'
  | 'Date'
  | 'DateTimeOffset'
  | 'TimeOfDay'
  | 'Duration'
  | 'Binary'
  | 'Enum'
  | 'Geography'
  | 'Geometry'

/**
 * A literal. `value` is the text without quotes and prefix: `O'Neil` for `'O''Neil'`, `P1D` for `duration'P1D'`. Guids are in
 * lower case, `T` and `Z` in upper case. The value of a geo literal is the text between the quotes, `SRID=0;Point(1 2)`.
 * Numbers stay text, so that no Int64 or Decimal loses a digit, but lose plus signs and get a lower-case `e`. A number with an
 * exponent is a Double, one with a point a Decimal.
 */
export type Literal =
  | { readonly kind: 'literal'; readonly type: 'null'; readonly value: null }
  | { readonly kind: 'literal'; readonly type: 'Boolean'; readonly value: boolean }
  | {
      readonly kind: 'literal'
      readonly type: Exclude<LiteralType, 'null' | 'Boolean' | 'Enum'>
      readonly value: string
    }
  /** `Ns.Color'Red,Blue'`: `enumType` is the qualified name, `value` the text between the quotes. */
  | { readonly kind: 'literal'; readonly type: 'Enum'; readonly enumType: string; readonly value: string }

/** The start of a path. Default: the row being filtered, which is `$it` outside nested filters. */
export type PathRoot =
  | { readonly kind: 'it' }
  | { readonly kind: 'this' }
  | { readonly kind: 'root' }
  | { readonly kind: 'variable'; readonly name: string }

export type PathSegment =
  /** A property or relation. After `$root`, also an entity set or singleton. */
  | { readonly kind: 'property'; readonly name: string }
  /** A type cast, `/directory.user`. */
  | { readonly kind: 'cast'; readonly type: string }
  /** `('x')` or `(isbn='x',number=2)`: the key of an item. A single value can be without a name. */
  | { readonly kind: 'key'; readonly values: readonly KeyValue[] }
  /**
   * A bound function with a qualified or unqualified name, `/ns.isOverdue(on=2024-01-01)`. As the first segment, an
   * unbound function. `name(a=1)` without a namespace is read as an item by key.
   */
  | { readonly kind: 'function'; readonly name: string; readonly parameters: readonly NamedExpression[] }
  /** `/$filter(predicate)`: the items of a collection that match the predicate. In it, `$this` is the item. */
  | { readonly kind: 'filter'; readonly predicate: Expression }
  /** `/$count`, always last. OData 4.01 allows `$filter` and `$search` in it. */
  | { readonly kind: 'count'; readonly filter?: Expression; readonly search?: SearchExpression }
  /** `/@ns.term#qualifier` */
  | { readonly kind: 'annotation'; readonly term: string; readonly qualifier?: string }

export interface KeyValue {
  readonly name?: string
  readonly value: Literal | ParameterAlias
}

export interface NamedExpression {
  readonly name: string
  readonly value: Expression
}

/** `from/emailAddress/address`, `$it/name`, `x/skuId`. It has a root, segments or both. */
export interface PathExpression {
  readonly kind: 'path'
  readonly root?: PathRoot
  readonly segments: readonly PathSegment[]
}

type UnaryOperator = 'not' | 'negate'

export interface UnaryExpression {
  readonly kind: 'unary'
  readonly operator: UnaryOperator
  readonly operand: Expression
}

export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'has' | 'in'
type LogicalOperator = 'and' | 'or'
export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod'
export type BinaryOperator = ComparisonOperator | LogicalOperator | ArithmeticOperator

export interface BinaryExpression {
  readonly kind: 'binary'
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
}

/**
 * A call of a canonical function in lower case (`startswith`, `geo.distance`), or of a qualified service-defined function with
 * arguments by position. A call with arguments by name is a path with a segment of kind `function`. The arguments of `case`
 * alternate: condition, result, condition, result. The last argument of `cast` and `isof` is a `TypeExpression`.
 */
export interface FunctionCall {
  readonly kind: 'call'
  readonly function: string
  readonly arguments: readonly Expression[]
}

/** `collection/any(x:predicate)`; `any()` has neither variable nor predicate. */
export interface LambdaExpression {
  readonly kind: 'lambda'
  readonly operator: 'any' | 'all'
  readonly collection: PathExpression
  readonly variable?: string
  readonly predicate?: Expression
}

/** `('a','b')` after `in`, or a JSON array literal `["a","b"]`. */
export interface ListExpression {
  readonly kind: 'list'
  readonly form: 'parentheses' | 'json'
  readonly items: readonly Expression[]
}

/** A JSON object literal, `{"a":1}`. */
export interface ObjectExpression {
  readonly kind: 'object'
  readonly members: readonly NamedExpression[]
}

/** `@p`. `name` is without the `@`. */
export interface ParameterAlias {
  readonly kind: 'alias'
  readonly name: string
}

/** A type as an argument of `cast` and `isof`: `Edm.String`, `directory.user`, `Collection(Edm.String)`. */
export interface TypeExpression {
  readonly kind: 'type'
  readonly name: string
  readonly collection: boolean
}

/** A key of `$orderby`. `asc` is also the default. */
export interface OrderbyItem {
  readonly expression: Expression
  readonly direction: 'asc' | 'desc'
}

/**
 * An item of `$select`: a path of names, `body/content`; `*` for all structural properties; `ns.*` for all operations of a
 * namespace. A name can be an annotation, `@ns.term`, or an overload of a function, `ns.near(place,radius)`.
 */
export interface SelectItem {
  readonly path: readonly string[]
  /** The nested options of a complex or collection property. */
  readonly options?: QueryOptions
}

/** An item of `$expand`: `*`, or the path of a relation through complex properties and casts. */
export interface ExpandItem {
  readonly path: readonly string[]
  /** `/$ref`: only links. `/$count`: only the number. */
  readonly suffix?: 'ref' | 'count'
  readonly options?: QueryOptions
}

/** `$search`. A phrase is in double quotes, such as `"displayName:x"`. */
export type SearchExpression =
  | { readonly kind: 'term'; readonly text: string }
  | { readonly kind: 'phrase'; readonly text: string }
  | { readonly kind: 'not'; readonly operand: SearchExpression }
  | { readonly kind: 'and' | 'or'; readonly left: SearchExpression; readonly right: SearchExpression }

/** An item of `$compute`: `expression as alias`. */
export interface ComputeItem {
  readonly expression: Expression
  readonly alias: string
}

/** The method of an aggregation. `count`: the number of items, `$count as n`. */
export type AggregationMethod = 'sum' | 'min' | 'max' | 'average' | 'countdistinct' | 'count'

/**
 * An item of `aggregate`: `price with sum as total`. `$count as n` has no expression, and the expression of
 * `lines/$count as n` is the path to the collection.
 */
export interface AggregateItem {
  readonly expression?: Expression
  readonly method: AggregationMethod
  readonly alias: string
}

/** What `groupby` groups by: the path of a property, or the levels of a `rollup`. */
export type GroupingItem =
  | { readonly kind: 'property'; readonly path: readonly string[] }
  /** One more path on each level. `total`: also the level without any, written `null` or `$all`. */
  | { readonly kind: 'rollup'; readonly paths: readonly (readonly string[])[]; readonly total: boolean }

/**
 * A transformation of `$apply`.
 *
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export type Transformation =
  | { readonly kind: 'identity' }
  | { readonly kind: 'filter'; readonly filter: Expression }
  | { readonly kind: 'search'; readonly search: SearchExpression }
  | { readonly kind: 'orderby'; readonly orderby: readonly OrderbyItem[] }
  | { readonly kind: 'top' | 'skip'; readonly count: number }
  | { readonly kind: 'compute'; readonly compute: readonly ComputeItem[] }
  | { readonly kind: 'aggregate'; readonly aggregate: readonly AggregateItem[] }
  /** Without transformations, the distinct values. */
  | { readonly kind: 'groupby'; readonly by: readonly GroupingItem[]; readonly apply: readonly Transformation[] }
  /** The items with the largest (`top`) or smallest (`bottom`) values of `measure`. */
  | {
      readonly kind: 'ranked'
      readonly end: 'top' | 'bottom'
      readonly by: 'count' | 'sum' | 'percent'
      readonly amount: Expression
      readonly measure: Expression
    }
  | { readonly kind: 'concat'; readonly branches: readonly (readonly Transformation[])[] }

/** The options of a request, or of an item of `$expand` or `$select`. */
export interface QueryOptions {
  /** The transformations of `$apply`, which precede all other options. */
  readonly apply?: readonly Transformation[]
  readonly filter?: Expression
  readonly orderby?: readonly OrderbyItem[]
  readonly select?: readonly SelectItem[]
  readonly expand?: readonly ExpandItem[]
  readonly search?: SearchExpression
  readonly compute?: readonly ComputeItem[]
  readonly top?: number
  readonly skip?: number
  readonly count?: boolean
  readonly levels?: number | 'max'
  readonly format?: string
  readonly skiptoken?: string
  readonly deltatoken?: string
  /** The values of the parameter aliases `@p=...`, by name without `@`. Use `Object.hasOwn`: the record has no prototype. */
  readonly aliases?: Readonly<Record<string, Expression>>
}
