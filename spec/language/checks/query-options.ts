import { functionNames, operatorNames } from '../../../runtime/query/index.js'
import type { Problem } from '../diagnostics/diagnostic.js'
import { suggest } from '../diagnostics/suggest.js'
import { queryUses } from '../model/service.js'
import { type EntityType, followPath, type NavigationProperty, type Property, primitiveOf } from '../model/types.js'
import { memberAt, pointerTo } from '../source/json-pointer.js'
import { type Check, type CheckContext, mayLackMembers } from './check.js'

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

type Member = Property | NavigationProperty

/**
 * Query options name properties and relations of the items. Options that several types share may name what
 * only one of them has.
 */
export const queryPaths: Check = context => {
  const { service, report } = context
  for (const [capabilities, types] of queryUses(service)) {
    if (types.length === 0 || types.some(type => type.open || mayLackMembers(type, context))) continue
    const { filter, orderby, expand, search, location } = capabilities
    /** What is wrong with the path: a member that no type has as it should be; undefined when one has. */
    const mismatch = (
      path: string,
      part: string,
      what: string,
      fits: (member: Member) => boolean,
    ): Member | undefined => {
      const found = membersAt(types, path)
      if (found.length === 0) report(unknown(context, types, path, `${location.pointer}/${part}`, what))
      return found.some(fits) ? undefined : found[0]
    }
    for (const path of Object.keys(filter.properties)) mismatch(path, 'filter/properties', 'property', () => true)
    for (const path of [...(orderby.only ?? []), ...Object.keys(orderby.properties)]) {
      const found = mismatch(
        path,
        'orderby/properties',
        'property',
        member => path.endsWith('/$count') || isSortable(member),
      )
      if (found === undefined) continue
      const message = `"${path}" is of "${found.type.name}"${found.collection ? ' and a collection' : ''}, so items cannot be ordered by it.`
      report({
        code: 'spec/not-sortable',
        message,
        ...memberSpot(context, `${location.pointer}/orderby/properties`, path),
      })
    }
    for (const path of search.properties) {
      const found = mismatch(path, 'search/properties', 'property', ({ type }) => primitiveOf(type) === 'String')
      if (found === undefined) continue
      const message = `"${path}" is of "${found.type.name}". Only text can be searched.`
      report({ code: 'spec/search', message, ...memberSpot(context, `${location.pointer}/search/properties`, path) })
    }
    for (const path of Object.keys(expand.scopes ?? {}))
      mismatch(path, 'expand/scopes', 'relation', ({ kind }) => kind === 'navigationProperty')
    // All relations that there are, unless some are named.
    if (memberAt(context.document, `${location.pointer}/expand/relations`) === undefined) continue
    for (const path of Object.keys(expand.relations)) {
      const found = mismatch(path, 'expand/relations', 'relation', ({ kind }) => kind === 'navigationProperty')
      if (found === undefined) continue
      const message = `"${path}" is a property, not a relation. It is returned without \`$expand\`.`
      report({
        code: 'spec/not-a-relation',
        message,
        ...memberSpot(context, `${location.pointer}/expand/relations`, path),
      })
    }
  }
}

function membersAt(types: readonly EntityType[], path: string): readonly Member[] {
  return types.flatMap(type => followPath(type, path.replace(/\/\$count$/, '')) ?? [])
}

const isSortable = ({ kind, collection, type }: Member): boolean =>
  kind === 'property' && !collection && (type.kind === 'enumType' || primitiveOf(type) !== undefined)

function unknown(context: CheckContext, types: readonly EntityType[], path: string, at: string, what: string): Problem {
  const names = types.flatMap(type => (what === 'relation' ? type.navigation : type.properties).map(({ name }) => name))
  const of = types.map(type => `"${type.name}"`).join(', ')
  return {
    code: `spec/unknown-${what}`,
    message: `${of} ${types.length > 1 ? 'have' : 'has'} no ${what} "${path}".`,
    suggestion: suggest(path, names),
    ...memberSpot(context, at, path),
  }
}

/** The place of a word: in a list, or as a key. */
function memberSpot({ document }: CheckContext, at: string, word: string): Pick<Problem, 'at' | 'on'> {
  const words = memberAt(document, at)
  return Array.isArray(words) ? { at: pointerTo(at, words.indexOf(word)) } : { at: pointerTo(at, word), on: 'key' }
}
