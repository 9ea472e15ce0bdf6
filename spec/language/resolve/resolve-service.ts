import type { Report } from '../diagnostics/problem.js'
import type { SpecDocument } from '../document/index.js'
import type { Annotations } from '../model/place.js'
import type { Assumption, Service } from '../model/service.js'
import type { ComplexType, EnumType, TypeDefinition } from '../model/types.js'
import { pointerKeys, pointerTo } from '../source/pointer.js'
import { qualifiedNames } from './path/qualified-names.js'
import { createResolution } from './resolution.js'
import { resolveChoices } from './resolve-choices.js'
import { resolveContainer } from './resolve-container.js'
import { resolveEndpoints } from './resolve-endpoints.js'
import { resolveErrors } from './resolve-errors.js'
import { resolveOperations } from './resolve-operations.js'
import { resolvePartners } from './resolve-partners.js'
import { resolvePreferences } from './resolve-preferences.js'
import { resolveTypes } from './resolve-types.js'

const defaultLimits = { url: 8192, body: 1024 * 1024 }
const defaultErrorBody = { required: ['code', 'message'], optional: ['target', 'details', 'innererror'] }

/** The model of a spec, as far as it can be told. */
export interface ResolvedService {
  readonly service: Service
  /** Whether something was reported at a part of the document or within it, so that the model may lack what it says. */
  readonly isIncomplete: (pointer: string) => boolean
}

/**
 * Resolves a document into the model: references become the objects they name, defaults are filled in. What cannot be
 * resolved is reported and left out.
 *
 * @param leftOut pointers of the parts that are missing from the document because their shape is wrong
 */
export function resolveService(document: SpecDocument, leftOut: ReadonlySet<string>, report: Report): ResolvedService {
  const resolution = createResolution(document, leftOut, report)
  const { name, title = name, namespace = name, version } = document.service
  const annotations = resolution.annotations(document.service, '/service')
  const types = resolveTypes(resolution)
  const entityTypes = [...types.entityTypes.values()]
  const complexTypes: ComplexType[] = []
  const enumTypes: EnumType[] = []
  const typeDefinitions: TypeDefinition[] = []
  for (const type of types.all.values()) {
    if (type.kind === 'complexType') complexTypes.push(type)
    else if (type.kind === 'enumType') enumTypes.push(type)
    else if (type.kind === 'typeDefinition') typeDefinitions.push(type)
  }
  resolvePartners(resolution, [...entityTypes, ...complexTypes])
  const container = resolveContainer(resolution, types)
  const errors = resolveErrors(resolution)
  const choices = resolveChoices(resolution)
  const preferences = resolvePreferences(resolution)
  const operations = resolveOperations(resolution, types)
  const paths = resolveEndpoints(resolution, {
    container,
    operations,
    qualified: qualifiedNames(types.all.values(), operations.values()),
    entityTypes: types.entityTypes,
    errors,
    open: choices.open,
    preferences,
  })
  const { errorBody, limits } = document
  if (errorBody) resolution.annotations(errorBody, '/errorBody')
  if (limits) resolution.annotations(limits, '/limits')
  const service: Service = {
    ...annotations,
    name,
    title,
    namespace,
    version,
    authentication: errors.authentication,
    entityTypes,
    complexTypes,
    enumTypes,
    typeDefinitions,
    container: [...container.values()],
    ...paths,
    operations: [...operations.values()],
    preferences: [...preferences.values()],
    errors: errors.all,
    faults: errors.faults,
    errorBody: {
      required: errorBody?.required ?? defaultErrorBody.required,
      optional: errorBody?.optional ?? defaultErrorBody.optional,
    },
    clauses: choices.clauses,
    open: [...choices.open.values()],
    profiles: choices.profiles,
    limits: {
      url: limits?.url ?? defaultLimits.url,
      body: limits?.body ?? defaultLimits.body,
      ...(limits?.expandDepth === undefined ? {} : { expandDepth: limits.expandDepth }),
    },
    assumptions: assumptionsOf(resolution.assumed, document),
  }
  return { service, isIncomplete: resolution.isIncomplete }
}

/** In order of the document, whatever order its parts were resolved in. */
function assumptionsOf(assumed: readonly Annotations[], document: SpecDocument): readonly Assumption[] {
  const order = new Map<string, number>()
  if (assumed.length > 1) number(document, '', order)
  const rank = ({ place }: Annotations): number => order.get(place.pointer) ?? 0
  return [...assumed]
    .sort((a, b) => rank(a) - rank(b))
    .map(({ place, assumed: why = '', ref }) => ({
      element: pointerKeys(place.pointer)
        .map(key => key.replace(/^\//, ''))
        .join('/'),
      why,
      place,
      ...(ref === undefined ? {} : { ref }),
    }))
}

function number(part: unknown, pointer: string, order: Map<string, number>): void {
  if (typeof part !== 'object' || part === null) return
  order.set(pointer, order.size)
  for (const [key, value] of Object.entries(part)) number(value, pointerTo(pointer, key), order)
}
