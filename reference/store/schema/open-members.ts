import type { EntityType } from '../../../spec/language/index.js'
import type { Table } from './store-schema.js'

type Members = Readonly<Record<string, unknown>>

/** Whether a table keeps properties that are not declared. */
export function isOpen({ types }: Pick<Table, 'types'>): boolean {
  return types.some(type => type.open)
}

/** What a body has beside the declared properties of its type; annotations are none of it. */
export function openMembers(type: EntityType, body: Members): Members {
  if (!type.open) return {}
  const declared = new Set([...type.properties, ...type.navigation].map(({ name }) => name))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !declared.has(name) && !name.includes('@')))
}
