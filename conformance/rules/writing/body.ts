import fc from 'fast-check'
import {
  type ComplexType,
  isIntegerType,
  type NavigationProperty,
  type Property,
} from '../../../spec/language/index.js'
import type { Json } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import type { Session } from '../../session/session.js'
import type { WriteSite } from './write-site.js'

/** Strings that services often escape, truncate or convert. A service must store them unchanged. */
const edgeCaseTexts = [
  "O'Brien & Söhne",
  '100 % _sure_',
  'a+b=c; d/e\\f',
  'Ünïcödé Straße',
  'snow ☃ and 😀 beyond',
  '"quoted" <b>bold</b> #1?',
  'null',
  ' spaces around ',
] as const
const maxDepth = 3

/**
 * A valid value of a property, a different one for each number. Undefined if none can be generated: for some types, and for
 * patterns that no generated text matches.
 */
export function sampleValue(property: Property, number: number, depth = 0): Json | undefined {
  if (!property.collection) return singleValue(property, number, depth)
  const length = Math.max(property.minItems ?? 0, Math.min(1 + (number % 2), property.maxItems ?? 2))
  const items = Array.from({ length }, (_, index) => singleValue(property, number + index, depth))
  const values = items.filter(item => item !== undefined)
  return values.length === items.length ? values : undefined
}

function singleValue(property: Property, number: number, depth: number): Json | undefined {
  const { type } = property
  switch (type.kind) {
    case 'enumType':
      return type.members[number % type.members.length]?.name
    case 'complexType':
      return depth < maxDepth && !type.abstract ? complexValue(type, number, depth + 1) : undefined
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
    const value = sampleValue(property, number + index, depth)
    if (value !== undefined) members[property.name] = value
    else if (property.required) return undefined
  }
  return members
}

function primitiveValue(property: Property, number: number): Json | undefined {
  const day = `20${String(10 + (number % 80)).padStart(2, '0')}-0${1 + (number % 9)}-1${number % 10}`
  const primitive = primitiveOf(property.type)
  if (primitive !== undefined && isIntegerType(primitive)) return numberWithin(property, 1 + (number % 90))
  switch (primitive) {
    case 'String':
      return textValue(property, number)
    case 'Boolean':
      return number % 2 === 0
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

function numberWithin({ minimum, maximum }: Property, number: number): number {
  return Math.min(Math.max(number, minimum ?? number), maximum ?? number)
}

function textValue(property: Property, number: number): string | undefined {
  const { minLength = 0, maxLength: own = 200, type } = property
  const inherited = type.kind === 'typeDefinition' ? type : undefined
  const maxLength = Math.min(own, inherited?.maxLength ?? own)
  const pattern = property.pattern ?? inherited?.pattern
  if (pattern !== undefined) return patternText(pattern, minLength, maxLength, number)
  // Whole code points: half of a surrogate pair is not valid text.
  const text = [...(edgeCaseTexts[number % edgeCaseTexts.length] ?? '')].slice(0, Math.floor(maxLength / 2)).join('')
  return text.trim().length >= Math.max(minLength, 1) ? text : undefined
}

/** A text that matches a pattern. The same number generates the same text. */
function patternText(pattern: string, minLength: number, maxLength: number, number: number): string | undefined {
  try {
    const samples = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 40, seed: number })
    return samples.find(text => text.length >= Math.max(minLength, 1) && text.length <= maxLength)
  } catch {
    // fast-check does not support the pattern.
    return undefined
  }
}

export type Body = Readonly<Record<string, Json>>

const counts = new WeakMap<Pick<Session, 'service'>, number>()

/** Numbers the bodies of a run, so that unique values differ. */
function nextNumber(session: Session): number {
  const number = (counts.get(session) ?? 0) + 1
  counts.set(session, number)
  return number
}

/** A valid body: the given values, the mark of the run and all required values. Undefined if one cannot be generated. */
export function createBody(site: WriteSite, values: Body, session: Session): Body | undefined {
  const number = nextNumber(session)
  const body: Record<string, Json> = { ...values }
  body[site.markProperty.name] = markedText(site, values[site.markProperty.name], number, session)
  const references = referencedValues(site, session)
  for (const property of site.type.properties) {
    if (property.computed) continue
    const { name, unique, required } = property
    const isUnique = unique || site.type.key.includes(property)
    if (!isUnique && (!required || Object.hasOwn(body, name))) continue
    if (isUnique && !required && !Object.hasOwn(body, name)) continue
    const value = references.get(name) ?? (isUnique ? uniqueValue(property, number) : sampleValue(property, number))
    if (value === undefined) return undefined
    body[name] = value
  }
  return body
}

/** Larger than the keys of most services, and within Int16. */
const firstNumber = 20_000

/** A value that no item has yet. */
function uniqueValue(property: Property, number: number): Json | undefined {
  const primitive = primitiveOf(property.type)
  const isNumber = primitive === 'Int16' || primitive === 'Int32' || primitive === 'Int64'
  return isNumber ? firstNumber + number : sampleValue(property, number * 7919)
}

/** The mark of the run, followed by the given text. */
function markedText({ markProperty }: WriteSite, text: Json | undefined, number: number, { ledger }: Session): string {
  const marked = `${ledger?.mark ?? ''} ${number}${typeof text === 'string' ? ` ${text}` : ''}`
  return [...marked].slice(0, Math.floor((markProperty.maxLength ?? 400) / 2)).join('')
}

/** Values of required foreign keys: the key of an existing item. */
function referencedValues({ type }: WriteSite, session: Session): ReadonlyMap<string, Json> {
  const values = new Map<string, Json>()
  for (const navigation of type.navigation) {
    for (const [name, value] of valuesOfTarget(navigation, type.properties, session)) values.set(name, value)
  }
  return values
}

function valuesOfTarget(
  { constraint, type }: NavigationProperty,
  properties: readonly Property[],
  { sites, snapshot }: Session,
): readonly (readonly [string, Json])[] {
  if (!constraint.some(({ dependent }) => properties.some(({ name, required }) => name === dependent && required))) {
    return []
  }
  const set = sites.find(({ endpoint, type: of }) => endpoint.kind === 'collection' && of === type)
  const row = set === undefined ? undefined : snapshot(set)?.rows[0]
  return constraint.flatMap(({ dependent, principal }) => {
    const value = row?.[principal]
    return typeof value === 'string' || typeof value === 'number' ? [[dependent, value] as const] : []
  })
}

/** Properties that a write may set, and on which no relation depends. */
function writableProperties({ type, markProperty }: WriteSite): readonly Property[] {
  const bound = new Set(type.navigation.flatMap(({ constraint }) => constraint.map(({ dependent }) => dependent)))
  return type.properties.filter(property => {
    const { name, computed, unique } = property
    if (computed || unique || name === markProperty.name || type.key.includes(property)) return false
    return !bound.has(name) && property.returned !== 'onSelect'
  })
}

/** A body with all writable properties. The values differ for each number. */
export function fullBody(site: WriteSite, number: number): Body {
  const body: Record<string, Json> = {}
  for (const [index, property] of writableProperties(site).entries()) {
    const value = sampleValue(property, number + index)
    if (value !== undefined) body[property.name] = value
  }
  const text = sampleValue(site.markProperty, number)
  return { ...body, ...(text === undefined ? {} : { [site.markProperty.name]: text }) }
}

/** Updates one property and one collection, and clears one nullable property. */
export function patchBody(site: WriteSite, number: number): Body {
  const writable = writableProperties(site).filter(({ createOnly }) => !createOnly)
  const single = writable.filter(({ collection }) => !collection)
  const collections = writable.filter(({ collection }) => collection)
  const changed = single[number % Math.max(single.length, 1)]
  const cleared = single.find(property => property !== changed && property.nullable)
  const replaced = collections[number % Math.max(collections.length, 1)]
  const entries = [changed, replaced].flatMap(property => {
    const value = property === undefined ? undefined : sampleValue(property, number + 11)
    return property === undefined || value === undefined ? [] : [[property.name, value] as const]
  })
  return { ...Object.fromEntries(entries), ...(cleared === undefined ? {} : { [cleared.name]: null }) }
}

/** A body with every second writable property. */
export function partialBody(site: WriteSite, number: number): Body {
  const some = writableProperties(site).filter(({ createOnly }, index) => !createOnly && index % 2 === number % 2)
  return Object.fromEntries(
    some.flatMap(property => {
      const value = sampleValue(property, number + 5)
      return value === undefined ? [] : [[property.name, value] as const]
    }),
  )
}
