import type { EntityType, Property, ReadEndpoint, Service } from '../../../spec/language/index.js'
import { type EndpointContext, emptyReply, type ReceivedRequest, type Reply } from './behaviour.js'
import { isObject, type Json } from './json.js'
import { readItem } from './reads.js'
import { matchPath } from './routing.js'
import { isOfType } from './store.js'

/** A property of an item, and the endpoint that reads the item. */
interface PropertyMatch {
  readonly endpoint: ReadEndpoint
  readonly variables: ReadonlyMap<string, string>
  readonly property: Property
  /** The type to which the path casts the item. */
  readonly cast?: EntityType
}

/** Finds the property that a path leads to, if the service has such paths. */
export function matchProperty(service: Service, { method, path }: ReceivedRequest): PropertyMatch | undefined {
  if (service.features.propertyPaths === 'none' || method !== 'GET') return undefined
  const slash = path.lastIndexOf('/')
  const owner = path.slice(0, slash)
  const castName = owner.slice(owner.lastIndexOf('/') + 1)
  const cast = service.entityTypes.find(({ qualifiedName }) => qualifiedName === castName)
  const item = matchPath(service, cast === undefined ? owner : owner.slice(0, -castName.length - 1))
  const endpoint = item?.endpoints.find((each): each is ReadEndpoint => each.kind === 'item')
  const type =
    endpoint === undefined || cast === undefined || isOfType(cast, endpoint.type) ? (cast ?? endpoint?.type) : undefined
  const property = type?.properties.find(({ name }) => name === path.slice(slash + 1))
  if (item === undefined || endpoint === undefined || property === undefined) return undefined
  return { endpoint, variables: item.variables, property, ...(cast === undefined ? {} : { cast }) }
}

export function readProperty({ endpoint, property, cast }: PropertyMatch, at: EndpointContext): Reply {
  const { target, behaviour } = at
  if (cast !== undefined && target.kind === 'one' && !behaviour.castKeeps(target.row.type, cast.qualifiedName, at)) {
    return behaviour.error(at.service.faults.itemNotFound, at.service.faults.itemNotFound.message, at)
  }
  const reply = readItem(endpoint, { ...at, options: { select: [{ path: [property.name] }] } })
  if (reply.status !== 200 || !isObject(reply.json)) return reply
  const value: Json = at.behaviour.propertyValue(reply.json[property.name] ?? null, at)
  if (value === null) return emptyReply(204)
  const json = property.type.kind === 'complexType' && isObject(value) ? value : { value }
  return { status: 200, headers: {}, json }
}

/** Finds the endpoint whose items a path to links names, if the service has such paths. */
export function matchLinks(
  service: Service,
  { method, path }: ReceivedRequest,
): Pick<PropertyMatch, 'endpoint' | 'variables'> | undefined {
  if (service.features.references === 'none' || method !== 'GET' || !path.endsWith('/$ref')) return undefined
  const items = matchPath(service, path.slice(0, -'/$ref'.length))
  const endpoint = items?.endpoints.find((each): each is ReadEndpoint => each.kind === 'collection')
  return items === undefined || endpoint === undefined ? undefined : { endpoint, variables: items.variables }
}

export function readLinks(at: EndpointContext): Reply {
  const { target, behaviour, service, request } = at
  const { itemNotFound } = service.faults
  if (target.kind !== 'many') return behaviour.error(itemNotFound, itemNotFound.message, at)
  const urls = behaviour.page(target.rows, at).rows.map(row => {
    const set = service.container.find(({ kind, type }) => kind === 'entitySet' && type === row.type)
    const key = row.type.key.map(({ name }) => `${name}='${row.values[name]}'`)
    return `${request.root}/${set?.name ?? row.type.name}(${key.join()})`
  })
  return { status: 200, headers: {}, json: { value: behaviour.links(urls, at) } }
}
