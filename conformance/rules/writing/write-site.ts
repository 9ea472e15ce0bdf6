import type { DeleteEndpoint, Endpoint, EntityType, Property, UpdateEndpoint } from '../../../spec/language/index.js'
import { isSamePath, onePerEndpoint, type Site } from '../../discover/site.js'
import { primitiveOf } from '../../lists/properties.js'
import type { Session } from '../../session/session.js'

/** A collection in which items can be created and deleted. */
export interface WriteSite extends Site {
  readonly type: EntityType
  readonly deletion: DeleteEndpoint
  /** PATCH of an item. Absent if items cannot be updated. */
  readonly update?: UpdateEndpoint
  /** PUT of an item. Absent if items cannot be replaced. */
  readonly replacement?: UpdateEndpoint
  /** The string property that carries the mark of the run. */
  readonly markProperty: Property
}

/** Create endpoints whose items can be deleted. Those whose items can also be updated come first. */
export function writeSites(session: Session): readonly WriteSite[] {
  const sites = onePerEndpoint(session.sites).flatMap(site => writeSite(site, session) ?? [])
  return [...sites.filter(({ update }) => update !== undefined), ...sites.filter(({ update }) => update === undefined)]
}

/** Why a write rule cannot run. */
export const cannotWrite = 'items cannot be created and deleted here'

/** The write operations of a create site. Undefined if its items cannot be deleted or cannot carry the mark. */
export function writeSite(site: Site, { service, ledger }: Pick<Session, 'service' | 'ledger'>): WriteSite | undefined {
  const { endpoint } = site
  if (ledger === undefined || endpoint.kind !== 'create') return undefined
  const below = service.endpoints.filter(each => isItemOf(each, endpoint))
  const deletion = below.find(each => each.kind === 'delete')
  const update = below.find(each => each.kind === 'update')
  const replacement = below.find(each => each.kind === 'replace')
  const markProperty = endpoint.type.properties.find(canCarryMark)
  if (deletion?.kind !== 'delete' || markProperty === undefined) return undefined
  return {
    ...site,
    type: endpoint.type,
    deletion,
    markProperty,
    ...(update?.kind === 'update' ? { update } : {}),
    ...(replacement?.kind === 'replace' ? { replacement } : {}),
  }
}

function isItemOf(endpoint: Endpoint, { resolved }: Endpoint): boolean {
  if (endpoint.resolved.length !== resolved.length + 1 || endpoint.resolved.at(-1)?.kind !== 'key') return false
  return isSamePath(endpoint.resolved.slice(0, -1), resolved)
}

/** Maximum length of the mark and the text after it. */
const markLength = 60

function canCarryMark({ type, collection, computed, pattern, maxLength = markLength, unique }: Property): boolean {
  if (collection || computed || unique || pattern !== undefined || maxLength < markLength) return false
  return type.kind === 'primitive' && primitiveOf(type) === 'String'
}
