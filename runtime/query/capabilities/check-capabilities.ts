import type { QueryOptions } from '../ast.js'
import { namedType } from '../binding/static-type.js'
import type { TypeTable } from '../schema.js'
import type { Capabilities } from './capabilities.js'
import type { CheckContext } from './check-context.js'
import { checkExpand } from './check-expand.js'
import { checkFilter } from './check-filter.js'
import { checkOrderby } from './check-orderby.js'
import { checkPaging } from './check-paging.js'
import { checkSearch } from './check-search.js'
import { checkSelect } from './check-select.js'
import type { PropertyTrail } from './property-trail.js'
import type { UnsupportedConstruct } from './unsupported-construct.js'

/**
 * What a query uses that an endpoint does not support; empty when all is supported. Nothing is passed over: a construct
 * that the capabilities have no word for (`$compute`, keys in a filter, `$root`) counts as not supported. `$format`,
 * `$skiptoken` and `$deltatoken` are no capabilities: they belong to content negotiation and to the service's own links.
 *
 * Whether the query fits the types is `bindQuery`'s question, asked before. Above `top.max`, `clamp` and `open` refuse
 * nothing here.
 *
 * @param typeName the items that the request addresses
 * @see OData Protocol 4.01, 11.2.6 (an unsupported option must fail the request)
 */
export function checkCapabilities(
  options: QueryOptions,
  capabilities: Capabilities,
  types: TypeTable,
  typeName: string,
): readonly UnsupportedConstruct[] {
  const found = new Map<string, UnsupportedConstruct>()
  const item = namedType(typeName, types)
  const outermost: PropertyTrail = {
    path: [],
    typeName: item?.kind === 'entity' || item?.kind === 'complex' ? item.name : undefined,
    relationDepth: 0,
  }
  const context: CheckContext = {
    capabilities,
    types,
    aliases: options.aliases ?? {},
    outermost,
    report(option, construct, message, property) {
      const key = `${construct} ${property ?? ''}`
      if (found.has(key)) return
      found.set(key, { option, construct, message, ...(property === undefined ? {} : { property }) })
    },
  }
  const { filter, orderby, search, select, expand } = options
  checkWhole(options, context)
  if (filter !== undefined) checkFilter(filter, outermost, context)
  if (orderby !== undefined) checkOrderby(orderby, outermost, context)
  if (search !== undefined) checkSearch(search, context)
  if (select !== undefined && capabilities.select !== 'none') checkSelect(select, context)
  if (expand !== undefined) checkExpand(expand, outermost, 1, context)
  if (capabilities.top.support !== 'none') checkPaging(options, context)
  return [...found.values()]
}

/** Options that are supported or not as a whole. */
function checkWhole(options: QueryOptions, { capabilities, report }: CheckContext): void {
  const supports = {
    select: capabilities.select,
    top: capabilities.top.support,
    skip: capabilities.skip,
    count: capabilities.count,
    compute: 'none',
    levels: 'none',
  } as const
  for (const name of ['select', 'top', 'skip', 'count', 'compute', 'levels'] as const) {
    if (options[name] === undefined || supports[name] !== 'none') continue
    report(`$${name}`, name, `The query option '$${name}' is not supported here.`)
  }
}
