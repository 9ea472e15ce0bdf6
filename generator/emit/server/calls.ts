import {
  type CallEndpoint,
  type CreateEndpoint,
  type Endpoint,
  handlerErrors,
  isUpsert,
  type Service,
  type UpdateEndpoint,
} from '../../../spec/language/index.js'
import { operationIdentifier, typeIdentifier } from '../../names/identifiers.js'
import type { EndpointNode, NameTable, ResourceNode } from '../../names/name-table.js'
import { type Scope, scope } from '../../text/file-scope.js'
import { literalUnion, stringLiteral } from '../../text/literals.js'
import { type CodeFile, type PreferenceView, preferenceViews } from '../emit-context.js'
import {
  shapeName as bodyName,
  bodyTypeText,
  bodyUses,
  concreteTypes,
  derivedEntityTypes,
  valueTypeText,
} from '../types/value-types.js'

/** The type of the argument of one handler. */
export interface CallView {
  readonly name: string
  /** The type that it shares with other calls. */
  readonly base: string
  /** Its other members; undefined if there are none. */
  readonly members: CallMembers | undefined
}

/** The members of a call besides those of every call. An empty text or list means that the call lacks a member. */
interface CallMembers {
  readonly keys: readonly { readonly name: string; readonly type: string }[]
  readonly parameters: string
  readonly query: boolean
  readonly pageSize: string
  readonly body: string
  /** The body for each type that the item of an update can have; empty if there is only one. */
  readonly bodyTypes: string
  /** The body of an update that creates the item; empty if it never does. */
  readonly newItem: string
  readonly precondition: boolean
  readonly prefer: readonly PreferenceView[]
}

/** The members that several calls have. */
interface CallShapeView {
  readonly name: string
  readonly typeParameters: readonly string[]
  readonly base: string
  readonly members: CallMembers
}

/** The calls of all handlers. */
interface Calls {
  of(endpoint: Endpoint): CallView
  /** The members that several calls have, in the order of the endpoints. */
  shapes(): readonly CallShapeView[]
}

/**
 * Names the types of calls. Members that several calls have are declared once, as an interface: otherwise the compiler would
 * resolve one type for each operation, in every thread that uses them.
 *
 * @param context the type parameter for what handlers get besides the request
 */
export function calls(nodes: readonly EndpointNode[], service: Service, context: string, file: CodeFile): Calls {
  const members = new Map(nodes.map(({ endpoint }) => [endpoint, callMembers(endpoint, service, file)]))
  const names = new Map(nodes.map(({ endpoint, identifier }) => [endpoint, file.scope.claim(`${identifier}Call`, '_')]))
  const uses = new Map<string, number>()
  for (const own of members.values()) uses.set(shapeKey(own), (uses.get(shapeKey(own)) ?? 0) + 1)

  const base = nodes.length === 0 ? '' : file.runtime('Call')
  const parameterNames = new Map<string, string>()
  const parameter = (name: string): string => {
    const found = parameterNames.get(name) ?? file.scope.claim(name, '_')
    parameterNames.set(name, found)
    return found
  }
  const shapes = new Map<string, CallShapeView>()
  for (const [endpoint, own] of members) {
    const key = shapeKey(own)
    if (isEmpty(own) || uses.get(key) === 1 || shapes.has(key)) continue
    const name = file.scope.claim(`${shapeName(endpoint, own)}Call`, '_')
    const errors = parameter('Errors')
    const parameters = own.parameters === '' ? '' : parameter('Parameters')
    const body = own.body === '' ? '' : parameter('Body')
    shapes.set(key, {
      name,
      typeParameters: [context, `${errors} extends string`, ...[parameters, body].filter(each => each !== '')],
      base: `${base}<${context}, ${errors}>`,
      members: { ...own, parameters, body },
    })
  }
  return {
    of: endpoint => {
      const name = names.get(endpoint)
      const own = members.get(endpoint)
      if (name === undefined || own === undefined) throw new Error(`${endpoint.name} is no operation of this service`)
      const errors = literalUnion([...new Set(handlerErrors(endpoint, service.faults).map(error => error.name))])
      const shape = shapes.get(shapeKey(own))
      if (shape === undefined) {
        return { name, base: `${base}<${context}, ${errors}>`, members: isEmpty(own) ? undefined : own }
      }
      const types = [context, errors, own.parameters, own.body].filter(each => each !== '')
      return { name, base: `${shape.name}<${types.join(', ')}>`, members: undefined }
    },
    shapes: () => [...shapes.values()],
  }
}

function callMembers(endpoint: Endpoint, service: Service, file: CodeFile): CallMembers {
  const isRead = 'query' in endpoint || ('ifNoneMatch' in endpoint && endpoint.kind !== 'readStream')
  const hasParameters = endpoint.kind === 'call' && endpoint.operation.parameters.length > 0
  const hasItem = endpoint.kind === 'create' || endpoint.kind === 'update' || endpoint.kind === 'replace'
  return {
    keys: endpoint.keys.map(({ variable, property }) => ({
      name: variable,
      type: valueTypeText(file.names, { ...property, nullable: false }, 'read', file.typeReference),
    })),
    parameters: hasParameters ? file.typeReference(`${operationIdentifier(endpoint.operation)}Parameters`) : '',
    query: isRead,
    pageSize: isRead ? pageSizeText(endpoint) : '',
    body: hasItem
      ? bodyTypeText(service, file.names, endpoint.type, endpoint.kind, file.typeReference)
      : endpoint.kind === 'createMedia' || endpoint.kind === 'replaceStream'
        ? file.runtime('StreamContent')
        : '',
    bodyTypes: hasItem ? bodyTypesText(endpoint, service, file) : '',
    newItem:
      hasItem && endpoint.kind !== 'create' && isUpsert(endpoint, service) ? newItemText(endpoint, service, file) : '',
    precondition: 'ifMatch' in endpoint && endpoint.ifMatch !== 'none',
    prefer: preferenceViews(endpoint.preferences),
  }
}

/** `{ '#library.book': BookPatch; '#library.audiobook': AudiobookPatch }`. */
function bodyTypesText(endpoint: CreateEndpoint | UpdateEndpoint, service: Service, file: CodeFile): string {
  const types = concreteTypes(endpoint.type, derivedEntityTypes(service))
  if (endpoint.kind === 'create' || types.length === 0 || (types.length === 1 && types[0] === endpoint.type)) return ''
  const members = types.map(type => {
    const body = file.typeReference(bodyName(file.names, type, bodyUses[endpoint.kind]))
    return `readonly ${stringLiteral(`#${type.qualifiedName}`)}: ${body}`
  })
  return `{ ${members.join('; ')} }`
}

/** A create, with the key of the path. */
function newItemText({ type }: UpdateEndpoint, service: Service, file: CodeFile): string {
  return bodyTypeText(service, file.names, type, 'create', file.typeReference)
}

/** The type of the page size: empty without pages, with undefined if pages have no limit. */
function pageSizeText(endpoint: Endpoint): string {
  const hasPages =
    endpoint.kind === 'collection' || endpoint.kind === 'delta' || (endpoint.kind === 'call' && returnsItems(endpoint))
  if (!hasPages) return ''
  const top = endpoint.query?.top
  return top?.default === undefined && top?.max === undefined ? 'number | undefined' : 'number'
}

const returnsItems = ({ operation: { returns } }: CallEndpoint): boolean =>
  returns?.collection === true && returns.type.kind === 'entityType'

/** Calls of one shape differ only in the types of their parameters and bodies. */
const shapeKey = (members: CallMembers): string =>
  JSON.stringify({ ...members, parameters: members.parameters !== '', body: members.body !== '' })

const isEmpty = (members: CallMembers): boolean =>
  Object.values(members).every(
    member => member === '' || member === false || (Array.isArray(member) && member.length === 0),
  )

/** `keys` of a user and a message, `query` and `pageSize` become `UserIdAndIdAndPages`. */
const shapeName = ({ keys }: Endpoint, members: CallMembers): string =>
  [
    ...keys.map(({ variable }) => typeIdentifier(variable)),
    members.parameters === '' ? '' : 'Parameters',
    members.pageSize !== '' ? 'Pages' : members.query ? 'Query' : '',
    members.body === '' ? '' : 'Body',
    members.precondition ? 'Precondition' : '',
    members.prefer.length > 0 ? 'Prefer' : '',
  ]
    .filter(part => part !== '')
    .join('And')

/** The names of declarations in `server.ts`. */
interface ServerNames {
  readonly scope: Scope
  readonly create: string
  /** The handler of operations without a handler. */
  readonly notImplemented: string
  /** The type parameter for what handlers get besides the request. */
  readonly context: string
  /** The interface of the functions that queries can call. */
  readonly functions: string
  /** The interface of a resource's handlers; for the service itself, the interface of all handlers. */
  handlersOf(node: ResourceNode): string
}

/** Names of the arguments of the file's function. */
const locals = ['handlers', 'options', 'undefined']

/** @param typeNames the exports of `types.ts`, whose names stay free */
export function serverNames(names: NameTable, typeNames: Iterable<string>): ServerNames {
  const declared = scope([...typeNames, ...locals])
  const context = declared.claim('Context', '_')
  const create = declared.claim(`create${names.service}`, '_')
  const notImplemented = declared.claim('notImplemented', '_')
  const handlers = new Map<ResourceNode, string>()
  const name = (node: ResourceNode): void => {
    handlers.set(node, declared.claim(`${node.identifier}Handlers`, '_'))
    for (const child of node.children) name(child)
  }
  name(names.resources)
  const functions = declared.claim('QueryFunctions', '_')
  return {
    scope: declared,
    functions,
    create,
    notImplemented,
    context,
    handlersOf: node => {
      const found = handlers.get(node)
      if (found === undefined) throw new Error(`the resource ${node.names.join('.')} has no name`)
      return found
    },
  }
}
