import type { Annotated } from './annotated.js'

export interface OperationDocument extends Annotated {
  readonly kind: 'action' | 'function'
  /** The name in CSDL, where that is not the service's namespace and the key in the spec. */
  readonly qualifiedName?: string
  /** The type it is bound to; absent: called at the service's root. */
  readonly binding?: string
  readonly bindingCollection?: boolean
  readonly parameters?: Readonly<Record<string, ParameterDocument>>
  readonly returns?: ReturnTypeDocument
  readonly composable?: boolean
  /** An operation that is a query says so, in the query language itself. */
  readonly meaning?: MeaningDocument
}

export interface ParameterDocument extends Annotated {
  readonly type: string
  readonly collection?: boolean
  readonly nullable?: boolean
  readonly optional?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly format?: 'dateTimeOffset' | 'date' | 'guid'
}

export interface ReturnTypeDocument extends Annotated {
  readonly type: string
  readonly collection?: boolean
  readonly nullable?: boolean
}

export interface MeaningDocument extends Annotated {
  /** The relation of the binding item from which it starts. */
  readonly of: string
  /** The relation is followed to its closure. */
  readonly transitive?: boolean
  /** A `$filter` over the related items; `@name` is a parameter. */
  readonly filter?: string
  readonly orderby?: string
  /** The property that is returned; absent: the item itself. */
  readonly value?: string
}
