import type { SpecDocument } from '../../spec/language/index.js'

/**
 * A spec with a bit of everything, for tests. `text` is used wherever a spec allows any text: in descriptions,
 * references, messages, codes, defaults and patterns.
 */
export function sampleSpec(text: string): SpecDocument {
  const said = { description: text, ref: text, assumed: text }
  return {
    specwright: 1,
    service: { name: 'depot', title: text, namespace: 'acme.depot', version: 'v1', ...said },
    authentication: {
      scheme: 'bearer',
      missing: 'unauthenticated',
      insufficient: 'forbidden',
      ...said,
      scopes: { 'Parcel.Read': text, 'Parcel.Write': text },
    },
    resources: {
      thing: {
        kind: 'entityType',
        abstract: true,
        key: ['id'],
        properties: { id: { type: 'String', computed: true } },
      },
      parcel: {
        kind: 'entityType',
        base: 'thing',
        entityTag: 'weak',
        ...said,
        properties: {
          label: { type: 'String', default: text, ...said },
          weight: { type: 'weight', nullable: true, default: null },
          size: { type: 'size', default: 'small' },
          marks: { type: 'marks', default: 'none', required: true },
          sender: { type: 'place', nullable: true },
          stops: { type: 'place', collection: true, maxItems: 9 },
          sent: { type: 'DateTimeOffset', createOnly: true, precision: 3, nullable: true },
          position: { type: 'GeographyPoint', nullable: true, srid: 4326 },
          secret: { type: 'String', nullable: true, returned: 'onSelect', search: 'words', minLength: 2, maxLength: 9 },
        },
        navigation: {
          depot: { to: 'depot', nullable: true, partner: 'parcels', ...said },
          events: { to: 'event', collection: true, contained: true },
        },
      },
      depot: {
        kind: 'entityType',
        key: ['country', 'code'],
        properties: {
          country: { type: 'String', createOnly: true },
          code: { type: 'Int32', createOnly: true, minimum: 1 },
          open: { type: 'Boolean' },
        },
        navigation: { parcels: { to: 'parcel', collection: true, partner: 'depot' } },
      },
      event: {
        kind: 'entityType',
        key: ['number'],
        properties: { number: { type: 'Int32', computed: true }, note: { type: 'String' } },
      },
      reading: { kind: 'entityType', rename: 'Reading', keyless: true, properties: { value: { type: 'Double' } } },
      place: {
        kind: 'complexType',
        open: true,
        ...said,
        properties: {
          city: { type: 'String', maxLength: 80 },
          since: { type: 'Date', createOnly: true, nullable: true },
        },
      },
      size: { kind: 'enumType', ...said, members: { small: { value: 0, ...said }, large: 1 } },
      marks: { kind: 'enumType', flags: true, members: { none: 0, fragile: 1, cold: 2 } },
      weight: { kind: 'typeDefinition', type: 'Decimal', precision: 7, scale: 3, ...said },
    },
    container: {
      parcels: { entitySet: 'parcel', ...said },
      depots: { entitySet: 'depot' },
      readings: { entitySet: 'reading' },
      mine: { singleton: 'parcel', bound: 'principal' },
    },
    queryOptions: {
      'parcels.list': {
        ...said,
        select: 'required',
        filter: {
          operators: { eq: 'required', and: 'optional' },
          functions: ['contains'],
          lambdas: ['any'],
          properties: { secret: 'none', label: { support: 'optional', operators: ['eq'], functions: ['contains'] } },
          maxNodes: 30,
        },
        orderby: { support: 'optional', properties: ['label', 'sent'], maxKeys: 2 },
        expand: { relations: ['depot'], maxDepth: 2, nested: ['select'], scopes: { depot: ['Parcel.Read'] } },
        top: { default: 20, max: 100, above: 'error', min: 1 },
        skip: false,
        count: true,
        compute: true,
        apply: { transformations: ['groupby', 'aggregate'], rollup: false, groupable: ['id'], aggregatable: ['id'] },
        search: { syntax: 'propertyTerms', join: ['OR'], properties: ['label'] },
        requires: [
          {
            when: ['filter.contains', 'filter+orderby'],
            header: { 'X-Mode': text },
            otherwise: 'slowQuery',
            open: 'slowQueries',
            ...said,
          },
        ],
      },
    },
    paths: {
      '/parcels': {
        ...said,
        get: { query: 'parcels.list', scopes: ['Parcel.Read', 'Parcel.Write'], ...said },
        post: { creates: 'parcel', scopes: ['Parcel.Write'], prefer: ['format'] },
      },
      '/parcels/$count': { get: { query: { filter: true } } },
      '/parcels/delta': { get: { returns: 'delta' } },
      '/parcels/{id}': {
        get: { query: { select: true }, ifNoneMatch: true, errors: ['gone'] },
        patch: { updates: 'item', ifMatch: 'required', errors: ['gone'] },
        put: { updates: 'item', ifMatch: true },
        delete: { deletes: 'item', ifMatch: true },
      },
      '/parcels/{id}/depot': { get: { absent: 204 } },
      '/parcels/{id}/events': { get: {} },
      '/depots(country={country},code={code})': { get: {} },
      '/readings': { get: {} },
      '/parcels/{id}/route(from={from})': { get: { calls: 'route' } },
      '/parcels/{id}/eventsAmong': { post: { calls: 'eventsAmong', errors: ['gone'] } },
      '/mine': { get: {} },
    },
    operations: {
      route: {
        kind: 'function',
        binding: 'parcel',
        parameters: { from: { type: 'String', format: 'date', ...said } },
        returns: { type: 'place', collection: true },
        ...said,
      },
      eventsAmong: {
        kind: 'action',
        binding: 'parcel',
        parameters: {
          numbers: { type: 'Int32', collection: true, maxItems: 5 },
          note: { type: 'String', optional: true },
        },
        returns: { type: 'Int32', collection: true },
        meaning: {
          of: 'events',
          filter: "number in @numbers and note ne 'x'",
          orderby: 'number desc',
          value: 'number',
          ...said,
        },
      },
    },
    preferences: {
      format: { name: 'label-format', values: ['plain', 'rich'], default: 'plain', property: 'label', ...said },
    },
    errors: {
      unauthenticated: { status: 401, code: 'unauthenticated', message: text },
      forbidden: { status: 403, code: 'forbidden', message: text },
      gone: { status: 404, code: text, message: text, legal: [410, '4xx'], ...said },
      slowQuery: { status: 400, code: 'slowQuery', message: text },
    },
    errorBody: { required: ['code', 'message'], optional: ['details'] },
    faults: { itemNotFound: 'gone' },
    clauses: { 'one.thing': { ref: text, quote: text, aspects: ['collection.read'], open: 'slowQueries' } },
    open: {
      slowQueries: { legal: ['accepted', 'rejected'], reference: 'rejected', ...said },
      absent: { legal: [404, 204], reference: 404 },
    },
    profiles: { strict: { slowQueries: 'rejected' } },
    features: { upsert: 'optional', ref: text, description: text },
    limits: {
      url: 4096,
      body: 100000,
      nestedItems: 50,
      indexedWords: 20000,
      deletedItems: 3000,
      filterNodes: 300,
      lambdaDepth: 3,
      listItems: 100,
      patternLength: 200,
      patternSteps: 1000000,
      orderbyItems: 8,
      expandDepth: 2,
      expandedRelations: 6,
      expandedItems: 500,
      searchWords: 10,
      responseBytes: 200000,
    },
  }
}
