import type { Endpoint, EntityType } from '../../spec/language/index.js'
import type { ParentRow } from './parent-rows.js'
import type { Site } from './site.js'
import { sitePath } from './site-path.js'

/** An endpoint at the address that leads through a row; without one, at its only address. Absent when the row lacks a key. */
export function siteOf(endpoint: Endpoint, parent?: ParentRow): Site | undefined {
  const keys = parent === undefined ? {} : keysFrom(endpoint, parent)
  if (keys === undefined) return undefined
  const values = endpoint.keys.map(({ variable }) => keys[variable] ?? '')
  const type = typeOf(endpoint)
  return {
    id: values.length === 0 ? endpoint.name : `${endpoint.name}(${values.join(',')})`,
    endpoint,
    keys,
    path: sitePath(endpoint, keys),
    ...(type === undefined ? {} : { type }),
  }
}

function typeOf(endpoint: Endpoint): EntityType | undefined {
  if (endpoint.kind !== 'call') return endpoint.type
  const type = endpoint.operation.returns?.type
  return type?.kind === 'entityType' ? type : undefined
}

/** Keys before the last come from the collection's own address, in order; the last ones from the row. */
function keysFrom(endpoint: Endpoint, { site, row }: ParentRow): Record<string, string> | undefined {
  const lastSegment = endpoint.keys.at(-1)?.segment
  const outer = site.endpoint.keys.map(({ variable }) => site.keys[variable] ?? '')
  const keys: Record<string, string> = {}
  for (const [index, { variable, property, segment }] of endpoint.keys.entries()) {
    const value = segment === lastSegment ? row[property.name] : outer[index]
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    const text = String(value)
    // A step of dots or nothing is no segment: no client can address such an item.
    if (/^\.{0,2}$/.test(text)) return undefined
    keys[variable] = text
  }
  return keys
}
