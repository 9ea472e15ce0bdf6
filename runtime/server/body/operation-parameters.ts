import type { Expression, TypeTable } from '../../query/index.js'
import type { PathArguments } from '../routing/path.js'
import type { ParameterInfo } from '../service-table.js'
import { underlyingType } from '../type-lookup.js'
import { invalidValue, primitiveReader } from '../value/primitive-values.js'
import { readValue, type ValueProblem } from '../value/read-value.js'
import { plainJson, readLiteral } from '../value/url-literals.js'
import { type BodyRules, createReadContext, truncateName } from './entity-body.js'

/** The parameters of an operation in the form that handlers receive, and all their problems. */
interface ParsedParameters {
  readonly value: Readonly<Record<string, unknown>>
  readonly problems: readonly ValueProblem[]
}

/**
 * Reads the parameters of an action or function from a JSON object: the body of an action (without a body, an empty
 * object), or the arguments in the URL of a function.
 *
 * @see OData Protocol 4.01, 11.5.5.1 (invoking an action)
 */
export function readParameters(
  json: unknown,
  parameters: Readonly<Record<string, ParameterInfo>>,
  rules: BodyRules,
): ParsedParameters {
  const problems: ValueProblem[] = []
  const reading = createReadContext(rules, problems, 'create')
  const value: Record<string, unknown> = Object.create(null)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { value, problems: [{ target: '', message: 'The body must be an object with the parameters.' }] }
  }
  for (const name of Object.keys(json)) {
    if (Object.hasOwn(parameters, name) || name.includes('@')) continue
    problems.push({
      target: truncateName(name),
      message: `There is no parameter ${JSON.stringify(truncateName(name))}.`,
    })
  }
  for (const [name, info] of Object.entries(parameters)) {
    const given: unknown = Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined
    if (given === undefined) {
      if (info.default !== undefined) value[name] = info.default
      else if (info.optional !== true) problems.push({ target: name, message: `${name} is required.` })
      continue
    }
    const read = readValue(given, info, name, reading)
    const problem = info.format === undefined ? undefined : parameterFormatProblem(read, info.format)
    if (problem !== undefined) problems.push({ target: name, message: `${name} ${problem}.` })
    value[name] = read
  }
  return { value, problems }
}

/** The places for a function's arguments: the path, the parameter aliases of the query, or custom query options. */
interface ArgumentSources {
  readonly inline: PathArguments
  readonly aliases: Readonly<Record<string, Expression>> | undefined
  readonly custom: readonly (readonly [name: string, value: string])[]
}

/**
 * Reads a function's arguments. In the path, they are `(a='x',b=@p)`, where `@p` is a parameter alias. In the query,
 * they are `?a=…`, where a string does not need quotes.
 *
 * @see OData Protocol 4.01, 11.5.4.1 (invoking a function)
 */
export function readFunctionArguments(
  sources: ArgumentSources,
  parameters: Readonly<Record<string, ParameterInfo>>,
  rules: BodyRules,
): ParsedParameters {
  const { types } = rules
  const json: Record<string, unknown> = Object.create(null)
  const problems: ValueProblem[] = []
  const take = (name: string, value: unknown): void => {
    if (value !== invalidValue) json[name] = value
    else problems.push({ target: name, message: `${name} must be a literal of type ${parameters[name]?.type}.` })
  }
  for (const [name, text] of sources.custom) {
    if (Object.hasOwn(parameters, name))
      take(name, plainArgument(text, parameterType(name, parameters, types), sources.aliases))
  }
  for (const [name, text] of sources.inline.named) {
    take(
      name,
      Object.hasOwn(parameters, name)
        ? readLiteral(text, parameterType(name, parameters, types), sources.aliases)
        : text,
    )
  }
  if (sources.inline.single !== undefined) problems.push({ target: '', message: 'Name each argument: (name=value).' })
  const reading = readParameters(json, parameters, rules)
  const unread = new Set(problems.map(problem => problem.target))
  const others = reading.problems.filter(problem => !unread.has(problem.target))
  return { value: reading.value, problems: [...problems, ...others] }
}

function plainArgument(text: string, type: string, aliases: ArgumentSources['aliases']): unknown {
  const written = /^['"[{@]/.test(text) ? readLiteral(text, type, aliases) : invalidValue
  return written === invalidValue ? plainJson(text, type) : written
}

function parameterType(name: string, parameters: Readonly<Record<string, ParameterInfo>>, types: TypeTable): string {
  return underlyingType(types, parameters[name]?.type ?? 'Edm.String')
}

const formatTypes = { dateTimeOffset: 'Edm.DateTimeOffset', date: 'Edm.Date', guid: 'Edm.Guid' } as const

/** Checks the format of a string parameter. Undefined: the format is valid, or the value isn't a string. */
function parameterFormatProblem(value: unknown, format: keyof typeof formatTypes): string | undefined {
  if (typeof value !== 'string') return undefined
  const reader = primitiveReader(formatTypes[format])
  return reader === undefined || reader.read(value) !== invalidValue ? undefined : `must be ${reader.expected}`
}
