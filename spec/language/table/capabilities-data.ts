import type { Capabilities, Condition } from '../../../runtime/query/capabilities/capabilities.js'
import type { QueryCapabilities } from '../model/query-capabilities.js'

/** Turns query options of the model into plain data, each once, so that endpoints that share them go on doing so. */
export function sharedCapabilities(): (query: QueryCapabilities) => Capabilities {
  const known = new Map<QueryCapabilities, Capabilities>()
  return query => {
    const found = known.get(query) ?? capabilitiesData(query)
    known.set(query, found)
    return found
  }
}

function capabilitiesData(query: QueryCapabilities): Capabilities {
  const { filter, orderby, expand, top, search } = query
  return {
    select: query.select,
    filter: {
      support: filter.support,
      operators: filter.operators,
      functions: filter.functions,
      lambdas: filter.lambdas,
      properties: filter.properties,
      ...(filter.maxNodes === undefined ? {} : { maxNodes: filter.maxNodes }),
    },
    orderby: {
      support: orderby.support,
      ...(orderby.only === undefined ? {} : { only: orderby.only }),
      properties: orderby.properties,
      ...(orderby.maxKeys === undefined ? {} : { maxKeys: orderby.maxKeys }),
    },
    expand: {
      support: expand.support,
      relations: expand.relations,
      maxDepth: expand.maxDepth,
      nested: expand.nested,
    },
    top: {
      support: top.support,
      ...(top.default === undefined ? {} : { default: top.default }),
      ...(top.max === undefined ? {} : { max: top.max }),
      above: top.above,
      min: top.min,
    },
    skip: query.skip,
    count: query.count,
    search: search.support === 'none' ? noSearch : searchData(search),
    requires: query.requires.filter(isDemanded).map(conditionData),
  }
}

/** What a search could be is of no use where there is none. */
const noSearch: Capabilities['search'] = { support: 'none', syntax: 'words', join: [], properties: [] }

function searchData({ support, syntax, join, properties }: QueryCapabilities['search']): Capabilities['search'] {
  return { support, syntax, join, properties }
}

/** Where a condition hangs on an open choice, our own service demands it only when it has chosen to. */
function isDemanded(condition: QueryCapabilities['requires'][number]): boolean {
  return condition.open === undefined || condition.open.reference === 'rejected'
}

function conditionData({ when, header, otherwise }: QueryCapabilities['requires'][number]): Condition {
  return { when, header: { name: header.name, value: header.value }, otherwise: otherwise.name }
}
