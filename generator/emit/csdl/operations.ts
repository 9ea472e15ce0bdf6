import {
  type Endpoint,
  type Meaning,
  meaningText,
  type Operation,
  type Parameter,
  type Service,
} from '../../../spec/language/index.js'
import {
  annotationsOf,
  descriptionAnnotations,
  descriptionMembers,
  namedAnnotations,
  recordOf,
  tagValue,
} from './annotations.js'
import type { Annotation, AnnotationValue, CsdlOperation, CsdlParameter } from './csdl-document.js'
import { permissionsOf } from './restrictions.js'
import { facetAnnotations, facetsOf, nameParts, typeName } from './types.js'

/** The operations of a service; for a bound operation, the binding parameter comes first. */
export function csdlOperations(service: Service): readonly CsdlOperation[] {
  const callers = new Map<Operation, Endpoint[]>()
  for (const endpoint of service.endpoints) {
    if (endpoint.kind === 'call')
      callers.set(endpoint.operation, [...(callers.get(endpoint.operation) ?? []), endpoint])
  }
  return service.operations.map(operation => csdlOperation(operation, callers.get(operation) ?? []))
}

function csdlOperation(operation: Operation, callers: readonly Endpoint[]): CsdlOperation {
  const { binding, returns } = operation
  return {
    kind: operation.kind === 'action' ? 'Action' : 'Function',
    ...nameParts(operation.qualifiedName),
    bound: binding !== undefined,
    composable: operation.composable,
    parameters: [
      ...(binding === undefined ? [] : [bindingParameter(operation)]),
      ...operation.parameters.map(csdlParameter),
    ],
    ...(returns === undefined
      ? {}
      : {
          returnType: {
            type: typeName(returns.type),
            collection: returns.collection,
            nullable: returns.nullable,
            annotations: descriptionAnnotations(returns),
          },
        }),
    annotations: [
      ...namedAnnotations(operation),
      ...restrictions(callers),
      ...annotationsOf([['Specwright.Meaning', meaningOf(operation.meaning)]]),
    ],
  }
}

/** A name that no parameter of the spec can have. */
function bindingParameter({ binding, parameters }: Operation): CsdlParameter {
  let name = 'bindingParameter'
  while (parameters.some(parameter => parameter.name === name)) name += '_'
  return {
    name,
    type: binding === undefined ? 'Edm.Untyped' : typeName(binding.type),
    collection: binding?.collection ?? false,
    nullable: false,
    annotations: [],
  }
}

function csdlParameter(parameter: Parameter): CsdlParameter {
  return {
    name: parameter.name,
    type: typeName(parameter.type),
    collection: parameter.collection,
    nullable: parameter.nullable,
    ...facetsOf(parameter.type, parameter),
    annotations: [
      ...descriptionAnnotations(parameter),
      ...annotationsOf([['Core.OptionalParameter', parameter.optional ? recordOf([]) : undefined]]),
      ...facetAnnotations(parameter),
      ...annotationsOf([['Specwright.Format', parameter.format]]),
    ],
  }
}

function restrictions(callers: readonly Endpoint[]): readonly Annotation[] {
  const permissions = permissionsOf(callers)
  if (permissions === undefined) return []
  return [{ term: 'Capabilities.OperationRestrictions', value: recordOf([['Permissions', permissions]]) }]
}

function meaningOf(meaning: Meaning | undefined): AnnotationValue | undefined {
  if (meaning === undefined) return undefined
  const { filter, orderby } = meaningText(meaning)
  return recordOf([
    ['Of', meaning.of.name],
    ['Transitive', tagValue(meaning.transitive)],
    ['Filter', filter],
    ['Orderby', orderby],
    ['Value', meaning.value?.name],
    ...descriptionMembers(meaning),
  ])
}
