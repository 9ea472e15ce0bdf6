import type { Expression, ListExpression } from '../ast.js'
import { maxNesting } from '../max-nesting.js'
import type { TypeTable } from '../schema.js'
import type { BindingError, BindingErrorCode } from './binding-error.js'
import type { BindingScope } from './binding-scope.js'
import type { StaticType } from './static-type.js'

/** Where in a query an expression stands: what its names may refer to, and where its errors go. */
export interface Frame {
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
  readonly run: Run
}

/** What all frames of one query share. */
export interface Run {
  readonly errors: BindingError[]
  /** Aliases whose value is being bound, to find circles. */
  readonly resolving: Set<string>
  depth: number
}

/** Nesting of nodes beyond this is refused: more than what the parser lets through, as one of its levels is a few nodes. */
export const maxBindingDepth: number = 5 * maxNesting

/** A query of a thousand mistakes is told of the first ones only. */
const maxErrors = 50

export function report(frame: Frame, code: BindingErrorCode, message: string, path?: string): void {
  if (frame.run.errors.length >= maxErrors) return
  frame.run.errors.push({ code, option: frame.option, message, ...(path === undefined ? {} : { path }) })
}

/** The frame inside an item of a collection, relation or complex property: its names are those of `current`. */
export function frameAt(frame: Frame, current: StaticType): Frame {
  return { ...frame, current, computed: new Map(), aliasTypes: new Map(), itemTypes: new Map() }
}
