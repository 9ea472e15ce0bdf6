import {
  type CallEndpoint,
  type Endpoint,
  handlerErrors,
  type Preference,
  type QueryCapabilities,
  type Service,
} from '../../../spec/language/index.js'
import { operationIdentifier, propertyName, typeIdentifier } from '../../names/identifiers.js'
import type { EndpointNode } from '../../names/resource-tree.js'
import { bracketed, layOut, lineWidth, unbroken, union } from '../../text/layout.js'
import { stringLiteral } from '../../text/literals.js'
import type { ServerFile } from '../emit-context.js'
import { valueTypeText } from '../types/value-types.js'
import { bodyTypeText } from '../write-shapes.js'
import type { CallShapeView, CallView } from './server-names.js'

/** The calls of all handlers. */
export interface Calls {
  of(endpoint: Endpoint): CallView
  /** What several calls hold, in the order of the endpoints. */
  shapes(): readonly CallShapeView[]
}

/** A type parameter of a shape, and the type that an operation gives for it. */
interface OwnType {
  readonly parameter: string
  readonly argument: string
}

interface Shape {
  readonly name: string
  readonly view: CallShapeView
}

/**
 * Names the types of calls. What several calls hold stands once, as an interface: to the compiler, what is written anew for
 * each of thousands of operations is as many types, each of which it resolves in every thread that meets it.
 */
export function calls(nodes: readonly EndpointNode[], service: Service, file: ServerFile): Calls {
  const members = new Map(nodes.map(({ endpoint }) => [endpoint, callMembers(endpoint, service, file)]))
  const names = new Map(nodes.map(({ endpoint, identifier }) => [endpoint, file.scope.claim(`${identifier}Call`, '_')]))
  const takers = new Map<string, number>()
  for (const held of members.values()) takers.set(contentOf(held), (takers.get(contentOf(held)) ?? 0) + 1)

  const base = nodes.length === 0 ? '' : file.runtimeType('Call', 'server/call')
  const parameterNames = new Map<string, string>()
  const parameter = (name: string): string => {
    const found = parameterNames.get(name) ?? file.scope.claim(name, '_')
    parameterNames.set(name, found)
    return found
  }
  const ownTypes = (held: readonly CallMember[]): readonly OwnType[] =>
    held.flatMap(({ name, own }) =>
      own === undefined ? [] : [{ parameter: parameter(typeIdentifier(name)), argument: own }],
    )

  const shapes = new Map<string, Shape>()
  for (const [endpoint, held] of members) {
    const content = contentOf(held)
    if (held.length === 0 || takers.get(content) === 1 || shapes.has(content)) continue
    const name = file.scope.claim(`${nameOf(endpoint, held)}Call`, '_')
    const errors = parameter('Errors')
    const parameters = [file.context, `${errors} extends string`, ...ownTypes(held).map(own => own.parameter)]
    const behind = ` extends ${base}<${file.context}, ${errors}> {`
    const head = bracketed(`${name}<`, parameters.map(unbroken), '>', '')
    shapes.set(content, {
      name,
      view: {
        head: layOut(head, 0, 'export interface '.length, behind.length) + behind,
        members: held.map(({ name: is, type, own }) => ({
          name: is,
          type: type(own === undefined ? '' : parameter(typeIdentifier(is))),
        })),
      },
    })
  }

  return {
    of: endpoint => {
      const name = names.get(endpoint)
      const held = members.get(endpoint)
      if (name === undefined || held === undefined) throw new Error(`${endpoint.name} is no operation of this service`)
      const errors = [...new Set(handlerErrors(endpoint, service.faults).map(error => error.name))].map(stringLiteral)
      const shape = shapes.get(contentOf(held))
      const own =
        shape === undefined ? held.map(({ name: is, type, own: its = '' }) => ({ name: is, type: type(its) })) : []
      const types = shape === undefined ? [] : ownTypes(held).map(({ argument }) => unbroken(argument))
      const type = bracketed(`${shape?.name ?? base}<`, [unbroken(file.context), union(errors), ...types], '>', '')
      const after = own.length === 0 ? 0 : ' & {'.length
      const fits = `export type ${name}<${file.context} = undefined> = `.length + type.flat.length + after <= lineWidth
      return { name, type: fits ? ` ${type.flat}` : `\n  ${layOut(type, 2, 2, after)}`, members: own }
    },
    shapes: () => [...shapes.values()].map(({ view }) => view),
  }
}

/** What calls have to have in common to be of one shape. */
const contentOf = (held: readonly CallMember[]): string =>
  held.map(({ name, type }) => `${name}: ${type('_')}`).join('\n')

/** `keys` of a user and a message, `query` and `pageSize` become `UserIdAndIdAndPages`. */
function nameOf({ keys }: Endpoint, held: readonly CallMember[]): string {
  const has = (name: CallMember['name']): boolean => held.some(member => member.name === name)
  return [
    ...keys.map(({ variable }) => typeIdentifier(variable)),
    ...(has('parameters') ? ['Parameters'] : []),
    ...(has('pageSize') ? ['Pages'] : has('query') ? ['Query'] : []),
    ...(has('body') ? ['Body'] : []),
    ...(has('precondition') ? ['Precondition'] : []),
    ...(has('prefer') ? ['Prefer'] : []),
  ].join('And')
}

/** What the call of one handler holds beside what all calls hold. */
interface CallMember {
  readonly name: 'keys' | 'parameters' | 'query' | 'pageSize' | 'body' | 'precondition' | 'prefer'
  /** Its type, in which `own` stands for what is of this operation alone. */
  readonly type: (own: string) => string
  /** What is of this operation alone: the type of the body it accepts or of its parameters. */
  readonly own?: string
}

function callMembers(endpoint: Endpoint, service: Service, file: ServerFile): readonly CallMember[] {
  return [
    ...keysMember(endpoint, file),
    ...parametersMember(endpoint, file),
    ...queryMembers(endpoint, file),
    ...bodyMember(endpoint, service, file),
    ...('ifMatch' in endpoint && endpoint.ifMatch !== 'none'
      ? [fixed('precondition', file.runtimeType('Precondition', 'server/precondition'))]
      : []),
    ...(endpoint.preferences.length > 0 ? [fixed('prefer', preferText(endpoint.preferences))] : []),
  ]
}

const fixed = (name: CallMember['name'], type: string): CallMember => ({ name, type: () => type })

function keysMember(endpoint: Endpoint, file: ServerFile): readonly CallMember[] {
  if (endpoint.keys.length === 0) return []
  const members = endpoint.keys.map(({ variable, property }) => {
    const type = valueTypeText(file.names, { ...property, nullable: false }, 'read', file.typeReference)
    return `readonly ${propertyName(variable)}: ${type}`
  })
  return [fixed('keys', `{ ${members.join('; ')} }`)]
}

function parametersMember(endpoint: Endpoint, file: ServerFile): readonly CallMember[] {
  if (endpoint.kind !== 'call' || endpoint.operation.parameters.length === 0) return []
  const own = file.typeReference(`${operationIdentifier(endpoint.operation)}Parameters`)
  return [{ name: 'parameters', type: type => type, own }]
}

function queryMembers(endpoint: Endpoint, file: ServerFile): readonly CallMember[] {
  if (!('query' in endpoint || 'ifNoneMatch' in endpoint)) return []
  const query = fixed('query', file.runtimeType('QueryOptions', 'query/ast'))
  const pages =
    endpoint.kind === 'collection' || endpoint.kind === 'delta' || (endpoint.kind === 'call' && isItems(endpoint))
  return pages ? [query, fixed('pageSize', pageSizeText(endpoint.query))] : [query]
}

const isItems = ({ operation }: CallEndpoint): boolean =>
  operation.returns?.collection === true && operation.returns.type.kind === 'entityType'

/** Undefined where nothing limits a page. */
const pageSizeText = (query: QueryCapabilities | undefined): string =>
  query?.top.default !== undefined || query?.top.max !== undefined ? 'number' : 'number | undefined'

function bodyMember(endpoint: Endpoint, service: Service, file: ServerFile): readonly CallMember[] {
  if (endpoint.kind !== 'create' && endpoint.kind !== 'update' && endpoint.kind !== 'replace') return []
  const received = file.runtimeType('RequestBody', 'server/received')
  const own = bodyTypeText(service, file.names, endpoint.type, endpoint.kind, file.typeReference)
  return [{ name: 'body', type: type => `${received}<${type}>`, own }]
}

function preferText(preferences: readonly Preference[]): string {
  const members = preferences.map(
    ({ name, values }) => `readonly ${propertyName(name)}?: ${values.map(stringLiteral).join(' | ') || 'never'}`,
  )
  return `{ ${members.join('; ')} }`
}
