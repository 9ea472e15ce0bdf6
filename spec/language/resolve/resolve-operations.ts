import { parseFilter, parseOrderby, QuerySyntaxError } from '../../../runtime/query/index.js'
import type { MeaningDocument, OperationDocument } from '../document.js'
import type { Meaning, Operation, Parameter } from '../model/operation.js'
import type { StructuredType } from '../model/types.js'
import { pointerTo } from '../source/json-pointer.js'
import { type Resolution, resolveReference } from './resolution.js'
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
  return {
    ...resolution.annotations(document, pointer),
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
