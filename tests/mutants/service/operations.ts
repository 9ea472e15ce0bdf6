import { parseFilter, QuerySyntaxError } from '../../../runtime/query/index.js'
import type {
  CallEndpoint,
  EntityType,
  NavigationProperty,
  Parameter,
  PrimitiveTypeName,
  ValueType,
} from '../../../spec/language/index.js'
import { type EndpointContext, emptyReply, type Reply, rejectionReply } from './behaviour.js'
import type { Json } from './json.js'
import { readCollection } from './reads.js'
import { contextOf, itemReply, project } from './representation.js'
import { parseBody, valueProblem } from './request-body.js'
import { matchingRows } from './rows.js'
import { type Entity, isOfType } from './store.js'
import { instantOf, isDate, literalValue, readValue, type Value } from './values.js'
import { choiceOrDeclared } from './writes.js'

/**
 * Answers a call. If the spec declares what the operation returns, evaluates that query; otherwise returns a sample value
 * of the declared type.
 */
export function callOperation(endpoint: CallEndpoint, at: EndpointContext): Reply {
  const { behaviour, service, target } = at
  const { itemNotFound } = service.faults
  const binding = endpoint.operation.binding
  if (binding !== undefined && !binding.collection && target.kind !== 'one') {
    return behaviour.error(itemNotFound, itemNotFound.message, at)
  }
  const read = readArguments(endpoint, at)
  if (read.kind === 'reply') return read.reply
  if (endpoint.operation.meaning !== undefined && target.kind === 'one') {
    return answerDescribed(endpoint, target.row, read.values, at)
  }
  return answerSample(endpoint, at)
}

function answerDescribed(
  endpoint: CallEndpoint,
  start: Entity,
  parameters: ReadonlyMap<string, Value>,
  at: EndpointContext,
): Reply {
  const { behaviour } = at
  const { meaning } = endpoint.operation
  if (meaning === undefined) return answerSample(endpoint, at)
  const { filter, orderby, value } = meaning
  const reached = behaviour.traverse(start, meaning.of, meaning.transitive, at)
  const met =
    filter === undefined ? reached : reached.filter(row => behaviour.satisfiesFilter(row, filter, parameters, at))
  const rows = behaviour.operationResult(
    orderby === undefined ? met : matchingRows(met, { orderby }, at),
    parameters,
    at,
  )
  if (value === undefined) return collectionReply(rows, meaning.of.type, endpoint, at)
  return { status: endpoint.status, headers: {}, json: { value: rows.map(row => row.values[value.name] ?? null) } }
}

function collectionReply(
  rows: readonly Entity[],
  type: EntityType,
  endpoint: CallEndpoint,
  at: EndpointContext,
): Reply {
  if (endpoint.query !== undefined) return readCollection(rows, type, at)
  const value = rows.map(row => project(row, type, at.options, at))
  return { status: endpoint.status, headers: {}, json: { '@odata.context': contextOf(type, at), value } }
}

/** A sample response for an operation whose result the spec does not declare. */
function answerSample(endpoint: CallEndpoint, at: EndpointContext): Reply {
  const { returns, binding } = endpoint.operation
  if (returns === undefined) return emptyReply(endpoint.status)
  if (returns.type.kind !== 'entityType') {
    const value: Json = sampleValue(returns.type)
    const isObject = returns.type.kind === 'complexType' && !returns.collection
    return {
      status: endpoint.status,
      headers: {},
      json: isObject ? value : { value: returns.collection ? [value] : value },
    }
  }
  const { type } = returns
  const rows = [...at.store.entities].filter(row => isOfType(row.type, type))
  if (returns.collection)
    return collectionReply(endpoint.query === undefined ? rows.slice(0, 3) : rows, type, endpoint, at)
  const bound = at.target.kind === 'one' && binding?.type === type ? at.target.row : rows[0]
  return bound === undefined ? emptyReply(204) : itemReply(bound, type, endpoint.status, at)
}

/** The arguments of an operation by name, or the error response if they are invalid. */
type ArgumentsReading =
  | { readonly kind: 'arguments'; readonly values: ReadonlyMap<string, Value> }
  | { readonly kind: 'reply'; readonly reply: Reply }

/** Parses the arguments of a call: from the body for an action, from the path for a function. */
function readArguments(endpoint: CallEndpoint, at: EndpointContext): ArgumentsReading {
  return endpoint.operation.kind === 'action' ? fromBody(endpoint, at) : fromPath(endpoint, at)
}

function fromBody({ operation }: CallEndpoint, at: EndpointContext): ArgumentsReading {
  const body = parseBody(at)
  if (body.kind !== 'object') return { kind: 'reply', reply: rejectionReply(body, at) }
  const values = new Map<string, Value>()
  for (const parameter of operation.parameters) {
    const { name, optional } = parameter
    if (!Object.hasOwn(body.json, name)) {
      if (optional) continue
      return invalidParameter(`The parameter '${name}' is missing.`, at)
    }
    const json = body.json[name] ?? null
    const problem = valueProblem(json, parameter) ?? formatProblem(json, parameter)
    if (problem !== undefined) return invalidParameter(problem, at)
    values.set(name, readValue(json, parameter.type, parameter.collection))
  }
  return { kind: 'arguments', values }
}

function fromPath(endpoint: CallEndpoint, at: EndpointContext): ArgumentsReading {
  const call = endpoint.resolved.find(segment => segment.kind === 'operation')
  const values = new Map<string, Value>()
  for (const parameter of endpoint.operation.parameters) {
    const { name } = parameter
    const variable = call?.kind === 'operation' ? call.variables[name] : undefined
    const text = variable === undefined ? at.custom.get(name) : at.variables.get(variable)
    const value = text === undefined ? undefined : readLiteral(text, at)
    if (value === undefined || value === null)
      return invalidParameter(`The parameter '${name}' is missing or malformed.`, at)
    const problem =
      typeof value === 'string' ? (valueProblem(value, parameter) ?? formatProblem(value, parameter)) : undefined
    if (problem !== undefined) return invalidParameter(problem, at)
    values.set(name, value)
  }
  return { kind: 'arguments', values }
}

/** The value of a literal or of a parameter alias. */
function readLiteral(text: string, at: EndpointContext): Value | undefined {
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

function invalidParameter(message: string, at: EndpointContext): ArgumentsReading {
  return { kind: 'reply', reply: at.behaviour.error(at.service.faults.invalidParameter, message, at) }
}

/**
 * The items that a relation leads to. Follows the relation transitively if the operation is declared so and the service has
 * not chosen otherwise.
 */
export function traverseRelation(
  start: Entity,
  relation: NavigationProperty,
  transitive: boolean,
  at: EndpointContext,
): readonly Entity[] {
  const direct = at.behaviour.related(start, relation, at)
  if (!transitive || choiceOrDeclared('membershipClosure', 'transitive', at) === 'direct') return direct
  const found = new Set(direct)
  for (const row of found) {
    const next = row.type.navigation.find(each => each.name === relation.name)
    if (next === undefined) continue
    for (const other of at.behaviour.related(row, next, at)) found.add(other)
  }
  return [...found]
}

function sampleValue(type: ValueType): Json {
  switch (type.kind) {
    case 'primitive':
      return samplePrimitive(type.name)
    case 'typeDefinition':
      return samplePrimitive(type.underlying)
    case 'enumType':
      return type.members[0]?.name ?? null
    default:
      return Object.fromEntries(
        type.properties.map(property => {
          if (property.collection) return [property.name, []]
          return [property.name, property.nullable ? null : sampleValue(property.type)]
        }),
      )
  }
}

const samples: Readonly<Partial<Record<PrimitiveTypeName, Json>>> = {
  Boolean: true,
  String: 'text',
  Date: '2026-03-01',
  DateTimeOffset: '2026-03-01T10:00:00Z',
  TimeOfDay: '10:00:00',
  Duration: 'PT1H',
  Guid: '00000000-0000-4000-8000-000000000000',
  Binary: '',
}

function samplePrimitive(name: PrimitiveTypeName): Json {
  return samples[name] ?? (name.startsWith('Geo') || name === 'Stream' ? null : 1)
}
