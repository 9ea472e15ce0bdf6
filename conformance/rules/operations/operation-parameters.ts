import type { CallEndpoint, Parameter } from '../../../spec/language/index.js'
import { onePerEndpoint } from '../../discover/site.js'
import type { Json } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { verdictOf } from '../../rule/verdict.js'
import { type Arguments, callRequest, isPointInTime, parseArguments } from './call.js'

export const operationParameters: ActiveRule = {
  kind: 'active',
  id: 'operation-parameters',
  area: 'operations',
  statement: 'An operation rejects parameters that are missing, empty where a value is required, or of the wrong type.',
  advice:
    'Check every parameter before the operation runs. A missing parameter is not false, and a string is not a list.',
  aspects: ['operation.parameters'],
  covers: ['error.invalidParameter', 'fault.invalidParameter', 'fault.notImplemented', 'operation'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 14,
  sites: ({ sites }) =>
    onePerEndpoint(sites).filter(({ endpoint }) => {
      if (endpoint.kind !== 'call' || endpoint.operation.parameters.length === 0) return false
      // Only operations that change nothing if the service executes them anyway.
      return endpoint.operation.kind === 'function' || endpoint.operation.meaning !== undefined
    }),
  cases: ({ endpoint }) => ({ planned: endpoint.kind === 'call' ? invalidCalls(endpoint) : [] }),
  check: async ({ name, variant, text }, site, session) => {
    const given = parseArguments(text)
    const request = given === undefined ? undefined : callRequest(site, given, variant === omitted ? name : undefined)
    if (request === undefined)
      return { kind: 'inconclusive', why: 'the operation cannot be called with these arguments' }
    const response = await session.send(request)
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { faults } = session.service
    const finding = errorFinding(
      response,
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
    return verdictOf(finding)
  },
}

/** A parameter of a function that is left out of the path. */
const omitted = 'omitted'

function invalidCalls({
  operation,
  method,
}: CallEndpoint): readonly { readonly name: string; readonly variant: string; readonly text: string }[] {
  const fit = Object.fromEntries(operation.parameters.map(parameter => [parameter.name, validValue(parameter)]))
  const calls = operation.parameters.flatMap(parameter => {
    const { name, optional, nullable, minLength = 0, assumed } = parameter
    const { [name]: _left, ...others } = fit
    const call = (variant: string, given: Arguments) => ({ name, variant, text: JSON.stringify(given) })
    return [
      // If the spec only assumes what it says of the parameter, another service may have a default.
      ...(method === 'POST' && !optional && !nullable && assumed === undefined ? [call('missing', others)] : []),
      ...(method === 'GET' && !optional && assumed === undefined && operation.parameters.length > 1
        ? [call(omitted, fit)]
        : []),
      ...(minLength > 0 && !parameter.collection ? [call('empty', { ...fit, [name]: '' })] : []),
      ...invalidValues(parameter, method).map(value => call('of another type', { ...fit, [name]: value })),
    ]
  })
  // A run may not reach all: first each parameter is absent, of functions one of them, and then empty.
  const isAbsent = ({ variant }: { readonly variant: string }): boolean => variant === 'missing' || variant === omitted
  const isEmpty = ({ variant }: { readonly variant: string }): boolean => variant === 'empty'
  const [first, ...absent] = calls.filter(isAbsent)
  const empty = calls.filter(isEmpty)
  const others = calls.filter(each => !isAbsent(each) && !isEmpty(each))
  const begin = first === undefined ? [] : [first]
  return method === 'GET' ? [...begin, ...empty, ...absent, ...others] : [...begin, ...absent, ...empty, ...others]
}

function validValue(parameter: Parameter): Json {
  if (parameter.collection) return []
  const primitive = primitiveOf(parameter.type)
  if (isPointInTime(parameter))
    return primitive === 'Date' || parameter.format === 'date' ? '2024-05-01' : '2024-05-01T00:00:00Z'
  if (primitive === 'Boolean') return false
  return primitive === 'String' ? 'a' : 1
}

function invalidValues(parameter: Parameter, method: CallEndpoint['method']): readonly Json[] {
  if (parameter.collection) return method === 'POST' ? ['no list'] : []
  if (isPointInTime(parameter)) return ['banana']
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
