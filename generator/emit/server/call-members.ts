import type {
  CallEndpoint,
  Endpoint,
  Preference,
  QueryCapabilities,
  Service,
} from '../../../spec/language/model/index.js'
import { operationIdentifier } from '../../names/operation-identifier.js'
import { propertyName } from '../../names/property-name.js'
import { stringLiteral } from '../../text/string-literal.js'
import { bodyTypeText } from '../types/body-type-text.js'
import { valueTypeText } from '../types/value-type-text.js'
import type { ServerFile } from './server-file.js'

/** What the call of one handler holds beside what all calls hold. */
export interface CallMember {
  readonly name: 'keys' | 'parameters' | 'query' | 'pageSize' | 'body' | 'precondition' | 'prefer'
  /** Its type, in which `own` stands for what is of this operation alone. */
  readonly type: (own: string) => string
  /** What is of this operation alone: the type of the body it accepts or of its parameters. */
  readonly own?: string
}

export function callMembers(endpoint: Endpoint, service: Service, file: ServerFile): readonly CallMember[] {
  return [
    ...keys(endpoint, file),
    ...parameters(endpoint, file),
    ...queryMembers(endpoint, file),
    ...body(endpoint, service, file),
    ...('ifMatch' in endpoint && endpoint.ifMatch !== 'none'
      ? [fixed('precondition', file.runtimeType('Precondition', 'server/precondition'))]
      : []),
    ...(endpoint.preferences.length > 0 ? [fixed('prefer', preferText(endpoint.preferences))] : []),
  ]
}

const fixed = (name: CallMember['name'], type: string): CallMember => ({ name, type: () => type })

function keys(endpoint: Endpoint, file: ServerFile): readonly CallMember[] {
  if (endpoint.keys.length === 0) return []
  const members = endpoint.keys.map(({ variable, property }) => {
    const type = valueTypeText(file.names, { ...property, nullable: false }, 'read', file.typeReference)
    return `readonly ${propertyName(variable)}: ${type}`
  })
  return [fixed('keys', `{ ${members.join('; ')} }`)]
}

function parameters(endpoint: Endpoint, file: ServerFile): readonly CallMember[] {
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

function body(endpoint: Endpoint, service: Service, file: ServerFile): readonly CallMember[] {
  if (endpoint.kind !== 'create' && endpoint.kind !== 'update' && endpoint.kind !== 'replace') return []
  const received = file.runtimeType('Received', 'server/received')
  const own = bodyTypeText(service, file.names, endpoint.type, endpoint.kind, file.typeReference)
  return [{ name: 'body', type: type => `${received}<${type}>`, own }]
}

function preferText(preferences: readonly Preference[]): string {
  const members = preferences.map(
    ({ name, values }) => `readonly ${propertyName(name)}?: ${values.map(stringLiteral).join(' | ') || 'never'}`,
  )
  return `{ ${members.join('; ')} }`
}
