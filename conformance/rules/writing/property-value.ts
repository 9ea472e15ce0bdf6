import fc from 'fast-check'
import type { ComplexType, Property } from '../../../spec/language/index.js'
import type { Json } from '../../json.js'
import { primitiveOf } from '../../rule/primitive-of.js'

/** Texts that are often written, stored or compared wrongly. No service may change them. */
const texts = [
  "O'Brien & Söhne",
  '100 % _sure_',
  'a+b=c; d/e\\f',
  'Ünïcödé Straße',
  'snow ☃ and 😀 beyond',
  '"quoted" <b>bold</b> #1?',
  'null',
  ' spaces around ',
] as const
const deepest = 3

/**
 * A value that a property accepts, another one for each number; absent when none can be made up: of a type that there are
 * no such values for, or with a pattern that no text was found for.
 */
export function propertyValue(property: Property, number: number, depth = 0): Json | undefined {
  if (!property.collection) return singleValue(property, number, depth)
  const wanted = Math.max(property.minItems ?? 0, Math.min(1 + (number % 2), property.maxItems ?? 2))
  const items = Array.from({ length: wanted }, (_, index) => singleValue(property, number + index, depth))
  const values = items.filter(item => item !== undefined)
  return values.length === items.length ? values : undefined
}

function singleValue(property: Property, number: number, depth: number): Json | undefined {
  const { type } = property
  switch (type.kind) {
    case 'enumType':
      return type.members[number % type.members.length]?.name
    case 'complexType':
      return depth < deepest && !type.abstract ? complexValue(type, number, depth + 1) : undefined
    case 'entityType':
      return undefined
    default:
      return primitiveValue(property, number)
  }
}

function complexValue({ properties }: ComplexType, number: number, depth: number): Json | undefined {
  const members: Record<string, Json> = {}
  for (const [index, property] of properties.entries()) {
    if (property.computed) continue
    const value = propertyValue(property, number + index, depth)
    if (value !== undefined) members[property.name] = value
    else if (property.required) return undefined
  }
  return members
}

function primitiveValue(property: Property, number: number): Json | undefined {
  const day = `20${String(10 + (number % 80)).padStart(2, '0')}-0${1 + (number % 9)}-1${number % 10}`
  switch (primitiveOf(property.type)) {
    case 'String':
      return textValue(property, number)
    case 'Boolean':
      return number % 2 === 0
    case 'Byte':
    case 'SByte':
    case 'Int16':
    case 'Int32':
    case 'Int64':
      return numberWithin(property, 1 + (number % 90))
    case 'Decimal':
    case 'Double':
    case 'Single':
      return numberWithin(property, (1 + (number % 90)) / 2)
    case 'Date':
      return day
    case 'DateTimeOffset':
      return `${day}T1${number % 10}:0${number % 6}:30Z`
    case 'TimeOfDay':
      return `1${number % 10}:0${number % 6}:30`
    case 'Duration':
      return `P${1 + (number % 20)}D`
    case 'Guid':
      return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    default:
      return undefined
  }
}

function numberWithin({ minimum, maximum }: Property, wanted: number): number {
  return Math.min(Math.max(wanted, minimum ?? wanted), maximum ?? wanted)
}

function textValue(property: Property, number: number): string | undefined {
  const { minLength = 0, maxLength: own = 200, type } = property
  const inherited = type.kind === 'typeDefinition' ? type : undefined
  const maxLength = Math.min(own, inherited?.maxLength ?? own)
  const pattern = property.pattern ?? inherited?.pattern
  if (pattern !== undefined) return patternText(pattern, minLength, maxLength, number)
  // Whole characters only: half of a surrogate pair is no text.
  const text = [...(texts[number % texts.length] ?? '')].slice(0, Math.floor(maxLength / 2)).join('')
  return text.trim().length >= Math.max(minLength, 1) ? text : undefined
}

/** A text that a pattern of the spec accepts. The same number makes the same one. */
function patternText(pattern: string, minLength: number, maxLength: number, number: number): string | undefined {
  try {
    const samples = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 40, seed: number })
    return samples.find(text => text.length >= Math.max(minLength, 1) && text.length <= maxLength)
  } catch {
    // A pattern with something in it that no text can be drawn for.
    return undefined
  }
}
