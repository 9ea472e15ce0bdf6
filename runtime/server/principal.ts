/** Who calls, as the `authenticate` hook found out. */
export interface Principal {
  /** What a singleton bound to the signed-in caller (`me`) stands for. */
  readonly id: string
  /** Permission scopes of the credential. */
  readonly scopes: readonly string[]
}
