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
