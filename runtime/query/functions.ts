import type { GeoArgument, GeoFamily, GeoShape } from './evaluate/geo.js'
import type { Clock, Day } from './evaluate/temporal.js'
import {
  type DateTimeOffsetValue,
  type DateValue,
  EvaluationError,
  integer,
  isOfKind,
  type NonNullValue,
  type NumericValue,
  string,
  type TimeOfDayValue,
  type Value,
} from './evaluate/value.js'
import type { TypeTable } from './type-table.js'

/**
 * The canonical functions. One entry of `signatures`, below, is all that parser, printer, binder, evaluator, client and docs
 * know of a function: its name, its parameters and result, and its evaluation.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.5 to 5.1.1.11
 */
export interface CanonicalFunction {
  readonly signatures: readonly CanonicalSignature[]
  /** The fewest and the most arguments of any signature. */
  readonly fewest: number
  readonly most: number
}

/** One way to call a function. */
interface CanonicalSignature {
  /** The types: Edm types, or `integer` (any integer type), `number` (any numeric type), `collection` (any collection). */
  readonly parameters: readonly string[]
  /** For documentation. */
  readonly parameterNames: readonly string[]
  /** An Edm type, or `same`: the type of the first argument. */
  readonly returns: string
  /** The result for arguments none of which is null; undefined when the arguments do not fit the parameters. */
  readonly evaluate: (values: readonly NonNullValue[], context: FunctionContext) => Value | undefined
}

/**
 * What an evaluation uses beyond plain JavaScript. The evaluator passes it in, so that this module does not load the
 * evaluator: a program that only parses queries contains none.
 */
interface FunctionContext {
  readonly operations: FunctionOperations
  readonly options: { readonly types?: TypeTable | undefined; readonly now?: (() => Date) | undefined }
}

export interface FunctionOperations {
  readonly areEqual: (left: Value, right: Value, types: TypeTable | undefined) => boolean
  readonly matchesPattern: (text: string, pattern: string) => boolean
  /** The value that a text represents, or undefined. */
  readonly parseText: (text: string, kind: TemporalKind | 'double') => Value | undefined
  readonly calendarDay: (date: DateValue) => Day
  readonly clock: (time: TimeOfDayValue) => Clock
  /** The date and the time of day in the time zone of the value. */
  readonly localParts: (value: DateTimeOffsetValue) => { readonly date: DateValue; readonly time: TimeOfDayValue }
  readonly round: (mode: 'round' | 'floor' | 'ceiling', value: NumericValue) => NumericValue
  readonly readGeo: (value: NonNullValue, family: GeoFamily, kind: GeoShape['kind']) => GeoArgument | undefined
  readonly geoDistance: (family: GeoFamily, from: GeoArgument, to: GeoArgument) => Value
  readonly geoLength: (family: GeoFamily, line: GeoArgument) => Value
  readonly geoIntersects: (point: GeoArgument, polygon: GeoArgument) => Value
}

/** A type of parameter, and how to read an argument of it; undefined when the argument is of another type. */
interface Parameter<Argument> {
  readonly name: string
  readonly type: string
  readonly read: (value: NonNullValue, context: FunctionContext) => Argument | undefined
}

const boolean = 'Edm.Boolean'
const int32 = 'Edm.Int32'
const decimal = 'Edm.Decimal'
const timestamp = 'Edm.DateTimeOffset'

const text: Parameter<string> = {
  name: 'text',
  type: 'Edm.String',
  read: value => (isOfKind(value, 'string') ? value.text : undefined),
}
const items: Parameter<readonly Value[]> = {
  name: 'items',
  type: 'collection',
  read: value => (isOfKind(value, 'collection') ? value.items : undefined),
}
const start: Parameter<number> = {
  name: 'start',
  type: 'integer',
  read: value => (isOfKind(value, 'integer') ? Number(value.value) : undefined),
}
const length: Parameter<number> = { ...start, name: 'length' }
const pattern: Parameter<string> = { ...text, name: 'pattern' }
const number: Parameter<NumericValue> = {
  name: 'number',
  type: 'number',
  read(value, { operations }) {
    const found = isOfKind(value, 'string') ? operations.parseText(value.text, 'double') : value
    return isOfKind(found, 'integer') || isOfKind(found, 'decimal') || isOfKind(found, 'double') ? found : undefined
  },
}
const instant = temporal(timestamp, 'dateTimeOffset')
const date = temporal('Edm.Date', 'date')
const timeOfDay = temporal('Edm.TimeOfDay', 'timeOfDay')
const duration = temporal('Edm.Duration', 'duration')

type TemporalKind = 'dateTimeOffset' | 'date' | 'timeOfDay' | 'duration'

/** A string without a declared type can represent a date or time. */
function temporal<Kind extends TemporalKind>(
  type: string,
  kind: Kind,
): Parameter<Extract<NonNullValue, { readonly kind: Kind }>> {
  return {
    name: kind,
    type,
    read(value, { operations }) {
      const found = isOfKind(value, 'string') ? operations.parseText(value.text, kind) : value
      return isOfKind(found, kind) ? found : undefined
    },
  }
}

const shapeNames = { point: 'Point', line: 'LineString', polygon: 'Polygon' } as const

function shape(family: GeoFamily, kind: GeoShape['kind']): Parameter<GeoArgument> {
  const familyName = family === 'geography' ? 'Geography' : 'Geometry'
  return {
    name: kind,
    type: `Edm.${familyName}${shapeNames[kind]}`,
    read: (value, { operations }) => operations.readGeo(value, family, kind),
  }
}

/** By name in lower case. Of several signatures that fit, the first one applies. */
const signatures: Readonly<Record<string, readonly CanonicalSignature[]>> = {
  concat: [
    binary(text, text, 'same', (first, second) => string(first + second)),
    binary(items, items, 'same', (first, second) => ({ kind: 'collection', items: [...first, ...second] })),
  ],
  contains: [
    binary(text, text, boolean, (whole, part) => whole.includes(part)),
    binary(items, items, boolean, (whole, part, context) => indexOfItems(whole, part, context) >= 0),
  ],
  endswith: [
    binary(text, text, boolean, (whole, part) => whole.endsWith(part)),
    binary(items, items, boolean, (whole, part, context) =>
      hasItemsAt(whole, part, whole.length - part.length, context),
    ),
  ],
  startswith: [
    binary(text, text, boolean, (whole, part) => whole.startsWith(part)),
    binary(items, items, boolean, (whole, part, context) => hasItemsAt(whole, part, 0, context)),
  ],
  indexof: [
    binary(text, text, int32, (whole, part) => {
      const index = whole.indexOf(part)
      return integer(index === -1 ? -1 : characterCount(whole.slice(0, index)))
    }),
    binary(items, items, int32, (whole, part, context) => integer(indexOfItems(whole, part, context))),
  ],
  length: [
    unary(text, int32, value => integer(characterCount(value))),
    unary(items, int32, value => integer(value.length)),
  ],
  substring: [
    binary(text, start, 'same', (value, from) => string(slice([...value], from).join(''))),
    ternary(text, start, length, 'same', (value, from, size) => string(slice([...value], from, size).join(''))),
    binary(items, start, 'same', (value, from) => ({ kind: 'collection', items: slice(value, from) })),
    ternary(items, start, length, 'same', (value, from, size) => ({
      kind: 'collection',
      items: slice(value, from, size),
    })),
  ],
  hassubset: [
    binary(items, items, boolean, (whole, part, { operations, options }) => {
      const rest = [...whole]
      return part.every(expected => {
        const index = rest.findIndex(item => operations.areEqual(item, expected, options.types))
        if (index === -1) return false
        rest.splice(index, 1)
        return true
      })
    }),
  ],
  hassubsequence: [
    binary(items, items, boolean, (whole, part, { operations, options }) => {
      let next = 0
      return part.every(expected => {
        while (next < whole.length && !operations.areEqual(whole[next] ?? null, expected, options.types)) next += 1
        next += 1
        return next <= whole.length
      })
    }),
  ],
  tolower: [unary(text, text.type, value => string(value.toLowerCase()))],
  toupper: [unary(text, text.type, value => string(value.toUpperCase()))],
  trim: [unary(text, text.type, value => string(trimmed(value)))],
  matchespattern: [
    binary(text, pattern, boolean, (value, source, { operations }) => operations.matchesPattern(value, source)),
  ],
  year: partOfDate(({ year }) => year),
  month: partOfDate(({ month }) => month),
  day: partOfDate(({ day }) => day),
  hour: partOfTime(int32, ({ hour }) => integer(hour)),
  minute: partOfTime(int32, ({ minute }) => integer(minute)),
  second: partOfTime(int32, ({ second }) => integer(second)),
  fractionalseconds: partOfTime(decimal, ({ fraction }) => ({ kind: 'decimal', value: fraction })),
  totalseconds: [unary(duration, decimal, ({ seconds }) => ({ kind: 'decimal', value: seconds }))],
  date: [unary(instant, date.type, (value, { operations }) => operations.localParts(value).date)],
  time: [unary(instant, timeOfDay.type, (value, { operations }) => operations.localParts(value).time)],
  totaloffsetminutes: [unary(instant, int32, ({ offset }) => integer(offset))],
  mindatetime: [nullary(timestamp, ({ operations }) => operations.parseText('0001-01-01T00:00:00Z', 'dateTimeOffset'))],
  maxdatetime: [
    nullary(timestamp, ({ operations }) => operations.parseText('9999-12-31T23:59:59.999999999999Z', 'dateTimeOffset')),
  ],
  now: [
    nullary(timestamp, ({ operations, options }) =>
      operations.parseText((options.now?.() ?? new Date()).toISOString(), 'dateTimeOffset'),
    ),
  ],
  round: [unary(number, 'same', (value, { operations }) => operations.round('round', value))],
  floor: [unary(number, 'same', (value, { operations }) => operations.round('floor', value))],
  ceiling: [unary(number, 'same', (value, { operations }) => operations.round('ceiling', value))],
  'geo.distance': forEachFamily(family =>
    binary(shape(family, 'point'), shape(family, 'point'), 'Edm.Double', (from, to, { operations }) =>
      operations.geoDistance(family, from, to),
    ),
  ),
  'geo.intersects': forEachFamily(family =>
    binary(shape(family, 'point'), shape(family, 'polygon'), boolean, (point, polygon, { operations }) =>
      operations.geoIntersects(point, polygon),
    ),
  ),
  'geo.length': forEachFamily(family =>
    unary(shape(family, 'line'), 'Edm.Double', (line, { operations }) => operations.geoLength(family, line)),
  ),
}

/** By name in lower case. */
export const canonicalFunctions: ReadonlyMap<string, CanonicalFunction> = new Map(
  Object.entries(signatures).map(([name, forms]) => {
    const arities = forms.map(({ parameters }) => parameters.length)
    return [name, { signatures: forms, fewest: Math.min(...arities), most: Math.max(...arities) }]
  }),
)

/** Functions with a syntax of their own. */
export const syntacticFunctions = ['case', 'cast', 'isof'] as const

export const functionNames: readonly string[] = [...canonicalFunctions.keys(), ...syntacticFunctions]

/** The functions with a signature of these types. */
export function functionsWith(parameters: readonly string[], returns: string): readonly string[] {
  const isSame = (signature: CanonicalSignature): boolean =>
    signature.parameters.join() === parameters.join() && signature.returns === returns
  return [...canonicalFunctions].flatMap(([name, { signatures: forms }]) => (forms.some(isSame) ? [name] : []))
}

/** The ways to call a function, for messages: `length(Edm.String) or length(collection)`. */
export function expectedCalls(name: string, { signatures: forms }: CanonicalFunction): string {
  return forms.map(({ parameters }) => `${name}(${parameters.join(', ')})`).join(' or ')
}

function nullary(returns: string, evaluate: (context: FunctionContext) => Value | undefined): CanonicalSignature {
  return { parameters: [], parameterNames: [], returns, evaluate: (_, context) => evaluate(context) }
}

function unary<A>(
  parameter: Parameter<A>,
  returns: string,
  evaluate: (a: A, context: FunctionContext) => Value,
): CanonicalSignature {
  return {
    parameters: [parameter.type],
    parameterNames: [parameter.name],
    returns,
    evaluate([first], context) {
      const a = first === undefined ? undefined : parameter.read(first, context)
      return a === undefined ? undefined : evaluate(a, context)
    },
  }
}

function binary<A, B>(
  first: Parameter<A>,
  second: Parameter<B>,
  returns: string,
  evaluate: (a: A, b: B, context: FunctionContext) => Value,
): CanonicalSignature {
  return {
    parameters: [first.type, second.type],
    parameterNames: [first.name, second.name],
    returns,
    evaluate([left, right], context) {
      const a = left === undefined ? undefined : first.read(left, context)
      const b = right === undefined || a === undefined ? undefined : second.read(right, context)
      return a === undefined || b === undefined ? undefined : evaluate(a, b, context)
    },
  }
}

function ternary<A, B, C>(
  first: Parameter<A>,
  second: Parameter<B>,
  third: Parameter<C>,
  returns: string,
  evaluate: (a: A, b: B, c: C, context: FunctionContext) => Value,
): CanonicalSignature {
  return {
    parameters: [first.type, second.type, third.type],
    parameterNames: [first.name, second.name, third.name],
    returns,
    evaluate([one, two, three], context) {
      const a = one === undefined ? undefined : first.read(one, context)
      const b = two === undefined ? undefined : second.read(two, context)
      const c = three === undefined ? undefined : third.read(three, context)
      return a === undefined || b === undefined || c === undefined ? undefined : evaluate(a, b, c, context)
    },
  }
}

/** The parts of an instant are those in the time zone of the value. */
function partOfDate(part: (day: Day) => number): readonly CanonicalSignature[] {
  return [
    unary(instant, int32, (value, { operations }) =>
      integer(part(operations.calendarDay(operations.localParts(value).date))),
    ),
    unary(date, int32, (value, { operations }) => integer(part(operations.calendarDay(value)))),
  ]
}

function partOfTime(returns: string, part: (clock: Clock) => Value): readonly CanonicalSignature[] {
  return [
    unary(instant, returns, (value, { operations }) => part(operations.clock(operations.localParts(value).time))),
    unary(timeOfDay, returns, (value, { operations }) => part(operations.clock(value))),
  ]
}

function forEachFamily(signature: (family: GeoFamily) => CanonicalSignature): readonly CanonicalSignature[] {
  return [signature('geography'), signature('geometry')]
}

/** Positions and lengths of strings count characters: Unicode code points. */
function characterCount(value: string): number {
  let characters = 0
  for (const _ of value) characters += 1
  return characters
}

/** A negative start counts from the end. A start after the end selects nothing. */
function slice<Item>(values: readonly Item[], from: number, size?: number): readonly Item[] {
  const first = from < 0 ? Math.max(values.length + from, 0) : from
  if (size === undefined) return values.slice(first)
  if (size < 0) throw new EvaluationError('`substring` cannot return a negative number of characters.')
  return values.slice(first, first + size)
}

const whitespace = /^\p{White_Space}$/u

/** Unlike `String.prototype.trim`, removes exactly what Unicode defines as white space. */
function trimmed(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && whitespace.test(value.charAt(start))) start += 1
  while (end > start && whitespace.test(value.charAt(end - 1))) end -= 1
  return value.slice(start, end)
}

function indexOfItems(whole: readonly Value[], part: readonly Value[], context: FunctionContext): number {
  for (let index = 0; index <= whole.length - part.length; index += 1) {
    if (hasItemsAt(whole, part, index, context)) return index
  }
  return -1
}

function hasItemsAt(
  whole: readonly Value[],
  part: readonly Value[],
  index: number,
  { operations, options }: FunctionContext,
): boolean {
  if (index < 0 || index + part.length > whole.length) return false
  return part.every((item, offset) => operations.areEqual(item, whole[index + offset] ?? null, options.types))
}
