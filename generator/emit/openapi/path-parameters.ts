import type { Endpoint, ValueType } from '../../../spec/language/model/index.js'
import { description } from '../json-schema/description.js'
import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { type TypedValue, valueSchema } from '../json-schema/value-schema.js'
import { schemasPrefix } from './schema-reference.js'

/** The variables of a path: keys, and arguments of functions. */
export function pathParameters(endpoint: Endpoint): readonly JsonObject[] {
  return endpoint.resolved.flatMap((segment, index) => {
    if (segment.kind === 'key') {
      const keys = endpoint.keys.filter(key => key.segment === index)
      return keys.map(({ variable, property }) => {
        const isLiteral = segment.style === 'parentheses'
        return parameter(variable, property, `Key of ${segment.type.name}.`, isLiteral)
      })
    }
    if (segment.kind !== 'operation') return []
    return segment.operation.parameters.flatMap(each => {
      const variable = Object.hasOwn(segment.variables, each.name) ? segment.variables[each.name] : undefined
      return variable === undefined ? [] : [parameter(variable, each, description(each), true)]
    })
  })
}

function parameter(name: string, value: TypedValue, about: string | undefined, isLiteral: boolean): JsonObject {
  const isQuoted = isLiteral && isText(value.type)
  const notes = isQuoted ? ['In single quotes; a quote within is doubled.'] : []
  const text = [about, ...notes].filter(part => part !== undefined).join(' ')
  return jsonObject([
    ['name', name],
    ['in', 'path'],
    ['required', true],
    ['description', text === '' ? undefined : text],
    ['schema', schema(value, isQuoted)],
  ])
}

function schema(value: TypedValue, isQuoted: boolean): Json {
  if (isQuoted) return { type: 'string', pattern: "^'.*'$" }
  return valueSchema({ ...value, nullable: false }, 'read', { prefix: schemasPrefix, geoTypes: new Set() })
}

/** Whether a literal of the type stands in quotes. */
function isText(type: ValueType): boolean {
  if (type.kind === 'typeDefinition') return type.underlying === 'String'
  return type.kind === 'enumType' || (type.kind === 'primitive' && type.name === 'String')
}
