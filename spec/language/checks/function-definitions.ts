import {
  bindExpression,
  childExpressions,
  describeType,
  type Expression,
  functionNamed,
  type PathExpression,
  type ServiceFunctions,
  type StaticType,
} from '../../../runtime/query/index.js'
import { suggest } from '../diagnostics/suggest.js'
import { codeName, type Operation } from '../model/types.js'
import { obstacleInQueries, parameterSignature, queryFunctionTable } from '../table/query-functions.js'
import { typeName } from '../table/type-table.js'
import { type Check, type CheckContext, mayLackMembers } from './check.js'

/** The definition of a function is an expression that fits the types, and gives what the function returns. */
export const functionDefinitions: Check = context => {
  const { service, isIncomplete } = context
  const functions = queryFunctionTable(service)
  for (const operation of service.operations) {
    if (operation.definition === undefined || isIncomplete(operation.location.pointer)) continue
    if (!isDefinable(operation, context)) continue
    if (checkCycle(operation, operation.definition, functions, context)) continue
    checkExpression(operation, operation.definition, functions, context)
  }
}

/** What can have a definition: a function that returns a single value, and whose calls need no other rule. */
function isDefinable(operation: Operation, { service, report }: CheckContext): boolean {
  const { kind, name, location } = operation
  const obstacle = kind === 'action' ? 'it is an action' : obstacleInQueries(operation, service)
  if (obstacle === undefined) return true
  const message = `"${name}" cannot have a definition, because ${obstacle}. A definition is the single value of a function. Remove it.`
  report({ code: 'spec/definition', message, at: `${location.pointer}/definition`, on: 'key' })
  return false
}

function checkExpression(
  { name, binding, parameters, returns, location }: Operation,
  definition: Expression,
  functions: ServiceFunctions,
  context: CheckContext,
): void {
  const { service, types, report } = context
  if (binding !== undefined && mayLackMembers(binding.type, context)) return
  const at = `${location.pointer}/definition`
  if (binding === undefined && readsItem(definition)) {
    const message = `"${name}" is not bound, so its definition has no item whose properties it could read. Add a \`binding\`, or use parameters only.`
    report({ code: 'spec/definition', message, at })
    return
  }
  const scope = {
    namespace: service.namespace,
    functions,
    parameters: Object.fromEntries(parameters.map(parameter => [parameter.name, parameterSignature(parameter)])),
  }
  const { type, errors } = bindExpression(definition, types, binding?.type.name ?? '', scope)
  const names = parameters.map(parameter => parameter.name)
  for (const unknown of new Set(aliasesIn(definition).filter(each => !names.includes(each)))) {
    const message = `"${name}" has no parameter "${unknown}", which its definition reads as "@${unknown}".`
    report({ code: 'spec/definition', message, at, suggestion: suggest(unknown, names) })
  }
  for (const { code, message } of errors) {
    if (code !== 'undefinedAlias') report({ code: 'spec/definition', message, at })
  }
  const [returned] = returns === undefined ? [] : [typeName(returns.type)]
  if (errors.length > 0 || returned === undefined || fits(type, returned, context)) return
  const message = `The definition of "${name}" gives ${describeType(type)}. Declare that under \`returns\`.`
  report({ code: 'spec/definition', message, at: `${location.pointer}/returns/type` })
}

function aliasesIn(expression: Expression): readonly string[] {
  return expression.kind === 'alias' ? [expression.name] : childExpressions(expression).flatMap(aliasesIn)
}

/** Whether an expression reads the item at the start of a path. */
function readsItem(expression: Expression): boolean {
  return (expression.kind === 'path' && startsAtItem(expression)) || childExpressions(expression).some(readsItem)
}

function startsAtItem({ root, segments: [first] }: PathExpression): boolean {
  return root?.kind === 'it' || root?.kind === 'this' || (root === undefined && first?.kind !== 'function')
}

/** Whether a value of a type can be returned as another one: the same type, or another number. */
function fits(type: StaticType, returned: string, { types }: CheckContext): boolean {
  if (type.kind === 'null' || type.kind === 'untyped') return true
  if (type.kind === 'enum') return type.name === returned
  if (type.kind !== 'primitive') return false
  const declared = types[returned]
  const expected = declared?.kind === 'typeDefinition' ? declared.type : returned
  return type.name === expected || (widenings[expected] ?? []).includes(type.name)
}

const integers = ['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64']

/** Types whose values are also of another type. The type of a literal integer is Int32, whatever its size. */
const widenings: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(integers.map(name => [name, integers])),
  'Edm.Decimal': integers,
  'Edm.Single': [...integers, 'Edm.Decimal', 'Edm.Double'],
  'Edm.Double': [...integers, 'Edm.Decimal', 'Edm.Single'],
}

/** Reports a definition that calls its own function, perhaps through others. */
function checkCycle(
  operation: Operation,
  definition: Expression,
  functions: ServiceFunctions,
  { service, report }: CheckContext,
): boolean {
  const { name, location } = operation
  const definitions = new Map(service.operations.map(each => [codeName(each), each.definition]))
  const seen = new Set<string>()
  const waiting = [definition]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    waiting.push(...childExpressions(next))
    for (const called of calledBy(next).flatMap(each => functionNamed(each, functions) ?? [])) {
      const inner = definitions.get(called.name)
      if (called.name === codeName(operation)) {
        const message = `The definition of "${name}" calls "${name}" again. Write it without that call.`
        report({ code: 'spec/definition-cycle', message, at: `${location.pointer}/definition` })
        return true
      }
      if (inner === undefined || seen.has(called.name)) continue
      seen.add(called.name)
      waiting.push(inner)
    }
  }
  return false
}

/** The functions that an expression itself calls, without its parts. */
function calledBy(expression: Expression): readonly string[] {
  if (expression.kind === 'call') return [expression.function]
  if (expression.kind !== 'path') return []
  return expression.segments.flatMap(segment => (segment.kind === 'function' ? [segment.name] : []))
}
