import { type Expression, type OrderbyItem, printFilter, printOrderby } from '../../../runtime/query/index.js'
import type { Annotations, Facets, NavigationProperty, Property, StructuredType, ValueType } from './types.js'

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

/** The query that defines the operation. */
export interface Meaning extends Annotations {
  readonly of: NavigationProperty
  readonly transitive: boolean
  /** Over the related items; aliases are the operation's parameters. */
  readonly filter?: Expression
  readonly orderby?: readonly OrderbyItem[]
  readonly value?: Property
}

/** The query of an operation's meaning as text, for exports in another format. */
export interface MeaningText {
  readonly filter?: string
  readonly orderby?: string
}

/** Prints the parsed query. The text can differ from that of the spec, but has the same meaning. */
export function meaningText({ filter, orderby }: Meaning): MeaningText {
  return {
    ...(filter === undefined ? {} : { filter: printFilter(filter) }),
    ...(orderby === undefined ? {} : { orderby: printOrderby(orderby) }),
  }
}
