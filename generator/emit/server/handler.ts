import type {
  CallEndpoint,
  Endpoint,
  Preference,
  QueryCapabilities,
  Service,
} from '../../../spec/language/model/index.js'
import { handlerErrors } from '../../../spec/language/table/handler-errors.js'
import { operationIdentifier } from '../../names/operation-identifier.js'
import { propertyName } from '../../names/property-name.js'
import type { EndpointNode } from '../../names/resource-node.js'
import { bracketed, layOut, lineWidth, unbroken, union } from '../../text/breakable.js'
import { stringLiteral } from '../../text/string-literal.js'
import { endpointDocs } from '../endpoint-docs.js'
import { bodyTypeText } from '../types/body-type-text.js'
import { valueTypeText } from '../types/value-type-text.js'
import type { Rows } from './rows.js'
import type { ServerFile } from './server-file.js'
import type { HandlerView } from './server-view.js'

/** What handlers refer to. */
export interface HandlerContext {
  readonly service: Service
  readonly file: ServerFile
  readonly rows: Rows
}

/** One handler: its call and its answer. */
export function handler({ name, identifier, endpoint }: EndpointNode, context: HandlerContext): HandlerView {
  const { file, service } = context
  const call = file.scope.claim(`${identifier}Call`, '_')
  const errors = [...new Set(handlerErrors(endpoint, service.faults).map(error => error.name))].map(stringLiteral)
  return {
    docs: endpointDocs(endpoint),
    name,
    call,
    answer: answerText(endpoint, context),
    base: baseText(call, errors, file),
    members: callMembers(endpoint, context),
  }
}

/** An alias, since to hold an interface to its base is work for the compiler, for thousands of calls. */
function baseText(call: string, errors: readonly string[], file: ServerFile): string {
  const base = bracketed(`${file.runtimeType('Call', 'server/call')}<`, [unbroken('Context'), union(errors)], '>', '')
  const before = `export type ${call}<Context = undefined> = `.length
  if (before + base.flat.length + ' & {'.length <= lineWidth) return ` ${base.flat}`
  return `\n  ${layOut(base, 2, 2, ' & {'.length)}`
}

interface MemberText {
  readonly name: string
  readonly type: string
}

function callMembers(endpoint: Endpoint, context: HandlerContext): readonly MemberText[] {
  const { file } = context
  return [
    ...keys(endpoint, file),
    ...parameters(endpoint, file),
    ...queryMembers(endpoint, file),
    ...body(endpoint, context),
    ...('ifMatch' in endpoint && endpoint.ifMatch !== 'none'
      ? [{ name: 'precondition', type: file.runtimeType('Precondition', 'server/precondition') }]
      : []),
    ...(endpoint.preferences.length > 0 ? [{ name: 'prefer', type: preferText(endpoint.preferences) }] : []),
  ]
}

function keys(endpoint: Endpoint, file: ServerFile): readonly MemberText[] {
  if (endpoint.keys.length === 0) return []
  const members = endpoint.keys.map(({ variable, property }) => {
    const type = valueTypeText(file.names, { ...property, nullable: false }, 'read', file.typeReference)
    return `readonly ${propertyName(variable)}: ${type}`
  })
  return [{ name: 'keys', type: `{ ${members.join('; ')} }` }]
}

function parameters(endpoint: Endpoint, file: ServerFile): readonly MemberText[] {
  if (endpoint.kind !== 'call' || endpoint.operation.parameters.length === 0) return []
  return [{ name: 'parameters', type: file.typeReference(`${operationIdentifier(endpoint.operation)}Parameters`) }]
}

function queryMembers(endpoint: Endpoint, file: ServerFile): readonly MemberText[] {
  if (!('query' in endpoint || 'ifNoneMatch' in endpoint)) return []
  const query = { name: 'query', type: file.runtimeType('QueryOptions', 'query/ast') }
  const pages =
    endpoint.kind === 'collection' || endpoint.kind === 'delta' || (endpoint.kind === 'call' && isItems(endpoint))
  return pages ? [query, { name: 'pageSize', type: pageSizeText(endpoint.query) }] : [query]
}

const isItems = ({ operation }: CallEndpoint): boolean =>
  operation.returns?.collection === true && operation.returns.type.kind === 'entityType'

/** Undefined where nothing limits a page. */
const pageSizeText = (query: QueryCapabilities | undefined): string =>
  query?.top.default !== undefined || query?.top.max !== undefined ? 'number' : 'number | undefined'

function body(endpoint: Endpoint, { service, file }: HandlerContext): readonly MemberText[] {
  if (endpoint.kind !== 'create' && endpoint.kind !== 'update' && endpoint.kind !== 'replace') return []
  const type = bodyTypeText(service, file.names, endpoint.type, endpoint.kind, file.typeReference)
  return [{ name: 'body', type: `${file.runtimeType('Received', 'server/received')}<${type}>` }]
}

function preferText(preferences: readonly Preference[]): string {
  const members = preferences.map(
    ({ name, values }) => `readonly ${propertyName(name)}?: ${values.map(stringLiteral).join(' | ') || 'never'}`,
  )
  return `{ ${members.join('; ')} }`
}

function answerText(endpoint: Endpoint, { file, rows }: HandlerContext): string {
  switch (endpoint.kind) {
    case 'collection':
      return `${file.runtimeType('ListResult', 'server/list-result')}<${rows.textOf(endpoint.type)}>`
    case 'delta':
      return `${file.runtimeType('DeltaResult', 'server/delta-result')}<${rows.textOf(endpoint.type)}>`
    case 'count':
      return 'number'
    case 'create':
      return rows.textOf(endpoint.type)
    case 'item':
    case 'update':
    case 'replace':
      return `${rows.textOf(endpoint.type)} | null | undefined`
    case 'delete':
      return 'void'
    case 'call':
      return callAnswer(endpoint, file, rows)
  }
}

function callAnswer(endpoint: CallEndpoint, file: ServerFile, rows: Rows): string {
  const { returns } = endpoint.operation
  if (returns === undefined) return 'void'
  const { type, collection } = returns
  const absent = returns.nullable && !collection ? ' | null | undefined' : ''
  if (type.kind !== 'entityType') {
    return valueTypeText(file.names, { ...returns, nullable: false }, 'read', file.typeReference) + absent
  }
  const row = rows.textOf(type)
  if (!collection) return row + absent
  if (endpoint.query !== undefined) return `${file.runtimeType('ListResult', 'server/list-result')}<${row}>`
  return `readonly ${row}[]`
}
