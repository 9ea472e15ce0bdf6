import type { EntityType } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import type { Entity } from '../world/entity.js'
import { prefer, preferred } from './prefer.js'
import { type JsonObject, project } from './project.js'
import type { Reply } from './reply.js'

/** A single item, with its tag. */
export function itemReply(row: Entity, type: EntityType, status: number, at: Exchange): Reply {
  const tag = at.behaviour.tag(row, at)
  return {
    status,
    headers: { ...(tag === undefined ? {} : { ETag: tag }), ...appliedHeader(at) },
    json: { '@odata.context': contextOf(type, at), ...shown(row, type, at) },
  }
}

/** An item with the preferences of the request followed. */
export function shown(row: Entity, type: EntityType, at: Exchange): JsonObject {
  return preferred(at).reduce(
    (item, { preference, value }) => prefer(item, preference, value),
    project(row, type, at.options, at),
  )
}

export function appliedHeader(at: Exchange): Readonly<Record<string, string>> {
  const applied = preferred(at).map(({ preference, value }) => `${preference.name}="${value}"`)
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', ') }
}

export function contextOf(type: EntityType, at: Exchange): string {
  return `${at.request.root}/$metadata#${type.qualifiedName}`
}
