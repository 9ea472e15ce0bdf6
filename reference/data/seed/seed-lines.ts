import {
  derivesFrom,
  type EntityType,
  isStream,
  type Property,
  type Service,
  type Singleton,
} from '../../../spec/language/index.js'
import { type LinkSource, leadsToKey, linkGenerator, seedKeys, sharesKeySpace } from './seed-links.js'
import { keyCount, type Random, type RowCounts, randomOf, type SeededSet, seededSets, typeOfItem } from './seed-rows.js'
import { numberedTexts } from './seed-text.js'
import { valueGenerator } from './seed-value.js'

/** What to generate. */
interface Seed {
  readonly rows: RowCounts
  /** The same seed gives the same data, byte for byte. */
  readonly seed: string
}

/** The maximum number of contained items per owner, unless `rows` says otherwise: at the first level, and below. */
const maxContained = 6
const maxNested = 3
/** The local token signs in as the first item of a set. It gets more contained items. */
const firstContained = 30

/**
 * Generates data for a service as JSON lines without line ends, one item of an entity set per line. The lines are independent
 * of each other, so that there can be any number of them.
 *
 * @throws SeedError if the model or the number of rows is not supported
 */
export function* seedLines(service: Service, { rows, seed }: Seed): Generator<string, void, undefined> {
  const sets = seededSets(service, rows)
  const keys = seedKeys(sets, seed)
  const linksOf = linkGenerator(service, sets, keys)
  const makeValue = valueGenerator(service)
  const uniqueValue = uniqueValues()

  const itemOf = (
    item: LinkSource,
    declared: EntityType,
    path: string,
    open: readonly EntityType[],
    keyNumber = item.index,
  ): object => {
    const { type, set, place, index, random } = item
    const json: Record<string, unknown> = {}
    if (type !== declared) json['@odata.type'] = `#${type.qualifiedName}`
    const key = set === undefined ? keys.contained(type, place, keyNumber) : keys.inSet(set, index)
    for (const [position, { name }] of type.key.entries()) json[name] = key[position]
    const links = linksOf(item)
    const given = new Set(type.key.map(({ name }) => name))
    for (const navigation of type.navigation) {
      const { name, constraint, partner } = navigation
      for (const { dependent } of constraint) {
        if (given.has(dependent)) continue
        if (partner?.contained === true) {
          // The item that contains this one has the value.
          given.add(dependent)
          continue
        }
        const isFree =
          !leadsToKey(navigation) && type.properties.some(each => each.name === dependent && !each.nullable)
        // Without a link, a value that must be there is one like any other.
        if (isFree) continue
        if (!Object.hasOwn(links, name)) json[dependent] = null
        given.add(dependent)
      }
    }
    for (const property of type.properties) {
      if (given.has(property.name)) continue
      const value = property.unique ? uniqueValue(property, type) : makeValue(property, type, random, 0)
      if (value !== undefined) json[property.name] = value
    }
    Object.assign(json, seedStreams(type, random))
    return Object.assign(json, links, containedOf(item, path, key.join(','), open))
  }

  const containedOf = (
    { type, place, index, random }: LinkSource,
    path: string,
    key: string,
    open: readonly EntityType[],
  ): Readonly<Record<string, unknown>> => {
    const contained: Record<string, unknown> = {}
    for (const navigation of type.navigation) {
      if (!navigation.contained || navigation.type.abstract || open.includes(navigation.type)) continue
      const inner = `${path}/${navigation.name}`
      const innerPlace = `${place}/${key}/${navigation.name}`
      const make = (position: number): object =>
        itemOf(
          {
            type: navigation.type,
            set: undefined,
            place: innerPlace,
            index: position,
            random: randomOf(`${seed}/${innerPlace}/${position}`),
          },
          navigation.type,
          inner,
          [...open, navigation.type],
        )
      if (navigation.collection) {
        const some = Math.min(containedCount(open.length, index, random.below), keyCount(navigation.type))
        const count = rows.exceptions.get(inner) ?? some
        contained[navigation.name] = Array.from({ length: count }, (_, position) => make(position))
      } else if (!navigation.nullable || index === 0 || random.percent(90)) contained[navigation.name] = make(0)
    }
    return contained
  }

  for (const element of service.container) {
    const type = element.kind === 'singleton' ? concreteType(element.type, service) : undefined
    if (type !== undefined && element.kind === 'singleton' && !element.principal) {
      const random = randomOf(`${seed}/${element.name}`)
      const item = { type, set: undefined, place: element.name, index: 0, random }
      const number = keyNumberOf(element, sets, service)
      yield JSON.stringify({ [element.name]: itemOf(item, element.type, element.name, [type], number) })
    }
    const set = sets.find(({ name }) => name === element.name)
    for (let index = 0; set !== undefined && index < set.count; index++) {
      const type = typeOfItem(set, index)
      const random = randomOf(`${seed}/${set.name}/${index}`)
      const item = { type, set, place: set.name, index, random }
      yield JSON.stringify({ [set.name]: itemOf(item, set.type, set.name, [type]) })
    }
  }
}

/** The type itself, or the first type that derives from it if it is abstract; undefined if all of them are. */
function concreteType(type: EntityType, { entityTypes }: Service): EntityType | undefined {
  return type.abstract ? entityTypes.find(each => !each.abstract && derivesFrom(each, type)) : type
}

/** The number of a singleton's key. It comes after the keys of all other items of its type. */
function keyNumberOf({ name, type }: Singleton, sets: readonly SeededSet[], { container }: Service): number {
  const before = container.slice(
    0,
    container.findIndex(element => element.name === name),
  )
  const singletons = before.filter(element => element.kind === 'singleton' && sharesKeySpace(element.type, type))
  return sets.reduce((sum, set) => sum + (sharesKeySpace(set.type, type) ? set.count : 0), singletons.length)
}

function containedCount(depth: number, index: number, below: (limit: number) => number): number {
  if (depth > 1) return below(maxNested + 1)
  return index === 0 ? firstContained : below(maxContained + 1)
}

/** Numbers the values of each unique property. */
function uniqueValues(): (property: Property, type: EntityType) => unknown {
  const makers = new Map<Property, { readonly text: (index: number) => string; next: number }>()
  return (property, type) => {
    const maker = makers.get(property) ?? { text: numberedTexts(property, `${type.name}/${property.name}`), next: 0 }
    makers.set(property, maker)
    const number = maker.next++
    return property.type.kind === 'primitive' && property.type.name !== 'String' ? number : maker.text(number)
  }
}

/**
 * The streams of an item as data files have them: each one that must not be null, and most of the others. They are few bytes
 * of text, or of the first media type that the stream can have.
 */
function seedStreams(type: EntityType, random: Random): Readonly<Record<string, string>> {
  const streams: Record<string, string> = {}
  const add = (name: string, mediaTypes: readonly string[], maxLength = 16): void => {
    const [first = 'text/plain'] = mediaTypes
    const mediaType = first.replace(/^image\/\*$/, 'image/png').replace('/*', '/plain')
    const bytes = Buffer.from(`${type.name} ${random.below(1_000_000)}`).subarray(0, Math.min(16, maxLength))
    streams[`${name}@odata.mediaContentType`] = mediaType
    streams[name === '' ? '$value' : name] = bytes.toString('base64url')
  }
  if (type.hasStream) add('', type.mediaTypes)
  for (const property of type.properties) {
    if (!isStream(property.type) || (property.nullable && random.percent(30))) continue
    add(property.name, property.mediaTypes ?? [], property.maxLength)
  }
  return streams
}
