import type { QueryOptions } from '../../query/ast.js'
import type { Condition } from '../../query/capabilities/capabilities.js'
import type { Metadata } from '../http/accept.js'
import type { Projection } from '../response/projection.js'
import type { QueryTemplate } from './query-template.js'

/** A query string, read and checked against its endpoint; kept, because the same queries come again and again. */
export interface QueryPlan {
  /** With `$top` brought down to its maximum where the service clamps it. */
  readonly options: QueryOptions
  readonly template: QueryTemplate
  /** Headers that this query needs. */
  readonly conditions: readonly Condition[]
  readonly project: Projection
  /** What the context URL lists, `(id,displayName)`. */
  readonly selection: string
  /** The options as sent, without those that say where a page begins: what next links repeat. */
  readonly repeated: string
  /** What `$format` asks for, before `Accept` is looked at. */
  readonly format: Metadata | undefined
  /** Options that no system option is: a function's parameters may come this way. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}
