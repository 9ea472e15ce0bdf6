import type { CallEndpoint, Endpoint, PathKey, ValueType } from '../../../spec/language/index.js'
import { operationIdentifier, typeIdentifier, valueIdentifier } from '../../names/identifiers.js'
import type { NameTable } from '../../names/name-table.js'
import { type Scope, scope } from '../../text/file-scope.js'
import { propertyName, stringLiteral } from '../../text/literals.js'
import type { CodeFile } from '../emit-context.js'
import { valueTypeText } from '../types/value-types.js'

/** The path of an operation, and its arguments. */
export interface PathText {
  /** In the order of the path. A composite key is one argument. */
  readonly keys: readonly PathArgument[]
  /** The function that builds it, ``id => `/users/${segment(id)}` ``. */
  readonly template: string
}

/** An argument of an operation in its path. */
interface PathArgument {
  readonly name: string
  readonly type: string
}

/** Names that the template uses: no argument may hide them. */
const namesInTemplates = [
  ...['segment', 'keyPredicate', 'inline', 'quoted', 'parameters'],
  ...['dateTimeOffset', 'date', 'timeOfDay', 'guid', 'duration', 'binary', 'number'],
]

/** A piece of the path, in the order of the template. */
type Part = { readonly literal: string } | { readonly code: string }

const variable = /\{([^{}]+)\}/g

/** The path of an endpoint as code. The parameters of a function are one further argument, after the keys. */
export function pathText(endpoint: Endpoint, file: CodeFile): PathText {
  const keys: PathArgument[] = []
  const parts: Part[] = []
  const locals = scope(namesInTemplates)
  for (const segment of endpoint.path.template.split('/').filter(text => text !== '')) {
    const variables = Array.from(segment.matchAll(variable), match => match[1])
    const segmentKeys = endpoint.keys.filter(key => variables.includes(key.variable))
    const key = segmentKeys.length === 0 ? undefined : keyPart(segment, segmentKeys, locals, file)
    if (key !== undefined) keys.push(key.argument)
    const name = segment.replace(/\(.*/s, '')
    const literal = key === undefined || segment.includes('(') ? `/${encoded(name)}` : '/'
    parts.push({ literal }, ...(key === undefined ? [] : [{ code: key.code }]))
  }
  const argumentNames = keys.map(({ name }) => name)
  if (endpoint.kind === 'call' && endpoint.operation.kind === 'function') {
    const hasParameters = endpoint.operation.parameters.length > 0
    parts.push(hasParameters ? { code: parametersCode(endpoint, file) } : { literal: '()' })
    if (hasParameters) argumentNames.push('parameters')
  }
  const [only] = argumentNames
  const head = argumentNames.length === 1 && only !== undefined ? only : `(${argumentNames.join(', ')})`
  return { keys, template: `${head} => ${templateLiteral(parts)}` }
}

/** The key in a segment: `{id}`, `Users({id})` or `Copies(isbn={isbn},number={number})`. */
function keyPart(
  segment: string,
  keys: readonly PathKey[],
  locals: Scope,
  file: CodeFile,
): { readonly argument: PathArgument; readonly code: string } {
  const typeOf = ({ property }: PathKey): string =>
    valueTypeText(file.names, { ...property, nullable: false }, 'read', file.typeReference)
  const memberOf = (key: PathKey): string => propertyName(key.property.name)
  const inline = (values: string): string => {
    const formats = keys.map(key => `${memberOf(key)}: ${literalFormat(key.property.type, file)}`)
    return `${file.runtime('inline')}(${values}, { ${formats.join(', ')} })`
  }
  const [only, ...others] = keys
  if (only === undefined || others.length > 0) {
    const name = locals.claim('key', '_')
    const type = `{ ${keys.map(key => `readonly ${memberOf(key)}: ${typeOf(key)}`).join('; ')} }`
    return { argument: { name, type }, code: inline(name) }
  }
  const name = locals.claim(valueIdentifier(only.variable) || 'key', '_')
  const argument = { name, type: typeOf(only) }
  if (!segment.includes('(')) return { argument, code: `${file.runtime('segment')}(${name})` }
  if (segment.includes('({')) {
    return { argument, code: `${file.runtime('keyPredicate')}(${name}, ${literalFormat(only.property.type, file)})` }
  }
  const value = memberOf(only) === name ? name : `${memberOf(only)}: ${name}`
  return { argument, code: inline(`{ ${value} }`) }
}

function parametersCode({ operation }: CallEndpoint, file: CodeFile): string {
  const formats = (optional: boolean): string => {
    const members = operation.parameters
      .filter(parameter => parameter.optional === optional)
      .map(parameter => `${propertyName(parameter.name)}: ${literalFormat(parameter.type, file)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  const optional = formats(true)
  return `${file.runtime('inline')}(parameters, ${formats(false)}${optional === '{}' ? '' : `, ${optional}`})`
}

const literalFormat = (type: ValueType, file: CodeFile): string =>
  file.runtime(literalFormatName(type, file.names) ?? 'quoted')

const formatNames: ReadonlyMap<string, string> = new Map([
  ['DateTimeOffset', 'dateTimeOffset'],
  ['Date', 'date'],
  ['TimeOfDay', 'timeOfDay'],
  ['Guid', 'guid'],
  ['Duration', 'duration'],
  ['Binary', 'binary'],
])

/** The function of the runtime that writes values of a type in a URL; undefined for types that are written as strings. */
export function literalFormatName(type: ValueType, { exactNumbers }: NameTable): string | undefined {
  const name = type.kind === 'primitive' ? type.name : type.kind === 'typeDefinition' ? type.underlying : ''
  if (name === 'Decimal' ? exactNumbers !== 'number' : name === 'Int64' && exactNumbers === 'string') return 'number'
  return formatNames.get(name)
}

/** Percent-encoded except for `$`, so that no quote, backquote or brace is left. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
    .replaceAll('%24', '$')
    .replaceAll("'", '%27')

function templateLiteral(parts: readonly Part[]): string {
  if (parts.every(part => 'literal' in part)) return stringLiteral(parts.map(({ literal }) => literal).join(''))
  return `\`${parts.map(part => ('literal' in part ? part.literal : `\${${part.code}}`)).join('')}\``
}

/** A tuple of arguments with a name, as `templates/client.hbs` shows it. */
interface ArgumentTypeView {
  readonly name: string
  readonly value: string
}

/**
 * The tuples of the arguments that operations take before a body and options. A tuple that several operations share is
 * declared once: for the compiler, each labelled tuple in the code is a separate type, with all members of an array.
 */
export interface ArgumentTypes {
  /** The tuple of an endpoint's arguments, or its name. */
  typeOf(endpoint: Endpoint): string
  /** The tuples that have a name, in the order of the endpoints. */
  views(): readonly ArgumentTypeView[]
}

/** @param paths those of all endpoints of the client */
export function argumentTypes(paths: ReadonlyMap<Endpoint, PathText>, file: CodeFile): ArgumentTypes {
  const tuples = new Map<Endpoint, string>()
  const argumentsOf = new Map<string, PathArgument[]>()
  const uses = new Map<string, number>()
  for (const [endpoint, { keys }] of paths) {
    const all = [...keys, ...parametersArgument(endpoint, file)]
    const tuple = `[${all.map(({ name, type }) => `${name}: ${type}`).join(', ')}]`
    tuples.set(endpoint, tuple)
    argumentsOf.set(tuple, all)
    uses.set(tuple, (uses.get(tuple) ?? 0) + 1)
  }
  const names = new Map<string, string>()
  for (const [tuple, all] of argumentsOf) {
    if (all.length > 0 && uses.get(tuple) !== 1) names.set(tuple, file.scope.claim(`${nameOf(all)}Arguments`, '_'))
  }
  return {
    typeOf: endpoint => {
      const tuple = tuples.get(endpoint) ?? '[]'
      return names.get(tuple) ?? tuple
    },
    views: () => [...names].map(([value, name]) => ({ name, value })),
  }
}

function parametersArgument(endpoint: Endpoint, file: CodeFile): readonly PathArgument[] {
  if (endpoint.kind !== 'call' || endpoint.operation.parameters.length === 0) return []
  return [{ name: 'parameters', type: file.typeReference(`${operationIdentifier(endpoint.operation)}Parameters`) }]
}

/** `[id: string, parameters: SellParameters]` becomes `IdAndSell`. */
const nameOf = (all: readonly PathArgument[]): string =>
  all
    .map(({ name, type }) => (name === 'parameters' ? type.replace(/Parameters_*$/, '') : typeIdentifier(name)))
    .join('And')
