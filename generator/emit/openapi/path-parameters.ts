import type { Endpoint, ValueType } from '../../../spec/language/model/index.js'
import { description } from '../json-schema/description.js'
import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { type TypedValue, valueSchema } from '../json-schema/value-schema.js'
import { schemasPrefix } from './schema-reference.js'

/** The variables of a path: keys, and arguments of functions. */
export function pathParameters(endpoint: Endpoint): readonly JsonObject[] {
  return pathVariables(endpoint).map(parameter)
}

/** The variables that stand between quotes in the path itself, so that whoever fills them in need not write any. */
export function quotedVariables(endpoint: Endpoint): ReadonlySet<string> {
  return new Set(pathVariables(endpoint).flatMap(({ name, form }) => (form === 'quoted' ? [name] : [])))
}

/**
 * How a value is written. `plain`: as it is. `quoted`: between quotes that the path has. `literal`: with the quotes as a
 * part of it, because null has none.
 */
type Form = 'plain' | 'quoted' | 'literal'

interface PathVariable {
  readonly name: string
  readonly value: TypedValue
  readonly about: string | undefined
  readonly form: Form
}

function pathVariables(endpoint: Endpoint): readonly PathVariable[] {
  return endpoint.resolved.flatMap((segment, index): readonly PathVariable[] => {
    if (segment.kind === 'key') {
      const keys = endpoint.keys.filter(key => key.segment === index)
      const about = `Key of ${segment.type.name}.`
      return keys.map(({ variable, property }) => {
        const form = segment.style === 'parentheses' ? formOf(property) : 'plain'
        return { name: variable, value: property, about, form }
      })
    }
    if (segment.kind !== 'operation') return []
    return segment.operation.parameters.flatMap(each => {
      const variable = Object.hasOwn(segment.variables, each.name) ? segment.variables[each.name] : undefined
      return variable === undefined
        ? []
        : [{ name: variable, value: each, about: description(each), form: formOf(each) }]
    })
  })
}

function formOf(value: TypedValue): Form {
  if (value.collection || !isText(value.type)) return 'plain'
  return value.nullable ? 'literal' : 'quoted'
}

const notes: Readonly<Record<Form, string | undefined>> = {
  plain: undefined,
  quoted: 'A single quote within is doubled.',
  literal: 'In single quotes; a quote within is doubled. Or null.',
}

function parameter({ name, value, about, form }: PathVariable): JsonObject {
  const text = [about, notes[form]].filter(part => part !== undefined).join(' ')
  return jsonObject([
    ['name', name],
    ['in', 'path'],
    ['required', true],
    ['description', text === '' ? undefined : text],
    ['schema', schema(value, form)],
  ])
}

function schema(value: TypedValue, form: Form): Json {
  if (form === 'literal') return { type: 'string', pattern: "^('.*'|null)$" }
  return valueSchema({ ...value, nullable: false }, 'read', { prefix: schemasPrefix, geoTypes: new Set() })
}

/** Whether a literal of the type stands in quotes. */
function isText(type: ValueType): boolean {
  if (type.kind === 'typeDefinition') return type.underlying === 'String'
  return type.kind === 'enumType' || (type.kind === 'primitive' && type.name === 'String')
}
