import { type BindingScope, bindQuery } from '../../../runtime/query/index.js'
import { derivesFrom, type Meaning, type Operation } from '../model/types.js'
import { parameterSignature } from '../table/query-functions.js'
import { type Check, type CheckContext, mayLackMembers } from './check.js'

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
