import { functionNames, operatorNames } from '../../../runtime/query/index.js'
import { suggest } from '../diagnostics/diagnostic.js'
import { queryUses } from '../model/service.js'
import { memberAt } from '../source/json-pointer.js'
import { type Check, mayLackMembers } from './check.js'

/** Query options are used by an endpoint. */
export const unusedQueryOptions: Check = ({ service, report, isIncomplete }) => {
  // An endpoint that could not be resolved, for its own sake or that of a key in its path, may use them.
  if (isIncomplete('/paths') || isIncomplete('/resources')) return
  const used = queryUses(service)
  for (const capabilities of service.queryCapabilities) {
    if (used.has(capabilities)) continue
    const message = `No endpoint uses the query options "${capabilities.name}". Remove them, or name them by \`query\`.`
    const at = capabilities.location.pointer
    report({ severity: 'warning', code: 'spec/unused-query-options', message, at, on: 'key' })
  }
}

/** A page is no larger than the largest one, and `$expand` goes no deeper than the service lets it. */
export const pageSizes: Check = ({ service, report }) => {
  for (const { top, expand, location } of service.queryCapabilities) {
    if (top.default !== undefined && top.max !== undefined && top.default > top.max) {
      const message = `A page has ${top.default} items by default, more than \`max\`, which is ${top.max}.`
      const related = [{ message: '`max` is here', at: `${location.pointer}/top/max`, on: 'key' as const }]
      report({ code: 'spec/page-size', message, at: `${location.pointer}/top/default`, related })
    }
    const { expandDepth } = service.limits
    if (expand.support !== 'none' && expandDepth !== undefined && expand.maxDepth > expandDepth) {
      const message = `\`maxDepth\` is ${expand.maxDepth}, more than the service's \`expandDepth\`, which is ${expandDepth}.`
      const related = [{ message: '`expandDepth` is here', at: '/limits/expandDepth', on: 'key' as const }]
      report({ code: 'spec/expand-depth', message, at: `${location.pointer}/expand/maxDepth`, related })
    }
  }
}

/** An endpoint declares no larger query than the limits of the service allow. */
export const queryLimits: Check = ({ service, report }) => {
  const { filterNodes, orderbyItems } = service.limits
  for (const { filter, orderby, location } of service.queryCapabilities) {
    const declared = [
      { option: 'filter', member: 'maxNodes', size: filter.maxNodes, limit: 'filterNodes', most: filterNodes },
      { option: 'orderby', member: 'maxKeys', size: orderby.maxKeys, limit: 'orderbyItems', most: orderbyItems },
    ]
    for (const { option, member, size, limit, most } of declared) {
      if (size === undefined || most === undefined || size <= most) continue
      const message = `\`${member}\` is ${size}, more than the service's \`${limit}\`, which is ${most}.`
      const related = [{ message: `\`${limit}\` is here`, at: `/limits/${limit}`, on: 'key' as const }]
      report({ code: 'spec/query-limit', message, at: `${location.pointer}/${option}/${member}`, related })
    }
  }
}

/** If `$search` is allowed, some property is searchable. */
export const searchable: Check = context => {
  const { document, service, report } = context
  for (const [{ search, location }, types] of queryUses(service)) {
    if (search.support === 'none' || search.properties.length > 0) continue
    // An empty list says that it is not known what is searched.
    if (Array.isArray(memberAt(document, `${location.pointer}/search/properties`))) continue
    if (types.length === 0 || types.some(type => mayLackMembers(type, context))) continue
    const message = `\`search\` has nothing to search: no property of ${types.map(type => `"${type.name}"`).join(', ')} has \`search\`.`
    report({
      severity: 'warning',
      code: 'spec/nothing-to-search',
      message,
      at: `${location.pointer}/search`,
      on: 'key',
    })
  }
}

const optionNames = ['filter', 'search', 'count', 'countPath', 'orderby', 'expand', 'skip', 'top', 'select']

const knownConstructs: ReadonlySet<string> = new Set([
  ...optionNames,
  ...[...operatorNames, 'not', 'negate', 'any', 'all', ...functionNames].map(name => `filter.${name}`),
])

/** A condition names known constructs. */
export const conditionConstructs: Check = ({ service, report }) => {
  const own = service.operations.map(({ qualifiedName }) => `filter.${qualifiedName}`)
  for (const { requires } of service.queryCapabilities) {
    for (const { when, location } of requires) {
      for (const [index, constructs] of when.entries()) {
        for (const construct of constructs) {
          if (knownConstructs.has(construct) || own.includes(construct)) continue
          const suggestion = suggest(construct, knownConstructs)
          const hint =
            suggestion === undefined
              ? ` Known: ${optionNames.join(', ')}, and \`filter.\` with an operator or function.`
              : ''
          const message = `The query language has no construct "${construct}".${hint}`
          report({ code: 'spec/unknown-construct', message, at: `${location.pointer}/when/${index}`, suggestion })
        }
      }
    }
  }
}
