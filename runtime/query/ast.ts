/**
 * The syntax tree of the query language: one immutable tree for parser, printer, evaluator, server and judge.
 *
 * Plain data, no positions, no types resolved: two queries mean the same to the grammar exactly when their trees are
 * deeply equal. What a name stands for (property, relation, operation) is decided afterwards, against a type.
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

/** What a literal was written as. `Integer` covers SByte to Int64: a URL does not say which. */
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
 * One literal. `value` is the lexical text without its decoration: `O'Neil` for `'O''Neil'`, `P1D` for `duration'P1D'`,
 * `2.50` for `2.50`, `INF` for `INF`; Guid in lower case, `T` and `Z` in upper case; geo literals keep the text between
 * the quotes, `SRID=0;Point(1 2)`. Numbers stay text, so that no Int64 or Decimal loses a digit; only plus signs are
 * dropped and the exponent's `e` is in lower case. A number with an exponent is a Double, one with a point a Decimal.
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

/** Where a path starts; absent: at the row being filtered (outside lambdas the same as `$it`). */
export type PathRoot =
  | { readonly kind: 'it' }
  | { readonly kind: 'this' }
  | { readonly kind: 'root' }
  | { readonly kind: 'variable'; readonly name: string }

/** One step of a path. */
export type PathSegment =
  /** A property or relation, by name; under `$root` also an entity set or singleton. */
  | { readonly kind: 'property'; readonly name: string }
  /** A type cast, `/directory.user`. */
  | { readonly kind: 'cast'; readonly type: string }
  /** `('x')` or `(isbn='x',number=2)`: the key of one item; a single unnamed key has no name. */
  | { readonly kind: 'key'; readonly values: readonly KeyValue[] }
  /**
   * A bound function with a qualified or unqualified name, `/ns.isOverdue(on=2024-01-01)`; as the first segment, an
   * unbound one. `name(a=1)` without a namespace looks like an item by key and is read as one.
   */
  | { readonly kind: 'function'; readonly name: string; readonly parameters: readonly NamedExpression[] }
  /** `/$filter(predicate)`: the items of a collection that meet the predicate, each of them `$this` in it. */
  | { readonly kind: 'filter'; readonly predicate: Expression }
  /** `/$count`, always last; 4.01 allows `$filter` and `$search` in it. */
  | { readonly kind: 'count'; readonly filter?: Expression; readonly search?: SearchExpression }
  /** `/@ns.term#qualifier`, an annotation. */
  | { readonly kind: 'annotation'; readonly term: string; readonly qualifier?: string }

export interface KeyValue {
  readonly name?: string
  readonly value: Literal | ParameterAlias
}

export interface NamedExpression {
  readonly name: string
  readonly value: Expression
}

/** `from/emailAddress/address`, `$it/name`, `x/skuId`. With neither root nor segments it does not occur. */
export interface PathExpression {
  readonly kind: 'path'
  readonly root?: PathRoot
  readonly segments: readonly PathSegment[]
}

export type UnaryOperator = 'not' | 'negate'

export interface UnaryExpression {
  readonly kind: 'unary'
  readonly operator: UnaryOperator
  readonly operand: Expression
}

export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'has' | 'in'
export type LogicalOperator = 'and' | 'or'
export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod'
export type BinaryOperator = ComparisonOperator | LogicalOperator | ArithmeticOperator

export interface BinaryExpression {
  readonly kind: 'binary'
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
}

/**
 * A canonical function in lower case (`startswith`, `geo.distance`), or a qualified service-defined function with
 * arguments by position; one with arguments by name is a path (`PathSegment` of kind `function`). The arguments of `case`
 * alternate: condition, result, condition, result. `cast` and `isof` end with a `TypeExpression`.
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

/** `('a','b')` after `in`, or a JSON array literal `["a","b"]`; `form` says which was written. */
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

/** `@p`; `name` without the `@`. */
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

/** `$orderby`: one key each; ascending is the default and is not told apart from a written `asc`. */
export interface OrderbyItem {
  readonly expression: Expression
  readonly direction: 'asc' | 'desc'
}

/**
 * `$select`: a path of names, `body/content`; `*` for all structural properties; `ns.*` for all operations of ns. A name
 * may be an annotation, `@ns.term`, or one overload of a function, `ns.near(place,radius)`.
 */
export interface SelectItem {
  readonly path: readonly string[]
  /** 4.01 nested options of a selected complex or collection property. */
  readonly options?: QueryOptions
}

/** `$expand`: a relation (with `/` through complex properties and casts), `*`, with its nested options. */
export interface ExpandItem {
  readonly path: readonly string[]
  /** `/$ref`: links only; `/$count`: number only. */
  readonly suffix?: 'ref' | 'count'
  readonly options?: QueryOptions
}

/** `$search`. A phrase was in double quotes; the interface's `"displayName:x"` is such a phrase. */
export type SearchExpression =
  | { readonly kind: 'term'; readonly text: string }
  | { readonly kind: 'phrase'; readonly text: string }
  | { readonly kind: 'not'; readonly operand: SearchExpression }
  | { readonly kind: 'and' | 'or'; readonly left: SearchExpression; readonly right: SearchExpression }

/** `$compute`: `expression as alias`. */
export interface ComputeItem {
  readonly expression: Expression
  readonly alias: string
}

/** All options of one request, or of one nested `$expand` or `$select` item. An option that was not given is absent. */
export interface QueryOptions {
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
  /** `@p=…` of the same request, by name without `@`. Use `Object.hasOwn`; the record has no prototype. */
  readonly aliases?: Readonly<Record<string, Expression>>
}
