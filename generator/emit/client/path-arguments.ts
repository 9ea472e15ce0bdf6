import type { CallEndpoint, Endpoint, PathKey, ValueType } from '../../../spec/language/index.js'
import { operationIdentifier, propertyName, typeIdentifier, valueIdentifier } from '../../names/identifiers.js'
import { scope } from '../../text/file-scope.js'
import { type Breakable, bracketed, layOut, unbroken } from '../../text/layout.js'
import { stringLiteral } from '../../text/literals.js'
import type { ClientFile } from '../emit-context.js'
import { valueTypeText } from '../types/value-types.js'

/** An argument of an operation that stands in its path. */
interface PathArgument {
  readonly name: string
  readonly type: string
}

/** How an operation's path is made, and of what. */
export interface PathText {
  /** In the order of the path; a composite key is one argument. */
  readonly keys: readonly PathArgument[]
  /** The function that makes it, ``id => `/users/${segment(id)}` ``. */
  readonly template: Breakable
}

/** What a template calls, and must therefore not hide behind an argument. */
const namesInTemplates = [
  ...['segment', 'keyPredicate', 'inline', 'quoted', 'parameters'],
  ...['dateTimeOffset', 'date', 'timeOfDay', 'guid', 'duration', 'binary'],
]

/** A step of the path, in the order of the template. */
type Part = { readonly literal: string } | { readonly code: string }

const variable = /\{([^{}]+)\}/g

/** The path of an endpoint as code. A function's parameters are one more argument, behind the keys. */
export function pathText(endpoint: Endpoint, file: ClientFile): PathText {
  const keys: PathArgument[] = []
  const locals = scope(namesInTemplates)
  const keyOf = (name: string): PathKey | undefined => endpoint.keys.find(key => key.variable === name)
  const keyType = ({ property }: PathKey): string =>
    valueTypeText(file.names, { ...property, nullable: false }, 'read', file.typeReference)

  const parts: Part[] = []
  for (const step of endpoint.path.template.split('/').filter(text => text !== '')) {
    const open = step.indexOf('(')
    const head = open < 0 ? step : step.slice(0, open)
    const variables = Array.from(step.matchAll(variable), match => match[1] ?? '')
    const stepKeys = variables.flatMap(name => keyOf(name) ?? [])
    parts.push({ literal: '/' })
    const [first, second] = stepKeys
    if (first !== undefined && second === undefined) {
      const name = locals.claim(valueIdentifier(first.variable) || 'key', '_')
      keys.push({ name, type: keyType(first) })
      if (open < 0) parts.push({ code: `${file.runtimeValue('segment', 'path-template')}(${name})` })
      else if (step.startsWith('({', open)) {
        const format = literalFormat(first.property.type, file)
        const code = `${file.runtimeValue('keyPredicate', 'key-predicate')}(${name}, ${format})`
        parts.push({ literal: encoded(head) }, { code })
      } else {
        const format = literalFormat(first.property.type, file)
        const inline = file.runtimeValue('inline', 'inline')
        const value =
          propertyName(first.property.name) === name ? name : `${propertyName(first.property.name)}: ${name}`
        parts.push(
          { literal: encoded(head) },
          { code: `${inline}({ ${value} }, { ${propertyName(first.property.name)}: ${format} })` },
        )
      }
    } else if (first !== undefined) {
      const name = locals.claim('key', '_')
      const members = stepKeys.map(key => `readonly ${propertyName(key.property.name)}: ${keyType(key)}`)
      keys.push({ name, type: `{ ${members.join('; ')} }` })
      const formats = stepKeys.map(
        key => `${propertyName(key.property.name)}: ${literalFormat(key.property.type, file)}`,
      )
      parts.push(
        { literal: encoded(head) },
        { code: `${file.runtimeValue('inline', 'inline')}(${name}, { ${formats.join(', ')} })` },
      )
    } else parts.push({ literal: encoded(head) })
  }
  const takesParameters = isFunctionCall(endpoint) && endpoint.operation.parameters.length > 0
  if (isFunctionCall(endpoint))
    parts.push(takesParameters ? { code: parametersCode(endpoint, file) } : { literal: '()' })
  const argumentNames = [...keys.map(({ name }) => name), ...(takesParameters ? ['parameters'] : [])]
  return { keys, template: arrow(argumentNames, templateLiteral(parts)) }
}

const isFunctionCall = (endpoint: Endpoint): endpoint is CallEndpoint =>
  endpoint.kind === 'call' && endpoint.operation.kind === 'function'

function parametersCode({ operation }: CallEndpoint, file: ClientFile): string {
  const formats = (optional: boolean): string =>
    operation.parameters
      .filter(parameter => parameter.optional === optional)
      .map(parameter => `${propertyName(parameter.name)}: ${literalFormat(parameter.type, file)}`)
      .join(', ')
  const optional = formats(true)
  const all = ['parameters', braced(formats(false)), ...(optional === '' ? [] : [braced(optional)])]
  return `${file.runtimeValue('inline', 'inline')}(${all.join(', ')})`
}

const braced = (members: string): string => (members === '' ? '{}' : `{ ${members} }`)

/** How a value of a type is written in a URL: the name of a format of the client's runtime. */
function literalFormat(type: ValueType, file: ClientFile): string {
  const name = literalFormatName(type)
  return name === undefined ? file.runtimeValue('quoted', 'literal') : file.runtimeValue(name, 'literal-formats')
}

/** The format of a type that is not written as a string; undefined for those that are. */
export function literalFormatName(type: ValueType): string | undefined {
  const primitive = type.kind === 'primitive' ? type.name : type.kind === 'typeDefinition' ? type.underlying : undefined
  switch (primitive) {
    case 'DateTimeOffset':
      return 'dateTimeOffset'
    case 'Date':
      return 'date'
    case 'TimeOfDay':
      return 'timeOfDay'
    case 'Guid':
      return 'guid'
    case 'Duration':
      return 'duration'
    case 'Binary':
      return 'binary'
    default:
      return undefined
  }
}

/** Percent-encoded, `$` aside: neither a quote, a backquote nor a brace is left. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
    .replaceAll('%24', '$')
    .replaceAll("'", '%27')

function templateLiteral(parts: readonly Part[]): string {
  if (parts.every(part => 'literal' in part))
    return stringLiteral(parts.map(part => ('literal' in part ? part.literal : '')).join(''))
  return `\`${parts.map(part => ('literal' in part ? part.literal : `\${${part.code}}`)).join('')}\``
}

function arrow(names: readonly string[], body: string): Breakable {
  const [only] = names
  const head = names.length === 1 && only !== undefined ? only : `(${names.join(', ')})`
  return { flat: `${head} => ${body}`, broken: indentation => `${head} =>\n${' '.repeat(indentation + 2)}${body}` }
}

/** Path arguments as the members of a tuple type. */
const argumentTuple = (all: readonly PathArgument[]): Breakable =>
  bracketed(
    '[',
    all.map(({ name, type }) => unbroken(`${name}: ${type}`)),
    ']',
    '',
  )

/** The arguments that several operations take, as `templates/client.hbs` shows them. */
export interface ArgumentTypeView {
  readonly name: string
  readonly value: string
}

/**
 * The tuples of what operations take before a body and options. What several take stands once: to the compiler, a tuple
 * with labels is a type of its own, with all members of an array, wherever it is written.
 */
export interface ArgumentTypes {
  /** The tuple of an endpoint's arguments; its name, where other endpoints take the same. */
  typeOf(endpoint: Endpoint): Breakable
  /** The tuples that have a name, in the order of the endpoints. */
  views(): readonly ArgumentTypeView[]
}

/** @param paths those of all endpoints of the client */
export function argumentTypes(paths: ReadonlyMap<Endpoint, PathText>, file: ClientFile): ArgumentTypes {
  const taken = new Map<Endpoint, readonly PathArgument[]>()
  const takers = new Map<string, number>()
  for (const [endpoint, { keys }] of paths) {
    const all = [...keys, ...parametersArgument(endpoint, file)]
    taken.set(endpoint, all)
    takers.set(contentOf(all), (takers.get(contentOf(all)) ?? 0) + 1)
  }
  const views = new Map<string, ArgumentTypeView>()
  for (const all of taken.values()) {
    const content = contentOf(all)
    if (all.length === 0 || views.has(content) || takers.get(content) === 1) continue
    const name = file.scope.claim(`${nameOf(all)}Arguments`, '_')
    views.set(content, { name, value: layOut(argumentTuple(all), 0, `type ${name} = `.length) })
  }
  return {
    typeOf: endpoint => {
      const all = taken.get(endpoint) ?? []
      const view = views.get(contentOf(all))
      return view === undefined ? argumentTuple(all) : unbroken(view.name)
    },
    views: () => [...views.values()],
  }
}

function parametersArgument(endpoint: Endpoint, file: ClientFile): readonly PathArgument[] {
  if (endpoint.kind !== 'call' || endpoint.operation.parameters.length === 0) return []
  return [{ name: 'parameters', type: file.typeReference(`${operationIdentifier(endpoint.operation)}Parameters`) }]
}

const contentOf = (all: readonly PathArgument[]): string => all.map(({ name, type }) => `${name}: ${type}`).join(', ')

/** `[id: string, parameters: SellParameters]` becomes `IdAndSell`. */
const nameOf = (all: readonly PathArgument[]): string =>
  all
    .map(({ name, type }) => (name === 'parameters' ? type.replace(/Parameters_*$/, '') : typeIdentifier(name)))
    .join('And')
