import type { Report } from '../diagnostics/diagnostic.js'
import type { SpecDocument } from '../document.js'
import type { Assumption, Clause, OpenChoice, Preference, Profile, Service } from '../model/service.js'
import type { Annotations, ComplexType, EnumType, TypeDefinition } from '../model/types.js'
import { pointerKeys, pointerTo } from '../source/json-pointer.js'
import { createResolution, type Resolution, resolveReference } from './resolution.js'
import { resolveContainer } from './resolve-container.js'
import { resolveEndpoints } from './resolve-endpoints.js'
import { resolveErrors } from './resolve-errors.js'
import { qualifiedNames, resolveOperations } from './resolve-operations.js'
import { supportOf } from './resolve-query-options.js'
import { resolvePartners, resolveTypes } from './resolve-types.js'

const defaultLimits = { url: 8192, body: 1024 * 1024, stream: 16 * 1024 * 1024 }
const defaultErrorBody = { required: ['code', 'message'], optional: ['target', 'details', 'innererror'] }

/** The model of a spec, as far as it could be resolved. */
interface ResolvedService {
  readonly service: Service
  /** Whether a problem was reported at or within a part of the document, so that the model may lack that part. */
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
  const { errorBody, features, limits } = document
  const { ref: _ref, description: _description, assumed: _assumed, ...declaredLimits } = limits ?? {}
  if (errorBody) resolution.annotations(errorBody, '/errorBody')
  if (features) resolution.annotations(features, '/features')
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
    features: {
      propertyPaths: supportOf(features?.propertyPaths, 'none'),
      bind: supportOf(features?.bind, 'none'),
      references: supportOf(features?.references, 'none'),
      deepInsert: supportOf(features?.deepInsert, 'none'),
      deepUpdate: supportOf(features?.deepUpdate, 'none'),
      upsert: supportOf(features?.upsert, 'none'),
      batch: supportOf(features?.batch, 'none'),
      trackChanges: supportOf(features?.trackChanges, 'none'),
      omitValues: supportOf(features?.omitValues, 'none'),
      respondAsync: supportOf(features?.respondAsync, 'none'),
    },
    limits: { ...defaultLimits, ...declaredLimits },
    assumptions: assumptionsOf(resolution.assumed, document),
  }
  return { service, isIncomplete: resolution.isIncomplete }
}

/** In order of the document, whatever order its parts were resolved in. */
function assumptionsOf(assumed: readonly Annotations[], document: SpecDocument): readonly Assumption[] {
  const order = new Map<string, number>()
  if (assumed.length > 1) number(document, '', order)
  const rank = ({ location }: Annotations): number => order.get(location.pointer) ?? 0
  return [...assumed]
    .sort((a, b) => rank(a) - rank(b))
    .map(({ location, assumed: why = '', ref }) => ({
      element: pointerKeys(location.pointer)
        .map(key => key.replace(/^\//, ''))
        .join('/'),
      why,
      location,
      ...(ref === undefined ? {} : { ref }),
    }))
}

function number(part: unknown, pointer: string, order: Map<string, number>): void {
  if (typeof part !== 'object' || part === null) return
  order.set(pointer, order.size)
  for (const [key, value] of Object.entries(part)) number(value, pointerTo(pointer, key), order)
}

/** What the interface leaves open, and what it says. */
interface Choices {
  readonly open: ReadonlyMap<string, OpenChoice>
  readonly clauses: readonly Clause[]
  readonly profiles: readonly Profile[]
}

/** Resolves the chapters `open`, `clauses` and `profiles`. */
function resolveChoices(resolution: Resolution): Choices {
  const { document } = resolution
  const open = new Map<string, OpenChoice>()
  for (const [name, choice] of Object.entries(document.open ?? {})) {
    const { legal, reference } = choice
    open.set(name, { ...resolution.annotations(choice, pointerTo('/open', name)), name, legal, reference })
  }
  const choiceOf = (name: string, at: string, on?: 'key'): OpenChoice | undefined =>
    resolveReference(resolution, {
      kind: 'choice',
      name,
      at,
      chapter: '/open',
      known: open,
      ...(on === undefined ? {} : { on }),
    })

  const clauses = Object.entries(document.clauses ?? {}).map(([id, { ref, quote, aspects, open: name }]): Clause => {
    const pointer = pointerTo('/clauses', id)
    const choice = name === undefined ? undefined : choiceOf(name, `${pointer}/open`)
    return { id, ref, quote, aspects, location: { pointer }, ...(choice === undefined ? {} : { open: choice }) }
  })
  const profiles = Object.entries(document.profiles ?? {}).map(([name, demands]): Profile => {
    const pointer = pointerTo('/profiles', name)
    const choices = Object.entries(demands).flatMap(([choiceName, value]) => {
      const choice = choiceOf(choiceName, pointerTo(pointer, choiceName), 'key')
      return choice === undefined ? [] : [{ choice, value: String(value) }]
    })
    return { name, choices, location: { pointer } }
  })
  return { open, clauses, profiles }
}

/** Resolves the chapter `preferences`. */
function resolvePreferences(resolution: Resolution): ReadonlyMap<string, Preference> {
  return new Map(
    Object.entries(resolution.document.preferences ?? {}).map(([id, document]) => {
      const { ref, description, assumed, ...own } = document
      return [id, { ...resolution.annotations(document, pointerTo('/preferences', id)), id, ...own }]
    }),
  )
}
