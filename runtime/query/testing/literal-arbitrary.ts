import fc from 'fast-check'
import type { Literal } from '../ast.js'
import { qualifiedNameArbitrary } from './name-arbitrary.js'
import { textArbitrary } from './text-arbitrary.js'

const digits = (least: number, most: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`))
const twoDigits = (least: number, most: number): fc.Arbitrary<string> =>
  fc.integer({ min: least, max: most }).map(number => String(number).padStart(2, '0'))
const join = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map(texts => texts.join(''))
const optional = (part: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(fc.constant(''), part)
const fixed = (text: string): fc.Arbitrary<string> => fc.constant(text)

const integer = join(fc.constantFrom('', '-'), digits(1, 20))
const decimal = join(integer, fixed('.'), digits(1, 12))
const double = fc.oneof(
  join(fc.oneof(integer, decimal), fixed('e'), fc.constantFrom('', '-'), digits(1, 3)),
  fc.constantFrom('INF', '-INF', 'NaN'),
)
const year = fc.oneof(digits(4, 4), fc.constantFrom('-0044', '0000', '12024', '-12024'))
const date = fc.oneof(
  join(year, fixed('-'), twoDigits(1, 12), fixed('-'), twoDigits(1, 28)),
  fc.constantFrom('2024-02-29', '2000-02-29', '2023-12-31'),
)
const time = join(
  twoDigits(0, 23),
  fixed(':'),
  twoDigits(0, 59),
  optional(join(fixed(':'), twoDigits(0, 60), optional(join(fixed('.'), digits(1, 12))))),
)
const zone = fc.oneof(fixed('Z'), join(fc.constantFrom('+', '-'), twoDigits(0, 23), fixed(':'), twoDigits(0, 59)))
const duration = join(
  fc.constantFrom('', '-'),
  fixed('P'),
  fc.oneof(
    join(digits(1, 3), fixed('D'), optional(join(fixed('T'), digits(1, 2), fixed('H')))),
    join(
      fixed('T'),
      digits(1, 2),
      fixed('M'),
      optional(join(digits(1, 2), optional(join(fixed('.'), digits(1, 12))), fixed('S'))),
    ),
  ),
)
const position = fc.constantFrom('1 2', '-1.5 2e3', '142.1 64.1 10', '0 0 0 0')
const geo = join(
  fc.constantFrom('SRID=0;', 'SRID=4326;'),
  fc.oneof(
    join(fixed('Point('), position, fixed(')')),
    join(fixed('LineString('), position, fixed(','), position, fixed(')')),
    join(fixed('Polygon(('), position, fixed(','), position, fixed('))')),
    fc.constantFrom(
      'MultiPoint()',
      'MultiPoint((1 2),(3 4))',
      'MultiLineString((1 2,3 4))',
      'MultiPolygon(((1 2,3 4,1 2)))',
      'GeometryCollection(Point(1 2),GeometryCollection(LineString(1 2,3 4)))',
    ),
  ),
)

type TextType = Exclude<Literal['type'], 'null' | 'Boolean' | 'Enum'>
const texts: Readonly<Record<TextType, fc.Arbitrary<string>>> = {
  String: textArbitrary,
  Integer: integer,
  Decimal: decimal,
  Double: double,
  Guid: fc.uuid(),
  Date: date,
  DateTimeOffset: join(date, fixed('T'), time, zone),
  TimeOfDay: time,
  Duration: duration,
  Binary: fc.constantFrom('', 'Zg', 'Zg==', 'Zm8', 'Zm8=', 'Zm9v', 'T0RhdGE', '-_-_'),
  Geography: geo,
  Geometry: geo,
}

/** Every form of literal, each as the parser would leave it. */
export const literalArbitrary: fc.Arbitrary<Literal> = fc.oneof(
  fc.constant<Literal>({ kind: 'literal', type: 'null', value: null }),
  fc.boolean().map((value): Literal => ({ kind: 'literal', type: 'Boolean', value })),
  texts.String.map((value): Literal => ({ kind: 'literal', type: 'String', value })),
  fc
    .tuple(qualifiedNameArbitrary, fc.constantFrom('Red', 'Red,Blue', '3', '-1,größe'))
    .map(([enumType, value]): Literal => ({ kind: 'literal', type: 'Enum', enumType, value })),
  ...textTypes().map(type => texts[type].map((value): Literal => ({ kind: 'literal', type, value }))),
)

function textTypes(): readonly TextType[] {
  return [
    'Integer',
    'Decimal',
    'Double',
    'Guid',
    'Date',
    'DateTimeOffset',
    'TimeOfDay',
    'Duration',
    'Binary',
    'Geography',
    'Geometry',
  ]
}
