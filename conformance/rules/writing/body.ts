import { isNumericType, type NavigationProperty, type Property } from '../../../spec/language/index.js'
import { isRow, type Json } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import type { Session } from '../../session/session.js'
import { hasFreeText, longValue, type OddValue, oddValues } from './odd-text.js'
import { lengthsOf, sampleValue } from './sample-value.js'
import type { WriteSite } from './write-site.js'

export type Body = Readonly<Record<string, Json>>

const counts = new WeakMap<object, number>()

/** Numbers the bodies of a run, so that unique values differ. */
export function nextNumber({ run }: Pick<Session, 'run'>): number {
  const number = (counts.get(run) ?? 0) + 1
  counts.set(run, number)
  return number
}

/** The properties that a create should have: those that the interface requires, unique ones, and foreign keys. */
export function requiredProperties({ type }: WriteSite): readonly Property[] {
  return type.properties.filter(property => !property.computed && !isAssumed(property) && property.required)
}

/** A value for a new item. Unique ones differ from those of all other items. */
export function newValue(property: Property, number: number, site: WriteSite, session: Session): Json | undefined {
  const { name, unique, type } = property
  const reference = referencedValues(site, session).get(name)
  if (reference !== undefined) return reference
  if (name === site.markProperty?.name) return markedText(site, undefined, number)
  const identifies = site.type.key.includes(property) || site.type.alternateKeys.some(key => key.includes(property))
  if (unique || identifies) return uniqueValue(property, number, site)
  // Some combinations of flags are no valid item: take one that exists.
  const { rows } = site.examples
  const like = rows[number % Math.max(rows.length, 1)]?.[name]
  return primitiveOf(type) === 'Boolean' && typeof like === 'boolean' ? like : sampleValue(property, number, site)
}

/** Larger than the keys of most services, and within Int16. */
const firstNumber = 20_000

/** A value that no item has yet. */
function uniqueValue(property: Property, number: number, site: WriteSite): Json | undefined {
  const primitive = primitiveOf(property.type)
  const isNumber = primitive === 'Int16' || primitive === 'Int32' || primitive === 'Int64'
  return isNumber ? firstNumber + number : sampleValue(property, number * 7919, site)
}

/** The mark of the run, followed by the given text. White space at its beginning stays there. */
export function markedText({ markProperty, mark }: WriteSite, text: Json | undefined, number: number): string {
  const given = typeof text === 'string' ? text : ''
  const rest = given.trimStart()
  const marked = `${given.slice(0, given.length - rest.length)}${mark} ${number}${rest === '' ? '' : ` ${rest}`}`
  return [...marked].slice(0, Math.floor((markProperty?.maxLength ?? 800) / 2)).join('')
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

/** Properties that the interface names, that a write may set, and on which no relation depends. */
export function writableProperties({ type, markProperty }: WriteSite): readonly Property[] {
  const bound = new Set(type.navigation.flatMap(({ constraint }) => constraint.map(({ dependent }) => dependent)))
  return type.properties.filter(property => {
    const { name, computed, unique } = property
    if (computed || unique || isAssumed(property) || name === markProperty?.name) return false
    return !type.key.includes(property) && !bound.has(name) && property.returned !== 'onSelect'
  })
}

/** A body with plain values of all writable properties. The values differ for each number. */
export function fullBody(site: WriteSite, number: number): Body {
  const body: Record<string, Json> = {}
  for (const [index, property] of writableProperties(site).entries()) {
    const value = sampleValue(property, number + index, site)
    if (value !== undefined) body[property.name] = value
  }
  return body
}

/** An update of all properties that it may change. */
export function updatedBody(site: WriteSite, number: number): Body {
  const fixed = fixedNames(site)
  return Object.fromEntries(Object.entries(fullBody(site, number)).filter(([name]) => !fixed.has(name)))
}

/** The properties that no update changes. */
function fixedNames({ type: { key, properties } }: WriteSite): ReadonlySet<string> {
  return new Set([...key, ...properties.filter(({ createOnly }) => createOnly)].map(({ name }) => name))
}

/** Bodies with one value each that is hard to store. */
export function oddBodies(site: WriteSite): readonly Body[] {
  const { markProperty } = site
  const properties = [...(markProperty === undefined ? [] : [markProperty]), ...writableProperties(site)]
  return oddValues(properties, site, freeMark(site)).map(({ property, value }: OddValue) => ({
    [property.name]: value,
  }))
}

/** A body with one text that is longer than many stores keep. Undefined if each text has a maximum length. */
export function longBody(site: WriteSite): Body | undefined {
  const mark = freeMark(site)
  const odd = longValue([...writableProperties(site), ...(mark === undefined ? [] : [mark])], site)
  return odd && { [odd.property.name]: odd.value }
}

/** Updates with one value each that is hard to store. */
export function oddUpdates(site: WriteSite): readonly Body[] {
  const fixed = fixedNames(site)
  return oddBodies(site).filter(body => Object.keys(body).every(name => !fixed.has(name)))
}

/** Updates one property and one collection, and clears a nullable property: another one for each number, for some none. */
export function patchBody(site: WriteSite, number: number): Body {
  const writable = writableProperties(site).filter(({ createOnly }) => !createOnly)
  const single = writable.filter(({ collection }) => !collection)
  const collections = writable.filter(({ collection }) => collection)
  const changed = single[number % Math.max(single.length, 1)]
  const clearable = single.filter(property => property !== changed && mayBeCleared(property, site))
  const cleared = clearable[number % (clearable.length + 1)]
  const replaced = collections[number % Math.max(collections.length, 1)]
  const entries = [changed, replaced].flatMap(property => {
    const value = property === undefined ? undefined : sampleValue(property, number + 11, site)
    return property === undefined || value === undefined ? [] : [[property.name, value] as const]
  })
  return { ...Object.fromEntries(entries), ...(cleared === undefined ? {} : { [cleared.name]: null }) }
}

/** Updates properties that only the type of the items has, or, with `base`, those that items of the declared type have, too. */
export function partOfType(site: WriteSite, part: 'own' | 'base', number: number): Body {
  const base = new Set(site.declaredType.properties.map(({ name }) => name))
  const some = writableProperties(site).filter(
    ({ name, createOnly }) => !createOnly && base.has(name) === (part === 'base'),
  )
  const values = some.flatMap((property, index) => {
    const value = sampleValue(property, number + index, site)
    return value === undefined ? [] : [[property.name, value] as const]
  })
  return Object.fromEntries(part === 'own' ? values : values.slice(0, 2))
}

/** Pairs of updates: a new value of a property that may be null, then null. */
export function nullBodies(site: WriteSite, number: number): readonly (readonly [Body, Body])[] {
  return writableProperties(site)
    .filter(property => !property.createOnly && !property.collection && mayBeCleared(property, site))
    .flatMap(property => {
      const value = sampleValue(property, number, site)
      return value === undefined ? [] : [[{ [property.name]: value }, { [property.name]: null }] as const]
    })
}

/** Whether the interface, or an existing item, shows that a property may be null. */
function mayBeCleared({ name, nullable, assumed }: Property, { examples }: WriteSite): boolean {
  return nullable && (assumed === undefined || examples.rows.some(row => row[name] === null))
}

/**
 * Pairs of updates: a new value of a property, then null. The spec only assumes that the property is nullable, so the
 * service may refuse null, but it must not ignore it.
 */
export function clearingBodies(site: WriteSite, number: number): readonly (readonly [Body, Body])[] {
  const single = writableProperties(site).filter(({ createOnly, collection }) => !createOnly && !collection)
  return single
    .filter(property => property.nullable && isShownNullable(property, site) && !mayBeCleared(property, site))
    .flatMap(property => {
      const value = sampleValue(property, number + 17, site)
      return value === undefined ? [] : [[{ [property.name]: value }, { [property.name]: null }] as const]
    })
}

/** What the spec assumes of a property is no demand: an item must show that it can be null. */
function isShownNullable({ name, assumed }: Property, { examples }: WriteSite): boolean {
  return assumed === undefined || examples.rows.some(row => row[name] === null)
}

/** Values that many languages take for false, and other values of the same properties. */
interface EmptyBodies {
  readonly empty: Body
  readonly full: Body
}

/** For all properties that can have such a value, and for the mark on its own: items are recognized by it until then. */
export function emptyBodies(site: WriteSite): readonly EmptyBodies[] {
  const markProperty = freeMark(site)
  const changeable = writableProperties(site).filter(({ createOnly }) => !createOnly)
  const ofMark = markProperty === undefined || markProperty.createOnly ? [] : [markProperty]
  return [changeable, ofMark].flatMap(properties => {
    const pairs = properties.flatMap(property => {
      const empty = emptyValue(property, site)
      const full = property.name === markProperty?.name ? markedText(site, 'full', 0) : fullValue(property, site)
      return empty === undefined || full === undefined ? [] : [{ name: property.name, empty, full }]
    })
    if (pairs.length === 0) return []
    return [
      {
        empty: Object.fromEntries(pairs.map(({ name, empty }) => [name, empty])),
        full: Object.fromEntries(pairs.map(({ name, full }) => [name, full])),
      },
    ]
  })
}

/** The property that carries the mark, which can hold any text, unless it is a key. */
function freeMark({ markProperty, type }: WriteSite): Property | undefined {
  return markProperty === undefined || type.key.includes(markProperty) ? undefined : markProperty
}

/** `false`, zero, an empty text or an empty collection, if the property can have it. */
function emptyValue(property: Property, site: WriteSite): Json | undefined {
  const { type, collection, minItems = 0, minimum = 0, maximum = 0 } = property
  if (collection) return minItems > 0 ? undefined : []
  const primitive = primitiveOf(type)
  if (primitive === 'Boolean') return false
  if (primitive === 'String') {
    const isFree = property === freeMark(site) || hasFreeText(property, site, [property.name])
    return lengthsOf(property)[0] === 0 && isFree ? '' : undefined
  }
  return primitive !== undefined && isNumericType(primitive) && minimum <= 0 && maximum >= 0 ? 0 : undefined
}

/** A value that is not empty. */
function fullValue(property: Property, site: WriteSite): Json | undefined {
  return primitiveOf(property.type) === 'Boolean' && !property.collection ? true : sampleValue(property, 19, site)
}

/**
 * Updates one member of each complex value; the others must stay. A member of an enumeration may decide about the form of
 * the others, so it is not the one. Empty if no complex value has two members.
 */
export function partialComplexBody(site: WriteSite, number: number): Body {
  const writable = writableProperties(site).filter(({ createOnly, collection }) => !createOnly && !collection)
  return Object.fromEntries(
    writable.flatMap(({ name, type, ...property }) => {
      if (type.kind !== 'complexType') return []
      const value = sampleValue({ ...property, name, type }, number + 11, site)
      const members = isRow(value) ? Object.entries(value) : []
      const one = members.find(([each]) => type.properties.some(member => member.name === each && isScalar(member)))
      return one === undefined || members.length < 2 ? [] : [[name, Object.fromEntries([one])] as const]
    }),
  )
}

function isScalar({ type, collection }: Property): boolean {
  return !collection && primitiveOf(type) !== undefined
}

/** A body with every second writable property. */
export function partialBody(site: WriteSite, number: number): Body {
  const some = writableProperties(site).filter(({ createOnly }, index) => !createOnly && index % 2 === number % 2)
  return Object.fromEntries(
    some.flatMap(property => {
      const value = sampleValue(property, number + 5, site)
      return value === undefined ? [] : [[property.name, value] as const]
    }),
  )
}
