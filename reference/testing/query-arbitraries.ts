import fc from 'fast-check'
import {
  type ArithmeticOperator,
  type Expression,
  functionsWith,
  type Literal,
  type OrderbyItem,
  type PathExpression,
} from '../../runtime/query/index.js'
import {
  bigs,
  clocks,
  codes,
  days,
  integers,
  moments,
  moods,
  prices,
  rights,
  scores,
  spans,
  texts,
} from './sample-rows.js'

type Arbitrary = fc.Arbitrary<Expression>

const literal = (type: Exclude<Literal['type'], 'null' | 'Boolean' | 'Enum'>, value: string): Expression => ({
  kind: 'literal',
  type,
  value,
})
const nothing: Expression = { kind: 'literal', type: 'null', value: null }
const path = (...names: readonly string[]): PathExpression => ({
  kind: 'path',
  segments: names.map(name => ({ kind: 'property', name })),
})
const ofVariable = (name: string, ...names: readonly string[]): PathExpression => ({
  ...path(...names),
  root: { kind: 'variable', name },
})
const castTo = (type: string, value: Expression): Expression => call('cast', value, typeNamed(type))
const typeNamed = (name: string): Expression => ({ kind: 'type', name: `Edm.${name}`, collection: false })
const call = (name: string, ...values: readonly Expression[]): Expression => ({
  kind: 'call',
  function: name,
  arguments: values,
})

/** Numbers that floating-point numbers cannot distinguish. */
const hugeIntegers = [
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740993',
  '100000000000000000000001',
] as const
const longDecimals = ['0.10000000000000000001', '-2.4999999999999999999', '123456789012345678901234.5'] as const

/** What an expression can refer to. */
interface Surroundings {
  /** Paths to items and complex values with known members. `[]` is the row itself. */
  readonly samples: readonly ((...names: readonly string[]) => PathExpression)[]
  readonly parts: readonly ((...names: readonly string[]) => PathExpression)[]
  readonly texts: readonly PathExpression[]
  readonly numbers: readonly PathExpression[]
  readonly lambdas: number
}

const outermost: Surroundings = {
  samples: [path, (...names) => path('next', ...names)],
  parts: [(...names) => path('part', ...names), (...names) => path('next', 'part', ...names)],
  texts: [],
  numbers: [],
  lambdas: 0,
}

function members(
  of: readonly ((...names: readonly string[]) => PathExpression)[],
  ...names: readonly string[]
): readonly Expression[] {
  return of.flatMap(make => names.map(name => make(...name.split('/'))))
}

/** Well-typed conditions on a sample, with everything that the store supports. */
export function filterArbitrary(maxDepth = 3, at: Surroundings = outermost): Arbitrary {
  return fc.letrec<
    Record<'condition' | 'text' | 'integer' | 'decimal' | 'double' | 'moment' | 'day' | 'span', Expression>
  >(tie => ({
    condition: fc.oneof(
      { maxDepth, withCrossShrink: true },
      { weight: 6, arbitrary: comparisons(tie, at) },
      { weight: 2, arbitrary: textConditions(tie) },
      { weight: 2, arbitrary: memberships(tie, at) },
      { weight: 1, arbitrary: typeTests(tie) },
      { weight: 1, arbitrary: collectionConditions(at) },
      { weight: 1, arbitrary: fc.constantFrom(...members(at.samples, 'flag'), ...members(at.parts, 'ready')) },
      { weight: 1, arbitrary: fc.boolean().map((value): Expression => ({ kind: 'literal', type: 'Boolean', value })) },
      { weight: 3, arbitrary: logical(tie) },
      ...(at.lambdas < 2 ? [{ weight: 3, arbitrary: lambdas(maxDepth, at) }] : []),
    ),
    text: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constantFrom<Expression>(
        ...members(at.samples, 'name', 'note'),
        ...members(at.parts, 'label', 'inner/label'),
        ...at.texts,
      ),
      fc.constantFrom(...texts).map(value => literal('String', value)),
      fc.constant(nothing),
      fc
        .tuple(fc.constantFrom(...functionsWith(['Edm.String'], 'Edm.String')), tie('text'))
        .map(([name, value]) => call(name, value)),
      fc.tuple(tie('text'), tie('text')).map(([left, right]) => call('concat', left, right)),
      fc
        .oneof(tie('condition'), tie('integer'), tie('double'), tie('day'), tie('moment'))
        .map(value => castTo('String', value)),
      fc
        .tuple(tie('text'), fc.integer({ min: -3, max: 3 }))
        .map(([value, start]) => call('substring', value, integerOf(start))),
      fc
        .tuple(tie('text'), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
        .map(([value, start, count]) => call('substring', value, integerOf(start), integerOf(count))),
    ),
    integer: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constantFrom<Expression>(...members(at.samples, 'count', 'big'), ...members(at.parts, 'size'), ...at.numbers),
      fc.constantFrom(...integers, ...bigs, ...hugeIntegers).map(integerOf),
      fc
        .tuple(fc.constantFrom(...functionsWith(['Edm.String'], 'Edm.Int32')), tie('text'))
        .map(([name, value]) => call(name, value)),
      fc
        .tuple(fc.constantFrom('Byte', 'Int32', 'Int64'), fc.oneof(tie('text'), tie('decimal'), tie('double')))
        .map(([type, value]) => castTo(type, value)),
      fc.tuple(tie('text'), tie('text')).map(([whole, part]) => call('indexof', whole, part)),
      fc
        .tuple(fc.constantFrom('year', 'month', 'day'), fc.oneof(tie('day'), tie('moment')))
        .map(([name, value]) => call(name, value)),
      fc
        .tuple(fc.constantFrom('hour', 'minute', 'second'), fc.oneof(clocksOf(at), tie('moment')))
        .map(([name, value]) => call(name, value)),
      counts(at),
      arithmetic(['add', 'sub', 'mul'], tie('integer'), tie('integer')),
      arithmetic(['div', 'mod'], tie('integer'), fc.constantFrom(1, 2, -3, 7).map(integerOf)),
      tie('integer').map(negated),
    ),
    decimal: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constantFrom<Expression>(...members(at.samples, 'price'), ...members(at.parts, 'weight')),
      fc.constantFrom(...prices).map(value => literal('Decimal', decimalText(value))),
      arithmetic(
        ['add', 'sub', 'mul'],
        tie('decimal'),
        fc.constantFrom(0.5, 3, -2, 0.1).map(value => literal('Decimal', decimalText(value))),
      ),
      arithmetic(['div'], tie('decimal'), fc.constantFrom(2, 4, 5, 7).map(integerOf)),
      arithmetic(['mul'], tie('decimal'), tie('decimal')),
      arithmetic(
        ['mod'],
        tie('decimal'),
        fc.constantFrom('0.3', '-2.5').map(value => literal('Decimal', value)),
      ),
      arithmetic(['divby'], fc.oneof(tie('integer'), tie('decimal')), fc.constantFrom(0, 3, -8).map(integerOf)),
      fc.constantFrom(...longDecimals).map(value => literal('Decimal', value)),
      tie('decimal').map(negated),
      fc.tuple(fc.constantFrom('round', 'floor', 'ceiling'), tie('decimal')).map(([name, value]) => call(name, value)),
      tie('span').map(value => call('totalseconds', value)),
      fc.oneof(tie('integer'), tie('double')).map(value => castTo('Decimal', value)),
      fc.oneof(clocksOf(at), tie('moment')).map(value => call('fractionalseconds', value)),
    ),
    double: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constantFrom<Expression>(...members(at.samples, 'score')),
      fc.constantFrom(...scores).map(value => literal('Double', typeof value === 'number' ? doubleText(value) : value)),
      arithmetic(['add', 'sub'], tie('double'), fc.oneof(tie('double'), tie('integer'), tie('decimal'))),
      arithmetic(['div', 'divby'], tie('double'), fc.constantFrom(0, 2, -3).map(integerOf)),
      fc.tuple(fc.constantFrom('round', 'floor', 'ceiling'), tie('double')).map(([name, value]) => call(name, value)),
      tie('double').map(negated),
      fc
        .tuple(fc.constantFrom('Double', 'Single'), fc.oneof(tie('integer'), tie('decimal')))
        .map(([type, value]) => castTo(type, value)),
    ),
    day: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constantFrom<Expression>(...members(at.samples, 'day')),
      fc.constantFrom(...days).map(value => literal('Date', value)),
      tie('moment').map(value => call('date', value)),
    ),
    moment: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constantFrom<Expression>(...members(at.samples, 'moment'), ...members(at.parts, 'made')),
      fc.constantFrom(...moments).map(value => literal('DateTimeOffset', utc(value))),
      arithmetic(
        ['add', 'sub'],
        fc.constantFrom<Expression>(...members(at.samples, 'moment')),
        fc.constantFrom(...spans).map(value => literal('Duration', value)),
      ),
    ),
    span: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constantFrom<Expression>(...members(at.samples, 'span'), ...members(at.parts, 'lasts')),
      fc.constantFrom(...spans).map(value => literal('Duration', value)),
      arithmetic(
        ['sub'],
        fc.constantFrom<Expression>(...members(at.samples, 'moment')),
        fc.constantFrom<Expression>(...members(at.samples, 'moment')),
      ),
    ),
  })).condition
}

type Tie = (name: 'condition' | 'text' | 'integer' | 'decimal' | 'double' | 'moment' | 'day' | 'span') => Arbitrary

const signs = fc.constantFrom('eq' as const, 'ne' as const, 'gt' as const, 'ge' as const, 'lt' as const, 'le' as const)

function compared(left: Arbitrary, right: Arbitrary): Arbitrary {
  return fc
    .tuple(signs, left, right)
    .map(([operator, a, b]): Expression => ({ kind: 'binary', operator, left: a, right: b }))
}

function comparisons(tie: Tie, at: Surroundings): Arbitrary {
  const number = fc.oneof(tie('integer'), tie('decimal'))
  const equality = fc.constantFrom('eq' as const, 'ne' as const)
  const nullable = fc.constantFrom<Expression>(
    ...members(at.samples, 'name', 'note', 'flag', 'score', 'code', 'moment', 'mood', 'rights', 'part'),
    ...members(at.parts, 'label', 'ready', 'made', 'inner', 'mood'),
    ...(at.lambdas === 0 ? [path('next')] : []),
  )
  const withNull = fc
    .tuple(equality, nullable)
    .map(([operator, left]): Expression => ({ kind: 'binary', operator, left, right: nothing }))
  const mood = fc.oneof(
    fc.constantFrom<Expression>(...members(at.samples, 'mood'), ...members(at.parts, 'mood')),
    fc
      .constantFrom(...moods)
      .map((value): Expression => ({ kind: 'literal', type: 'Enum', enumType: 'samples.mood', value })),
  )
  const right = fc.oneof(
    fc.constantFrom<Expression>(...members(at.samples, 'rights'), ...members(at.parts, 'rights')),
    fc
      .constantFrom(...rights)
      .map((value): Expression => ({ kind: 'literal', type: 'Enum', enumType: 'samples.rights', value })),
  )
  const codesOf = fc.oneof(
    fc.constantFrom<Expression>(...members(at.samples, 'code')),
    fc.constantFrom(...codes).map(value => literal('Guid', value.toLowerCase())),
  )
  const has = fc
    .tuple(fc.constantFrom<Expression>(...members(at.samples, 'rights'), ...members(at.parts, 'rights')), right)
    .map(([left, flags]): Expression => ({ kind: 'binary', operator: 'has', left, right: flags }))
  const flag = fc.constantFrom<Expression>(...members(at.samples, 'flag'), ...members(at.parts, 'ready'))
  return fc.oneof(
    compared(tie('text'), tie('text')),
    compared(number, number),
    compared(tie('double'), fc.oneof(tie('double'), number)),
    compared(tie('day'), tie('day')),
    compared(tie('moment'), tie('moment')),
    compared(tie('span'), tie('span')),
    compared(clocksOf(at), clocksOf(at)),
    compared(codesOf, codesOf),
    compared(mood, mood),
    compared(right, right),
    compared(flag, fc.oneof(flag, tie('condition'))),
    withNull,
    has,
  )
}

function textConditions(tie: Tie): Arbitrary {
  const patterns = ['^a', '\\bA', '[^a-z]$', '^.?$', '\\s', '(?:a|b){2}', '\\p{Lu}', '^\\W*\\w+$']
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('contains', 'startswith', 'endswith'), tie('text'), tie('text'))
        .map(([name, whole, part]) => call(name, whole, part)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('text'), fc.constantFrom(...patterns))
        .map(([text, pattern]) => call('matchespattern', text, literal('String', pattern))),
    },
  )
}

function typeTests(tie: Tie): Arbitrary {
  const type = fc.constantFrom('String', 'Boolean', 'Int32', 'Decimal', 'Double', 'Date', 'Duration', 'Binary')
  const value = fc.oneof(tie('text'), tie('integer'), tie('double'))
  return fc.tuple(value, type).map(([given, name]) => call('isof', given, typeNamed(name)))
}

/** Conditions on the content, order, start and end of collections. */
function collectionConditions(at: Surroundings): Arbitrary {
  const names = fc.constantFrom('hassubset', 'hassubsequence', 'contains', 'startswith', 'endswith')
  const list = (items: readonly Expression[]): Expression => ({ kind: 'list', form: 'json', items })
  const tags = members(at.samples.slice(0, 2), 'tags')
  const numbers = members(at.samples.slice(0, 2), 'numbers')
  const text = fc
    .array(fc.constantFrom(...texts), { maxLength: 2 })
    .map(all => list(all.map(each => literal('String', each))))
  const number = fc.array(fc.constantFrom(...integers), { maxLength: 2 }).map(all => list(all.map(integerOf)))
  const ofTexts = fc.tuple(names, fc.oneof(fc.constantFrom(...tags), text), fc.oneof(fc.constantFrom(...tags), text))
  const ofNumbers = fc.tuple(names, fc.constantFrom(...numbers), fc.oneof(fc.constantFrom(...numbers), number))
  return fc.oneof(ofTexts, ofNumbers).map(([name, whole, part]) => call(name, whole, part))
}

function memberships(tie: Tie, at: Surroundings): Arbitrary {
  const list = (items: readonly Expression[]): Expression => ({ kind: 'list', form: 'parentheses', items })
  const inList = fc
    .tuple(tie('text'), fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([left, values, withNull]): Expression => {
      const items = values.map(value => literal('String', value))
      return { kind: 'binary', operator: 'in', left, right: list(withNull ? [...items, nothing] : items) }
    })
  const collections = members(at.samples.slice(0, 1), 'tags')
  const inCollection = fc
    .tuple(fc.constantFrom(...texts), fc.constantFrom(...collections))
    .map(([value, right]): Expression => ({ kind: 'binary', operator: 'in', left: literal('String', value), right }))
  return collections.length === 0 ? inList : fc.oneof(inList, inCollection)
}

function logical(tie: Tie): Arbitrary {
  return fc.oneof(
    tie('condition').map((operand): Expression => ({ kind: 'unary', operator: 'not', operand })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), tie('condition'), tie('condition'))
      .map(([operator, left, right]): Expression => ({ kind: 'binary', operator, left, right })),
  )
}

function lambdas(maxDepth: number, at: Surroundings): Arbitrary {
  const variable = `v${at.lambdas}`
  const inner = { ...at, lambdas: at.lambdas + 1 }
  const item = (...names: readonly string[]): PathExpression => ofVariable(variable, ...names)
  const over = (collection: PathExpression, surroundings: Surroundings): Arbitrary =>
    fc
      .tuple(fc.constantFrom('any' as const, 'all' as const), filterArbitrary(maxDepth - 1, surroundings))
      .map(([operator, predicate]): Expression => ({ kind: 'lambda', operator, collection, variable, predicate }))
  const nested = at.parts.length > 2 ? [] : [over(path('parts'), { ...inner, parts: [...at.parts, item] })]
  const first = at.lambdas === 0 ? [over(path('friends'), { ...inner, samples: [...at.samples, item] })] : []
  return fc.oneof(
    over(path('tags'), { ...inner, texts: [...at.texts, item()] }),
    over(path('numbers'), { ...inner, numbers: [...at.numbers, item()] }),
    over(path('next', 'tags'), { ...inner, texts: [...at.texts, item()] }),
    fc
      .constantFrom('tags', 'parts', 'friends')
      .map((name): Expression => ({ kind: 'lambda', operator: 'any', collection: path(name) })),
    ...nested,
    ...first,
  )
}

function counts(at: Surroundings): Arbitrary {
  const names = at.lambdas === 0 ? ['tags', 'parts', 'friends'] : ['tags', 'numbers']
  return fc
    .constantFrom(...names)
    .map((name): Expression => ({ kind: 'path', segments: [{ kind: 'property', name }, { kind: 'count' }] }))
}

function clocksOf(at: Surroundings): Arbitrary {
  return fc.oneof(
    fc.constantFrom<Expression>(...members(at.samples, 'clock')),
    fc.constantFrom(...clocks).map(value => literal('TimeOfDay', value)),
    fc.constantFrom<Expression>(...members(at.samples, 'moment')).map(value => call('time', value)),
  )
}

function arithmetic(operators: readonly ArithmeticOperator[], left: Arbitrary, right: Arbitrary): Arbitrary {
  return fc
    .tuple(fc.constantFrom(...operators), left, right)
    .map(([operator, a, b]): Expression => ({ kind: 'binary', operator, left: a, right: b }))
}

function negated(operand: Expression): Expression {
  return { kind: 'unary', operator: 'negate', operand }
}

function integerOf(value: number | string): Expression {
  return literal('Integer', String(value))
}

function decimalText(value: number): string {
  const text = value.toFixed(7).replace(/0+$/, '')
  return text.endsWith('.') ? `${text}0` : text
}

function doubleText(value: number): string {
  return value.toExponential().replace('+', '')
}

/** Instants are stored in UTC, so that their parts are those of UTC. */
function utc(text: string): string {
  return text.endsWith('Z') ? text : new Date(text).toISOString()
}

/** A path such as `part/label`. */
export function pathTo(text: string): Expression {
  return { kind: 'path', segments: text.split('/').map(name => ({ kind: 'property', name })) }
}

const keys = [
  ...[
    'name',
    'note',
    'flag',
    'count',
    'big',
    'price',
    'score',
    'code',
    'day',
    'moment',
    'clock',
    'span',
    'mood',
    'rights',
  ],
  ...['part/label', 'part/weight', 'part/made', 'part/lasts', 'part/mood'],
]

/** Orders of samples by up to three keys. */
export function orderbyArbitrary(): fc.Arbitrary<readonly OrderbyItem[]> {
  const item = fc.record({
    expression: fc.constantFrom(...keys).map(pathTo),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  })
  return fc.uniqueArray(item, { maxLength: 3, selector: ({ expression }) => JSON.stringify(expression) })
}
