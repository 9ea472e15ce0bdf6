import {
  type CallEndpoint,
  type CreateEndpoint,
  type Endpoint,
  type EntityType,
  type ErrorDefinition,
  handlerErrors,
  isSamePath,
  isUpsert,
  keyInPath,
  type ReadEndpoint,
  type Service,
  type UpdateEndpoint,
  type ValueType,
} from '../../../spec/language/index.js'
import type { EndpointNode, ResourceNode } from '../../names/name-table.js'
import { literalUnion, stringLiteral } from '../../text/literals.js'
import { endpointDocs } from '../doc-comments.js'
import { type CodeFile, type PreferenceView, preferenceViews } from '../emit-context.js'
import { anyShapeName, bodyTypeText, valueTypeText } from '../types/value-types.js'
import type { EntityShapes, RequiredHeadersTable } from './conditions.js'
import type { LiteralFormatsTable } from './literal-formats.js'
import type { ArgumentTypes, PathText } from './path-arguments.js'
import { aggregates, computes, type QueryTypes } from './query-types.js'

/** One operation of a client, as `templates/partials/operation-type.hbs` and `operation-value.hbs` show it. */
export type OperationView = (ReadView | WriteView | StreamView | PropertyView | LinkView | CallView) & {
  readonly docs: readonly string[]
  readonly name: string
  /** The tuple of its arguments before a body and options. */
  readonly arguments: string
  /** The function that builds its path. */
  readonly path: string
  /** The union of its error codes. */
  readonly codes: string
}

interface ReadView {
  readonly kind: 'list' | 'get' | 'count' | 'delta'
  readonly shape: string
  readonly query: string
  /** The path may have no target. */
  readonly absent: boolean
  /** The constant with the formats of literals; empty if all values are written as strings. */
  readonly formats: string
  /** The function for the headers that queries require; empty if they require none. */
  readonly conditions: string
  /** Its items have several types. */
  readonly polymorphic: boolean
  /** The read can compute properties. */
  readonly computes: boolean
  /** The list can be transformed. */
  readonly aggregates: boolean
  /** The read can omit values. */
  readonly omits: boolean
}

interface WriteView {
  readonly kind: 'create' | 'update' | 'replace' | 'delete'
  /** Empty for a delete. */
  readonly body: string
  readonly result: string
  readonly options: OptionsView | undefined
}

/** A stream, which is read or sent as bytes. */
interface StreamView {
  readonly kind: 'readStream' | 'writeStream'
  readonly method: string
  readonly result: string
  readonly options: OptionsView | undefined
}

/** The properties of an item, each at a path of its own. */
interface PropertyView {
  readonly kind: 'property'
  readonly shape: string
  /** The type of the body of a patch; `never` if the item cannot be patched. */
  readonly body: string
  readonly options: OptionsView | undefined
}

/** The links of a relation. */
interface LinkView {
  readonly kind: 'link' | 'links'
  readonly options: OptionsView | undefined
}

interface CallView {
  readonly kind: 'function' | 'action'
  readonly result: string
  readonly options: OptionsView | undefined
  /** The response contains the result under `value`. */
  readonly wrapped: boolean
  readonly hasParameters: boolean
}

/** The type of a change's options, if it is not the operation's default. */
interface OptionsView {
  readonly type: 'TaggedChangeOptions' | 'ChangeOptions' | 'RequestOptions' | 'TaggedUpsertOptions' | 'UpsertOptions'
  readonly prefer: readonly PreferenceView[]
}

/** What operations refer to. */
export interface OperationContext {
  readonly service: Service
  readonly file: CodeFile
  readonly paths: ReadonlyMap<Endpoint, PathText>
  readonly argumentTypes: ArgumentTypes
  readonly queries: QueryTypes
  readonly formats: LiteralFormatsTable
  readonly conditions: RequiredHeadersTable
  readonly commonCodes: ReadonlySet<string>
  /** The name of the type of codes that every operation has. */
  readonly commonCodesType: string
  readonly shapeOf: EntityShapes['nameOf']
}

export function operationView(node: EndpointNode, context: OperationContext): OperationView {
  const { endpoint, name } = node
  const { paths, argumentTypes } = context
  const path = paths.get(endpoint)
  if (path === undefined) throw new Error(`the endpoint ${endpoint.name} has no path`)
  return {
    docs: endpointDocs(endpoint),
    name,
    arguments: argumentTypes.typeOf(endpoint),
    path: path.template,
    codes: codesText(endpoint, context),
    ...viewByKind(node, context),
  }
}

function codesText(endpoint: Endpoint, { service, commonCodes, commonCodesType }: OperationContext): string {
  const codes = endpointErrorCodes(endpoint, service, commonCodes).map(stringLiteral)
  return [...(commonCodes.size > 0 ? [commonCodesType] : []), ...codes].join(' | ') || 'never'
}

/** The operation for the properties of the item that a resource reads. Undefined: it reads none, or the service has no paths to properties. */
export function propertyView(
  { endpoints, children }: Pick<ResourceNode, 'endpoints' | 'children'>,
  context: OperationContext,
): OperationView | undefined {
  const { service, file } = context
  const reader = endpoints.find(({ endpoint }) => endpoint.kind === 'item')
  if (service.features.propertyPaths === 'none' || reader?.endpoint.kind !== 'item') return undefined
  const patch = endpoints.find(({ endpoint }) => endpoint.kind === 'update')?.endpoint
  const taken = new Set([...endpoints, ...children].map(({ name }) => name))
  const { arguments: keys, path, codes } = operationView(reader, context)
  const changed = patch?.kind === 'update' ? patch : undefined
  return {
    kind: 'property',
    docs: [`${reader.endpoint.path.template}/{property}`],
    name: taken.has('property') ? 'property_' : 'property',
    arguments: keys,
    path,
    codes: changed === undefined ? codes : codesText(changed, context),
    shape: context.shapeOf(reader.endpoint.type),
    body:
      changed === undefined ? 'never' : bodyTypeText(service, file.names, changed.type, 'update', file.typeReference),
    options: changed === undefined ? undefined : optionsView(changed),
  }
}

/** The operation for the links of the relation that a resource reads. Undefined: there are no paths to them that change links. */
export function linkView(
  { endpoints, children }: Pick<ResourceNode, 'endpoints' | 'children'>,
  context: OperationContext,
): OperationView | undefined {
  const { service } = context
  const reader = endpoints.find(({ endpoint: { kind } }) => kind === 'collection' || kind === 'item')
  const last = reader?.endpoint.resolved.at(-1)
  if (service.features.references === 'none' || reader === undefined || last?.kind !== 'navigation') return undefined
  const update = ownerUpdate(reader.endpoint, service)
  if (last.property.contained || update === undefined) return undefined
  const taken = new Set([...endpoints, ...children].map(({ name }) => name))
  const { arguments: keys, path } = operationView(reader, context)
  return {
    kind: last.property.collection ? 'links' : 'link',
    docs: [`${reader.endpoint.path.template}/$ref`],
    name: taken.has('ref') ? 'ref_' : 'ref',
    arguments: keys,
    path,
    codes: codesText(update, context),
    options: optionsView(update),
  }
}

/** The endpoint that updates the owner of the related items that an endpoint reads. Undefined if nothing updates it. */
export function ownerUpdate({ resolved: path }: Endpoint, { endpoints }: Service): Endpoint | undefined {
  // An item behind a cast is updated without the cast.
  const owner = path.slice(0, path.at(-2)?.kind === 'cast' ? -2 : -1)
  return endpoints.find(({ kind, resolved }) => kind === 'update' && isSamePath(resolved, owner))
}

function viewByKind(
  { endpoint, identifier }: EndpointNode,
  context: OperationContext,
): ReadView | WriteView | StreamView | CallView {
  const { service, file } = context
  switch (endpoint.kind) {
    case 'collection':
    case 'item':
    case 'count':
    case 'delta':
      return readView(endpoint, identifier, context)
    case 'create':
    case 'update':
    case 'replace': {
      const { kind, type } = endpoint
      const absent = kind !== 'create' && mayAnswerWithoutItem(endpoint, service) ? ' | undefined' : ''
      return {
        kind,
        body: bodyTypeText(service, file.names, type, kind, file.typeReference) + newItemText(endpoint, context),
        result: file.typeReference(anyShapeName(file.names, type, 'read')) + absent,
        options: kind !== 'create' && isUpsert(endpoint, service) ? upsertOptionsView(endpoint) : optionsView(endpoint),
      }
    }
    case 'readStream':
      return { kind: 'readStream', method: 'GET', result: '', options: undefined }
    case 'createMedia':
      return {
        kind: 'writeStream',
        method: 'POST',
        result: file.typeReference(anyShapeName(file.names, endpoint.type, 'read')),
        options: { type: 'RequestOptions', prefer: preferenceViews(endpoint.preferences) },
      }
    case 'replaceStream':
      return { kind: 'writeStream', method: 'PUT', result: 'void', options: optionsView(endpoint) }
    case 'deleteStream':
    case 'delete':
      return { kind: 'delete', body: '', result: '', options: optionsView(endpoint) }
    case 'call':
      return callView(endpoint, identifier, context)
  }
}

/** ` | NewItem<BookCreate, 'isbn'>`: what an update can send that creates the item. Empty if it never creates. */
function newItemText(endpoint: CreateEndpoint | UpdateEndpoint, { service, file }: OperationContext): string {
  if (endpoint.kind === 'create' || !isUpsert(endpoint, service)) return ''
  const created = bodyTypeText(service, file.names, endpoint.type, 'create', file.typeReference)
  return ` | ${file.runtime('NewItem')}<${created}, ${literalUnion(keyInPath(endpoint).map(({ name }) => name))}>`
}

function upsertOptionsView({ ifMatch, preferences }: UpdateEndpoint): OptionsView {
  const type = ifMatch === 'required' ? 'TaggedUpsertOptions' : 'UpsertOptions'
  return { type, prefer: preferenceViews(preferences) }
}

const readKinds = { collection: 'list', item: 'get', count: 'count', delta: 'delta' } as const

function readView(endpoint: ReadEndpoint, identifier: string, context: OperationContext): ReadView {
  const { kind, type, query, preferences } = endpoint
  return {
    kind: readKinds[kind],
    shape: context.shapeOf(type),
    polymorphic: isPolymorphic(type, context),
    query: context.queries.nameOf(query, type, preferences, identifier),
    absent: kind === 'item' && mayBeAbsent(endpoint),
    formats:
      kind === 'delta' || (kind === 'item' && !expandsWithFilter(endpoint)) ? '' : formatsOf(endpoint, type, context),
    conditions: kind === 'collection' || kind === 'count' ? conditionsOf(endpoint, kind, context) : '',
    computes: (kind === 'collection' || kind === 'item') && computes(query),
    aggregates: kind === 'collection' && aggregates(query),
    omits: context.service.features.omitValues !== 'none' && (kind === 'collection' || kind === 'item'),
  }
}

/** Whether items of a type can have a derived type. */
const isPolymorphic = (type: EntityType, { file }: OperationContext): boolean => file.names.unions.has(type)

/** A navigation property that may have no target. Services represent that differently. */
function mayBeAbsent({ resolved, absent }: ReadEndpoint): boolean {
  const last = resolved.at(-1)
  return absent === 204 || (last?.kind === 'navigation' && !last.property.collection && last.property.nullable)
}

/** Whether the answer to a change may lack the changed item. */
function mayAnswerWithoutItem({ status }: Endpoint, { open }: Service): boolean {
  return status === 204 || open.some(({ name, legal }) => name === 'updateStatus' && legal.includes(204))
}

const expandsWithFilter = ({ query }: ReadEndpoint | CallEndpoint): boolean =>
  query !== undefined && query.expand.support !== 'none' && query.expand.nested.includes('filter')

function formatsOf(endpoint: ReadEndpoint | CallEndpoint, type: EntityType, { formats }: OperationContext): string {
  const { query } = endpoint
  if (query === undefined) return ''
  return query.filter.support !== 'none' || expandsWithFilter(endpoint) ? (formats.nameOf(type) ?? '') : ''
}

function conditionsOf(
  { query }: ReadEndpoint | CallEndpoint,
  kind: 'collection' | 'count',
  { conditions }: OperationContext,
): string {
  return query === undefined ? '' : (conditions.nameOf(query, kind) ?? '')
}

function optionsView(endpoint: Endpoint): OptionsView | undefined {
  const types = { required: 'TaggedChangeOptions', optional: 'ChangeOptions', none: 'RequestOptions' } as const
  const ifMatch = 'ifMatch' in endpoint ? endpoint.ifMatch : undefined
  const isDefault = ifMatch === undefined || ifMatch === 'optional'
  if (isDefault && endpoint.preferences.length === 0) return undefined
  return { type: types[ifMatch ?? 'none'], prefer: preferenceViews(endpoint.preferences) }
}

/** A function that returns items is read like a collection or an item. Every other operation is called. */
function callView(endpoint: CallEndpoint, identifier: string, context: OperationContext): ReadView | CallView {
  const { returns, parameters, kind } = endpoint.operation
  if (kind === 'function' && returns?.type.kind === 'entityType') {
    return {
      kind: returns.collection ? 'list' : 'get',
      shape: context.shapeOf(returns.type),
      polymorphic: isPolymorphic(returns.type, context),
      query: context.queries.nameOf(endpoint.query, returns.type, endpoint.preferences, identifier),
      absent: !returns.collection && returns.nullable,
      formats: formatsOf(endpoint, returns.type, context),
      conditions: returns.collection ? conditionsOf(endpoint, 'collection', context) : '',
      computes: computes(endpoint.query),
      aggregates: returns.collection && aggregates(endpoint.query),
      omits: false,
    }
  }
  return {
    kind,
    result: resultText(endpoint, context.file),
    options: optionsView(endpoint),
    wrapped: returns !== undefined && (returns.collection || !isStructured(returns.type)),
    hasParameters: parameters.length > 0,
  }
}

function resultText({ operation: { returns } }: CallEndpoint, file: CodeFile): string {
  if (returns === undefined) return 'void'
  const text = valueTypeText(file.names, { ...returns, nullable: false }, 'read', file.typeReference)
  return returns.nullable && !returns.collection ? `${text} | undefined` : text
}

const isStructured = (type: ValueType): boolean => type.kind === 'complexType' || type.kind === 'entityType'

/** Faults that only some operations can have. These operations declare the codes themselves. */
const faultsOfSomeOperations: ReadonlySet<string> = new Set([
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
    ...Object.entries(faults).flatMap(([fault, error]) => (faultsOfSomeOperations.has(fault) ? [] : [error])),
  ]
  return unique(errors.flatMap(error => error?.code ?? []))
}

/** Codes of the errors that an operation may answer with besides the common ones. */
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
