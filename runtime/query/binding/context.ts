import type { Expression, ListExpression } from '../ast.js'
import { maxNesting } from '../cursor.js'
import { primitiveType } from '../primitive-types.js'
import type { TypeTable } from '../type-table.js'

/**
 * The type of an expression without regard to rows. `untyped` is an undeclared property of an open type, or an expression with
 * an error. It is valid everywhere, so that one mistake causes one error.
 *
 * @see OData URL Conventions 4.01, 5.1.1
 */
export type StaticType = SingleType | CollectionType

export type SingleType =
  | { readonly kind: 'null' }
  | { readonly kind: 'untyped' }
  /** A JSON object literal. */
  | { readonly kind: 'object' }
  /** `name` with `Edm.`. A type definition has its underlying type. */
  | { readonly kind: 'primitive'; readonly name: string }
  /** `name` in the type table. */
  | { readonly kind: 'enum' | 'complex' | 'entity'; readonly name: string }

export interface CollectionType {
  readonly kind: 'collection'
  readonly of: SingleType
}

export const nullType: SingleType = { kind: 'null' }
export const untyped: SingleType = { kind: 'untyped' }
export const objectType: SingleType = { kind: 'object' }
export const booleanType: SingleType = { kind: 'primitive', name: 'Edm.Boolean' }

/** The type with the given name: `Edm.String`, or a key of the table. */
export function namedType(name: string, types: TypeTable): SingleType | undefined {
  if (primitiveType(name) !== undefined) return { kind: 'primitive', name }
  const info = Object.hasOwn(types, name) ? types[name] : undefined
  switch (info?.kind) {
    case undefined:
      return undefined
    case 'entityType':
      return { kind: 'entity', name }
    case 'complexType':
      return { kind: 'complex', name }
    case 'enumType':
      return { kind: 'enum', name }
    case 'typeDefinition':
      return { kind: 'primitive', name: info.type }
  }
}

/** The type of a declared property, relation or parameter; `untyped` if the table does not contain it. */
export function declaredType(
  declaration: { readonly type: string; readonly collection?: boolean | undefined },
  types: TypeTable,
): StaticType {
  const single = namedType(declaration.type, types) ?? untyped
  return declaration.collection === true ? { kind: 'collection', of: single } : single
}

/** The type for messages: `Edm.String`, `user`, `collection of Edm.Guid`. */
export function describeType(type: StaticType): string {
  switch (type.kind) {
    case 'null':
      return 'null'
    case 'untyped':
      return 'an undeclared property'
    case 'object':
      return 'a JSON object'
    case 'collection':
      return `collection of ${describeType(type.of)}`
    default:
      return type.name
  }
}

/** The kinds of errors in a well-formed query on items of a type. */
export type BindingErrorCode =
  /** A name that the type does not have. */
  | 'unknownProperty'
  | 'unknownType'
  | 'unknownFunction'
  | 'unknownVariable'
  | 'unknownResource'
  | 'unknownMember'
  /** The expression is a collection, relation, complex or primitive value where something else is expected. */
  | 'notACollection'
  | 'notAStructure'
  | 'notARelation'
  | 'notAValue'
  | 'notBoolean'
  /** The types of operands, arguments or list items do not match. */
  | 'incompatibleTypes'
  | 'invalidArgument'
  | 'invalidCast'
  | 'invalidKey'
  /** A text or literal is not a value of the expected type. */
  | 'invalidLiteral'
  | 'undefinedAlias'
  | 'circularAlias'
  | 'duplicate'
  /** The option has no meaning in its position. */
  | 'notApplicable'
  | 'tooComplex'

export interface BindingError {
  readonly code: BindingErrorCode
  /** The query option, with `$`. In `$expand` and `$select`, the nested one. */
  readonly option: string
  /** What was found, what was expected, and how to fix it. */
  readonly message: string
  /** The path with the error, `from/emailAdress`. In `$expand`, it starts at the expanded type. */
  readonly path?: string
}

/** What a query can refer to besides the properties and relations of its type. */
export interface BindingScope {
  /** The namespace of qualified names. Default: any. */
  readonly namespace?: string
  /** Entity sets and singletons, for `$root`. */
  readonly container?: Readonly<Record<string, { readonly kind: 'entitySet' | 'singleton'; readonly type: string }>>
  /** The service's own functions, by unqualified name, or by qualified name if they are in another namespace. */
  readonly functions?: Readonly<Record<string, FunctionSignature>>
  /** Whether values of enumerations compare with numbers. */
  readonly enumNumbers?: boolean
  /** Aliases with a type but without a value: the parameters of an operation whose meaning is a query. */
  readonly parameters?: Readonly<Record<string, ValueSignature>>
}

/** The type of a value: `Edm.String`, or a name of the type table. */
export interface ValueSignature {
  readonly type: string
  readonly collection?: boolean
}

export interface FunctionSignature {
  /** The type that the function is bound to. Absent for an unbound function. */
  readonly binding?: ValueSignature
  readonly parameters: Readonly<Record<string, ValueSignature & { readonly optional?: boolean }>>
  readonly returns: ValueSignature
}

/** The context of an expression in a query: what its names can refer to, and where to report errors. */
export interface BindingContext {
  readonly types: TypeTable
  readonly scope: BindingScope
  /** The values of parameter aliases in the request. */
  readonly aliases: Readonly<Record<string, Expression>>
  /** The option being bound, with `$`. */
  readonly option: string
  /** `$it`: an item of the resource that the request addresses. */
  readonly it: StaticType
  /** `$this`, and the start of paths without a root. */
  readonly current: StaticType
  readonly variables: ReadonlyMap<string, StaticType>
  /** Names that `$compute` adds to the current type. */
  readonly computed: ReadonlyMap<string, StaticType>
  /** The types of aliases bound in this context, so that an alias used twice is bound once. */
  readonly aliasTypes: Map<string, StaticType>
  /** The types of the items of each list bound in this context. */
  readonly itemTypes: Map<ListExpression, readonly StaticType[]>
  readonly state: BindingState
}

/** The state that all contexts of one query share. */
interface BindingState {
  readonly errors: BindingError[]
  /** Aliases whose value is being bound, to detect cycles. */
  readonly resolving: Set<string>
  depth: number
}

/** The deepest nesting of nodes. The parser allows fewer levels, but each of them can be several nodes. */
export const maxBindingDepth: number = 5 * maxNesting

/** Later errors are not reported. */
const maxErrors = 50

export function report(context: BindingContext, code: BindingErrorCode, message: string, path?: string): void {
  if (context.state.errors.length >= maxErrors) return
  context.state.errors.push({ code, option: context.option, message, ...(path === undefined ? {} : { path }) })
}

/** The context inside an item of a collection, relation or complex property, of type `current`. */
export function contextAt(context: BindingContext, current: StaticType): BindingContext {
  return { ...context, current, computed: new Map(), aliasTypes: new Map(), itemTypes: new Map() }
}

/** The context of a query on items of a type. */
export function rootContext(
  types: TypeTable,
  typeName: string,
  scope: BindingScope,
  aliases: Readonly<Record<string, Expression>>,
): BindingContext {
  const item = namedType(typeName, types) ?? untyped
  return {
    types,
    scope,
    aliases,
    option: '$filter',
    it: item,
    current: item,
    variables: new Map(),
    computed: new Map(),
    aliasTypes: new Map(),
    itemTypes: new Map(),
    state: { errors: [], resolving: new Set(), depth: 0 },
  }
}

/** The expression after the replacement of aliases: the literal in `x eq @p` with `@p='a'`. */
export function resolveAlias(expression: Expression, context: BindingContext): Expression {
  const seen = new Set<string>()
  let resolved = expression
  while (resolved.kind === 'alias' && !seen.has(resolved.name)) {
    seen.add(resolved.name)
    resolved = aliasValue(resolved.name, context) ?? resolved
  }
  return resolved
}

/** The value of a parameter alias in the request. */
export function aliasValue(name: string, context: BindingContext): Expression | undefined {
  return Object.hasOwn(context.aliases, name) ? context.aliases[name] : undefined
}
