import { type BindingScope, bindQuery, canonicalFunctions } from '../../../runtime/query/index.js'
import type { Problem } from '../diagnostics/diagnostic.js'
import { suggest } from '../diagnostics/suggest.js'
import { derivesFrom, type Meaning, type Operation, primitiveOf } from '../model/types.js'
import { functionName } from '../resolve/resolve-query-options.js'
import { memberAt, pointerTo } from '../source/json-pointer.js'
import { obstacleInQueries, parameterSignature } from '../table/query-functions.js'
import { type Check, type CheckContext, mayLackMembers } from './check.js'

/**
 * A function returns something, and only a function can be composed.
 *
 * @see OData CSDL 4.01, 12.3 (function) and 12.5 (composable function)
 */
export const operationKind: Check = ({ service, report, isIncomplete }) => {
  for (const { kind, name, returns, composable, location } of service.operations) {
    if (kind === 'function' && returns === undefined && !isIncomplete(`${location.pointer}/returns`)) {
      const message = `The function "${name}" returns nothing. Say what it \`returns\`, or make it an action.`
      report({ code: 'spec/function-returns', message, at: location.pointer, on: 'key' })
    }
    if (kind === 'action' && composable) {
      const message = `"${name}" is an action, so nothing can follow it. Remove \`composable\`.`
      report({ code: 'spec/composable-action', message, at: `${location.pointer}/composable`, on: 'key' })
    }
  }
}

/** `format` applies to String parameters only. */
export const parameterFormats: Check = ({ service, report }) => {
  for (const operation of service.operations) {
    for (const { name, type, format, location } of operation.parameters) {
      if (format === undefined || primitiveOf(type) === 'String') continue
      const message = `\`format\` applies to String only, but "${name}" is of "${type.name}". Remove it.`
      report({ code: 'spec/facet', message, at: `${location.pointer}/format`, on: 'key' })
    }
  }
}

/** Functions with rules of their own, and the two constructs that `functions` speaks of as well. */
const special = ['cast', 'isof', 'case', '$count']

/** The functions of a filter are those of the query language, or the service's own. */
export const queryFunctions: Check = ({ document, service, report }) => {
  const own = new Map(
    service.operations.flatMap(each => (each.kind === 'function' ? [[each.qualifiedName, each]] : [])),
  )
  const known = new Set([...canonicalFunctions.keys(), ...special, ...own.keys()])
  const check = (name: string, spot: Pick<Problem, 'at' | 'on'>, support?: unknown): void => {
    const found = functionName(name)
    const operation = support === 'none' || support === false ? undefined : own.get(found)
    const obstacle = operation === undefined ? undefined : obstacleInQueries(operation, service)
    if (obstacle !== undefined) {
      const message = `Filters cannot call "${name}", because ${obstacle}. The reference service rejects such a filter.`
      report({ severity: 'warning', code: 'spec/function-not-served', message, ...spot })
    } else if (operation !== undefined && operation.definition === undefined) {
      const message = `"${name}" has no \`definition\`, so filters with it need a handler: \`serve --handlers\`, or \`functions\` of the generated server.`
      report({ severity: 'note', code: 'spec/function-without-definition', message, ...spot })
    }
    if (known.has(found)) return
    const message = `The query language has no function "${name}".`
    report({ code: 'spec/unknown-function', message, suggestion: suggest(name, known), ...spot })
  }
  const checkAll = (pointer: string): void => {
    const names = memberAt(document, pointer)
    if (Array.isArray(names)) {
      for (const [index, name] of names.entries()) check(String(name), { at: pointerTo(pointer, index) })
    } else if (typeof names === 'object' && names !== null) {
      for (const [name, support] of Object.entries(names)) {
        check(name, { at: pointerTo(pointer, name), on: 'key' }, support)
      }
    }
  }
  for (const { filter, location } of service.queryCapabilities) {
    const pointer = `${location.pointer}/filter`
    checkAll(`${pointer}/functions`)
    for (const path of Object.keys(filter.properties)) checkAll(`${pointerTo(`${pointer}/properties`, path)}/functions`)
  }
}

/** The meaning of an operation is a query that fits the types, and gives what the operation returns. */
export const meaning: Check = context => {
  for (const operation of context.service.operations) {
    if (operation.meaning === undefined) continue
    checkQuery(context, operation, operation.meaning)
    checkClosure(context, operation.meaning)
    checkResult(context, operation, operation.meaning)
  }
}

function checkQuery(context: CheckContext, operation: Operation, { of, filter, orderby, location }: Meaning): void {
  const { service, types, report, isIncomplete } = context
  // A parameter or property without a known type would be called unknown.
  if (isIncomplete(`${operation.location.pointer}/parameters`) || mayLackMembers(of.type, context)) return
  const scope: BindingScope = {
    namespace: service.namespace,
    parameters: Object.fromEntries(
      operation.parameters.map(parameter => [parameter.name, parameterSignature(parameter)]),
    ),
  }
  const errors = [
    ...(filter === undefined ? [] : bindQuery({ filter }, types, of.type.name, scope)),
    ...(orderby === undefined ? [] : bindQuery({ orderby }, types, of.type.name, scope)),
  ]
  for (const { option, message } of errors) {
    report({ code: 'spec/meaning-query', message, at: `${location.pointer}/${option.slice(1)}` })
  }
}

function checkClosure({ report }: CheckContext, { of, transitive, location }: Meaning): void {
  if (!transitive || of.type.navigation.some(relation => relation.name === of.name)) return
  const message = `"${of.type.name}" has no relation "${of.name}" of its own, so it cannot be followed further. Remove \`transitive\`.`
  report({ code: 'spec/meaning-closure', message, at: `${location.pointer}/transitive`, on: 'key' })
}

function checkResult(
  { report, isIncomplete }: CheckContext,
  operation: Operation,
  { of, value, transitive, location }: Meaning,
): void {
  const { returns } = operation
  const { pointer } = operation.location
  if (isIncomplete(`${pointer}/returns`) || isIncomplete(`${location.pointer}/value`)) return
  const type = value?.type ?? of.type
  const collection = of.collection || transitive
  const fits =
    returns !== undefined &&
    returns.collection === collection &&
    (returns.type === type ||
      (type.kind === 'entityType' && returns.type.kind === 'entityType' && derivesFrom(type, returns.type)))
  if (fits) return
  const message = `The meaning gives ${collection ? 'a collection of ' : ''}"${type.name}". Declare that under \`returns\`.`
  report({
    code: 'spec/meaning-result',
    message,
    at: returns === undefined ? pointer : `${pointer}/returns`,
    on: 'key',
  })
}
