import type { EndpointDocument, PathDocument, SupportWord } from '../document.js'
import type {
  Authentication,
  Endpoint,
  ErrorDefinition,
  Path,
  Preference,
  ResolvedSegment,
  Support,
} from '../model/service.js'
import { derivesFrom, type EntityType, type Renamed } from '../model/types.js'
import { byProperties, endpointName, parseTemplate, type TemplateSegment } from './path-template.js'
import { type Resolution, resolveReference } from './resolution.js'
import type { Errors } from './resolve-errors.js'
import { unqualified } from './resolve-operations.js'
import { type PathElements, type PathTarget, type ResolvedPath, resolvePath } from './resolve-path.js'
import { type QueryOptionsTable, supportOf } from './resolve-query-options.js'

/** What the endpoints of one path are made from. */
export interface EndpointContext extends ReadPath {
  readonly resolution: Resolution
  readonly path: Path
  readonly entityTypes: ReadonlyMap<string, EntityType>
  readonly errors: Errors
  /** Place of each error in the spec, for the order of an endpoint's errors. */
  readonly errorOrder: ReadonlyMap<ErrorDefinition, number>
  readonly scopes: ReadonlyMap<string, Authentication['scopes'][number]>
  readonly preferences: ReadonlyMap<string, Preference>
  readonly options: QueryOptionsTable
}

/** What depends on what the endpoint does. */
interface EndpointTraits {
  /** The last part of the name; absent for operations, whose name is the last part already. */
  readonly verb?: string
  readonly status: number
  readonly errors?: readonly ErrorDefinition[]
}

/** What all endpoints have. */
type EndpointCommon = Pick<
  Endpoint,
  'name' | 'path' | 'resolved' | 'keys' | 'support' | 'status' | 'scopes' | 'errors' | 'preferences' | 'location'
>

/** What an endpoint needs of its path to be named; where the path leads does not matter. */
type NamedContext = Omit<EndpointContext, 'resolved'> & { readonly resolved: Pick<ResolvedPath, 'segments' | 'keys'> }

/** Resolves what all endpoints have. */
export function endpointCommon(
  context: NamedContext,
  document: EndpointDocument,
  pointer: string,
  doing: EndpointTraits,
): EndpointCommon {
  const { resolution, path, template, resolved, errors, errorOrder, scopes, preferences } = context
  const own = (document.errors ?? []).flatMap((name, index) => {
    const at = `${pointer}/errors/${index}`
    return resolveReference(resolution, { kind: 'error', name, at, chapter: '/errors', known: errors.known }) ?? []
  })
  const missing = resolved.keys.length > 0 ? [errors.faults.itemNotFound] : []
  const all = new Set([...own, ...missing, ...(doing.errors ?? [])])
  const rank = (error: ErrorDefinition): number => errorOrder.get(error) ?? 0
  return {
    ...resolution.annotations(document, pointer),
    name: document.name ?? endpointName(template, verbOf(doing, resolved), renames(resolved.segments)),
    path,
    resolved: resolved.segments,
    keys: resolved.keys,
    support: supportOf(document.support, 'required'),
    status: document.status ?? doing.status,
    scopes: (document.scopes ?? []).filter((name, index) => {
      const at = `${pointer}/scopes/${index}`
      const chapter = '/authentication/scopes'
      return resolveReference(resolution, { kind: 'scope', name, at, chapter, known: scopes }) !== undefined
    }),
    errors: [...all].sort((a, b) => rank(a) - rank(b)),
    preferences: (document.prefer ?? []).flatMap((name, index) => {
      const at = `${pointer}/prefer/${index}`
      return (
        resolveReference(resolution, { kind: 'preference', name, at, chapter: '/preferences', known: preferences }) ??
        []
      )
    }),
  }
}

/** `getByMail` for a path with an alternate key, so that the endpoint has another name than that with the key. */
function verbOf({ verb }: EndpointTraits, { segments }: Pick<ResolvedPath, 'segments'>): string | undefined {
  const names = segments.flatMap(segment =>
    segment.kind === 'alternateKey' ? segment.properties.map(({ name }) => name) : [],
  )
  if (verb === undefined || names.length === 0) return verb
  return verb + byProperties(names)
}

/** Support of a conditional header: by default as the items carry entity tags. */
export function conditionSupport(word: SupportWord | undefined, type: EntityType): Support {
  return supportOf(word, type.entityTag === 'none' ? 'none' : 'optional')
}

/** The type that a change names: `item` is the one that the path leads to. */
export function changedType(
  context: EndpointContext,
  name: string | undefined,
  at: string,
  target: EntityType,
): EntityType | undefined {
  if (name === undefined || name === 'item' || name === target.name) return target
  const { resolution, entityTypes } = context
  const type = resolveReference(resolution, {
    kind: 'entity type',
    name,
    at,
    chapter: '/resources',
    known: entityTypes,
  })
  if (type === undefined) return undefined
  if (derivesFrom(type, target)) return type
  const message = `The path leads to "${target.name}", and "${name}" does not derive from it.`
  resolution.report({ code: 'spec/type-mismatch', message, at, suggestion: target.name })
  return undefined
}

/** A path, as written and as resolved. */
export interface ReadPath {
  readonly template: readonly TemplateSegment[]
  readonly resolved: ResolvedPath
}

/** Reads and resolves a path; one that resolves to nothing is reported. */
export function readPath(
  resolution: Resolution,
  template: string,
  document: PathDocument,
  pointer: string,
  elements: PathElements,
): ReadPath | undefined {
  const written = parseTemplate(template)
  if ('message' in written) {
    resolution.report({ code: 'spec/path-syntax', message: written.message, at: pointer, on: 'key' })
    return undefined
  }
  const at = document.resource === undefined ? ({ at: pointer, on: 'key' } as const) : { at: `${pointer}/resource` }
  const way = document.resource === undefined ? written : parseTemplate(document.resource)
  if ('message' in way) {
    resolution.report({ code: 'spec/path-syntax', message: way.message, ...at })
    return undefined
  }
  if (document.resource !== undefined) {
    const [inTemplate, inResource] = [variablesOf(written), variablesOf(way)]
    const only =
      inTemplate.find(name => !inResource.includes(name)) ?? inResource.find(name => !inTemplate.includes(name))
    if (only !== undefined) {
      const message = `"{${only}}" must be both in the path and in its \`resource\`.`
      resolution.report({ code: 'spec/path-variables', message, ...at })
      return undefined
    }
  }
  const resolved = resolvePath(way, elements)
  if ('message' in resolved) {
    const { message, suggestion, missing = [] } = resolved
    if (!missing.some(resolution.isIncomplete)) {
      resolution.report({ code: 'spec/unresolved-path', message, ...at, suggestion })
    }
    return undefined
  }
  return { template: written, resolved }
}

function variablesOf(template: readonly TemplateSegment[]): readonly string[] {
  return template.flatMap(segment => {
    if (segment.kind === 'variable') return [segment.variable]
    if (segment.kind !== 'name' || segment.arguments === undefined) return []
    return segment.arguments.kind === 'single'
      ? [segment.arguments.variable]
      : [...segment.arguments.variables.values()]
  })
}

/** Where a path leads, in words. */
export function describeTarget(target: PathTarget): string {
  switch (target.kind) {
    case 'items':
      return `a collection of "${target.type.name}"`
    case 'item':
      return `one "${target.type.name}"`
    case 'value':
      return `${target.collection ? 'a collection of values' : 'a value'} of "${target.type.name}"`
    case 'stream':
      return target.property === undefined ? 'a media stream' : `the stream "${target.property.name}"`
    case 'count':
      return 'a count'
    case 'delta':
      return `the changes of "${target.type.name}"`
    case 'operation':
      return `the ${target.operation.kind} "${target.operation.name}"`
  }
}

/** The names in code of the elements on a path, by their names in the path. Of two with one name, the later one counts. */
function renames(segments: readonly ResolvedSegment[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const segment of segments) {
    const [name, element] = namedElement(segment) ?? []
    if (name !== undefined && element?.rename !== undefined) found.set(name, element.rename)
  }
  return found
}

function namedElement(segment: ResolvedSegment): readonly [name: string, element: Renamed] | undefined {
  switch (segment.kind) {
    case 'entitySet':
    case 'singleton':
      return [segment.element.name, segment.element]
    case 'navigation':
      return [segment.property.name, segment.property]
    case 'operation':
      return [unqualified(segment.operation.qualifiedName), segment.operation]
    default:
      return undefined
  }
}
