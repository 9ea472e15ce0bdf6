/**
 * The operations of a resource as the type that is declared for them. Generated code names both from one model, so the
 * compiler holds them to the names alone: to infer each operation's types anew took it longer than the rest of a client.
 */
export function resource<Resource extends object>(operations: { readonly [Name in keyof Resource]: unknown }): Resource
export function resource(operations: object): object {
  return operations
}
