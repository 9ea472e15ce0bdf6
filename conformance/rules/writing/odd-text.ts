import type { Property } from '../../../spec/language/index.js'
import { isRow, type Json } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { isPlainText } from '../../lists/values.js'
import { lengthsOf, patternOf, sampleValue, textForm, type ValueSource } from './sample-value.js'

/**
 * Texts that services often escape, truncate, trim or convert. A service may refuse them, but must not change them. The
 * first one combines what the next ones have one by one, in case it is refused.
 */
const oddTexts: readonly string[] = [
  '  O\'Brien & Söhne <b>"a\\b"</b> 1 + 1 = 100 % _sure_ ☃ \u{1f600} &amp; ',
  `${'long text '.repeat(29)}end`,
  '',
  'O\'Brien & Co. <b>"a\\b"</b> &amp; 1 + 1 = 100 %',
  'Straße ☃ 東京 \u{1f600} %41',
  '  spaces  around  ',
  'null',
]

/** A text of several lines, for the properties that hold such texts. */
const lines = 'First line\nSecond line\n\nLast line'

/** Longer than the buffers and the columns that cut texts most often: 255, 4,000, 4,096 and 8,192 characters. */
const longText = Array.from({ length: 380 }, (_, index) => `part ${index} of a long text`).join(', ')

/** The names of properties whose texts have lines. Those of others, such as subjects and names, may be folded. */
const multiLineName = /(?:content|body|description|comments?|notes?|remarks?)$|^text$/i

/** A value of one property with a text that is hard to store. */
export interface OddValue {
  readonly property: Property
  readonly value: Json
}

/**
 * Odd values of the properties with free text, also of those inside complex values. The most telling come first.
 *
 * @param markProperty holds any text, since it takes the mark of the run
 */
export function oddValues(
  properties: readonly Property[],
  source: ValueSource,
  markProperty: Property | undefined,
): readonly OddValue[] {
  const holding = (fits: Fits): readonly Property[] =>
    properties.filter(property => holdsText(property, source, [property.name], fits))
  const free = properties.filter(property => property === markProperty || holding(isFree).includes(property))
  const valuesWith = (text: string, some: readonly Property[], fits: Fits): readonly OddValue[] =>
    some.flatMap(property => {
      const value = withText(property, text, source, [property.name], fits)
      return value === undefined ? [] : [{ property, value }]
    })
  const [first = '', ...others] = oddTexts
  return [
    ...valuesWith(first, free, isFree),
    ...valuesWith(lines, holding(isMultiLine), isMultiLine),
    ...others.flatMap(text => valuesWith(text, free, isFree)),
  ]
}

/** Whether a string property can have a text. */
type Fits = (property: Property, source: ValueSource, path: readonly string[]) => boolean

function isFree(property: Property, source: ValueSource, path: readonly string[]): boolean {
  if (patternOf(property) !== undefined || property.unique) return false
  return textForm(property, source.examples.at(path)) === 'text'
}

function isMultiLine(property: Property, source: ValueSource, path: readonly string[]): boolean {
  const isShown = source.examples.at(path).some(text => typeof text === 'string' && /\S[^\S\n]*\n\s*\S/.test(text))
  return !property.collection && (isShown || multiLineName.test(property.name)) && isFree(property, source, path)
}

/**
 * A value with a text of some 9,000 characters, of a property whose texts have no maximum length in the spec. One that
 * holds several lines comes first. Undefined if there is no such property.
 */
export function longValue(properties: readonly Property[], source: ValueSource): OddValue | undefined {
  const isLong: Fits = (property, ...rest) =>
    lengthsOf(property, longText.length)[1] >= longText.length && isFree(property, ...rest)
  const isLongAndMultiLine: Fits = (...place) => isLong(...place) && isMultiLine(...place)
  for (const fits of [isLongAndMultiLine, isLong]) {
    for (const property of properties) {
      if (property.collection || !holdsText(property, source, [property.name], fits)) continue
      const value = withText(property, longText, source, [property.name], fits)
      if (value !== undefined) return { property, value }
    }
  }
  return undefined
}

/** A value of a property with a text, where it holds any text. Undefined if it holds none. */
export function valueWithText(property: Property, text: string, source: ValueSource): Json | undefined {
  return holdsText(property, source, [property.name], isFree)
    ? withText(property, text, source, [property.name], isFree)
    : undefined
}

const maxDepth = 3
/** The plain values beside an odd one are those of this number. */
const plainNumber = 0

/** Whether a property, or a member of its complex values, holds text without a form. */
export function hasFreeText(property: Property, source: ValueSource, path: readonly string[]): boolean {
  return holdsText(property, source, path, isFree)
}

function holdsText(property: Property, source: ValueSource, path: readonly string[], fits: Fits): boolean {
  const { type } = property
  if (type.kind === 'complexType') {
    return (
      path.length <= maxDepth &&
      !type.abstract &&
      namedMembers(type.properties).some(each => holdsText(each, source, [...path, each.name], fits))
    )
  }
  return primitiveOf(type) === 'String' && fits(property, source, path)
}

function namedMembers(properties: readonly Property[]): readonly Property[] {
  return properties.filter(property => !property.computed && !isAssumed(property))
}

function withText(
  property: Property,
  text: string,
  source: ValueSource,
  path: readonly string[],
  fits: Fits,
): Json | undefined {
  const single = withSingleText(property, text, source, path, fits)
  if (single === undefined || !property.collection) return single
  const plain = sampleValue({ ...property, collection: false }, plainNumber, source, path)
  const isPair = plain !== undefined && (property.maxItems ?? 2) >= 2
  return isPair ? [plain, single] : [single]
}

function withSingleText(
  property: Property,
  text: string,
  source: ValueSource,
  path: readonly string[],
  fits: Fits,
): Json | undefined {
  const { type } = property
  if (type.kind !== 'complexType') {
    const [minLength, maxLength] = lengthsOf(property, text.length)
    // Whole code points: half of a surrogate pair is not valid text.
    const fitting = text.length <= maxLength ? text : [...text].slice(0, Math.floor(maxLength / 2)).join('')
    return fitting.length >= minLength ? fitting : undefined
  }
  const plain = sampleValue({ ...property, collection: false }, plainNumber, source, path)
  if (!isRow(plain)) return undefined
  const members = namedMembers(type.properties)
  const odd = members.flatMap(each => {
    const memberPath = [...path, each.name]
    const isHolding = holdsText(each, source, memberPath, fits)
    // In HTML, line breaks have no meaning.
    const value = isHolding
      ? withText(each, text, source, memberPath, fits)
      : text === lines || text === longText
        ? plainForm(each, source, memberPath)
        : undefined
    return value === undefined ? [] : [[each.name, value] as const]
  })
  return odd.length === 0 ? undefined : { ...plain, ...Object.fromEntries(odd) }
}

/** The value of a member that says that the text beside it is plain text. Undefined if the member says no such thing. */
function plainForm({ type, collection }: Property, source: ValueSource, path: readonly string[]): string | undefined {
  if (collection) return undefined
  const values = type.kind === 'enumType' ? type.members.map(({ name }) => name) : source.examples.at(path)
  return values.filter(value => typeof value === 'string').find(isPlainText)
}
