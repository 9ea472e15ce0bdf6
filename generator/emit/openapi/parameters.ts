import {
  type Condition,
  changesOfList,
  type Endpoint,
  isUpsert,
  type Path,
  type Preference,
  type Service,
  type Support,
  type ValueType,
} from '../../../spec/language/index.js'
import { memberDescription } from '../doc-comments.js'
import { type Json, type JsonObject, jsonObject } from '../emit-context.js'
import { type TypedValue, valueSchema } from '../json-schema/structured-schema.js'
import { schemasPrefix } from './schemas.js'

/** The variables of a path: keys, and arguments of functions. */
export function pathParameters(endpoint: Endpoint): readonly JsonObject[] {
  return pathVariables(endpoint).map(pathParameter)
}

/** The variables inside quotes in the path itself, so that a caller need not write the quotes. */
function quotedVariables(endpoint: Endpoint): ReadonlySet<string> {
  return new Set(pathVariables(endpoint).flatMap(({ name, form }) => (form === 'quoted' ? [name] : [])))
}

/**
 * The form of a value. `plain`: unchanged. `quoted`: between quotes of the path. `literal`: with its own quotes, because
 * null has none.
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
    if (segment.kind === 'key' || segment.kind === 'alternateKey') {
      const keys = endpoint.keys.filter(key => key.segment === index)
      const isAlternate = segment.kind === 'alternateKey'
      const about = `${isAlternate ? 'Alternate key' : 'Key'} of ${segment.type.name}.`
      return keys.map(({ variable, property }) => {
        const form = isAlternate || segment.style === 'parentheses' ? formOf(property) : 'plain'
        return { name: variable, value: property, about, form }
      })
    }
    if (segment.kind !== 'operation') return []
    return segment.operation.parameters.flatMap(each => {
      const variable = Object.hasOwn(segment.variables, each.name) ? segment.variables[each.name] : undefined
      return variable === undefined
        ? []
        : [{ name: variable, value: each, about: memberDescription(each), form: formOf(each) }]
    })
  })
}

function formOf(value: TypedValue): Form {
  if (value.collection || !isText(value.type)) return 'plain'
  return value.nullable ? 'literal' : 'quoted'
}

const formNotes: Readonly<Record<Form, string | undefined>> = {
  plain: undefined,
  quoted: 'Single quotes inside it are doubled.',
  literal: 'In single quotes, with quotes inside it doubled. Or null.',
}

function pathParameter({ name, value, about, form }: PathVariable): JsonObject {
  const text = [about, formNotes[form]].filter(part => part !== undefined).join(' ')
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

/** Whether a literal of the type is in quotes. */
function isText(type: ValueType): boolean {
  if (type.kind === 'typeDefinition') return type.underlying === 'String'
  return type.kind === 'enumType' || (type.kind === 'primitive' && type.name === 'String')
}

/** A path in the syntax of OpenAPI: `/copies(isbn='{isbn}',number={number})`. */
export function pathTemplate({ template, endpoints: [endpoint] }: Path): string {
  if (endpoint === undefined) return template
  const quoted = quotedVariables(endpoint)
  return template.replaceAll(/([(=])\{([^{}]*)\}/g, (whole, before: string, name: string) =>
    quoted.has(name) ? `${before}'{${name}}'` : whole,
  )
}

/** The request headers that an endpoint supports. */
export function headerParameters(endpoint: Endpoint, service: Service): readonly JsonObject[] {
  const query = 'query' in endpoint ? endpoint.query : undefined
  return [
    ...conditionHeaders(query?.requires ?? []),
    ...preconditionHeader(
      'If-Match',
      'ifMatch' in endpoint ? endpoint.ifMatch : 'none',
      'Changes the item only if its entity tag is one of these.',
    ),
    ...preconditionHeader(
      'If-None-Match',
      'ifNoneMatch' in endpoint ? endpoint.ifNoneMatch : 'none',
      'Returns 304 if the entity tag is one of these.',
    ),
    ...((endpoint.kind === 'update' || endpoint.kind === 'replace') && isUpsert(endpoint, service)
      ? [header('If-None-Match', '`*` only creates the item.', {})]
      : []),
    ...preferHeader(endpoint, service),
  ]
}

function conditionHeaders(conditions: readonly Condition[]): readonly JsonObject[] {
  const byName = new Map<string, Condition[]>()
  for (const condition of conditions) {
    byName.set(condition.header.name, [...(byName.get(condition.header.name) ?? []), condition])
  }
  return [...byName].map(([name, own]) => {
    const needs = own.map(condition => {
      const { when, otherwise, open } = condition
      const constructs = when.map(all => all.join(' with ')).join(', ')
      return `${open === undefined ? 'Needed' : 'May be needed'} for ${constructs}; without it: ${otherwise.code}.`
    })
    return header(name, needs.join(' '), { enum: [...new Set(own.map(condition => condition.header.value))] })
  })
}

function preconditionHeader(name: string, support: Support, about: string): readonly JsonObject[] {
  if (support === 'none') return []
  return [header(name, about, {}, support === 'required' && name === 'If-Match')]
}

function preferHeader(endpoint: Endpoint, service: Service): readonly JsonObject[] {
  const { kind, preferences } = endpoint
  const changes = kind === 'create' || kind === 'createMedia' || kind === 'update' || kind === 'replace'
  const choices = [
    ...preferences.map(preferenceText),
    ...(changes ? ['`return=minimal` or `return=representation`: whether the item is returned.'] : []),
    ...(changesOfList(endpoint, service) === undefined
      ? []
      : ['`odata.track-changes`: all items, and on the last page a link to later changes.']),
    ...(service.features.omitValues !== 'none' && (kind === 'collection' || kind === 'item')
      ? ['`omit-values=nulls` or `omit-values=defaults`: properties that are null, or have their default, are absent.']
      : []),
    ...(service.features.respondAsync === 'none' ? [] : ['`respond-async`: 202 with the URL of a status monitor.']),
  ]
  return choices.length === 0 ? [] : [header('Prefer', choices.join(' '), {})]
}

function preferenceText({ name, values, default: byDefault }: Preference): string {
  const written = values.map(value => `\`${name}="${value}"\``).join(' or ')
  return `${written}${byDefault === undefined ? '' : `; without it ${byDefault}`}.`
}

function header(name: string, about: string, schema: JsonObject, required = false): JsonObject {
  return jsonObject([
    ['name', name],
    ['in', 'header'],
    ['required', required ? true : undefined],
    ['description', about],
    ['schema', { type: 'string', ...schema }],
  ])
}
