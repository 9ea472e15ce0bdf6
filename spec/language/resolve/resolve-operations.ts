import { parseFilter, parseOrderby, QuerySyntaxError } from '../../../runtime/query/index.js'
import type { MeaningDocument, OperationDocument } from '../document.js'
import type { Meaning, Operation, Parameter, StructuredType, ValueType } from '../model/types.js'
import { pointerTo } from '../source/json-pointer.js'
import type { TemplateArguments } from './path-template.js'
import { type Resolution, renamed, resolveReference } from './resolution.js'
import { resolveValueType, type Types } from './resolve-types.js'

/** Resolves the chapter `operations`. */
export function resolveOperations(resolution: Resolution, types: Types): ReadonlyMap<string, Operation> {
  const structured = new Map<string, StructuredType>()
  for (const [name, type] of types.all) {
    if (type.kind === 'entityType' || type.kind === 'complexType') structured.set(name, type)
  }
  const operations = new Map<string, Operation>()
  for (const [name, document] of Object.entries(resolution.document.operations ?? {})) {
    const pointer = pointerTo('/operations', name)
    const operation = resolveOperation(resolution, name, document, pointer, types, structured)
    if (operation) operations.set(name, operation)
  }
  return operations
}

function resolveOperation(
  resolution: Resolution,
  name: string,
  document: OperationDocument,
  pointer: string,
  types: Types,
  structured: ReadonlyMap<string, StructuredType>,
): Operation | undefined {
  const { kind, binding, returns, meaning } = document
  const boundTo =
    binding === undefined
      ? undefined
      : resolveReference(resolution, {
          kind: 'type',
          name: binding,
          at: `${pointer}/binding`,
          chapter: '/resources',
          known: structured,
        })
  const parameters = Object.entries(document.parameters ?? {}).flatMap(([parameter, written]) => {
    const at = pointerTo(`${pointer}/parameters`, parameter)
    return resolveParameter(resolution, parameter, written, at, types) ?? []
  })
  const returnType = returns && resolveValueType(resolution, returns.type, `${pointer}/returns/type`, types.all)
  // An operation whose binding is unknown would look like one without.
  if (binding !== undefined && boundTo === undefined) return undefined
  const resolvedMeaning =
    meaning === undefined ? undefined : resolveMeaning(resolution, meaning, `${pointer}/meaning`, name, boundTo)
  const definition = parsed(resolution, document.definition, `${pointer}/definition`, parseFilter)
  return {
    ...resolution.annotations(document, pointer),
    ...renamed(document),
    kind,
    name,
    qualifiedName: resolution.qualified(name, document),
    parameters,
    composable: document.composable ?? false,
    ...(boundTo === undefined ? {} : { binding: { type: boundTo, collection: document.bindingCollection ?? false } }),
    ...(returns === undefined || returnType === undefined
      ? {}
      : {
          returns: {
            ...resolution.annotations(returns, `${pointer}/returns`),
            type: returnType,
            collection: returns.collection ?? false,
            nullable: returns.nullable ?? false,
          },
        }),
    ...(resolvedMeaning === undefined ? {} : { meaning: resolvedMeaning }),
    ...(definition === undefined ? {} : { definition }),
  }
}

function resolveParameter(
  resolution: Resolution,
  name: string,
  document: NonNullable<OperationDocument['parameters']>[string],
  pointer: string,
  types: Types,
): Parameter | undefined {
  const type = resolveValueType(resolution, document.type, `${pointer}/type`, types.all)
  if (type === undefined) return undefined
  const { ref, description, assumed, collection = false, nullable = false, optional = false, ...facets } = document
  return { ...resolution.annotations(document, pointer), ...facets, name, type, collection, nullable, optional }
}

/** Resolves `meaning`; its expressions are parsed here and put to the types by a rule of the checker. */
function resolveMeaning(
  resolution: Resolution,
  document: MeaningDocument,
  pointer: string,
  operation: string,
  binding: StructuredType | undefined,
): Meaning | undefined {
  if (binding === undefined) {
    const message = `"${operation}" has no \`binding\`. A meaning starts at a relation of the item that the operation is bound to.`
    resolution.report({ code: 'spec/meaning-without-binding', message, at: pointer, on: 'key' })
    return undefined
  }
  const of = resolveReference(resolution, {
    kind: 'relation',
    name: document.of,
    at: `${pointer}/of`,
    chapter: `${binding.location.pointer}/navigation`,
    known: new Map(binding.navigation.map(relation => [relation.name, relation])),
  })
  const filter = parsed(resolution, document.filter, `${pointer}/filter`, parseFilter)
  const orderby = parsed(resolution, document.orderby, `${pointer}/orderby`, parseOrderby)
  if (of === undefined) return undefined
  const value =
    document.value === undefined
      ? undefined
      : resolveReference(resolution, {
          kind: 'property',
          name: document.value,
          at: `${pointer}/value`,
          chapter: `${of.type.location.pointer}/properties`,
          known: new Map(of.type.properties.map(property => [property.name, property])),
        })
  return {
    ...resolution.annotations(document, pointer),
    of,
    transitive: document.transitive ?? false,
    ...(filter === undefined ? {} : { filter }),
    ...(orderby === undefined ? {} : { orderby }),
    ...(value === undefined ? {} : { value }),
  }
}

function parsed<T>(
  resolution: Resolution,
  text: string | undefined,
  at: string,
  parse: (text: string) => T,
): T | undefined {
  if (text === undefined) return undefined
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    resolution.report({ code: 'spec/query-syntax', message: error.message, at })
    return undefined
  }
}

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
