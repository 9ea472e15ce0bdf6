import type { ResourceDocument } from '../../spec/language/index.js'
import { record } from '../../spec/language/resolve/record.js'
import { annotationIndex, type Said } from './annotations/annotation-index.js'
import { descriptionsOf } from './annotations/said-of.js'
import { importContainer, operationImports } from './container/import-container.js'
import { loss } from './finding.js'
import type { ImportOptions } from './import-options.js'
import type { ImportedOperation } from './operations/import-operations.js'
import type { KeyStyle } from './paths/derivation.js'
import { derivePaths } from './paths/derive-paths.js'
import { entityTags } from './paths/entity-tags.js'
import { serviceName } from './service-name.js'
import { inOrder } from './spec/in-order.js'
import type { ImportContext } from './types/import-context.js'

/** How many relations a path may lead through, unless that makes too many paths: then fewer. */
const usualDepth = 2

/** More are of no use to who reads them, and slow to compile. */
const usualPaths = 3000

/** Beyond this relations are not followed, whatever depth was asked for. */
const mostPaths = 10_000

/** A spec that was derived, and how its paths write keys of one part. */
export interface DerivedDocument {
  readonly document: object
  /** Absent when there is no such key. */
  readonly keyStyle?: KeyStyle
}

type Resources = Readonly<Record<string, ResourceDocument>>
type Operations = ReadonlyMap<string, ImportedOperation>

/**
 * The spec of a service that was not described by one: its paths follow from its types and the Capabilities vocabulary.
 *
 * @param said of the container
 */
export function derivedDocument(
  context: ImportContext,
  types: Resources,
  operations: Operations,
  said: Said,
  options: ImportOptions,
): DerivedDocument {
  const elements = importContainer(context, types)
  const resources = entityTags(types, elements)
  const imported = { resources, container: elements, operations, imports: operationImports(context) }
  const depth = options.depth ?? depthFor(context, types, operations)
  // A tag that is there and says nothing else holds.
  const answersSegments = said('Capabilities.KeyAsSegmentSupported') === true
  const keyStyle = (options.keyAsSegment ?? answersSegments) ? 'segment' : 'parentheses'
  const { scopes, ...paths } = derivePaths(context, imported, { depth, most: mostPaths, keyStyle })
  if (Object.keys(paths.paths).length > mostPaths) {
    const message = `Relations lead to more than ${mostPaths} paths; those beyond are left out. Choose a smaller --depth`
    context.note(loss('paths', message, '', context.catalogue.container.element.spot))
  }
  const { namespace } = context.catalogue
  const document = inOrder({
    service: {
      name: options.name ?? serviceName(namespace),
      namespace,
      version: 'v1.0',
      ...descriptionsOf(said),
      assumed: 'Metadata name no version: here stands what the address of the service ends in.',
    },
    authentication:
      scopes.length === 0
        ? undefined
        : { scheme: 'bearer', scopes: record(scopes.map(scope => [scope, scope] as const)) },
    resources,
    container: record([...elements].map(([name, { document }]) => [name, document] as const)),
    ...paths,
    operations:
      operations.size === 0
        ? undefined
        : record([...operations].map(([name, { document }]) => [name, document] as const)),
    errors: {},
    open: { updateStatus: { legal: [200, 204], reference: 200, description: 'The status of a change.' } },
  })
  const hasKeys = Object.keys(paths.paths).some(path => singleKey.test(path))
  return { document, ...(hasKeys ? { keyStyle } : {}) }
}

/** `/{Id}` or `({Id})`. */
const singleKey = /[/(]\{[^{}]*\}/

/** Derives the paths for their number only: what is said there counts as unsaid. */
function depthFor(context: ImportContext, resources: Resources, operations: Operations): number {
  const trial: ImportContext = { ...context, annotations: annotationIndex(context.catalogue), note: () => {} }
  const imported = { resources, container: importContainer(trial, resources), operations, imports: new Map() }
  for (let depth = usualDepth; depth > 0; depth--) {
    const { paths } = derivePaths(trial, imported, { depth, most: usualPaths, keyStyle: 'parentheses' })
    if (Object.keys(paths).length <= usualPaths) return depth
  }
  return 0
}
