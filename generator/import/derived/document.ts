import {
  type FeatureName,
  featureNames,
  pointerTo,
  type ResourceDocument,
  record,
  type StructuredTypeDocument,
  type SupportWord,
} from '../../../spec/language/index.js'
import { type ImportedElement, importContainer, operationImports } from '../container.js'
import { annotationIndex, descriptionsOf, type TermLookup } from '../csdl/annotations.js'
import { localName, memberOf, namespaceOf, tellingSegment, textsOf } from '../csdl/csdl-element.js'
import { note, omission } from '../finding.js'
import type { ImportContext } from '../names.js'
import type { ImportedOperation } from '../operations.js'
import { chaptersInOrder, compact } from '../spec-document.js'
import { typeAndBases } from '../types/type-definitions.js'
import type { ImportedModel, KeyStyle } from './derivation.js'
import { derivePaths } from './derive-paths.js'

/** The maximum number of navigation properties in a path, unless that results in too many paths. */
const defaultDepth = 2

/** More paths do not help a reader, and are slow to compile. */
const mostPathsByDefault = 3000

/** The limit on paths at any requested depth. */
const mostPaths = 10_000

/** A derived spec, and how its paths write single keys. */
interface DerivedDocument {
  readonly document: object
  /** Absent if there is no such key. */
  readonly keyStyle?: KeyStyle
}

type Resources = Readonly<Record<string, ResourceDocument>>
type Operations = ReadonlyMap<string, ImportedOperation>

/**
 * The spec of a service that was not exported from one: its paths follow from its types and the Capabilities vocabulary.
 *
 * @param said of the container
 */
export function derivedDocument(
  context: ImportContext,
  types: Resources,
  operations: Operations,
  lookup: TermLookup,
  options: ImportOptions,
): DerivedDocument {
  const elements = importContainer(context, types)
  const resources = keylessTypes(context, entityTags(types, elements), elements)
  const imported = { resources, container: elements, operations, imports: operationImports(context) }
  const chosen = options.depth === undefined ? depthFor(context, types, operations) : undefined
  const depth = options.depth ?? chosen?.depth ?? defaultDepth
  // A tag without a value is true.
  const answersSegments = lookup('Capabilities.KeyAsSegmentSupported') === true
  const keyStyle = (options.keyAsSegment ?? answersSegments) ? 'segment' : 'parentheses'
  const { scopes, reachedOperations, changeFunctions, reachedRelations, neverUpserts, ...paths } = derivePaths(
    context,
    imported,
    {
      depth,
      most: mostPaths,
      keyStyle,
    },
  )
  reportUnreached(context, imported, reachedOperations, reachedRelations, depth)
  if (chosen?.deeper !== undefined) reportDepth(context, depth, Object.keys(paths.paths).length, chosen.deeper)
  if (Object.keys(paths.paths).length > mostPaths) {
    const message = `Relations lead to more than ${mostPaths} paths; the rest are left out. Choose a smaller --depth`
    context.report(omission('paths', message, '', context.catalogue.container.element.location))
  }
  const called = [...operations].filter(([name]) => !changeFunctions.has(name))
  const tracksChanges = Object.values(paths.paths).some(
    ({ get }) => get !== undefined && 'returns' in get && get.returns === 'delta',
  )
  const ruledOut = new Set<FeatureName>([
    ...(tracksChanges ? [] : (['trackChanges'] as const)),
    // Few services have it, and those that do say so.
    ...(memberOf(lookup('Capabilities.DeepUpdateSupport'), 'Supported') === false ? (['deepUpdate'] as const) : []),
    // No term says whether a service has it.
    'omitValues',
    ...(neverUpserts ? (['upsert'] as const) : []),
    ...(lookup('Capabilities.AsynchronousRequestsSupported') === true ? [] : (['respondAsync'] as const)),
  ])
  const { namespace, types: declared } = context.catalogue
  const namespaces = [...declared.keys()].map(namespaceOf)
  const document = chaptersInOrder({
    service: {
      name: options.name ?? serviceName([namespace, ...namespaces]),
      namespace,
      version: 'v1.0',
      ...descriptionsOf(lookup),
      assumed: 'The metadata does not state a version. Replace this with the last segment of the service URL.',
    },
    authentication:
      scopes.length === 0
        ? undefined
        : { scheme: 'bearer', scopes: record(scopes.map(scope => [scope, scope] as const)) },
    resources,
    container: record([...elements].map(([name, { document }]) => [name, document] as const)),
    ...paths,
    operations:
      called.length === 0 ? undefined : record(called.map(([name, { document }]) => [name, document] as const)),
    errors: {},
    features: {
      ...record(featureNames.flatMap(name => (ruledOut.has(name) ? [] : [[name, 'optional'] as const]))),
      batch: batchSupport(lookup),
    },
    open: {
      updateStatus: { legal: [200, 204], reference: 200, description: 'The status of a change.' },
      enumNumbers: {
        legal: ['accepted', 'refused'],
        reference: 'accepted',
        description: 'Whether a number is accepted in place of a member of an enumeration.',
      },
      readOnlyInBody: {
        legal: ['ignored', 'refused'],
        reference: 'ignored',
        description: 'What a body with a property that only the service, or only a create, sets gets.',
      },
    },
  })
  const hasKeys = Object.keys(paths.paths).some(path => singleKey.test(path))
  return { document, ...(hasKeys ? { keyStyle } : {}) }
}

/**
 * Whether the service takes batches as JSON. A tag says that it takes batches, but not in which form: services of
 * version 4.0 take the multipart form only.
 *
 * @see Capabilities vocabulary, BatchSupported and BatchSupport
 */
function batchSupport(lookup: TermLookup): SupportWord {
  const support = lookup('Capabilities.BatchSupport')
  // All are read before the first answer, so that the report does not list one as ignored.
  const formats = textsOf(memberOf(support, 'SupportedFormats'))
  const stated = [lookup('Capabilities.BatchSupported'), memberOf(support, 'Supported')]
  if (stated.includes(false)) return 'none'
  if (formats === undefined) return 'optional'
  return formats.some(format => /^application\/json(?:\s*;|$)/i.test(format)) ? 'required' : 'none'
}

/** `/{Id}` or `({Id})`. */
const singleKey = /[/(]\{[^{}]*\}/

/** The greatest depth with a reasonable number of paths, and how many the next one has: more than that, or a lower bound. */
interface ChosenDepth {
  readonly depth: number
  /** Absent at the default depth. */
  readonly deeper?: number
}

/** Derives the paths only to count them: discards their findings, and which annotations they read. */
function depthFor(context: ImportContext, resources: Resources, operations: Operations): ChosenDepth {
  const trial: ImportContext = { ...context, annotations: annotationIndex(context.catalogue), report: () => {} }
  const imported = { resources, container: importContainer(trial, resources), operations, imports: new Map() }
  let deeper: number | undefined
  for (let depth = defaultDepth; depth > 0; depth--) {
    const { paths } = derivePaths(trial, imported, { depth, most: mostPaths, keyStyle: 'parentheses' })
    const count = Object.keys(paths).length
    if (count <= mostPathsByDefault) return { depth, ...(deeper === undefined ? {} : { deeper }) }
    deeper = count
  }
  return { depth: 0, ...(deeper === undefined ? {} : { deeper }) }
}

const pluralOf = (depth: number): string => (depth === 1 ? '1 relation' : `${depth} relations`)

/** Says which depth the import chose, and what a greater one costs. */
function reportDepth({ report, catalogue }: ImportContext, depth: number, paths: number, deeper: number): void {
  const next = deeper > mostPaths ? `more than ${mostPaths}` : `${deeper}`
  const message = `Paths have at most ${pluralOf(depth)}, which makes ${paths} paths. --depth ${depth + 1} makes ${next}, which take longer to generate and to compile`
  report(note('depth', message, '', catalogue.container.element.location))
}

/** Reports the operations and contained relations without a path, and how many of all they are. */
function reportUnreached(
  { report, origins }: ImportContext,
  { operations, resources }: ImportedModel,
  reachedOperations: ReadonlySet<string>,
  reachedRelations: ReadonlySet<string>,
  depth: number,
): void {
  const lost = [...operations].filter(([name]) => !reachedOperations.has(name))
  const lostOperations = `${lost.length} of ${operations.size} operations have no path: none with at most ${pluralOf(depth)} leads to the type that they are bound to, or they are unbound and have no import`
  for (const [name, { qualifiedName }] of lost) {
    const location = origins.get(pointerTo('/operations', name)) ?? 0
    report({ ...omission('operations-without-path', lostOperations, qualifiedName, location), isCounted: true })
  }
  const contained = Object.entries(resources).flatMap(([type, resource]) =>
    resource.kind === 'entityType'
      ? Object.entries(resource.navigation ?? {}).flatMap(([name, relation]) =>
          relation.contained ? [{ type, name, id: `${type}/${name}` }] : [],
        )
      : [],
  )
  const unreached = contained.filter(({ id }) => !reachedRelations.has(id))
  const lostRelations = `${unreached.length} of ${contained.length} contained relations have no path with at most ${pluralOf(depth)}`
  for (const { type, name, id } of unreached) {
    const location = origins.get(pointerTo(pointerTo(pointerTo('/resources', type), 'navigation'), name)) ?? 0
    report({ ...omission('relations-without-path', lostRelations, id, location), isCounted: true })
  }
}

export interface ImportOptions {
  /** The name of the service in the spec. Default: the name in the document, or the end of the namespace of its container. */
  readonly name?: string | undefined
  /**
   * Other names for types and operations in the spec, and for entity sets, singletons and imports in the names of endpoints: by
   * their qualified names, or without the namespace. What a request contains stays the same.
   */
  readonly rename?: Readonly<Record<string, string>> | undefined
  /** The maximum number of relations in a path. Default: 2, or fewer if that results in more than 3,000 paths. */
  readonly depth?: number | undefined
  /**
   * Whether paths write single keys as segments, `/Set/{key}`; otherwise in parentheses, `/Set({key})`. Default:
   * what the metadata states in `Capabilities.KeyAsSegmentSupported`.
   */
  readonly keyAsSegment?: boolean | undefined
  /** Called before each stage, because large metadata takes a while. */
  readonly progress?: ((stage: ImportStage) => void) | undefined
}

/** The stages of an import, in order. */
export type ImportStage = 'reading' | 'converting' | 'checking' | 'printing'

/**
 * A valid service name from a namespace: `NorthwindModel` -> `northwindModel`, `NS` -> `ns`, `travel.v0001` -> `travel`.
 *
 * @param namespaces that of the container, then others; the first that says something counts
 */
export function serviceName([own = '', ...others]: readonly string[]): string {
  const telling = [own, ...new Set(others)].map(tellingSegment).find(segment => segment !== undefined)
  const name = (telling ?? localName(own)).replace(/[^A-Za-z0-9_-]/g, '').replace(/^[^A-Za-z]+/, '')
  return name === '' ? 'service' : name.replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, capitals => capitals.toLowerCase())
}

/**
 * The types, with `keyless` for those in collections without a key that a spec can have: their sets are kept as lists. A type
 * whose derived types have keys is no list, and stays as it is; so does one whose base, and perhaps its key, is in another
 * document.
 */
function keylessTypes(
  { report, origins, catalogue, names }: ImportContext,
  resources: Resources,
  elements: ReadonlyMap<string, ImportedElement>,
): Resources {
  const withoutBase = new Set(
    [...catalogue.types.values()].flatMap(({ qualifiedName, element }) => {
      const name = names.types.get(qualifiedName) ?? ''
      return element.attributes.has('BaseType') && !Object.hasOwn(resources[name] ?? {}, 'base') ? [name] : []
    }),
  )
  const isWhole = (type: string): boolean => typeAndBases(resources, type).every(each => !withoutBase.has(each))
  const hasKey = (type: string): boolean => {
    return typeAndBases(resources, type).some(each => Object.hasOwn(resources[each] ?? {}, 'key'))
  }
  const ofSets = [...elements.values()].flatMap(({ document }) => document.entitySet ?? [])
  const ofRelations = Object.values(resources).flatMap(resource =>
    'navigation' in resource
      ? Object.values(resource.navigation ?? {}).flatMap(({ collection, to }) => (collection ? [to] : []))
      : [],
  )
  const ofKeys = new Set(
    Object.keys(resources)
      .filter(hasKey)
      .flatMap(type => typeAndBases(resources, type)),
  )
  const keyless = new Set([...ofSets, ...ofRelations].filter(type => !ofKeys.has(type) && isWhole(type)))
  const marked = new Set(
    [...keyless].filter(
      type =>
        !typeAndBases(resources, type)
          .slice(1)
          .some(each => keyless.has(each)),
    ),
  )
  for (const name of marked) {
    const message = 'Items without a key that a spec can have are kept in lists: no path leads to one of them'
    report(omission('keyless', message, name, origins.get(pointerTo('/resources', name)) ?? 0))
  }
  return record(
    Object.entries(resources).map(([name, resource]) => {
      if (!marked.has(name) || resource.kind !== 'entityType') return [name, resource]
      const { kind, qualifiedName, base, abstract, open, ...rest } = resource
      return [name, compact({ kind, qualifiedName, base, abstract, open, keyless: true, ...rest })]
    }),
  )
}

/**
 * The types, with entity tags if one of their sets or singletons supports conditional changes.
 *
 * @see Core vocabulary, OptimisticConcurrency
 */
function entityTags(resources: Resources, elements: ReadonlyMap<string, ImportedElement>): Resources {
  const changed = new Set<string>()
  for (const { document, annotations: lookup } of elements.values()) {
    const type = document.entitySet ?? document.singleton
    if (type !== undefined && lookup('Core.OptimisticConcurrency') !== undefined) changed.add(type)
  }
  // Derived types inherit from their base.
  const own = [...changed].filter(
    type =>
      !typeAndBases(resources, type)
        .slice(1)
        .some(base => changed.has(base)),
  )
  return record(
    Object.entries(resources).map(([name, resource]) => [
      name,
      resource.kind === 'entityType' && own.includes(name) ? tagged(resource) : resource,
    ]),
  )
}

/** The tag comes before the members, as in specs that people write. */
function tagged({ properties, navigation, ref, description, ...head }: StructuredTypeDocument): StructuredTypeDocument {
  return compact({ ...head, entityTag: 'weak' as const, properties, navigation, ref, description })
}
