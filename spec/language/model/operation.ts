import type { Expression, OrderbyItem } from '../../../runtime/query/ast.js'
import type { Annotations } from './place.js'
import type { Facets, NavigationProperty, Property, StructuredType, ValueType } from './types.js'

export interface Operation extends Annotations {
  readonly kind: 'action' | 'function'
  /** In the spec, and in code: unique. */
  readonly name: string
  /** In CSDL; overloads share it, and paths call by its last part. */
  readonly qualifiedName: string
  readonly binding?: { readonly type: StructuredType; readonly collection: boolean }
  readonly parameters: readonly Parameter[]
  readonly returns?: ReturnType
  readonly composable: boolean
  readonly meaning?: Meaning
}

export interface Parameter extends Annotations, Facets {
  readonly name: string
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
  readonly optional: boolean
  /** What the text of a String parameter must be. */
  readonly format?: 'dateTimeOffset' | 'date' | 'guid'
}

export interface ReturnType extends Annotations {
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
}

/** The query that the operation is. */
export interface Meaning extends Annotations {
  readonly of: NavigationProperty
  readonly transitive: boolean
  /** Over the related items; aliases are the operation's parameters. */
  readonly filter?: Expression
  readonly orderby?: readonly OrderbyItem[]
  readonly value?: Property
}
