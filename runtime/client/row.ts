import type { EntityShape, ToMany, ToOne } from './entity-shape.js'

/**
 * One item as the service answers it to a query: only what was selected, only what was expanded, at every depth. `S` is
 * what `select` was given, `X` what `expand` was given.
 */
export type Row<E extends EntityShape, S, X> = Flat<Selected<E['properties'], S> & Expanded<E['navigation'], X>>

type Selected<P, S> = S extends readonly unknown[]
  ? (number extends S['length'] ? Partial<Pick<P, S[number] & keyof P>> : Required<Pick<P, S[number] & keyof P>>) &
      Pick<P, keyof P & `@${string}`>
  : P

type Expanded<N, X> = [keyof X] extends [never]
  ? unknown
  : { readonly [K in ToManyName<N, X> | ToOneName<N, X, false>]: RelatedRows<N[K], OptionsOf<X, K>> } & {
      /** Services differ on whether a relation that leads nowhere is null or absent. */
      readonly [K in ToOneName<N, X, true>]?: RelatedRows<N[K], OptionsOf<X, K>> | null
    } & { readonly [K in ToManyName<N, X> as `${K & string}@odata.nextLink`]?: string }

type OptionsOf<X, K> = K extends keyof X ? X[K] : never
type ToManyName<N, X> = { [K in keyof N & keyof X]: N[K] extends ToMany<EntityShape> ? K : never }[keyof N & keyof X]
type ToOneName<N, X, Nullable extends boolean> = {
  [K in keyof N & keyof X]: N[K] extends ToOne<EntityShape, Nullable> ? K : never
}[keyof N & keyof X]

type RelatedRows<N, Q> =
  N extends ToMany<infer E>
    ? readonly Row<E, Option<Q, 'select'>, Option<Q, 'expand'>>[]
    : N extends ToOne<infer E, boolean>
      ? Row<E, Option<Q, 'select'>, Option<Q, 'expand'>>
      : never

type Option<Q, Name extends string> = Q extends { readonly [K in Name]: infer V } ? V : undefined

type Flat<T> = { readonly [K in keyof T]: T[K] }
