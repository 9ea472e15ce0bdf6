import {
  bindQuery,
  type Capabilities,
  checkCapabilities,
  type OrderbyItem,
  type QueryOptions,
  type SelectItem,
} from '../../../../runtime/query/index.js'
import type { EntityType } from '../../../../spec/language/index.js'
import type { Refusal } from '../behaviour.js'
import type { Exchange } from '../exchange.js'
import { withConditions } from './with-conditions.js'
import { withinTop } from './within-top.js'

/** The options as far as they hold, or why the query is refused. */
export type Checked = { readonly kind: 'checked'; readonly options: QueryOptions } | Refusal

/** Holds a query against the types, against what the endpoint supports, and against its conditions. */
export function checkOptions(given: QueryOptions, type: EntityType | undefined, exchange: Exchange): Checked {
  const { endpoint, behaviour, service, types } = exchange
  const query = 'query' in endpoint ? endpoint.query : undefined
  const { format: _, ...asked } = given
  if (type === undefined || query === undefined) {
    const [name] = Object.keys(asked).filter(each => !['aliases', 'skiptoken', 'deltatoken'].includes(each))
    if (name === undefined) return { kind: 'checked', options: asked }
    const message = `The query option '$${name}' does not apply here.`
    return behaviour.refuseUnsupported(message, exchange) ?? { kind: 'checked', options: {} }
  }
  const options = withoutUnknown(asked, type, exchange)
  const [misfit] = bindQuery(options, types, type.name, { namespace: service.namespace })
  if (misfit !== undefined) {
    const refusal = behaviour.refuseMalformed(misfit.message, exchange)
    return refusal ?? { kind: 'checked', options: {} }
  }
  const top = withinTop(options, query.top, exchange)
  if (top.kind !== 'checked') return top
  const [lack] = checkCapabilities(top.options, capabilitiesOf(query, exchange), types, type.name)
  const refusal = lack === undefined ? undefined : behaviour.refuseUnsupported(lack.message, exchange)
  if (refusal !== undefined) return refusal
  return behaviour.refuse(top.options, exchange) ?? withConditions(top.options, query, exchange)
}

/** What the endpoint declares; deeper `$expand` where that is the service's choice. */
function capabilitiesOf(query: Omit<Capabilities, 'requires'>, { behaviour }: Exchange): Capabilities {
  const { expand, top } = query
  const deeper = behaviour.choices['expandDepth'] === 'deeper' && expand.support !== 'none'
  return {
    ...query,
    requires: [],
    top: { ...top, above: 'clamp' },
    expand: deeper ? { ...expand, maxDepth: 4, nested: [...expand.nested, 'expand'] } : expand,
  }
}

/** Names that are no properties, passed over in `$select` and `$orderby` where that is the service's choice. */
function withoutUnknown(options: QueryOptions, type: EntityType, { behaviour }: Exchange): QueryOptions {
  if (behaviour.choices['unknownProperty'] !== 'ignored') return options
  const names = new Set([...type.properties, ...type.navigation].map(({ name }) => name))
  const isKnown = (name: string | undefined): boolean =>
    name === undefined || names.has(name) || name.includes('.') || name === '*'
  const select = options.select?.filter((item: SelectItem) => isKnown(item.path[0]))
  const orderby = options.orderby?.filter(({ expression }: OrderbyItem) => {
    const first = expression.kind === 'path' ? expression.segments[0] : undefined
    return isKnown(first?.kind === 'property' ? first.name : undefined)
  })
  const { select: _, orderby: __, ...others } = options
  return {
    ...others,
    ...(select === undefined || select.length === 0 ? {} : { select }),
    ...(orderby === undefined || orderby.length === 0 ? {} : { orderby }),
  }
}
