import fc from 'fast-check'
import type { ComplexType, NavigationProperty, Property } from '../../../spec/language/index.js'
import type { Json } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import type { Session } from '../../session/session.js'
import type { WriteSite } from './write-site.js'

/** Texts that are often written, stored or compared wrongly. No service may change them. */
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
 * A value that a property accepts, another one for each number; absent when none can be made up: of a type that there are
 * no such values for, or with a pattern that no text was found for.
 */
export function sampleValue(property: Property, number: number, depth = 0): Json | undefined {
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
  const text = [...(edgeCaseTexts[number % edgeCaseTexts.length] ?? '')].slice(0, Math.floor(maxLength / 2)).join('')
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

export type Body = Readonly<Record<string, Json>>

const counts = new WeakMap<Pick<Session, 'service'>, number>()

/** Counts what a run makes up, so that nothing that must be unique comes twice. */
function nextNumber(session: Session): number {
  const number = (counts.get(session) ?? 0) + 1
  counts.set(session, number)
  return number
}

/**
 * A body that a create takes: what is wanted, the mark of the run, and what else there must be. Absent when a value that
 * must be there cannot be made up.
 */
export function createBody(site: WriteSite, wanted: Body, session: Session): Body | undefined {
  const number = nextNumber(session)
  const body: Record<string, Json> = { ...wanted }
  body[site.markProperty.name] = markedText(site, wanted[site.markProperty.name], number, session)
  const references = referencedValues(site, session)
  for (const property of site.type.properties) {
    if (property.computed) continue
    const { name, unique, required } = property
    const isFresh = unique || site.type.key.includes(property)
    if (!isFresh && (!required || Object.hasOwn(body, name))) continue
    if (isFresh && !required && !Object.hasOwn(body, name)) continue
    const value = references.get(name) ?? (isFresh ? uniqueValue(property, number) : sampleValue(property, number))
    if (value === undefined) return undefined
    body[name] = value
  }
  return body
}

/** Numbers that no service has given yet, one would think; and they fit into the smallest types but one. */
const firstNumber = 20_000

/** A value that is not there yet. */
function uniqueValue(property: Property, number: number): Json | undefined {
  const primitive = primitiveOf(property.type)
  const isNumber = primitive === 'Int16' || primitive === 'Int32' || primitive === 'Int64'
  return isNumber ? firstNumber + number : sampleValue(property, number * 7919)
}

/** The mark, and what the test wants to see behind it. */
function markedText(
  { markProperty: marked }: WriteSite,
  wanted: Json | undefined,
  number: number,
  { ledger }: Session,
): string {
  const text = `${ledger?.mark ?? ''} ${number}${typeof wanted === 'string' ? ` ${wanted}` : ''}`
  return [...text].slice(0, Math.floor((marked.maxLength ?? 400) / 2)).join('')
}

/** Values of properties that say which other item one belongs to: of an item that is there. */
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

/** Properties that a body may have, and that no other item depends on. */
function writableProperties({ type, markProperty: marked }: WriteSite): readonly Property[] {
  const bound = new Set(type.navigation.flatMap(({ constraint }) => constraint.map(({ dependent }) => dependent)))
  return type.properties.filter(property => {
    const { name, computed, unique } = property
    if (computed || unique || name === marked.name || type.key.includes(property)) return false
    return !bound.has(name) && property.returned !== 'onSelect'
  })
}

/** A body with values of all free properties, other ones for each number; `null` for some that may be. */
export function fullBody(site: WriteSite, number: number): Body {
  const body: Record<string, Json> = {}
  for (const [index, property] of writableProperties(site).entries()) {
    const value = sampleValue(property, number + index)
    if (value !== undefined) body[property.name] = value
  }
  const text = sampleValue(site.markProperty, number)
  return { ...body, ...(text === undefined ? {} : { [site.markProperty.name]: text }) }
}

/** A change of a few properties: of one, and of a collection, another value; of one that may be null, null. */
export function patchBody(site: WriteSite, number: number): Body {
  const free = writableProperties(site).filter(({ createOnly }) => !createOnly)
  const single = free.filter(({ collection }) => !collection)
  const collections = free.filter(({ collection }) => collection)
  const changed = single[number % Math.max(single.length, 1)]
  const cleared = single.find(property => property !== changed && property.nullable)
  const replaced = collections[number % Math.max(collections.length, 1)]
  const entries = [changed, replaced].flatMap(property => {
    const value = property === undefined ? undefined : sampleValue(property, number + 11)
    return property === undefined || value === undefined ? [] : [[property.name, value] as const]
  })
  return { ...Object.fromEntries(entries), ...(cleared === undefined ? {} : { [cleared.name]: null }) }
}

/** A body with a value of every second free property: the others are left out. */
export function partialBody(site: WriteSite, number: number): Body {
  const some = writableProperties(site).filter(({ createOnly }, index) => !createOnly && index % 2 === number % 2)
  return Object.fromEntries(
    some.flatMap(property => {
      const value = sampleValue(property, number + 5)
      return value === undefined ? [] : [[property.name, value] as const]
    }),
  )
}
