import type { QueryOptionsDocument } from '../document/index.js'
import type { QueryCapabilities } from '../model/query-capabilities.js'
import type { EntityType } from '../model/types.js'
import { pointerTo } from '../source/pointer.js'
import { type Resolution, refer } from './resolution.js'
import {
  type PendingCapabilities,
  type QueryReferences,
  resolveQueryCapabilities,
} from './resolve-query-capabilities.js'

/** The query options of a service, and the types of the items that each is used for. */
export interface QueryOptionsTable {
  /** The options that an endpoint names, or that are written there. */
  readonly use: (
    query: string | QueryOptionsDocument,
    endpoint: string,
    at: string,
    type: EntityType | undefined,
  ) => QueryCapabilities | undefined
  /** All options, with the defaults that depend on the types, once every endpoint has been seen. */
  readonly settled: () => readonly QueryCapabilities[]
}

interface Entry extends PendingCapabilities {
  readonly types: Set<EntityType>
}

/** Resolves the chapter `queryOptions`. */
export function queryOptionsTable(resolution: Resolution, references: QueryReferences): QueryOptionsTable {
  const entries: Entry[] = []
  const named = new Map<string, Entry>()
  const add = (name: string, document: QueryOptionsDocument, pointer: string): Entry => {
    const entry = {
      ...resolveQueryCapabilities(resolution, name, document, pointer, references),
      types: new Set<EntityType>(),
    }
    entries.push(entry)
    return entry
  }
  for (const [name, document] of Object.entries(resolution.document.queryOptions ?? {})) {
    named.set(name, add(name, document, pointerTo('/queryOptions', name)))
  }
  return {
    use: (query, endpoint, at, type) => {
      const entry =
        typeof query === 'string'
          ? refer(resolution, { kind: 'query options', name: query, at, chapter: '/queryOptions', known: named })
          : add(endpoint, query, at)
      if (type) entry?.types.add(type)
      return entry?.capabilities
    },
    settled: () =>
      entries.map(({ capabilities, settle, types }) => {
        settle(types)
        return capabilities
      }),
  }
}
