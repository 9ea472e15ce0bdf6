import type { CallEndpoint, Parameter } from '../../../spec/language/index.js'
import type { Json } from '../../json.js'
import { primitiveOf } from '../../rule/primitive-of.js'
import { errorFinding } from '../../rule/refusal.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import { firstOfEach } from '../../site/first-of-each.js'
import type { Arguments } from './arguments.js'
import { argumentsOf } from './arguments-of.js'
import { callAsk } from './call-ask.js'
import { isMoment } from './drawn-arguments.js'

export const operationParameters: Rule = {
  kind: 'asking',
  id: 'operation-parameters',
  area: 'operations',
  statement: 'An operation refuses parameters that are missing, empty where they must not be, or of another type.',
  advice: 'Check every parameter before the operation runs: a missing one is not false, and a text is not a list.',
  clauses: ['reminderView.parameters', 'membership.groups', 'membership.check'],
  covers: ['error.invalidParameter', 'fault.invalidParameter', 'fault.notImplemented', 'operation'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 4,
  sites: ({ sites }) =>
    firstOfEach(sites).filter(({ endpoint }) => {
      if (endpoint.kind !== 'call' || endpoint.operation.parameters.length === 0) return false
      // Only what changes nothing if it is carried out, after all.
      return endpoint.operation.kind === 'function' || endpoint.operation.meaning !== undefined
    }),
  cases: ({ endpoint }) => ({ planned: endpoint.kind === 'call' ? unfitCalls(endpoint) : [] }),
  check: async ({ text }, site, session) => {
    const given = argumentsOf(text)
    const ask = given === undefined ? undefined : callAsk(site, given)
    if (ask === undefined) return { kind: 'inconclusive', why: 'the operation cannot be called so' }
    const answer = await session.ask(ask)
    const nothing = untold(answer)
    if (nothing !== undefined) return nothing
    const { faults } = session.service
    const finding = errorFinding(
      answer,
      [
        faults.invalidParameter,
        faults.malformedBody,
        faults.invalidBody,
        faults.pathNotFound,
        faults.malformedKey,
        faults.notImplemented,
      ],
      session,
    )
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}

function unfitCalls({
  operation,
  method,
}: CallEndpoint): readonly { readonly name: string; readonly variant: string; readonly text: string }[] {
  const fit = Object.fromEntries(operation.parameters.map(parameter => [parameter.name, fitValue(parameter)]))
  return operation.parameters.flatMap(parameter => {
    const { name, optional, nullable, minLength = 0 } = parameter
    const { [name]: _left, ...others } = fit
    const call = (variant: string, given: Arguments) => ({ name, variant, text: JSON.stringify(given) })
    return [
      ...(method === 'POST' && !optional && !nullable ? [call('missing', others)] : []),
      ...(minLength > 0 && !parameter.collection ? [call('empty', { ...fit, [name]: '' })] : []),
      ...unfitValues(parameter, method).map(value => call('of another type', { ...fit, [name]: value })),
    ]
  })
}

function fitValue(parameter: Parameter): Json {
  if (parameter.collection) return []
  const primitive = primitiveOf(parameter.type)
  if (isMoment(parameter))
    return primitive === 'Date' || parameter.format === 'date' ? '2024-05-01' : '2024-05-01T00:00:00Z'
  if (primitive === 'Boolean') return false
  return primitive === 'String' ? 'a' : 1
}

function unfitValues(parameter: Parameter, method: CallEndpoint['method']): readonly Json[] {
  if (parameter.collection) return method === 'POST' ? ['no list'] : []
  if (isMoment(parameter)) return ['banana']
  switch (primitiveOf(parameter.type)) {
    case 'Boolean':
      return method === 'POST' ? ['perhaps'] : []
    case 'String':
      return method === 'POST' ? [{ no: 'text' }] : []
    case 'Byte':
    case 'Int16':
    case 'Int32':
    case 'Int64':
      return ['banana']
    default:
      return []
  }
}
