import type { Operation } from '../../model/operation.js'
import type { ValueType } from '../../model/types.js'

/** What the names in paths stand for. */
export interface QualifiedNames {
  /** Types by qualified name: what casts name. */
  readonly types: ReadonlyMap<string, Exclude<ValueType, { readonly kind: 'primitive' }>>
  /** Operations by qualified name, and by its last part: one, or several overloads. */
  readonly operations: ReadonlyMap<string, readonly Operation[]>
}

export function qualifiedNames(
  types: Iterable<Exclude<ValueType, { readonly kind: 'primitive' }>>,
  operations: Iterable<Operation>,
): QualifiedNames {
  const overloads = new Map<string, Operation[]>()
  const add = (name: string, operation: Operation): void => {
    const known = overloads.get(name)
    if (known === undefined) overloads.set(name, [operation])
    else known.push(operation)
  }
  for (const operation of operations) {
    add(operation.qualifiedName, operation)
    add(unqualified(operation.qualifiedName), operation)
  }
  const byName = new Map<string, Exclude<ValueType, { readonly kind: 'primitive' }>>()
  for (const type of types) byName.set(type.qualifiedName, type)
  return { types: byName, operations: overloads }
}

/** `shop.book` -> `book`. */
export const unqualified = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
