import type { TypeTable } from '../../query/schema.js'
import type { ParameterInfo } from '../service-table.js'
import { readValue, type ValueProblem } from '../value/read-value.js'
import { parameterFormatProblem } from './parameter-format.js'
import { structuredReading } from './read-entity.js'
import { shortened } from './shortened.js'

/** The parameters of an operation as handlers get them, or everything that is wrong with them. */
export interface ParametersReading {
  readonly value: Readonly<Record<string, unknown>>
  readonly problems: readonly ValueProblem[]
}

/**
 * Reads the parameters of a function or action from a JSON object: for an action the body, for a function what its URL
 * gives. Without a body an action gets an empty object.
 *
 * @see OData Protocol 4.01, 11.5.5.1 (invoking an action)
 */
export function readParameters(
  json: unknown,
  parameters: Readonly<Record<string, ParameterInfo>>,
  types: TypeTable,
): ParametersReading {
  const problems: ValueProblem[] = []
  const reading = structuredReading(types, problems, 'create')
  const value: Record<string, unknown> = Object.create(null)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { value, problems: [{ target: '', message: 'The body must be an object with the parameters.' }] }
  }
  for (const name of Object.keys(json)) {
    if (Object.hasOwn(parameters, name) || name.includes('@')) continue
    problems.push({ target: shortened(name), message: `There is no parameter ${JSON.stringify(shortened(name))}.` })
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
