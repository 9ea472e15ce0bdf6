import type { Expression } from '../../query/ast.js'
import type { TypeTable } from '../../query/schema.js'
import type { PathArguments } from '../path/arguments.js'
import type { ParameterInfo } from '../service-table.js'
import { plainJson } from '../value/literal-json.js'
import { readLiteral } from '../value/read-literal.js'
import type { ValueProblem } from '../value/read-value.js'
import { unfit } from '../value/unfit.js'
import { type ParametersReading, readParameters } from './read-parameters.js'

/** Where a function's arguments can be: in the path, in its query's aliases, or as plain query options. */
export interface ArgumentSources {
  readonly inline: PathArguments
  readonly aliases: Readonly<Record<string, Expression>> | undefined
  readonly custom: readonly (readonly [name: string, value: string])[]
}

/**
 * Reads a function's arguments: `(a='x',b=@p)` in the path, where `@p` is an alias of the query, or `?a=…` in the query,
 * where a string may do without quotes.
 *
 * @see OData Protocol 4.01, 11.5.4.1 (invoking a function)
 */
export function readFunctionArguments(
  sources: ArgumentSources,
  parameters: Readonly<Record<string, ParameterInfo>>,
  types: TypeTable,
): ParametersReading {
  const json: Record<string, unknown> = Object.create(null)
  const problems: ValueProblem[] = []
  const take = (name: string, value: unknown): void => {
    if (value !== unfit) json[name] = value
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
  const reading = readParameters(json, parameters, types)
  const unread = new Set(problems.map(problem => problem.target))
  const others = reading.problems.filter(problem => !unread.has(problem.target))
  return { value: reading.value, problems: [...problems, ...others] }
}

function plainArgument(text: string, type: string, aliases: ArgumentSources['aliases']): unknown {
  const written = /^['"[{@]/.test(text) ? readLiteral(text, type, aliases) : unfit
  return written === unfit ? plainJson(text, type) : written
}

function parameterType(name: string, parameters: Readonly<Record<string, ParameterInfo>>, types: TypeTable): string {
  const declared = parameters[name]?.type ?? 'Edm.String'
  const type = Object.hasOwn(types, declared) ? types[declared] : undefined
  return type?.kind === 'typeDefinition' ? type.type : declared
}
