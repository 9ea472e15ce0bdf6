import {
  type CallEndpoint,
  type Endpoint,
  type EntityType,
  type ErrorDefinition,
  handlerErrors,
  type Preference,
  type ReadEndpoint,
  type Service,
  type ValueType,
} from '../../../spec/language/index.js'
import { propertyName } from '../../names/identifiers.js'
import { typeName } from '../../names/name-table.js'
import type { EndpointNode } from '../../names/resource-tree.js'
import { type Breakable, bracketed, unbroken, union } from '../../text/layout.js'
import { stringLiteral } from '../../text/literals.js'
import type { ClientFile } from '../emit-context.js'
import { valueTypeText } from '../types/value-types.js'
import { bodyTypeText } from '../write-shapes.js'
import type { ConditionsTable } from './conditions.js'
import type { LiteralFormatsTable } from './literal-formats.js'
import type { ArgumentTypes, PathText } from './path-arguments.js'
import type { QueryTypes } from './query-types.js'

/** One operation of a client: its type in the interface of its resource, and what makes it. */
interface OperationText {
  readonly type: Breakable
  readonly value: Breakable
}

/** What operations refer to. */
export interface OperationContext {
  readonly service: Service
  readonly file: ClientFile
  readonly paths: ReadonlyMap<Endpoint, PathText>
  readonly argumentTypes: ArgumentTypes
  readonly queries: QueryTypes
  readonly formats: LiteralFormatsTable
  readonly conditions: ConditionsTable
  readonly commonCodes: ReadonlySet<string>
  /** The name of the type of codes that every operation has. */
  readonly commonCodesType: string
  /** The name of an entity type's shape. */
  readonly shapeOf: (type: EntityType) => string
}

/** Everything about one operation that its kind does not decide. */
interface Draft {
  readonly node: EndpointNode
  readonly endpoint: Endpoint
  /** The tuple of its arguments, those before a body and options. */
  readonly taken: Breakable
  /** The function that makes its path. */
  readonly template: Breakable
  readonly codes: Breakable
}

export function operation(node: EndpointNode, context: OperationContext): OperationText {
  const { endpoint } = node
  const { paths, argumentTypes, service, commonCodes, commonCodesType, file } = context
  const path = paths.get(endpoint)
  if (path === undefined) throw new Error(`the endpoint ${endpoint.name} has no path`)
  const codes = endpointErrorCodes(endpoint, service, commonCodes).map(stringLiteral)
  const draft: Draft = {
    node,
    endpoint,
    taken: argumentTypes.typeOf(endpoint),
    template: path.template,
    codes: union([...(commonCodes.size > 0 ? [commonCodesType] : []), ...codes]),
  }
  switch (endpoint.kind) {
    case 'collection':
    case 'item':
    case 'count':
    case 'delta':
      return read(endpoint, draft, context)
    case 'create': {
      const { type } = endpoint
      const types = [body(type, 'create', context), unbroken(file.typeReference(typeName(file.names, type)))]
      return write('CreateOperation', 'create', 'create', types, [], draft, context)
    }
    case 'update':
    case 'replace': {
      const { type } = endpoint
      const silent = mayAnswerWithout(endpoint, service) ? ' | undefined' : ''
      const value = unbroken(file.typeReference(typeName(file.names, type)) + silent)
      const method = endpoint.kind === 'update' ? [] : [unbroken("'PUT'")]
      return write(
        'UpdateOperation',
        'update',
        'update',
        [body(type, endpoint.kind, context), value],
        method,
        draft,
        context,
      )
    }
    case 'delete':
      return write('DeleteOperation', 'remove', 'remove', [], [], draft, context)
    case 'call':
      return call(endpoint, draft, context)
  }
}

const body = (
  type: EntityType,
  kind: 'create' | 'update' | 'replace',
  { service, file }: OperationContext,
): Breakable => union(bodyTypeText(service, file.names, type, kind, file.typeReference).split(' | '))

function read(endpoint: ReadEndpoint, draft: Draft, context: OperationContext): OperationText {
  const { type, query, preferences } = endpoint
  const reading = [
    unbroken(context.shapeOf(type)),
    unbroken(context.queries.nameOf(query, type, preferences, draft.node.identifier)),
    draft.codes,
  ]
  switch (endpoint.kind) {
    case 'collection':
      return {
        type: generic('ListOperation', 'list', [draft.taken, ...reading], context),
        value: made('list', 'list', [draft.template, ...queryArguments(endpoint, 'collection', context)], context),
      }
    case 'count':
      return {
        type: generic('CountOperation', 'count', [draft.taken, ...reading], context),
        value: made('count', 'count', [draft.template, ...queryArguments(endpoint, 'count', context)], context),
      }
    case 'delta':
      return {
        type: generic('DeltaOperation', 'delta', [draft.taken, ...reading], context),
        value: made('delta', 'delta', [draft.template], context),
      }
    case 'item': {
      const absent = mayBeAbsent(endpoint) ? [unbroken('undefined')] : []
      const [formats] = expandsWithFilter(endpoint) ? queryArguments(endpoint, 'collection', context) : []
      return {
        type: generic('GetOperation', 'get', [draft.taken, ...reading, ...absent], context),
        value: made('get', 'get', [draft.template, ...(formats === undefined ? [] : [formats])], context),
      }
    }
  }
}

/** A relation that may lead nowhere; services differ on how they say that it does. */
function mayBeAbsent({ resolved, absent }: ReadEndpoint): boolean {
  const last = resolved.at(-1)
  return absent === 204 || (last?.kind === 'navigation' && !last.property.collection && last.property.nullable)
}

/** Whether a change may be answered without the item as it is now. */
function mayAnswerWithout({ status }: Endpoint, { open }: Service): boolean {
  return status === 204 || open.some(({ name, legal }) => name === 'updateStatus' && legal.includes(204))
}

const expandsWithFilter = ({ query }: ReadEndpoint | CallEndpoint): boolean =>
  query !== undefined && query.expand.support !== 'none' && query.expand.nested.includes('filter')

/** The formats of literals and the conditions, as far as the endpoint's queries need them. */
function queryArguments(
  endpoint: ReadEndpoint | CallEndpoint,
  kind: 'collection' | 'count',
  { formats, conditions }: OperationContext,
): readonly Breakable[] {
  const { query } = endpoint
  const type = endpoint.kind === 'call' ? endpoint.operation.returns?.type : endpoint.type
  if (query === undefined || type?.kind !== 'entityType') return []
  const filters = query.filter.support !== 'none' || expandsWithFilter(endpoint)
  const format = filters ? formats.nameOf(type) : undefined
  const condition = conditions.nameOf(query, kind)
  if (condition !== undefined) return [unbroken(format ?? 'undefined'), unbroken(condition)]
  return format === undefined ? [] : [unbroken(format)]
}

/** An operation that changes something. */
function write(
  interfaceName: string,
  maker: string,
  module: string,
  types: readonly Breakable[],
  makerArguments: readonly Breakable[],
  draft: Draft,
  context: OperationContext,
): OperationText {
  const { endpoint, taken, template, codes } = draft
  const options = optionsType(endpoint, context.file)
  return {
    type: generic(interfaceName, module, [taken, ...types, codes, ...options], context),
    value: made(maker, module, [template, ...makerArguments], context),
  }
}

/** The type of a write's options, when it is not the operation's default. */
function optionsType(endpoint: Endpoint, file: ClientFile): readonly Breakable[] {
  const ifMatch = 'ifMatch' in endpoint ? endpoint.ifMatch : undefined
  const plain = { required: 'TaggedChangeOptions', optional: 'ChangeOptions', none: 'RequestOptions' } as const
  const name = plain[ifMatch ?? 'none']
  const isDefault = ifMatch === undefined || ifMatch === 'optional'
  if (isDefault && endpoint.preferences.length === 0) return []
  const prefer = preferOptions(endpoint.preferences, file)
  return [unbroken([file.runtimeType(name, 'request-options'), ...prefer].join(' & '))]
}

function preferOptions(preferences: readonly Preference[], file: ClientFile): readonly string[] {
  if (preferences.length === 0) return []
  const members = preferences.map(
    ({ name, values }) => `readonly ${propertyName(name)}?: ${values.map(stringLiteral).join(' | ') || 'never'}`,
  )
  return [`${file.runtimeType('Prefer', 'request-options')}<{ ${members.join('; ')} }>`]
}

/** A function that returns items is read like a collection or an item; everything else is called. */
function call(endpoint: CallEndpoint, draft: Draft, context: OperationContext): OperationText {
  const { operation: called } = endpoint
  const { file, queries } = context
  const { returns, parameters, kind } = called
  if (kind === 'function' && returns?.type.kind === 'entityType') {
    const query = queries.nameOf(endpoint.query, returns.type, endpoint.preferences, draft.node.identifier)
    const reading = [draft.taken, unbroken(context.shapeOf(returns.type)), unbroken(query), draft.codes]
    const all = queryArguments(endpoint, 'collection', context)
    if (returns.collection) {
      return {
        type: generic('ListOperation', 'list', reading, context),
        value: made('list', 'list', [draft.template, ...all], context),
      }
    }
    const absent = returns.nullable ? [unbroken('undefined')] : []
    return {
      type: generic('GetOperation', 'get', [...reading, ...absent], context),
      value: made('get', 'get', [draft.template, ...all.slice(0, 1)], context),
    }
  }
  const value = returns === undefined ? 'void' : returnText(called.returns, file)
  const wrapped = returns !== undefined && (returns.collection || !isStructured(returns.type))
  const options = optionsType(endpoint, file)
  if (kind === 'function') {
    const flag = wrapped ? [unbroken('true')] : []
    return {
      type: generic(
        'FunctionOperation',
        'call-function',
        [draft.taken, unbroken(value), draft.codes, ...options],
        context,
      ),
      value: made('callFunction', 'call-function', [draft.template, ...flag], context),
    }
  }
  const maker = parameters.length === 0 ? 'parameterlessAction' : 'action'
  return {
    type: generic('ActionOperation', 'action', [draft.taken, unbroken(value), draft.codes, ...options], context),
    value: made(maker, 'action', [draft.template, ...(wrapped ? [unbroken('true')] : [])], context),
  }
}

function returnText(returns: CallEndpoint['operation']['returns'], file: ClientFile): string {
  if (returns === undefined) return 'void'
  const text = valueTypeText(file.names, { ...returns, nullable: false }, 'read', file.typeReference)
  return returns.nullable && !returns.collection ? `${text} | undefined` : text
}

const isStructured = (type: ValueType): boolean => type.kind === 'complexType' || type.kind === 'entityType'

const generic = (name: string, module: string, types: readonly Breakable[], { file }: OperationContext): Breakable =>
  bracketed(`${file.runtimeType(name, module)}<`, types, '>', '')

const made = (name: string, module: string, all: readonly Breakable[], { file }: OperationContext): Breakable =>
  bracketed(`${file.runtimeValue(name, module)}(`, [unbroken('connection'), ...all], ')', ',')

/** Faults that only some operations can have: these declare their codes themselves. */
const ofSomeOperations: ReadonlySet<string> = new Set([
  'itemNotFound',
  'preconditionFailed',
  'preconditionRequired',
  'conflict',
  'expiredToken',
])

/** Codes of the errors that any operation may answer with, in the order of the protocol. */
export function commonErrorCodes({ authentication, faults }: Service): readonly string[] {
  const { missing, insufficient } = authentication
  const errors = [
    missing,
    insufficient,
    ...Object.entries(faults).flatMap(([fault, error]) => (ofSomeOperations.has(fault) ? [] : [error])),
  ]
  return unique(errors.flatMap(error => error?.code ?? []))
}

/** Codes of the errors that an operation may answer with beside the common ones. */
function endpointErrorCodes(endpoint: Endpoint, service: Service, common: ReadonlySet<string>): readonly string[] {
  const query = 'query' in endpoint ? endpoint.query : undefined
  const errors: readonly ErrorDefinition[] = [
    ...handlerErrors(endpoint, service.faults),
    ...(query?.requires ?? []).map(({ otherwise }) => otherwise),
    ...('ifMatch' in endpoint && endpoint.ifMatch === 'required' ? [service.faults.preconditionRequired] : []),
  ]
  return unique(errors.map(({ code }) => code)).filter(code => !common.has(code))
}

const unique = (codes: readonly string[]): readonly string[] => [...new Set(codes)]
