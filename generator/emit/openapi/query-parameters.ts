import type { Endpoint, EntityType, QueryCapabilities, Support } from '../../../spec/language/model/index.js'
import { description } from '../json-schema/description.js'
import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { valueSchema } from '../json-schema/value-schema.js'
import {
  expandDescription,
  filterDescription,
  orderbyDescription,
  searchDescription,
  selectDescription,
} from './query-descriptions.js'
import { schemasPrefix } from './schema-reference.js'

/** The query options that an endpoint supports, and the parameters of a function that stand in the query. */
export function queryParameters(endpoint: Endpoint): readonly JsonObject[] {
  const query = 'query' in endpoint ? endpoint.query : undefined
  return [
    ...(query === undefined ? [] : optionParameters(query, itemType(endpoint))),
    ...(endpoint.kind === 'call' && endpoint.method === 'GET' ? argumentParameters(endpoint) : []),
  ]
}

function itemType(endpoint: Endpoint): EntityType | undefined {
  if (endpoint.kind !== 'call') return endpoint.type
  const type = endpoint.operation.returns?.type
  return type?.kind === 'entityType' ? type : undefined
}

function optionParameters(query: QueryCapabilities, type: EntityType | undefined): readonly JsonObject[] {
  const { filter, orderby, expand, top, search } = query
  const names: Json = { type: 'array', items: { type: 'string' } }
  return [
    ...option('$select', query.select, selectDescription(type), names),
    ...option('$filter', filter.support, filterDescription(filter), { type: 'string' }),
    ...option('$orderby', orderby.support, orderbyDescription(orderby), names),
    ...option('$expand', expand.support, expandDescription(expand), { type: 'string' }),
    ...option('$top', top.support, topDescription(top), topSchema(top)),
    ...option('$skip', query.skip, 'How many items are skipped.', { type: 'integer', minimum: 0 }),
    ...option('$count', query.count, 'Whether the response carries @odata.count.', { type: 'boolean' }),
    ...option('$search', search.support, searchDescription(search), { type: 'string' }),
  ]
}

function option(name: string, support: Support, about: string, schema: Json): readonly JsonObject[] {
  if (support === 'none') return []
  const isList = typeof schema === 'object' && schema !== null && 'items' in schema
  return [
    jsonObject([
      ['name', name],
      ['in', 'query'],
      ['description', support === 'optional' ? `${about} An implementation may refuse it with an error.` : about],
      ['schema', schema],
      ['style', isList ? 'form' : undefined],
      ['explode', isList ? false : undefined],
    ]),
  ]
}

function topDescription({ default: byDefault, max, above }: QueryCapabilities['top']): string {
  const page = byDefault === undefined ? '' : ` Without it a page has ${byDefault}.`
  const most = max === undefined ? '' : ` At most ${max}${above === 'error' ? '' : '; more gets no more, or an error'}.`
  return `How many items are returned.${page}${most}`
}

function topSchema({ min, max, above }: QueryCapabilities['top']): Json {
  return jsonObject([
    ['type', 'integer'],
    ['minimum', min],
    ['maximum', above === 'error' ? max : undefined],
  ])
}

/** Arguments that the path has no place for. */
function argumentParameters(endpoint: Endpoint & { readonly kind: 'call' }): readonly JsonObject[] {
  const inline = new Set(
    endpoint.resolved.flatMap(segment => (segment.kind === 'operation' ? Object.keys(segment.variables) : [])),
  )
  return endpoint.operation.parameters
    .filter(({ name }) => !inline.has(name))
    .map(each =>
      jsonObject([
        ['name', each.name],
        ['in', 'query'],
        ['required', !each.optional],
        ['description', description(each)],
        ['schema', valueSchema({ ...each, nullable: false }, 'create', { prefix: schemasPrefix, geoTypes: new Set() })],
      ]),
    )
}
