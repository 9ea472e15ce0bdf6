import type { Operation } from '../model/operation.js'
import type { StructuredType, ValueType } from '../model/types.js'
import type { TemplateArguments } from './path-template.js'

/** Whether an operation can be called on one item or value of a type, or on a collection of them. */
export function isBoundTo({ binding }: Operation, type: StructuredType, collection: boolean): boolean {
  return binding !== undefined && binding.collection === collection && distance(type, binding.type) !== undefined
}

/**
 * Which of several overloads a path calls: the one that takes what is in its parentheses; of these the one bound to the
 * nearest type.
 *
 * @param candidates those that can be called at the position in the path
 * @param type the type at that position; absent at the start of the path
 * @see OData CSDL 4.01, 12.1.1 and 12.2.1 (overloads)
 */
export function chooseOperation(
  candidates: readonly Operation[],
  type: StructuredType | undefined,
  given: TemplateArguments | undefined,
): Operation | undefined {
  if (candidates.length < 2) return candidates[0]
  const names = given?.kind === 'named' ? [...given.variables.keys()] : []
  const rank = (operation: Operation): number => {
    const near =
      type === undefined || operation.binding === undefined ? 0 : (distance(type, operation.binding.type) ?? 0)
    return (takes(operation, names) ? 0 : maxDistance) + near
  }
  return candidates.reduce((best, each) => (rank(each) < rank(best) ? each : best))
}

/** More than the length of any chain of types. */
const maxDistance = 1e6

function takes({ kind, parameters }: Operation, given: readonly string[]): boolean {
  if (kind === 'action') return given.length === 0
  return (
    given.every(name => parameters.some(parameter => parameter.name === name)) &&
    parameters.every(({ name, optional }) => optional || given.includes(name))
  )
}

/** The number of steps from a type to one of its bases. */
function distance(type: StructuredType, base: StructuredType): number | undefined {
  let steps = 0
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base, steps++) {
    if (each === base) return steps
  }
  return undefined
}

/** What the names in paths refer to. */
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
