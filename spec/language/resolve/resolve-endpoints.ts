import type { PathDocument } from '../document/index.js'
import type { Endpoint } from '../model/endpoint.js'
import type { QueryCapabilities } from '../model/query-capabilities.js'
import type { OpenChoice, Path, Preference } from '../model/service.js'
import { pointerTo } from '../source/pointer.js'
import { type EndpointContext, endpointCommon } from './endpoint-context.js'
import type { PathElements } from './path/path-walk.js'
import { type ReadPath, readPath } from './path/read-path.js'
import { queryOptionsTable } from './query-options-table.js'
import type { Resolution } from './resolution.js'
import { resolveDelete, resolvePatch, resolvePut } from './resolve-change.js'
import type { Errors } from './resolve-errors.js'
import { resolveGet } from './resolve-get.js'
import { resolvePost } from './resolve-post.js'
import type { Types } from './resolve-types.js'

/** What endpoints refer to. */
export interface EndpointReferences extends PathElements {
  readonly entityTypes: Types['entityTypes']
  readonly errors: Errors
  readonly open: ReadonlyMap<string, OpenChoice>
  readonly preferences: ReadonlyMap<string, Preference>
}

/** The paths of a service, and the query options that their endpoints use. */
export interface Paths {
  readonly paths: readonly Path[]
  readonly endpoints: readonly Endpoint[]
  readonly queryCapabilities: readonly QueryCapabilities[]
}

/** Resolves the chapters `paths` and `queryOptions`. */
export function resolveEndpoints(resolution: Resolution, references: EndpointReferences): Paths {
  const { entityTypes, errors, open, preferences } = references
  const options = queryOptionsTable(resolution, { errors: errors.known, open })
  const errorOrder = new Map(errors.all.map((error, index) => [error, index]))
  const scopes = new Map(errors.authentication.scopes.map(scope => [scope.name, scope]))
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
  return { paths, endpoints: paths.flatMap(path => path.endpoints), queryCapabilities: options.settled() }
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
