import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../../spec/language/index.js'
import { loadService } from '../../testing/emitted.js'
import { sampleSpec } from '../../testing/sample-spec.js'
import { emitCsdlJson } from './emit-csdl-json.js'

let service: Service

beforeAll(async () => {
  service = await loadService(JSON.stringify(sampleSpec('Text.')))
})

function schema() {
  return JSON.parse(emitCsdlJson(service))['acme.depot']
}

describe('CSDL JSON', () => {
  it('names its version, container and vocabularies', () => {
    const { 'acme.depot': own, ...document } = JSON.parse(emitCsdlJson(service))
    expect(own.Container.$Kind).toBe('EntityContainer')
    expect(document).toEqual({
      $Version: '4.01',
      $EntityContainer: 'acme.depot.Container',
      $Reference: {
        'https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.json': {
          $Include: [{ $Namespace: 'Org.OData.Core.V1', $Alias: 'Core' }],
        },
        'https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.json': {
          $Include: [{ $Namespace: 'Org.OData.Capabilities.V1', $Alias: 'Capabilities' }],
        },
        'https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Aggregation.V1.json': {
          $Include: [{ $Namespace: 'Org.OData.Aggregation.V1', $Alias: 'Aggregation' }],
        },
        'https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Validation.V1.json': {
          $Include: [{ $Namespace: 'Org.OData.Validation.V1', $Alias: 'Validation' }],
        },
        'Specwright.V1.json': { $Include: [{ $Namespace: 'Specwright.V1', $Alias: 'Specwright' }] },
      },
    })
  })

  it.each([
    ['says that keys are segments where all of one part are', /^$/, true],
    ['but not if all are in parentheses', /\/\{id\}/g, undefined],
    ['nor where some do', /\/\{id\}(?=\/)/g, undefined],
  ])('%s', async (_, inParentheses, expected) => {
    const text = JSON.stringify(sampleSpec('Text.')).replace(inParentheses, '({id})')
    const { Container } = JSON.parse(emitCsdlJson(await loadService(text)))['acme.depot']
    expect(Container['@Capabilities.KeyAsSegmentSupported']).toBe(expected)
  })

  it.each([
    ['required', true, { SupportedFormats: ['application/json'] }],
    ['optional', undefined, undefined],
    ['none', undefined, undefined],
  ])('says that batches are supported where they are %s', async (batch, supported, support) => {
    const spec = { ...sampleSpec('Text.'), features: { batch } }
    const { Container } = JSON.parse(emitCsdlJson(await loadService(JSON.stringify(spec))))['acme.depot']
    expect(Container['@Capabilities.BatchSupported']).toBe(supported)
    expect(Container['@Capabilities.BatchSupport']).toEqual(support)
  })

  it('writes a type with its key, properties, relations and facets', () => {
    expect(schema().depot).toEqual({
      $Kind: 'EntityType',
      $Key: ['country', 'code'],
      country: { '@Core.Immutable': true },
      code: { $Type: 'Edm.Int32', '@Validation.Minimum': 1, '@Core.Immutable': true },
      open: { $Type: 'Edm.Boolean' },
      parcels: { $Kind: 'NavigationProperty', $Type: 'acme.depot.parcel', $Collection: true, $Partner: 'depot' },
    })
    expect(schema().parcel.sent).toEqual({
      $Type: 'Edm.DateTimeOffset',
      $Nullable: true,
      $Precision: 3,
      '@Core.Immutable': true,
    })
    expect(schema().weight).toMatchObject({ $Kind: 'TypeDefinition', $UnderlyingType: 'Edm.Decimal', $Scale: 3 })
  })

  it('writes an operation as a list of overloads, with its meaning', () => {
    expect(schema().eventsAmong).toEqual([
      {
        $Kind: 'Action',
        $IsBound: true,
        $Parameter: [
          { $Name: 'bindingParameter', $Type: 'acme.depot.parcel' },
          { $Name: 'numbers', $Type: 'Edm.Int32', $Collection: true, '@Validation.MaxItems': 5 },
          { $Name: 'note', '@Core.OptionalParameter': {} },
        ],
        $ReturnType: { $Type: 'Edm.Int32', $Collection: true },
        '@Specwright.Meaning': {
          Of: 'events',
          Filter: "number in @numbers and note ne 'x'",
          Orderby: 'number desc',
          Value: 'number',
          Description: 'Text.',
          Ref: 'Text.',
        },
      },
    ])
  })

  it('describes an entity set with the Capabilities vocabulary as far as possible', () => {
    const { parcels } = schema().Container
    expect(parcels['@Capabilities.FilterRestrictions']).toEqual({
      Filterable: true,
      NonFilterableProperties: ['secret'],
    })
    expect(parcels['@Capabilities.FilterFunctions']).toEqual(['contains'])
    expect(parcels['@Capabilities.ExpandRestrictions']).toEqual({
      Expandable: true,
      MaxLevels: 2,
      NonExpandableProperties: ['events'],
    })
    expect(parcels['@Capabilities.SearchRestrictions']).toEqual({ Searchable: true, UnsupportedExpressions: 'AND,NOT' })
    expect(parcels['@Capabilities.InsertRestrictions']).toEqual({
      Insertable: true,
      Permissions: [{ SchemeName: 'bearer', Scopes: [{ Scope: 'Parcel.Write' }] }],
    })
    expect(parcels['@Capabilities.NavigationRestrictions'].RestrictedProperties).toHaveLength(2)
  })

  it('uses its own terms for what no vocabulary can express', () => {
    const container = schema().Container
    expect(container['@Specwright.QueryOptions'][0].Requires).toEqual([
      {
        When: ['filter.contains', 'filter+orderby'],
        Header: 'X-Mode',
        Value: 'Text.',
        Otherwise: 'slowQuery',
        Open: 'slowQueries',
        Description: 'Text.',
        Ref: 'Text.',
      },
    ])
    expect(container['@Specwright.Limits']).toEqual({
      Url: 4096,
      Body: 100000,
      Stream: 16777216,
      NestedItems: 50,
      IndexedWords: 20000,
      DeletedItems: 3000,
      FilterNodes: 300,
      LambdaDepth: 3,
      ListItems: 100,
      PatternLength: 200,
      PatternSteps: 1000000,
      OrderbyItems: 8,
      ExpandDepth: 2,
      ExpandedRelations: 6,
      ExpandedItems: 500,
      SearchWords: 10,
      ResponseBytes: 200000,
    })
  })
})

describe('hostile text in a spec', () => {
  it('changes nothing but the texts', async () => {
    const plain = emitCsdlJson(await loadService(JSON.stringify(sampleSpec('QXZ'))))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.constantFrom('"},"x":{"', '__proto__', 'constructor', '\u2028', '*/', '\0'),
          fc
            .string({ unit: 'binary', minLength: 1, maxLength: 30 })
            .filter(each => each.trim() !== '' && !/\p{Cs}/u.test(each)),
        ),
        async text => {
          const emitted = emitCsdlJson(await loadService(JSON.stringify(sampleSpec(text))))
          const expected = JSON.parse(plain, (_name, value: unknown) => (value === 'QXZ' ? text : value))
          expect(JSON.parse(emitted)).toEqual(expected)
        },
      ),
      { numRuns: 20 },
    )
  })
})
