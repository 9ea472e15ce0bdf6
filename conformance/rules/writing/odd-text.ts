import type { Property } from '../../../spec/language/index.js'
import { isRow, type Json } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { lengthsOf, patternOf, sampleValue, textForm, type ValueSource } from './sample-value.js'

/**
 * Texts that services often escape, truncate, trim or convert. A service may refuse them, but must not change them. The
 * first one combines what the next ones have one by one, in case it is refused.
 */
const oddTexts: readonly string[] = [
  '  O\'Brien & Söhne <b>"a\\b"</b> 100 % _sure_ ☃ \u{1f600} &amp; ',
  `${'long text '.repeat(29)}end`,
  '',
  'O\'Brien & Co. <b>"a\\b"</b> &amp; 100 %',
  'Straße ☃ 東京 \u{1f600}',
  '  spaces  around  ',
  'null',
]

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
  const free = properties.filter(
    property => property === markProperty || hasFreeText(property, source, [property.name]),
  )
  return oddTexts.flatMap(text =>
    free.flatMap(property => {
      const value = withText(property, text, source, [property.name])
      return value === undefined ? [] : [{ property, value }]
    }),
  )
}

const maxDepth = 3
/** The plain values beside an odd one are those of this number. */
const plainNumber = 0

/** Whether a property, or a member of its complex values, holds text without a form. */
export function hasFreeText(property: Property, source: ValueSource, path: readonly string[]): boolean {
  const { type } = property
  if (type.kind === 'complexType') {
    return (
      path.length <= maxDepth &&
      !type.abstract &&
      namedMembers(type.properties).some(each => hasFreeText(each, source, [...path, each.name]))
    )
  }
  if (primitiveOf(type) !== 'String' || patternOf(property) !== undefined || property.unique) return false
  return textForm(property, source.examples.at(path)) === 'text'
}

function namedMembers(properties: readonly Property[]): readonly Property[] {
  return properties.filter(property => !property.computed && !isAssumed(property))
}

function withText(property: Property, text: string, source: ValueSource, path: readonly string[]): Json | undefined {
  const single = withSingleText(property, text, source, path)
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
): Json | undefined {
  const { type } = property
  if (type.kind !== 'complexType') {
    const [minLength, maxLength] = lengthsOf(property)
    // Whole code points: half of a surrogate pair is not valid text.
    const fitting = text.length <= maxLength ? text : [...text].slice(0, Math.floor(maxLength / 2)).join('')
    return fitting.length >= minLength ? fitting : undefined
  }
  const plain = sampleValue({ ...property, collection: false }, plainNumber, source, path)
  if (!isRow(plain)) return undefined
  const free = namedMembers(type.properties).filter(each => hasFreeText(each, source, [...path, each.name]))
  const odd = free.flatMap(each => {
    const value = withText(each, text, source, [...path, each.name])
    return value === undefined ? [] : [[each.name, value] as const]
  })
  return odd.length === 0 ? undefined : { ...plain, ...Object.fromEntries(odd) }
}
