import type { DeleteDocument, GetDocument, PatchDocument, PathDocument, PostDocument } from '../document.js'
import type {
  CallEndpoint,
  DeleteEndpoint,
  DeleteStreamEndpoint,
  Endpoint,
  ErrorDefinition,
  OpenChoice,
  Path,
  Preference,
  QueryCapabilities,
  ReadEndpoint,
  ReadStreamEndpoint,
  ReplaceStreamEndpoint,
  Support,
  UpdateEndpoint,
} from '../model/service.js'
import type { EntityType } from '../model/types.js'
import { pointerTo } from '../source/json-pointer.js'
import {
  changedType,
  conditionSupport,
  describeTarget,
  type EndpointContext,
  endpointCommon,
  type ReadPath,
  readPath,
} from './endpoint-context.js'
import type { Resolution } from './resolution.js'
import type { Errors } from './resolve-errors.js'
import type { PathElements, PathTarget } from './resolve-path.js'
import { queryOptionsTable, supportOf } from './resolve-query-options.js'
import type { Types } from './resolve-types.js'

/** What endpoints refer to. */
interface EndpointReferences extends PathElements {
  readonly entityTypes: Types['entityTypes']
  readonly errors: Errors
  readonly open: ReadonlyMap<string, OpenChoice>
  readonly preferences: ReadonlyMap<string, Preference>
}

/** The paths of a service, and the query options that their endpoints use. */
interface Paths {
  readonly paths: readonly Path[]
  readonly endpoints: readonly Endpoint[]
  readonly queryCapabilities: readonly QueryCapabilities[]
}

/** Resolves the chapters `paths` and `queryOptions`. */
export function resolveEndpoints(resolution: Resolution, references: EndpointReferences): Paths {
  const { entityTypes, errors, open, preferences } = references
  const errorOrder = new Map(errors.all.map((error, index) => [error, index]))
  const scopes = new Map(errors.authentication.scopes.map(scope => [scope.name, scope]))
  const options = queryOptionsTable(resolution, { errors: errors.known, open, scopes })
  const paths = Object.entries(resolution.document.paths).map(([template, document]): Path => {
    const pointer = pointerTo('/paths', template)
    const endpoints: Endpoint[] = []
    const path: Path = { ...resolution.annotations(document, pointer), template, endpoints }
    const written = readPath(resolution, template, document, pointer, references)
    const common = { resolution, path, entityTypes, errors, errorOrder, scopes, preferences, options }
    if (written) endpoints.push(...endpointsOf({ ...common, ...written }, document, pointer))
    else checkReferences(common, document, pointer)
    return path
  })
  return {
    paths,
    endpoints: paths.flatMap(path => path.endpoints),
    queryCapabilities: options.complete([...entityTypes.values()]),
  }
}

/** The endpoints of a path, in order of the spec. */
function endpointsOf(context: EndpointContext, document: PathDocument, pointer: string): readonly Endpoint[] {
  const { get, post, patch, put, delete: remove } = document
  const resolvers: Readonly<Record<string, () => Endpoint | undefined>> = {
    get: () => get && resolveGet(context, get, `${pointer}/get`),
    post: () => post && resolvePost(context, post, `${pointer}/post`),
    patch: () => patch && resolvePatch(context, patch, `${pointer}/patch`),
    put: () => put && resolvePut(context, put, `${pointer}/put`),
    delete: () => remove && resolveDelete(context, remove, `${pointer}/delete`),
  }
  return Object.keys(document).flatMap(method => resolvers[method]?.() ?? [])
}

/** Resolves what the endpoints of a path refer to for the sake of its errors, when the path itself leads nowhere. */
function checkReferences(
  context: Omit<EndpointContext, keyof ReadPath>,
  { get, post, patch, put, delete: remove }: PathDocument,
  pointer: string,
): void {
  const nowhere = { ...context, template: [], resolved: { segments: [], keys: [] } }
  for (const [method, endpoint] of Object.entries({ get, post, patch, put, delete: remove })) {
    if (endpoint === undefined) continue
    const at = `${pointer}/${method}`
    const { name } = endpointCommon(nowhere, endpoint, at, { status: 200 })
    if ('query' in endpoint && endpoint.query !== undefined)
      context.options.use(endpoint.query, name, `${at}/query`, undefined)
  }
}

const kinds = { items: 'collection', item: 'item', count: 'count', delta: 'delta' } as const
const verbs = { collection: 'list', item: 'get', count: 'count', delta: 'delta' } as const

/** Resolves a read, or the call of a function. */
function resolveGet(context: EndpointContext, document: GetDocument, pointer: string): Endpoint | undefined {
  const { resolution, resolved, path, errors, options } = context
  const { target } = resolved
  if (target.kind === 'operation' && document.calls === undefined && document.returns !== undefined) {
    const message = `"${path.template}" leads to ${describeTarget(target)}. Write \`calls: ${target.operation.name}\` instead of \`returns\`.`
    resolution.report({ code: 'spec/returns-mismatch', message, at: `${pointer}/returns` })
    return undefined
  }
  if (target.kind === 'operation' || document.calls !== undefined) return resolveCall(context, document, pointer, 'GET')
  if (target.kind === 'value') {
    const message = `"${path.template}" leads to ${describeTarget(target)}. Only items can be read.`
    resolution.report({ code: 'spec/path-to-value', message, at: pointer, on: 'key' })
    return undefined
  }
  const kind = target.kind === 'stream' ? 'stream' : kinds[target.kind]
  if (document.returns !== undefined && document.returns !== kind) {
    const message = `"${path.template}" leads to ${describeTarget(target)}, so it returns \`${kind}\`, not \`${document.returns}\`.`
    resolution.report({ code: 'spec/returns-mismatch', message, at: `${pointer}/returns` })
    return undefined
  }
  const stream = streamOf(context)
  if (stream !== undefined) return resolveReadStream(context, stream, document, pointer)
  if (target.kind === 'stream' || kind === 'stream') return undefined
  const mayBeAbsent = kind === 'item' && resolved.segments.at(-1)?.kind === 'navigation'
  const common = endpointCommon(context, document, pointer, {
    verb: verbs[kind],
    status: 200,
    errors: mayBeAbsent ? [errors.faults.itemNotFound] : [],
  })
  const query =
    document.query === undefined ? undefined : options.use(document.query, common.name, `${pointer}/query`, target.type)
  return {
    ...common,
    kind,
    method: 'GET',
    type: target.type,
    ifNoneMatch: conditionSupportOf(document, target, kind),
    absent: document.absent ?? 404,
    ...(query === undefined ? {} : { query }),
  }
}

function conditionSupportOf(
  document: GetDocument,
  target: Extract<PathTarget, { readonly kind: 'items' | 'item' | 'count' | 'delta' }>,
  kind: ReadEndpoint['kind'],
): ReadEndpoint['ifNoneMatch'] {
  if (kind === 'item' || document.ifNoneMatch !== undefined) return conditionSupport(document.ifNoneMatch, target.type)
  return 'none'
}

/** The part of a stream endpoint that its path determines. */
function streamOf({
  resolved: { target },
}: EndpointContext): Pick<ReadStreamEndpoint, 'type' | 'property'> | undefined {
  if (target.kind !== 'stream') return undefined
  return { type: target.type, ...(target.property === undefined ? {} : { property: target.property }) }
}

function resolveReadStream(
  context: EndpointContext,
  stream: Pick<ReadStreamEndpoint, 'type' | 'property'>,
  document: GetDocument,
  pointer: string,
): ReadStreamEndpoint {
  if (document.query !== undefined) {
    const message = 'A stream has no query options. Remove `query`.'
    context.resolution.report({ code: 'spec/query-of-stream', message, at: `${pointer}/query`, on: 'key' })
  }
  const common = endpointCommon(context, document, pointer, { verb: 'get', status: 200 })
  const ifNoneMatch = supportOf(document.ifNoneMatch, 'optional')
  return { ...common, ...stream, kind: 'readStream', method: 'GET', ifNoneMatch }
}

/** Support of If-Match for changes of a stream, whose entity tag is not that of its item. */
function streamCondition(context: EndpointContext, word: PatchDocument['ifMatch']) {
  const ifMatch = supportOf(word, 'optional')
  return { ifMatch, errors: ifMatch === 'none' ? [] : [context.errors.faults.preconditionFailed] }
}

/** Reports a change that names anything but the stream that its path leads to. */
function requireStream(context: EndpointContext, name: string, at: string): boolean {
  if (name === 'stream') return true
  const { resolution, path, resolved } = context
  const message = `"${path.template}" leads to ${describeTarget(resolved.target)}. Write \`stream\` instead of "${name}".`
  resolution.report({ code: 'spec/type-mismatch', message, at, suggestion: 'stream' })
  return false
}

/** Resolves a create, or the call of an action. */
function resolvePost(context: EndpointContext, document: PostDocument, pointer: string): Endpoint | undefined {
  const { resolution, resolved, path, errors } = context
  const { target } = resolved
  if (document.creates !== undefined && document.calls !== undefined) {
    const message = 'A POST either `creates` an item or `calls` an action. Remove one of the two.'
    resolution.report({ code: 'spec/creates-and-calls', message, at: `${pointer}/calls`, on: 'key' })
    return undefined
  }
  if (document.calls !== undefined || (target.kind === 'operation' && document.creates === undefined)) {
    return resolveCall(context, document, pointer, 'POST')
  }
  if (target.kind !== 'items') {
    const message = `"${path.template}" leads to ${describeTarget(target)}. Items are created in a collection.`
    resolution.report({ code: 'spec/method-mismatch', message, at: pointer, on: 'key' })
    return undefined
  }
  const type = changedType(context, document.creates, `${pointer}/creates`, target.type)
  if (type === undefined) return undefined
  const mayClash =
    type.alternateKeys.length > 0 ||
    type.properties.some(property => property.unique) ||
    type.key.some(property => !property.computed)
  const conflict = mayClash ? [errors.faults.conflict] : []
  const common = endpointCommon(context, document, pointer, { verb: 'create', status: 201, errors: conflict })
  if (type.hasStream) return { ...common, kind: 'createMedia', method: 'POST', type }
  return { ...common, kind: 'create', method: 'POST', type }
}

/** Resolves a partial change (PATCH). */
function resolvePatch(context: EndpointContext, document: PatchDocument, pointer: string): UpdateEndpoint | undefined {
  const changed = changedItem(context, document.updates, document.ifMatch, pointer, 'updates')
  if (changed === undefined) return undefined
  const { type, ifMatch, errors } = changed
  const common = endpointCommon(context, document, pointer, { verb: 'update', status: 200, errors })
  return { ...common, kind: 'update', method: 'PATCH', type, ifMatch }
}

/** Resolves a replacement (PUT). */
function resolvePut(
  context: EndpointContext,
  document: PatchDocument,
  pointer: string,
): UpdateEndpoint | ReplaceStreamEndpoint | undefined {
  const stream = streamOf(context)
  if (stream !== undefined) {
    if (!requireStream(context, document.updates, `${pointer}/updates`)) return undefined
    const { ifMatch, errors } = streamCondition(context, document.ifMatch)
    const common = endpointCommon(context, document, pointer, { verb: 'replace', status: 204, errors })
    return { ...common, ...stream, kind: 'replaceStream', method: 'PUT', ifMatch }
  }
  const changed = changedItem(context, document.updates, document.ifMatch, pointer, 'updates')
  if (changed === undefined) return undefined
  const { type, ifMatch, errors } = changed
  const common = endpointCommon(context, document, pointer, { verb: 'replace', status: 200, errors })
  return { ...common, kind: 'replace', method: 'PUT', type, ifMatch }
}

/** Resolves a removal (DELETE). */
function resolveDelete(
  context: EndpointContext,
  document: DeleteDocument,
  pointer: string,
): DeleteEndpoint | DeleteStreamEndpoint | undefined {
  const stream = streamOf(context)
  if (stream !== undefined) {
    if (!requireStream(context, document.deletes, `${pointer}/deletes`)) return undefined
    const { ifMatch, errors } = streamCondition(context, document.ifMatch)
    const common = endpointCommon(context, document, pointer, { verb: 'delete', status: 204, errors })
    return { ...common, ...stream, kind: 'deleteStream', method: 'DELETE', ifMatch }
  }
  const changed = changedItem(context, document.deletes, document.ifMatch, pointer, 'deletes')
  if (changed === undefined) return undefined
  const { type, ifMatch, errors } = changed
  const common = endpointCommon(context, document, pointer, { verb: 'delete', status: 204, errors })
  return { ...common, kind: 'delete', method: 'DELETE', type, ifMatch }
}

interface ChangedItem {
  readonly type: EntityType
  readonly ifMatch: Support
  readonly errors: readonly ErrorDefinition[]
}

function changedItem(
  context: EndpointContext,
  name: string,
  word: PatchDocument['ifMatch'],
  pointer: string,
  key: 'updates' | 'deletes',
): ChangedItem | undefined {
  const { resolution, resolved, path } = context
  const { target } = resolved
  if (target.kind !== 'item') {
    const message = `"${path.template}" leads to ${describeTarget(target)}. Only a single item can be changed or removed.`
    resolution.report({ code: 'spec/method-mismatch', message, at: pointer, on: 'key' })
    return undefined
  }
  const type = changedType(context, name, `${pointer}/${key}`, target.type)
  if (type === undefined) return undefined
  const ifMatch = conditionSupport(word, type)
  return { type, ifMatch, errors: ifMatch === 'none' ? [] : [context.errors.faults.preconditionFailed] }
}

/** Resolves the call of a function (GET) or an action (POST). */
function resolveCall(
  context: EndpointContext,
  document: GetDocument | PostDocument,
  pointer: string,
  method: 'GET' | 'POST',
): CallEndpoint | undefined {
  const { resolution, resolved, path, options } = context
  const { target } = resolved
  if (target.kind !== 'operation' || (document.calls !== undefined && document.calls !== target.operation.name)) {
    const message = `"${path.template}" leads to ${describeTarget(target)}. To call "${document.calls}", end the path in that name.`
    resolution.report({ code: 'spec/calls-mismatch', message, at: `${pointer}/calls` })
    return undefined
  }
  const { operation } = target
  const right = operation.kind === 'function' ? 'GET' : 'POST'
  if (method !== right) {
    const message = `"${operation.name}" is ${operation.kind === 'function' ? 'a function' : 'an action'}. Call it with ${right}.`
    resolution.report({ code: 'spec/operation-method', message, at: pointer, on: 'key' })
    return undefined
  }
  const common = endpointCommon(context, document, pointer, { status: operation.returns ? 200 : 204 })
  const written = 'query' in document ? document.query : undefined
  const type = operation.returns?.type.kind === 'entityType' ? operation.returns.type : undefined
  const query = written === undefined ? undefined : options.use(written, common.name, `${pointer}/query`, type)
  return { ...common, kind: 'call', method, operation, ...(query === undefined ? {} : { query }) }
}
