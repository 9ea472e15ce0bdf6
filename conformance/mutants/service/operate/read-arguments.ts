import { parseFilter, QuerySyntaxError } from '../../../../runtime/query/index.js'
import type { CallEndpoint, Parameter } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Exchange } from '../exchange.js'
import { refusalReply } from '../reply/refusal-reply.js'
import type { Reply } from '../reply/reply.js'
import { literalValue } from '../value/literal-value.js'
import { readValue } from '../value/read-value.js'
import { instantOf, isDate } from '../value/temporal.js'
import type { Value } from '../value/value.js'
import { requestJson } from '../write/request-json.js'
import { valueProblem } from '../write/value-problem.js'

/** The arguments of an operation by name, or the answer that says what is wrong with them. */
export type ArgumentsReading =
  | { readonly kind: 'arguments'; readonly values: ReadonlyMap<string, Value> }
  | { readonly kind: 'reply'; readonly reply: Reply }

/** Reads the arguments of a call: an action's from its body, a function's from its path. */
export function readArguments(endpoint: CallEndpoint, at: Exchange): ArgumentsReading {
  return endpoint.operation.kind === 'action' ? fromBody(endpoint, at) : fromPath(endpoint, at)
}

function fromBody({ operation }: CallEndpoint, at: Exchange): ArgumentsReading {
  const body = requestJson(at)
  if (body.kind !== 'object') return { kind: 'reply', reply: refusalReply(body, at) }
  const values = new Map<string, Value>()
  for (const parameter of operation.parameters) {
    const { name, optional } = parameter
    if (!Object.hasOwn(body.json, name)) {
      if (optional) continue
      return invalid(`The parameter '${name}' is missing.`, at)
    }
    const json = body.json[name] ?? null
    const problem = valueProblem(json, parameter) ?? formatProblem(json, parameter)
    if (problem !== undefined) return invalid(problem, at)
    values.set(name, readValue(json, parameter.type, parameter.collection))
  }
  return { kind: 'arguments', values }
}

function fromPath(endpoint: CallEndpoint, at: Exchange): ArgumentsReading {
  const call = endpoint.resolved.find(segment => segment.kind === 'operation')
  const values = new Map<string, Value>()
  for (const parameter of endpoint.operation.parameters) {
    const { name } = parameter
    const variable = call?.kind === 'operation' ? call.variables[name] : undefined
    const text = variable === undefined ? at.custom.get(name) : at.variables.get(variable)
    const value = text === undefined ? undefined : readWritten(text, at)
    if (value === undefined || value === null) return invalid(`The parameter '${name}' is missing or malformed.`, at)
    const problem =
      typeof value === 'string' ? (valueProblem(value, parameter) ?? formatProblem(value, parameter)) : undefined
    if (problem !== undefined) return invalid(problem, at)
    values.set(name, value)
  }
  return { kind: 'arguments', values }
}

/** The value of a literal, or of an alias of the query. */
function readWritten(text: string, at: Exchange): Value | undefined {
  if (text.startsWith('@')) {
    const aliases = at.options.aliases ?? {}
    const value = Object.hasOwn(aliases, text.slice(1)) ? aliases[text.slice(1)] : undefined
    return value?.kind === 'literal' ? literalValue(value) : undefined
  }
  try {
    const read = parseFilter(text)
    return read.kind === 'literal' ? literalValue(read) : undefined
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined
    throw error
  }
}

function formatProblem(value: Json, { name, format }: Parameter): string | undefined {
  if (typeof value !== 'string' || format === undefined) return undefined
  const isFit = format === 'date' ? isDate(value) : format === 'dateTimeOffset' ? instantOf(value) !== undefined : true
  return isFit ? undefined : `The parameter '${name}' is no ${format}.`
}

function invalid(message: string, at: Exchange): ArgumentsReading {
  return { kind: 'reply', reply: at.behaviour.error(at.service.faults.invalidParameter, message, at) }
}
