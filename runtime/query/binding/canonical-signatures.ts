/**
 * One form of a canonical function. A parameter or result is an Edm type, or
 * `integer` (any integer type), `number` (any numeric type), `collection` (any collection), and as a result `same`: the
 * type of the first argument.
 */
export interface CanonicalSignature {
  readonly parameters: readonly string[]
  readonly returns: string
}

const textType = 'Edm.String'
const timestamp = 'Edm.DateTimeOffset'

function form(parameters: readonly string[], returns: string): CanonicalSignature {
  return { parameters, returns }
}

function onTextsOrCollections(returns: string): readonly CanonicalSignature[] {
  return [form([textType, textType], returns), form(['collection', 'collection'], returns)]
}

function ofEach(types: readonly string[], returns: string): readonly CanonicalSignature[] {
  return types.map(type => form([type], returns))
}

function ofBothGeoFamilies(shapes: readonly string[], returns: string): readonly CanonicalSignature[] {
  return ['Edm.Geography', 'Edm.Geometry'].map(family =>
    form(
      shapes.map(shape => family + shape),
      returns,
    ),
  )
}

/**
 * The canonical functions whose arguments and results have fixed types. `cast`, `isof` and `case` have rules of their own.
 *
 * @see OData URL Conventions 4.01, 5.1.1.5 to 5.1.1.11
 */
export const canonicalSignatures: ReadonlyMap<string, readonly CanonicalSignature[]> = new Map([
  ['concat', onTextsOrCollections('same')],
  ['contains', onTextsOrCollections('Edm.Boolean')],
  ['endswith', onTextsOrCollections('Edm.Boolean')],
  ['startswith', onTextsOrCollections('Edm.Boolean')],
  ['indexof', onTextsOrCollections('Edm.Int32')],
  ['length', ofEach([textType, 'collection'], 'Edm.Int32')],
  [
    'substring',
    [textType, 'collection'].flatMap(of => [form([of, 'integer'], 'same'), form([of, 'integer', 'integer'], 'same')]),
  ],
  ['hassubset', [form(['collection', 'collection'], 'Edm.Boolean')]],
  ['hassubsequence', [form(['collection', 'collection'], 'Edm.Boolean')]],
  ['matchespattern', [form([textType, textType], 'Edm.Boolean')]],
  ['tolower', ofEach([textType], textType)],
  ['toupper', ofEach([textType], textType)],
  ['trim', ofEach([textType], textType)],
  ['year', ofEach([timestamp, 'Edm.Date'], 'Edm.Int32')],
  ['month', ofEach([timestamp, 'Edm.Date'], 'Edm.Int32')],
  ['day', ofEach([timestamp, 'Edm.Date'], 'Edm.Int32')],
  ['hour', ofEach([timestamp, 'Edm.TimeOfDay'], 'Edm.Int32')],
  ['minute', ofEach([timestamp, 'Edm.TimeOfDay'], 'Edm.Int32')],
  ['second', ofEach([timestamp, 'Edm.TimeOfDay'], 'Edm.Int32')],
  ['fractionalseconds', ofEach([timestamp, 'Edm.TimeOfDay'], 'Edm.Decimal')],
  ['totalseconds', ofEach(['Edm.Duration'], 'Edm.Decimal')],
  ['date', ofEach([timestamp], 'Edm.Date')],
  ['time', ofEach([timestamp], 'Edm.TimeOfDay')],
  ['totaloffsetminutes', ofEach([timestamp], 'Edm.Int32')],
  ['mindatetime', [form([], timestamp)]],
  ['maxdatetime', [form([], timestamp)]],
  ['now', [form([], timestamp)]],
  ['round', ofEach(['number'], 'same')],
  ['floor', ofEach(['number'], 'same')],
  ['ceiling', ofEach(['number'], 'same')],
  ['geo.distance', ofBothGeoFamilies(['Point', 'Point'], 'Edm.Double')],
  ['geo.intersects', ofBothGeoFamilies(['Point', 'Polygon'], 'Edm.Boolean')],
  ['geo.length', ofBothGeoFamilies(['LineString'], 'Edm.Double')],
])
