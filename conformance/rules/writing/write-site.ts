import {
  type DeleteEndpoint,
  type Endpoint,
  type EntityType,
  isSamePath,
  type Property,
  type ReadEndpoint,
  type UpdateEndpoint,
} from '../../../spec/language/index.js'
import { onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { derivedTypes, namedType } from '../../lists/properties.js'
import type { Session } from '../../session/session.js'
import { canDelete, markPropertyOf } from '../../writes/ledger.js'
import { type Examples, examplesOf } from './sample-value.js'

/** A collection in which items can be created. */
export interface WriteSite extends Site {
  /** The type of the items that it creates: the declared type, or one that derives from it. */
  readonly type: EntityType
  readonly declaredType: EntityType
  /** DELETE of an item. Absent if created items remain, which the user has allowed. */
  readonly deletion?: DeleteEndpoint
  /** PATCH of an item. Absent if items cannot be updated. */
  readonly update?: UpdateEndpoint
  /** PUT of an item. Absent if items cannot be replaced. */
  readonly replacement?: UpdateEndpoint
  /** GET of an item. */
  readonly reading?: ReadEndpoint
  /** The string property that carries the mark of the run. Absent if no text is long enough. */
  readonly markProperty?: Property
  readonly mark: string
  readonly examples: Examples
}

/** Create endpoints whose items can be deleted, or may remain. Those whose items can also be updated come first. */
export function writeSites(session: Session): readonly WriteSite[] {
  const sites = onePerEndpoint(session.sites).flatMap(site => writeSite(site, session) ?? [])
  return [...sites.filter(({ update }) => update !== undefined), ...sites.filter(({ update }) => update === undefined)]
}

/** Why a write rule cannot run. */
export const cannotWrite = 'items cannot be created and deleted here'

/**
 * The write operations of a create site. If the declared type is abstract, the items are of a type that derives from it.
 * Undefined if the items cannot be deleted and must not remain.
 */
export function writeSite(site: Site, session: Session): WriteSite | undefined {
  const { service, ledger } = session
  const { endpoint } = site
  // Nothing identifies an item without a key.
  if (ledger === undefined || endpoint.kind !== 'create' || endpoint.type.key.length === 0) return undefined
  const below = service.endpoints.filter(each => isItemOf(each, endpoint))
  const deletion = below.find(each => each.kind === 'delete')
  const update = below.find(each => each.kind === 'update')
  const replacement = below.find(each => each.kind === 'replace')
  const reading = below.find(each => each.kind === 'item')
  if (deletion === undefined && !ledger.mayLeave) return undefined
  const [type] = creatableTypes(endpoint.type, session)
  const markProperty = type === undefined ? undefined : markPropertyOf(type)
  if (type === undefined) return undefined
  return {
    ...site,
    type,
    declaredType: endpoint.type,
    mark: ledger.mark,
    examples: existingItems(site, session),
    ...(deletion?.kind === 'delete' ? { deletion } : {}),
    ...(markProperty === undefined ? {} : { markProperty }),
    ...(update?.kind === 'update' ? { update } : {}),
    ...(replacement?.kind === 'replace' ? { replacement } : {}),
    ...(reading?.kind === 'item' ? { reading } : {}),
  }
}

function creatableTypes(declared: EntityType, { service }: Pick<Session, 'service'>): readonly EntityType[] {
  return declared.abstract ? derivedTypes(declared, service) : [declared, ...derivedTypes(declared, service)]
}

/** The types of the items that a site can create, besides the one that it creates unless another is asked for. */
export function otherTypes({ declaredType }: WriteSite, session: Pick<Session, 'service'>): readonly EntityType[] {
  return creatableTypes(declaredType, session).slice(1)
}

/** The same site for items of another type. Values are modelled on items of that type, if there are any. */
export function writeSiteOf(type: EntityType, site: WriteSite): WriteSite {
  const { markProperty: _, ...others } = site
  const { rows, total } = site.examples
  const alike = rows.filter(row => namedType(row) === type.qualifiedName)
  const markProperty = markPropertyOf(type)
  return {
    ...others,
    type,
    examples: { ...examplesOf(alike.length > 0 ? alike : rows), total },
    ...(markProperty === undefined ? {} : { markProperty }),
  }
}

function isItemOf(endpoint: Endpoint, { resolved }: Endpoint): boolean {
  if (endpoint.resolved.length !== resolved.length + 1 || endpoint.resolved.at(-1)?.kind !== 'key') return false
  return isSamePath(endpoint.resolved.slice(0, -1), resolved)
}

/** The collection in which created items appear. */
export function listOf(site: Site, { sites }: Pick<Session, 'sites'>): Site | undefined {
  return sites.find(({ endpoint, path }) => {
    return endpoint.kind === 'collection' && path === site.path && isSamePath(endpoint.resolved, site.endpoint.resolved)
  })
}

const found = new WeakMap<object, Map<string, Examples>>()

/** The items of the collection at the first use of the site: what the run creates later is no example. */
function existingItems(site: Site, session: Session): Examples {
  const known = found.get(session.run) ?? new Map<string, Examples>()
  found.set(session.run, known)
  const list = listOf(site, session)
  const examples = known.get(site.id) ?? examplesOf(list === undefined ? undefined : session.snapshot(list)?.rows)
  known.set(site.id, examples)
  return examples
}

/**
 * Deletes an item of this run, and records in the ledger that it is gone.
 *
 * @returns the response; undefined if nothing shows that the item is one of this run
 */
export async function removeItem(
  path: string,
  session: Session,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse | undefined> {
  const { ledger, service } = session
  if (ledger === undefined || !(await ledger.isOwned(path))) return undefined
  if (!canDelete(path, service)) return undefined
  let response = await session.send({ method: 'DELETE', path, headers })
  if (response.status === 428) {
    const current = await session.send({ method: 'GET', path })
    response = await session.send({ method: 'DELETE', path, headers: { 'if-match': current.headers['etag'] ?? '*' } })
  }
  if ((response.status >= 200 && response.status < 300) || response.status === 404) ledger.markRemoved(path)
  return response
}

export function needsCredential({ service: { authentication } }: Session): boolean {
  return authentication.scheme !== 'none' && authentication.missing !== undefined
}
