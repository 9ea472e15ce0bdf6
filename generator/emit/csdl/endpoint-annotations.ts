import type {
  Condition,
  Endpoint,
  Path,
  QueryCapabilities,
  ResolvedSegment,
  Support,
} from '../../../spec/language/index.js'
import {
  type AnnotationValue,
  collectionOf,
  descriptionMembers,
  nonEmptyCollection,
  recordOf,
} from './csdl-document.js'

/** A path with its endpoints. `Resource` is present if the template itself does not show where it leads. */
export function pathRecord(path: Path): AnnotationValue {
  const resource = path.endpoints[0] === undefined ? undefined : resourcePath(path.endpoints[0].resolved)
  return recordOf([
    ['Template', path.template],
    ['Resource', resource === path.template.slice(1) ? undefined : resource],
    ['Endpoints', collectionOf(path.endpoints.map(endpointRecord))],
    ...descriptionMembers(path),
  ])
}

function endpointRecord(endpoint: Endpoint): AnnotationValue {
  return recordOf([
    ['Name', endpoint.name],
    ['Method', endpoint.method],
    ['Kind', endpoint.kind],
    ['Type', endpoint.kind === 'call' ? undefined : endpoint.type.name],
    ['Calls', endpoint.kind === 'call' ? endpoint.operation.name : undefined],
    ['Query', 'query' in endpoint ? endpoint.query?.name : undefined],
    ['Support', endpoint.support],
    ['Status', endpoint.status],
    ['IfMatch', 'ifMatch' in endpoint ? endpoint.ifMatch : undefined],
    ['IfNoneMatch', 'ifNoneMatch' in endpoint ? endpoint.ifNoneMatch : undefined],
    ['Absent', 'absent' in endpoint ? endpoint.absent : undefined],
    ['Scopes', nonEmptyCollection(endpoint.scopes)],
    ['Errors', nonEmptyCollection(endpoint.errors.map(({ name }) => name))],
    ['Prefer', nonEmptyCollection(endpoint.preferences.map(({ id }) => id))],
    ...descriptionMembers(endpoint),
  ])
}

/** Where a path leads, from the container on, as a spec writes it: `me/drive/items/{id}/children`. */
function resourcePath(resolved: readonly ResolvedSegment[]): string {
  return resolved.reduce((path, segment) => {
    const text = segmentText(segment)
    return path === '' || text.startsWith('(') ? path + text : `${path}/${text}`
  }, '')
}

function segmentText(segment: ResolvedSegment): string {
  switch (segment.kind) {
    case 'entitySet':
    case 'singleton':
      return segment.element.name
    case 'key': {
      const [only] = segment.variables
      if (segment.style === 'segment') return `{${only}}`
      const named = segment.variables.map((variable, index) => `${segment.type.key[index]?.name}={${variable}}`)
      return segment.variables.length === 1 ? `({${only}})` : `(${named.join(',')})`
    }
    case 'alternateKey':
      return `(${segment.properties.map(({ name }, index) => `${name}={${segment.variables[index]}}`).join(',')})`
    case 'navigation':
    case 'property':
      return segment.property.name
    case 'cast':
      return segment.type.qualifiedName
    case 'operation': {
      const given = Object.entries(segment.variables).map(([name, variable]) => `${name}={${variable}}`)
      const name = segment.operation.qualifiedName.slice(segment.operation.qualifiedName.lastIndexOf('.') + 1)
      return segment.operation.kind === 'action' ? name : `${name}(${given.join(',')})`
    }
    case 'stream':
      return segment.property?.name ?? '$value'
    case 'count':
      return '$count'
    case 'delta':
      return 'delta'
  }
}

/** The query options of one chapter entry, every default filled in. */
export function queryOptionsRecord(query: QueryCapabilities): AnnotationValue {
  return recordOf([
    ['Name', query.name],
    ['Select', query.select],
    ['Filter', filterRecord(query)],
    ['Orderby', orderbyRecord(query)],
    ['Expand', expandRecord(query)],
    ['Top', topRecord(query)],
    ['Skip', query.skip],
    ['Count', query.count],
    ['Compute', query.compute],
    ['Apply', applyRecord(query)],
    ['Search', searchRecord(query)],
    ['Requires', nonEmptyCollection(query.requires.map(conditionRecord))],
    ...descriptionMembers(query),
  ])
}

function applyRecord({ apply }: QueryCapabilities): AnnotationValue | undefined {
  if (apply === undefined) return undefined
  return recordOf([
    ['Support', apply.support],
    ['Transformations', collectionOf(apply.transformations)],
    ['Rollup', apply.rollup],
    ['Groupable', apply.groupable === undefined ? undefined : collectionOf(apply.groupable)],
    ['Aggregatable', apply.aggregatable === undefined ? undefined : collectionOf(apply.aggregatable)],
  ])
}

function filterRecord({ filter }: QueryCapabilities): AnnotationValue {
  const properties = Object.entries(filter.properties).map(([path, property]) =>
    recordOf([
      ['Name', path],
      ['Support', property.support],
      ['Operators', property.operators === undefined ? undefined : collectionOf(property.operators)],
      ['Functions', property.functions === undefined ? undefined : collectionOf(property.functions)],
    ]),
  )
  return recordOf([
    ['Support', filter.support],
    ['Operators', supports(filter.operators)],
    ['Functions', supports(filter.functions)],
    ['Lambdas', supports(filter.lambdas)],
    ['Properties', nonEmptyCollection(properties)],
    ['MaxNodes', filter.maxNodes],
  ])
}

function orderbyRecord({ orderby }: QueryCapabilities): AnnotationValue {
  return recordOf([
    ['Support', orderby.support],
    ['Only', orderby.only === undefined ? undefined : collectionOf(orderby.only)],
    ['Properties', supports(orderby.properties)],
    ['MaxKeys', orderby.maxKeys],
  ])
}

function expandRecord({ expand }: QueryCapabilities): AnnotationValue {
  const scopes = Object.entries(expand.scopes ?? {}).map(([path, names]) =>
    recordOf([
      ['Name', path],
      ['Scopes', collectionOf(names)],
    ]),
  )
  return recordOf([
    ['Support', expand.support],
    ['Relations', expand.every === true ? undefined : supports(expand.relations)],
    ['MaxDepth', expand.maxDepth],
    ['Nested', collectionOf(expand.nested)],
    ['Scopes', nonEmptyCollection(scopes)],
  ])
}

function topRecord({ top }: QueryCapabilities): AnnotationValue {
  return recordOf([
    ['Support', top.support],
    ['Default', top.default],
    ['Max', top.max],
    ['Above', top.above],
    ['Min', top.min],
  ])
}

function searchRecord({ search }: QueryCapabilities): AnnotationValue {
  return recordOf([
    ['Support', search.support],
    ['Syntax', search.syntax],
    ['Join', collectionOf(search.join)],
    ['Properties', collectionOf(search.properties)],
  ])
}

/** Names can be any text, so they are values and not names of members. */
function supports(record: Readonly<Record<string, Support>>): AnnotationValue | undefined {
  return nonEmptyCollection(
    Object.entries(record).map(([name, support]) =>
      recordOf([
        ['Name', name],
        ['Support', support],
      ]),
    ),
  )
}

function conditionRecord(condition: Condition): AnnotationValue {
  return recordOf([
    ['When', collectionOf(condition.when.map(all => all.join('+')))],
    ['Header', condition.header.name],
    ['Value', condition.header.value],
    ['Otherwise', condition.otherwise.name],
    ['Open', condition.open?.name],
    ...descriptionMembers(condition),
  ])
}
