import type { EnumType, StructuredType } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Entity } from '../world/entity.js'

/** A value of an expression. Booleans, numbers and strings are JavaScript's own; null is null. */
export type Value =
  | null
  | boolean
  | number
  | string
  | { readonly kind: 'instant'; readonly nanos: bigint }
  /** `2026-03-01`: the texts of dates compare as the dates do. */
  | { readonly kind: 'date'; readonly text: string }
  /** A time of day, or a length of time. */
  | { readonly kind: 'time' | 'duration'; readonly nanos: bigint }
  | { readonly kind: 'guid' | 'binary'; readonly text: string }
  | { readonly kind: 'enum'; readonly type: EnumType; readonly number: number; readonly text: string }
  | { readonly kind: 'object'; readonly type: StructuredType; readonly values: Row; readonly entity?: Entity }
  | { readonly kind: 'collection'; readonly items: readonly Value[] }
  /** What has no order and no operators, such as a place on a map. */
  | { readonly kind: 'other'; readonly json: Json }

export type Row = Readonly<Record<string, Json>>

/** The value of a condition; null is unknown. */
export type Truth = boolean | null

/** A value as a condition: what is no Boolean is unknown. */
export function truthOf(value: Value): Truth {
  return typeof value === 'boolean' ? value : null
}
