import fc from 'fast-check'
import type {
  BinaryOperator,
  Expression,
  KeyValue,
  Literal,
  NamedExpression,
  PathExpression,
  PathRoot,
  PathSegment,
  SearchExpression,
  TypeExpression,
} from '../ast.js'
import { canonicalFunctions } from '../functions.js'

/** Names of properties, some of them spelt like operators, functions and lambda operators. */
export const nameArbitrary: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('displayName', 'mail', 'isRead', '_id', 'größe', '名前', 'A1', 'desc', 'as'),
  fc.constantFrom(
    'eq',
    'and',
    'in',
    'has',
    'contains',
    'startswith',
    'any',
    'all',
    'case',
    'cast',
    'binary',
    'Null',
    'Inf',
  ),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{3,8}$/).filter(name => !/^(?:true|false|null)$/i.test(name)),
)

/** Names that no function has, so that a key can follow them. */
const itemNameArbitrary: fc.Arbitrary<string> = fc.constantFrom('users', 'Items', 'größe', '_set', 'binary', 'eq')

const namespaceArbitrary: fc.Arbitrary<string> = fc.constantFrom('ns', 'Contoso.Model', 'größe.x')

export const qualifiedNameArbitrary: fc.Arbitrary<string> = fc
  .tuple(namespaceArbitrary, nameArbitrary)
  .map(([namespace, name]) => `${namespace}.${name}`)

export const annotationNameArbitrary: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(nameArbitrary, qualifiedNameArbitrary), fc.option(nameArbitrary, { nil: undefined }))
  .map(([term, qualifier]) => (qualifier === undefined ? `@${term}` : `@${term}#${qualifier}`))

const special = [
  '',
  "'",
  "O'Neil",
  "''",
  '"',
  '\\',
  'a&b=c',
  '100%',
  '%41',
  'a+b',
  '#',
  '?',
  ';',
  'ü',
  '😀',
  ' x ',
  '\t',
  '\n',
  '\0',
]

/** Texts with and without characters that mean something to the grammar or to a URL. */
export const textArbitrary: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...special),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)

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
const literalArbitrary: fc.Arbitrary<Literal> = fc.oneof(
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

const term: fc.Arbitrary<SearchExpression> = fc
  .constantFrom('blue', '1984', "Daniel's", 'AND', 'OR', 'NOT', 'not', 'a:b', 'größe', '100%', 'a+b&c', '@x=1')
  .map(text => ({ kind: 'term', text }))
const phrase: fc.Arbitrary<SearchExpression> = fc
  .constantFrom('displayName:wa', 'blue green', ' ', "a'b", '(', ';', ')', '\\')
  .map(text => ({ kind: 'phrase', text }))

/** Searches that are valid everywhere, including in nested options. */
export const searchArbitrary: fc.Arbitrary<SearchExpression> = fc.letrec<{ search: SearchExpression }>(tie => ({
  search: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    term,
    phrase,
    tie('search').map((operand): SearchExpression => ({ kind: 'not', operand })),
    fc
      .record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('search'), right: tie('search') })
      .map((binary): SearchExpression => binary),
  ),
})).search

const keyValue: fc.Arbitrary<KeyValue['value']> = fc.oneof(
  literalArbitrary,
  nameArbitrary.map(name => ({ kind: 'alias' as const, name })),
)

const key: fc.Arbitrary<readonly KeyValue[]> = fc.oneof(
  keyValue.map(value => [{ value }]),
  fc.array(fc.record({ name: nameArbitrary, value: keyValue }), { minLength: 1, maxLength: 2 }),
)

const property = nameArbitrary.map((name): PathSegment => ({ kind: 'property', name }))
const cast = qualifiedNameArbitrary.map((type): PathSegment => ({ kind: 'cast', type }))
const annotation = fc
  .record(
    { kind: fc.constant('annotation' as const), term: qualifiedNameArbitrary, qualifier: nameArbitrary },
    { requiredKeys: ['kind', 'term'] },
  )
  .map((segment): PathSegment => segment)
const item = fc.tuple(itemNameArbitrary, key).map(([name, values]): readonly PathSegment[] => [
  { kind: 'property', name },
  { kind: 'key', values },
])
const castItem = fc
  .tuple(cast, keyValue)
  .map(([segment, value]): readonly PathSegment[] => [segment, { kind: 'key', values: [{ value }] }])

function parameters(expression: fc.Arbitrary<Expression>): fc.Arbitrary<readonly NamedExpression[]> {
  return fc.array(fc.record({ name: nameArbitrary, value: expression }), { maxLength: 2 })
}

/** Segments that can follow others. Each step is a segment, or a name with its key. */
function step(expression: fc.Arbitrary<Expression>): fc.Arbitrary<readonly PathSegment[]> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: property.map(segment => [segment]) },
    { weight: 1, arbitrary: cast.map(segment => [segment]) },
    { weight: 1, arbitrary: annotation.map(segment => [segment]) },
    { weight: 1, arbitrary: item },
    { weight: 1, arbitrary: castItem },
    {
      weight: 1,
      arbitrary: fc
        .record({
          kind: fc.constant('function' as const),
          name: qualifiedNameArbitrary,
          parameters: parameters(expression),
        })
        .map(segment => [segment]),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('filter' as const), predicate: expression }).map(segment => [segment]),
    },
  )
}

function first(expression: fc.Arbitrary<Expression>): fc.Arbitrary<readonly PathSegment[]> {
  const named = property.map((segment): readonly PathSegment[] => [segment])
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 8, arbitrary: named },
    { weight: 1, arbitrary: item },
    { weight: 1, arbitrary: fc.tuple(cast, property) },
    { weight: 1, arbitrary: annotation.map(segment => [segment]) },
    {
      weight: 1,
      arbitrary: fc
        .record({
          kind: fc.constant('function' as const),
          name: qualifiedNameArbitrary,
          parameters: parameters(expression),
        })
        .map(segment => [segment]),
    },
  )
}

function last(expression: fc.Arbitrary<Expression>): fc.Arbitrary<readonly PathSegment[]> {
  return fc
    .record(
      { kind: fc.constant('count' as const), filter: expression, search: searchArbitrary },
      { requiredKeys: ['kind'] },
    )
    .map(segment => [segment])
}

/** The path of a collection before `any` and `all`. */
function collectionArbitrary(
  expression: fc.Arbitrary<Expression>,
  variables: readonly string[],
): fc.Arbitrary<PathExpression> {
  const steps = fc.array(step(expression), { maxLength: 2 }).map(list => list.flat())
  const roots: readonly PathRoot[] = [
    { kind: 'it' },
    { kind: 'this' },
    ...variables.map((name): PathRoot => ({ kind: 'variable', name })),
  ]
  return fc.oneof(
    { withCrossShrink: true },
    {
      weight: 3,
      arbitrary: fc
        .tuple(first(expression), steps)
        .map(([start, rest]): PathExpression => ({ kind: 'path', segments: [...start, ...rest] })),
    },
    {
      weight: 1 + variables.length,
      arbitrary: fc
        .tuple(fc.constantFrom(...roots), steps)
        .map(([root, segments]): PathExpression => ({ kind: 'path', root, segments })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.oneof(
            item,
            property.map(segment => [segment]),
          ),
          steps,
        )
        .map(
          ([start, rest]): PathExpression => ({ kind: 'path', root: { kind: 'root' }, segments: [...start, ...rest] }),
        ),
    },
  )
}

/** Any path. */
function pathArbitrary(
  expression: fc.Arbitrary<Expression>,
  variables: readonly string[],
): fc.Arbitrary<PathExpression> {
  return fc
    .tuple(collectionArbitrary(expression, variables), fc.option(last(expression), { nil: [], freq: 8 }))
    .map(([path, end]) => ({ ...path, segments: [...path.segments, ...end] }))
}

const operators: readonly Exclude<BinaryOperator, 'in'>[] = [
  'or',
  'and',
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'add',
  'sub',
  'mul',
  'div',
  'divby',
  'mod',
  'has',
]

const type: fc.Arbitrary<TypeExpression> = fc.record({
  kind: fc.constant('type' as const),
  name: fc.oneof(fc.constantFrom('Edm.String', 'Edm.Int64', 'customer'), qualifiedNameArbitrary),
  collection: fc.boolean(),
})

const literalList: fc.Arbitrary<Expression> = fc
  .array(literalArbitrary, { maxLength: 3 })
  .map(items => ({ kind: 'list', form: 'parentheses', items }))

/**
 * Every common expression that the grammar can produce, with the given lambda variables in scope: types are not heeded, so
 * most of them mean nothing to a service.
 */
export function expressionArbitrary(maxDepth = 3, variables: readonly string[] = []): fc.Arbitrary<Expression> {
  return fc.letrec<{ expression: Expression }>(tie => {
    const expression = tie('expression')
    return {
      expression: fc.oneof(
        { maxDepth, withCrossShrink: true },
        literalArbitrary,
        pathArbitrary(expression, variables),
        nameArbitrary.map((name): Expression => ({ kind: 'alias', name })),
        unaryArbitrary(expression),
        binaryArbitrary(expression),
        inArbitrary(expression),
        callArbitrary(expression),
        lambdaArbitrary(expression, maxDepth, variables),
        jsonArbitrary(expression),
      ),
    }
  }).expression
}

function unaryArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc
    .tuple(fc.constantFrom('not' as const, 'negate' as const), expression)
    .map(([operator, operand]) => ({ kind: 'unary', operator, operand }))
}

function binaryArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc
    .tuple(fc.constantFrom(...operators), expression, expression)
    .map(([operator, left, right]) => ({ kind: 'binary', operator, left, right }))
}

function inArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc
    .tuple(expression, fc.oneof(literalList, expression))
    .map(([left, right]) => ({ kind: 'binary', operator: 'in', left, right }))
}

function callArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  const canonical = fc
    .constantFrom(...canonicalFunctions)
    .chain(([name, { fewest, most }]) =>
      fc
        .array(expression, { minLength: fewest, maxLength: most })
        .map((values): Expression => ({ kind: 'call', function: name, arguments: values })),
    )
  const conditional = fc
    .array(fc.tuple(expression, expression), { minLength: 1, maxLength: 3 })
    .map((pairs): Expression => ({ kind: 'call', function: 'case', arguments: pairs.flat() }))
  const typed = fc
    .tuple(fc.constantFrom('cast', 'isof'), fc.array(expression, { maxLength: 1 }), type)
    .map(([name, values, last]): Expression => ({ kind: 'call', function: name, arguments: [...values, last] }))
  const serviceDefined = fc
    .tuple(qualifiedNameArbitrary, fc.array(expression, { minLength: 1, maxLength: 2 }))
    .map(([name, values]): Expression => ({ kind: 'call', function: name, arguments: values }))
  return fc.oneof(canonical, conditional, typed, serviceDefined)
}

function lambdaArbitrary(
  expression: fc.Arbitrary<Expression>,
  maxDepth: number,
  variables: readonly string[],
): fc.Arbitrary<Expression> {
  const collection = collectionArbitrary(expression, variables)
  const bare = collection.map((path): Expression => ({ kind: 'lambda', operator: 'any', collection: path }))
  if (maxDepth < 1) return bare
  const full = fc
    .tuple(fc.constantFrom('any' as const, 'all' as const), collection, fc.constantFrom('x', 'y', 'o'))
    .chain(([operator, path, variable]) =>
      expressionArbitrary(maxDepth - 1, [...variables, variable]).map(
        (predicate): Expression => ({ kind: 'lambda', operator, collection: path, variable, predicate }),
      ),
    )
  return fc.oneof({ weight: 1, arbitrary: bare }, { weight: 4, arbitrary: full })
}

function jsonArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  const array = fc
    .array(expression, { maxLength: 3 })
    .map((items): Expression => ({ kind: 'list', form: 'json', items }))
  const object = fc
    .array(fc.record({ name: fc.oneof(textArbitrary, fc.constant('__proto__')), value: expression }), { maxLength: 2 })
    .map((members): Expression => ({ kind: 'object', members }))
  return fc.oneof(array, object)
}
