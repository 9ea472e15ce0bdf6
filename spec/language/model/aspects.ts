/** The columns of a coverage table: each aspect belongs to one of them. */
export const aspectGroups = [
  'read',
  'filter',
  'order',
  'select',
  'expand',
  'paging',
  'count',
  'search',
  'create',
  'update',
  'delete',
  'operations',
  'delta',
  'preconditions',
  'preferences',
  'errors',
  'authentication',
  'protocol',
] as const

export type AspectGroup = (typeof aspectGroups)[number]

/** What a standard says about one aspect of a service. */
interface AspectStandard {
  readonly group: AspectGroup
  /** Such as `OData 4.01 Protocol, 11.2.6.1`. */
  readonly section: string
  /** The requirement in one sentence, in our own words. */
  readonly sentence: string
}

/**
 * The aspects of a service that clauses of a spec rest on and conformance rules check. A rule names aspects, not the
 * clauses of one spec; a spec without clauses is checked by the sentences of the standard.
 */
export const aspects = {
  'collection.read': {
    group: 'read',
    section: 'OData 4.01 Protocol, 11.2.6',
    sentence: 'A GET request to a collection returns its items.',
  },
  'collection.value': {
    group: 'read',
    section: 'OData 4.01 JSON Format, 13',
    sentence: 'A collection is an object whose member `value` is an array of the items.',
  },
  'item.read': {
    group: 'read',
    section: 'OData 4.01 Protocol, 11.2.2',
    sentence: 'A GET request to the URL of an item returns the item.',
  },
  'item.type': {
    group: 'read',
    section: 'OData 4.01 JSON Format, 4.6.3',
    sentence: 'An item of a type that derives from the declared one names its type in `@odata.type`.',
  },
  'relation.path': {
    group: 'read',
    section: 'OData 4.01 Protocol, 11.2.7',
    sentence: 'Related items are requested by appending the name of the navigation property to the URL of the item.',
  },
  'property.names': {
    group: 'read',
    section: 'OData 4.01 JSON Format, 4.5',
    sentence: 'Each property is a member with the name that the model declares.',
  },
  'property.values': {
    group: 'read',
    section: 'OData 4.01 JSON Format, 7',
    sentence: 'A value has the JSON form of the declared type of its property.',
  },
  'select.properties': {
    group: 'select',
    section: 'OData 4.01 Protocol, 11.2.5.1',
    sentence: '`$select` requests only the named properties.',
  },
  'select.unselected': {
    group: 'select',
    section: 'OData 4.01 Protocol, 11.2.5.1',
    sentence: 'The representation contains the selected properties; the others need not be in it.',
  },
  'expand.related': {
    group: 'expand',
    section: 'OData 4.01 Protocol, 11.2.5.2',
    sentence: '`$expand` includes the related items, and nested options apply to them.',
  },
  'expand.only': {
    group: 'expand',
    section: 'OData 4.01 JSON Format, 8.3',
    sentence: 'An item contains related items only if the request expands them.',
  },
  'expand.depth': {
    group: 'expand',
    section: 'OData 4.01 Protocol, 11.2.5.2.1.1',
    sentence: 'A service may limit how deep an expansion goes.',
  },
  'apply.rows': {
    group: 'read',
    section: 'OData Extension for Data Aggregation 4.0, 3',
    sentence: '`$apply` transforms the items, and the other options apply to the result.',
  },
  'compute.values': {
    group: 'select',
    section: 'OData 4.01 Protocol, 11.2.5.3',
    sentence: '`$compute` adds properties with the values of expressions to each item.',
  },
  'filter.comparison': {
    group: 'filter',
    section: 'OData 4.01 URL Conventions, 5.1.1.1',
    sentence: '`eq`, `ne`, `gt`, `ge`, `lt` and `le` compare two operands.',
  },
  'filter.literals': {
    group: 'filter',
    section: 'OData 4.01 URL Conventions, 5.1.1.14.1',
    sentence: 'A literal in a filter has the form of its type; a quote in a string is doubled.',
  },
  'filter.logical': {
    group: 'filter',
    section: 'OData 4.01 URL Conventions, 5.1.1.1',
    sentence:
      '`and`, `or`, `not` and parentheses combine conditions; only items for which the filter is true are returned.',
  },
  'filter.null': {
    group: 'filter',
    section: 'OData 4.01 URL Conventions, 5.1.1.1.1',
    sentence: 'A property without a value equals `null` and no other literal.',
  },
  'filter.functions': {
    group: 'filter',
    section: 'OData 4.01 URL Conventions, 5.1.1.5',
    sentence: 'The canonical functions are evaluated as the standard defines them.',
  },
  'filter.lambda': {
    group: 'filter',
    section: 'OData 4.01 URL Conventions, 5.1.1.13',
    sentence:
      '`any` is true if the condition holds for an element of the collection, `all` if it holds for every element.',
  },
  'orderby.keys': {
    group: 'order',
    section: 'OData 4.01 Protocol, 11.2.6.2',
    sentence:
      'Items are sorted by the first key, equal items by the next one, in ascending order unless `desc` follows.',
  },
  'top.maximum': {
    group: 'paging',
    section: 'OData 4.01 Protocol, 11.2.6.3',
    sentence: '`$top` limits the number of items that are returned.',
  },
  'top.ordered': {
    group: 'paging',
    section: 'OData 4.01 Protocol, 11.2.6.3',
    sentence: '`$top` takes the first items in the requested order.',
  },
  'skip.items': {
    group: 'paging',
    section: 'OData 4.01 Protocol, 11.2.6.4',
    sentence: '`$skip` leaves out that many items of the filtered and sorted collection.',
  },
  'paging.nextLink': {
    group: 'paging',
    section: 'OData 4.01 Protocol, 11.2.6.7',
    sentence:
      'An incomplete response contains a next link; following the links returns the remaining items, and the last page has none.',
  },
  'count.value': {
    group: 'count',
    section: 'OData 4.01 Protocol, 11.2.6.5',
    sentence:
      'With `$count=true` the response contains the number of items that match the filter, whatever the paging.',
  },
  'count.path': {
    group: 'count',
    section: 'OData 4.01 Protocol, 11.2.10',
    sentence: 'A GET request to `/$count` returns the number of items that match the filter, as plain text.',
  },
  'search.matching': {
    group: 'search',
    section: 'OData 4.01 Protocol, 11.2.6.6',
    sentence: '`$search` returns the items that match the search expression.',
  },
  'search.terms': {
    group: 'search',
    section: 'OData 4.01 URL Conventions, 5.1.8',
    sentence: 'Terms and phrases are combined with `NOT`, `AND` and `OR`.',
  },
  'create.item': {
    group: 'create',
    section: 'OData 4.01 Protocol, 11.4.2',
    sentence: 'A POST request to a collection creates an item with the values of the body.',
  },
  'create.location': {
    group: 'create',
    section: 'OData 4.01 Protocol, 11.4.2',
    sentence:
      'A response with status 201 names the address of the new item in `Location`; one without a body in `OData-EntityId`, too.',
  },
  'update.merge': {
    group: 'update',
    section: 'OData 4.01 Protocol, 11.4.3',
    sentence: 'PATCH changes the properties in the body and leaves the others unchanged.',
  },
  'update.replace': {
    group: 'update',
    section: 'OData 4.01 Protocol, 11.4.3',
    sentence: 'PUT replaces the item; a property that is not in the body gets its default value.',
  },
  'update.create': {
    group: 'update',
    section: 'OData 4.01 Protocol, 11.4.4',
    sentence:
      'With upsert, a PATCH or PUT of an item that does not exist creates it with the key of the path, unless it has If-Match; with If-None-Match: * it changes no item.',
  },
  'stream.read': {
    group: 'read',
    section: 'OData 4.01 Protocol, 11.2.3',
    sentence: 'A GET request to the URL of a stream returns its bytes, with their media type in Content-Type.',
  },
  'stream.write': {
    group: 'update',
    section: 'OData 4.01 Protocol, 11.4.7',
    sentence: 'PUT to the URL of a stream stores the bytes of the request, and their media type.',
  },
  'delete.item': {
    group: 'delete',
    section: 'OData 4.01 Protocol, 11.4.5',
    sentence: 'After a successful DELETE request the item no longer exists.',
  },
  methods: {
    group: 'protocol',
    section: 'OData 4.01 Protocol, 11',
    sentence: 'GET reads, POST creates, PATCH updates and DELETE removes.',
  },
  'operation.result': {
    group: 'operations',
    section: 'OData 4.01 Protocol, 11.5',
    sentence: 'A function or action returns the result that its definition states.',
  },
  'operation.parameters': {
    group: 'operations',
    section: 'OData 4.01 Protocol, 11.5.4.1',
    sentence: 'Every parameter takes part in the result; a call without a required parameter fails.',
  },
  'delta.changes': {
    group: 'delta',
    section: 'OData 4.01 Protocol, 11.3',
    sentence: 'A delta link returns what was added, changed or removed since the response that contained it.',
  },
  'condition.ifMatch': {
    group: 'preconditions',
    section: 'OData 4.01 Protocol, 11.4.1.1',
    sentence: 'If the entity tag in If-Match does not match, the service changes nothing and answers 412.',
  },
  'condition.ifNoneMatch': {
    group: 'preconditions',
    section: 'OData 4.01 Protocol, 8.2.5',
    sentence: 'If the entity tag in If-None-Match of a GET request matches, the service answers 304.',
  },
  preference: {
    group: 'preferences',
    section: 'OData 4.01 Protocol, 8.2.8',
    sentence: 'A service that honours a preference names it in Preference-Applied.',
  },
  'advanced.header': {
    group: 'protocol',
    section: 'OData 4.01 Protocol, 6',
    sentence: 'A query that needs a header is rejected without it.',
  },
  'options.support': {
    group: 'errors',
    section: 'OData 4.01 Protocol, 9.3.1',
    sentence: 'A service that does not support a query option rejects the request.',
  },
  authentication: {
    group: 'authentication',
    section: 'RFC 9110, 15.5.2',
    sentence: 'A request without valid credentials is answered with 401.',
  },
  'error.notFound': {
    group: 'errors',
    section: 'OData 4.01 Protocol, 9.2.3',
    sentence: 'A request for an item that does not exist is answered with 404.',
  },
  'error.unsupported': {
    group: 'errors',
    section: 'OData 4.01 Protocol, 9.2',
    sentence: 'A request that the service cannot process is answered with an error status.',
  },
  'error.body': {
    group: 'errors',
    section: 'OData 4.01 JSON Format, 21.1',
    sentence: 'An error response is an object `error` with the strings `code` and `message`.',
  },
  version: {
    group: 'protocol',
    section: 'OData 4.01 Protocol, 5',
    sentence: 'A service answers under its versioned service root only.',
  },
} as const satisfies Readonly<Record<string, AspectStandard>>

/** The name of an aspect, such as `filter.lambda`. */
export type Aspect = keyof typeof aspects

/** The standard's sentence on an aspect. */
export function aspectStandard(aspect: Aspect): AspectStandard {
  return aspects[aspect]
}

/** The column of a coverage table that an aspect belongs to. */
export function aspectGroupOf(aspect: Aspect): AspectGroup {
  return aspects[aspect].group
}

export function isAspect(name: string): name is Aspect {
  return Object.hasOwn(aspects, name)
}
