import type { OperationDocument } from '../document/index.js'
import type { Operation, Parameter } from '../model/operation.js'
import type { StructuredType } from '../model/types.js'
import { pointerTo } from '../source/pointer.js'
import { type Resolution, refer } from './resolution.js'
import { resolveMeaning } from './resolve-meaning.js'
import type { Types } from './resolve-types.js'
import { referToValueType } from './value-type.js'

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
      : refer(resolution, {
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
  const returnType = returns && referToValueType(resolution, returns.type, `${pointer}/returns/type`, types.all)
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
  const type = referToValueType(resolution, document.type, `${pointer}/type`, types.all)
  if (type === undefined) return undefined
  const { ref, description, assumed, collection = false, nullable = false, optional = false, ...facets } = document
  return { ...resolution.annotations(document, pointer), ...facets, name, type, collection, nullable, optional }
}
