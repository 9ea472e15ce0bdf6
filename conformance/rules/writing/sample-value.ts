import fc from 'fast-check'
import { type ComplexType, isIntegerType, type Property } from '../../../spec/language/index.js'
import { isRow, type Json, type Row } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'

/** The form of the texts of a property. */
export type TextForm =
  | 'address'
  | 'guid'
  | 'url'
  | 'timestamp'
  | 'digits'
  /** One of a few values. */
  | 'category'
  /** One word without spaces, such as a nickname or a code. */
  | 'word'
  | 'text'

const patterns: readonly (readonly [TextForm, RegExp])[] = [
  ['address', /^[^\s@<>]+@[^\s@<>]+$/],
  ['guid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['url', /^https?:\/\/\S+$/],
  ['timestamp', /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ['digits', /^\d+$/],
]

/** Names of properties that hold an e-mail address, and of those that hold a single word. */
const addressName = /(?:(?:e-?)?mail|(?<!web|ip|mac|street|postal|home|business)address)$/i
const wordName = /(?:nick(?:name)?|alias|login|user_?name|handle|slug|code)$/i

/** A property is a category if it repeats its values this often on average, and if they are short. */
const categoryRepetition = 3
const maxCategoryWords = 5

/** The form of a property's texts: by the texts of existing items, and by its name. */
export function textForm({ name, unique }: Pick<Property, 'name' | 'unique'>, examples: readonly unknown[]): TextForm {
  const texts = examples.filter(each => typeof each === 'string').filter(each => each !== '')
  if (addressName.test(name)) return 'address'
  const found = texts.length === 0 ? undefined : patterns.find(([, form]) => texts.every(text => form.test(text)))
  if (found !== undefined) return found[0]
  if (wordName.test(name)) return 'word'
  if (texts.length === 0) return 'text'
  const isShort = texts.every(text => text.trim().split(/\s+/).length <= maxCategoryWords)
  if (!unique && isShort && texts.length >= categoryRepetition * new Set(texts).size) return 'category'
  return texts.every(text => /^[\w.+-]{1,40}$/.test(text)) ? 'word' : 'text'
}

/** What existing items of a collection hold: models for the values of new items. */
export interface Examples {
  /** Existing items. Empty if none could be read. */
  readonly rows: readonly Row[]
  /** How many items there were; undefined if the collection could not be read. */
  readonly total: number | undefined
  /** The values at a path of property names, without null; the items of collections one by one. */
  readonly at: (path: readonly string[]) => readonly unknown[]
}

/** More items show no further forms of values. */
const maxRows = 60

export function examplesOf(rows: readonly Row[] | undefined): Examples {
  const few = rows?.slice(0, maxRows) ?? []
  const known = new Map<string, readonly unknown[]>()
  return {
    rows: few,
    total: rows?.length,
    at: path => {
      const name = path.join('/')
      const values = known.get(name) ?? few.flatMap(row => valuesAt(row, path))
      known.set(name, values)
      return values
    },
  }
}

function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(item => valuesAt(item, path))
  const [name, ...rest] = path
  if (name === undefined) return value === null || value === undefined ? [] : [value]
  return isRow(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : []
}

/** What the values of new items are modelled on. */
export interface ValueSource {
  /** The mark of the run. Values that must be unique contain its letters and digits. */
  readonly mark: string
  readonly examples: Examples
}

const noSource: ValueSource = { mark: 'sw', examples: examplesOf(undefined) }
const maxDepth = 3

/**
 * A plausible value of a property, like those of existing items, a different one for most numbers. Complex values have
 * only the members that the interface names. Undefined if none can be generated: for some types, and for patterns that
 * no generated text matches.
 *
 * @param path names from the item down to the property, for the examples
 */
export function sampleValue(
  property: Property,
  number: number,
  source: ValueSource = noSource,
  path: readonly string[] = [property.name],
): Json | undefined {
  if (!property.collection) return singleValue(property, number, source, path)
  const length = Math.max(property.minItems ?? 0, Math.min(1 + (number % 2), property.maxItems ?? 2))
  const items = Array.from({ length }, (_, index) => singleValue(property, number + index, source, path))
  const values = items.filter(item => item !== undefined)
  return values.length === items.length ? values : undefined
}

function singleValue(
  property: Property,
  number: number,
  source: ValueSource,
  path: readonly string[],
): Json | undefined {
  const { type } = property
  switch (type.kind) {
    case 'enumType': {
      const shown = source.examples.at(path)
      const known = type.members.filter(({ name }) => shown.includes(name))
      const members = type.assumed !== undefined && known.length > 0 ? known : type.members
      return members[number % members.length]?.name
    }
    case 'complexType':
      return path.length <= maxDepth && !type.abstract ? complexValue(type, number, source, path) : undefined
    case 'entityType':
      return undefined
    default:
      return primitiveValue(property, number, source, path)
  }
}

function complexValue(
  { properties }: ComplexType,
  number: number,
  source: ValueSource,
  path: readonly string[],
): Json | undefined {
  const members: Record<string, Json> = {}
  for (const [index, property] of properties.entries()) {
    if (property.computed || isAssumed(property)) continue
    const value = sampleValue(property, number + index, source, [...path, property.name])
    if (value !== undefined) members[property.name] = value
    else if (property.required) return undefined
  }
  return members
}

function primitiveValue(
  property: Property,
  number: number,
  source: ValueSource,
  path: readonly string[],
): Json | undefined {
  const primitive = primitiveOf(property.type)
  if (primitive !== undefined && isIntegerType(primitive)) return numberWithin(property, 1 + (number % 90))
  switch (primitive) {
    case 'String':
      return textValue(property, number, source, source.examples.at(path))
    case 'Boolean':
      return number % 2 === 0
    case 'Decimal':
    case 'Double':
    case 'Single':
      return numberWithin(property, (1 + (number % 90)) / 2)
    case 'Date':
      return dayOf(number)
    case 'DateTimeOffset':
      return timestampOf(number)
    case 'TimeOfDay':
      return `1${number % 10}:0${number % 6}:30`
    case 'Duration':
      return `P${1 + (number % 20)}D`
    case 'Guid':
      return guidOf(number)
    default:
      return undefined
  }
}

function dayOf(number: number): string {
  return `20${String(10 + (number % 80)).padStart(2, '0')}-0${1 + (number % 9)}-1${number % 10}`
}

function timestampOf(number: number): string {
  return `${dayOf(number)}T1${number % 10}:0${number % 6}:30Z`
}

function guidOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

function numberWithin({ minimum, maximum }: Property, number: number): number {
  return Math.min(Math.max(number, minimum ?? number), maximum ?? number)
}

/**
 * The lengths that a text of a property may have.
 *
 * @param most if the spec has no limit
 */
export function lengthsOf(
  { minLength = 0, maxLength, type }: Property,
  most: number = 1_000,
): readonly [number, number] {
  const own = maxLength ?? most
  return [minLength, Math.min(own, (type.kind === 'typeDefinition' ? type.maxLength : undefined) ?? own)]
}

/** The pattern of a property's texts, its own or that of its type. */
export function patternOf({ pattern, type }: Property): string | undefined {
  return pattern ?? (type.kind === 'typeDefinition' ? type.pattern : undefined)
}

function textValue(
  property: Property,
  number: number,
  source: ValueSource,
  examples: readonly unknown[],
): string | undefined {
  const [minLength, maxLength] = lengthsOf(property)
  const pattern = patternOf(property)
  const text = formedText(property, number, source, examples)
  const isLong = text.length >= Math.max(minLength, 1) && text.length <= maxLength
  if (pattern !== undefined) {
    return isLong && new RegExp(pattern, 'u').test(text) ? text : patternText(pattern, minLength, maxLength, number)
  }
  const short = text.padEnd(minLength, 'x').slice(0, maxLength)
  return short.length >= Math.max(minLength, 1) ? short : undefined
}

const words = ['Review', 'Weekly plan', 'Draft', 'Summary', 'North team', 'Budget', 'Notes'] as const

function formedText(property: Property, number: number, { mark }: ValueSource, examples: readonly unknown[]): string {
  // An address or a nickname may have letters of either case, which a service must keep.
  const word = `${number % 2 === 0 ? 'Sw' : 'sw'}${mark.replaceAll(/[^a-z0-9]/gi, '').slice(2)}${number}`
  const texts = examples.filter(each => typeof each === 'string').filter(each => each !== '')
  const like = texts[number % Math.max(texts.length, 1)] ?? ''
  switch (textForm(property, examples)) {
    case 'address':
      return `${word}@example.com`
    case 'guid':
      return guidOf(number)
    case 'url':
      return `https://example.com/${word}`
    case 'timestamp':
      return timestampOf(number)
    case 'digits':
      return String(10 ** Math.min(Math.max(like.length - 1, 0), 15) + number).slice(-Math.max(like.length, 1))
    case 'category':
      return like
    case 'word':
      return word
    case 'text':
      return `${words[number % words.length]} ${number}`
  }
}

const sampleText = new RegExp(`\\b(?:${words.join('|')}) \\d+\\b`, 'g')

/** The free texts in a value that this module generates, such as `Review 7`. */
export function sampleTextsIn(value: unknown): readonly string[] {
  return (JSON.stringify(value) ?? '').match(sampleText) ?? []
}

/** By pattern. Bounded by the number of patterns in the specs. */
const arbitraries = new Map<string, fc.Arbitrary<string>>()

function textsMatching(pattern: string): fc.Arbitrary<string> {
  const known = arbitraries.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'))
  arbitraries.set(pattern, known)
  return known
}

/** A text that matches a pattern. The same number generates the same text. */
function patternText(pattern: string, minLength: number, maxLength: number, number: number): string | undefined {
  try {
    const samples = fc.sample(textsMatching(pattern), { numRuns: 40, seed: number })
    return samples.find(text => text.length >= Math.max(minLength, 1) && text.length <= maxLength)
  } catch {
    // fast-check does not support the pattern.
    return undefined
  }
}
