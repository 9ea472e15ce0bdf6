import type { ServiceFunction, ValueSignature } from '../../../runtime/query/index.js'
import type { Service } from '../model/service.js'
import { codeName, definitionText, type Operation, type Parameter } from '../model/types.js'
import { record, recordOf } from '../record.js'
import { typeName } from './type-table.js'

const formats = { dateTimeOffset: 'Edm.DateTimeOffset', date: 'Edm.Date', guid: 'Edm.Guid' } as const

/** The type of a parameter in expressions. A String with a format is read as what its text must be. */
export function parameterSignature({ type, format, collection }: Parameter): ValueSignature {
  return { type: format === undefined ? typeName(type) : formats[format], ...(collection ? { collection } : {}) }
}

/** The functions that filters of the service name as supported, by qualified name. */
function namedInFilters({ queryCapabilities }: Service): ReadonlySet<string> {
  return new Set(
    queryCapabilities.flatMap(({ filter: { functions } }) =>
      Object.keys(functions).filter(name => functions[name] !== 'none'),
    ),
  )
}

/** Why queries cannot call a function; undefined if they can. */
export function obstacleInQueries(operation: Operation, { operations }: Service): string | undefined {
  const { kind, qualifiedName, binding, returns, meaning } = operation
  if (operations.some(other => other !== operation && other.kind === kind && other.qualifiedName === qualifiedName)) {
    return 'it has overloads'
  }
  if (binding?.collection === true) return 'it is bound to a collection'
  if (meaning !== undefined) return 'its `meaning` is a query'
  if (returns === undefined || returns.collection) return 'it returns no single value'
  const { type } = returns
  return type.kind === 'entityType' || type.kind === 'complexType' ? 'it returns no primitive value' : undefined
}

/** The functions of a service that queries can call: those with a definition, and those that filters name. */
export function callableInQueries(service: Service): readonly Operation[] {
  const named = namedInFilters(service)
  return service.operations.filter(
    operation =>
      operation.kind === 'function' &&
      (operation.definition !== undefined || named.has(operation.qualifiedName)) &&
      obstacleInQueries(operation, service) === undefined,
  )
}

/** Those of them that a filter names as supported. */
export function functionsInFilters(service: Service): readonly Operation[] {
  const named = namedInFilters(service)
  return callableInQueries(service).filter(({ qualifiedName }) => named.has(qualifiedName))
}

/** The functions that a filter names, but that queries cannot call, by their names in expressions, with the reason. */
export function uncallableFunctions(service: Service): Readonly<Record<string, string>> {
  const named = namedInFilters(service)
  const found = new Map<string, string>()
  for (const operation of service.operations) {
    const obstacle = operation.kind === 'function' ? obstacleInQueries(operation, service) : undefined
    if (obstacle !== undefined && named.has(operation.qualifiedName))
      found.set(nameInQueries(operation, service), obstacle)
  }
  return record(found)
}

/** Without the namespace, if it is that of the service. */
function nameInQueries({ qualifiedName }: Operation, { namespace }: Service): string {
  const prefix = `${namespace}.`
  const rest = qualifiedName.startsWith(prefix) ? qualifiedName.slice(prefix.length) : '.'
  return rest.includes('.') ? qualifiedName : rest
}

/** The functions that queries can call, by their names in expressions. */
export function queryFunctionTable(service: Service): Readonly<Record<string, ServiceFunction>> {
  return record(
    new Map(
      callableInQueries(service).map(
        operation => [nameInQueries(operation, service), functionData(operation)] as const,
      ),
    ),
  )
}

function functionData(operation: Operation): ServiceFunction {
  const { binding, parameters, returns } = operation
  const definition = definitionText(operation)
  return {
    name: codeName(operation),
    ...(binding === undefined ? {} : { binding: { type: typeName(binding.type) } }),
    parameters: recordOf(parameters, parameter => [
      parameter.name,
      { ...parameterSignature(parameter), ...(parameter.optional ? { optional: true } : {}) },
    ]),
    returns: { type: returns === undefined ? 'Edm.Untyped' : typeName(returns.type) },
    ...(definition === undefined ? {} : { definition }),
  }
}
