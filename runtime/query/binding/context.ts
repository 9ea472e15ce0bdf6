import type { Expression, ListExpression } from '../ast.js'
import { maxNesting } from '../cursor.js'
import type { TypeTable } from '../type-table.js'
import { namedType, type StaticType, untyped } from './static-type.js'

/** What is wrong with a query that the grammar accepts, once a type is known. */
export type BindingErrorCode =
  /** A name that the type does not have. */
  | 'unknownProperty'
  | 'unknownType'
  | 'unknownFunction'
  | 'unknownVariable'
  | 'unknownResource'
  | 'unknownMember'
  /** A collection, relation, complex or primitive value where something else is needed. */
  | 'notACollection'
  | 'notAStructure'
  | 'notARelation'
  | 'notAValue'
  | 'notBoolean'
  /** Operands, arguments or list items whose types do not go together. */
  | 'incompatibleTypes'
  | 'invalidArgument'
  | 'invalidCast'
  | 'invalidKey'
  /** A text or literal that is no value of the type it must be. */
  | 'invalidLiteral'
  | 'undefinedAlias'
  | 'circularAlias'
  /** Named twice where once is allowed. */
  | 'duplicate'
  /** An option that has no meaning where it stands. */
  | 'notApplicable'
  | 'tooComplex'

export interface BindingError {
  readonly code: BindingErrorCode
  /** The query option at fault, with `$`; inside `$expand` and `$select`, the nested one. */
  readonly option: string
  /** What was found, what was expected, and how to put it right. */
  readonly message: string
  /** The path at fault, `from/emailAdress`; inside `$expand`, from the expanded type on. */
  readonly path?: string
}

/** What a query may refer to beside the properties and relations of its type. */
export interface BindingScope {
  /** Qualified names must begin with it. Absent: the part after the last dot decides. */
  readonly namespace?: string
  /** Entity sets and singletons, for `$root`. */
  readonly container?: Readonly<Record<string, { readonly kind: 'entitySet' | 'singleton'; readonly type: string }>>
  /** The service's own functions, by unqualified name. */
  readonly functions?: Readonly<Record<string, FunctionSignature>>
  /** Aliases that have a type and get their value later: the parameters of an operation whose meaning is a query. */
  readonly parameters?: Readonly<Record<string, ValueSignature>>
}

/** The type of a value: `Edm.String`, or a name of the type table. */
export interface ValueSignature {
  readonly type: string
  readonly collection?: boolean
}

export interface FunctionSignature {
  /** The type that it is bound to; absent: it stands alone. */
  readonly binding?: ValueSignature
  readonly parameters: Readonly<Record<string, ValueSignature & { readonly optional?: boolean }>>
  readonly returns: ValueSignature
}

/** Where in a query an expression stands: what its names may refer to, and where its errors go. */
export interface BindingContext {
  readonly types: TypeTable
  readonly scope: BindingScope
  /** The values of parameter aliases in this request. */
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
  /** Types of aliases already bound in this place, so that an alias used twice is bound once. */
  readonly aliasTypes: Map<string, StaticType>
  /** Types of the items of each list bound in this place. */
  readonly itemTypes: Map<ListExpression, readonly StaticType[]>
  readonly state: BindingState
}

/** What all frames of one query share. */
interface BindingState {
  readonly errors: BindingError[]
  /** Aliases whose value is being bound, to find circles. */
  readonly resolving: Set<string>
  depth: number
}

/** Nesting of nodes beyond this is refused: more than what the parser lets through, as one of its levels is a few nodes. */
export const maxBindingDepth: number = 5 * maxNesting

/** A query of a thousand mistakes is told of the first ones only. */
const maxErrors = 50

export function report(frame: BindingContext, code: BindingErrorCode, message: string, path?: string): void {
  if (frame.state.errors.length >= maxErrors) return
  frame.state.errors.push({ code, option: frame.option, message, ...(path === undefined ? {} : { path }) })
}

/** The frame inside an item of a collection, relation or complex property: its names are those of `current`. */
export function contextAt(frame: BindingContext, current: StaticType): BindingContext {
  return { ...frame, current, computed: new Map(), aliasTypes: new Map(), itemTypes: new Map() }
}

/** The frame of a whole query on items of a type. */
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
