import { createHash } from 'node:crypto'
import type { PropertyInfo, TypeTable } from '../../runtime/query/index.js'
import { createReadContext, readValue, type ValueProblem } from '../../runtime/server/index.js'
import {
  derivesFrom,
  type EntityType,
  isIntegerType,
  isStream,
  type Property,
  pointerTo,
} from '../../spec/language/index.js'
import { rootOf } from '../../sql/index.js'
import type { ItemKey, RecordStream } from '../store/store.js'

/** One error in the data. */
export interface DataProblem {
  /** Stable, such as `data/unknown-target`. */
  readonly code: string
  /** What was found, what was expected, and how to fix it. */
  readonly message: string
  /** A JSON Pointer into the document. For JSON Lines, the first part is the number of the line. */
  readonly at: string
  readonly on?: 'key'
  readonly suggestion?: string | undefined
  /** Another location that is involved. */
  readonly related?: { readonly message: string; readonly at: string }
}

/** The items that a link can point to: the items of all entity sets, or the items that one item contains. */
export interface LinkScope {
  /** By root type and key: the type of an item, and its location. */
  readonly items: Map<string, { readonly type: EntityType; readonly at: string }>
  /** Links to items that have not been read yet. */
  readonly pending: PendingLink[]
}

interface PendingLink {
  readonly item: string
  readonly key: ItemKey
  readonly target: EntityType
  readonly at: string
}

export const emptyScope = (): LinkScope => ({ items: new Map(), pending: [] })

/**
 * Adds an item. Returns a problem if another item has the same key.
 *
 * @param siblings the items among which keys are unique: those of one relation, if an item contains several of one type
 */
export function addItem(
  scope: LinkScope,
  siblings: LinkScope['items'],
  type: EntityType,
  key: ItemKey,
  at: string,
): DataProblem | undefined {
  const item = itemName(type, key)
  const before = siblings.get(item)
  if (before === undefined) {
    siblings.set(item, { type, at })
    if (!scope.items.has(item)) scope.items.set(item, { type, at })
    return undefined
  }
  const root = rootOf(type).name
  const message = `A ${root} with the key ${keyText(key)} already exists. Give each item its own key.`
  return { code: 'data/duplicate-key', message, at, related: { message: 'first used here', at: before.at } }
}

/** Adds a link. Checks it at once if the target is known; `unresolvedLinks` checks the rest. */
export function addLink(scope: LinkScope, target: EntityType, key: ItemKey, at: string): DataProblem | undefined {
  const link = { item: itemName(target, key), key, target, at }
  if (scope.items.has(link.item)) return linkProblem(scope, link)
  scope.pending.push(link)
  return undefined
}

/** The problems of links whose targets were unknown when they were added. */
export function unresolvedLinks(scope: LinkScope): readonly DataProblem[] {
  return scope.pending.flatMap(link => linkProblem(scope, link) ?? [])
}

function linkProblem(scope: LinkScope, { item, key, target, at }: PendingLink): DataProblem | undefined {
  const found = scope.items.get(item)
  if (found === undefined) {
    const message = `There is no ${target.name} with the key ${keyText(key)} in the data. Add it or remove the link.`
    return { code: 'data/unknown-target', message, at }
  }
  if (derivesFrom(found.type, target)) return undefined
  const message = `The item with the key ${keyText(key)} is a ${found.type.name}. Expected a ${target.name}.`
  return { code: 'data/wrong-target', message, at, related: { message: 'the item is here', at: found.at } }
}

const itemName = (type: EntityType, key: ItemKey): string => `${rootOf(type).name} ${JSON.stringify(key)}`

function keyText(key: ItemKey): string {
  return key.length === 1 ? JSON.stringify(key[0]) : JSON.stringify(key)
}

/** Creates the check that no two items have the same value of a unique property, or the same alternate key. */
export function uniqueCheck(
  report: (problem: DataProblem) => void,
): (type: EntityType, values: Readonly<Record<string, unknown>>, at: string) => void {
  const seen = new Map<object, Map<unknown, string>>()
  return (type, values, at) => {
    for (const property of type.properties) {
      const value = property.unique ? values[property.name] : null
      if (value === null || value === undefined) continue
      const places = seen.get(property) ?? new Map<unknown, string>()
      seen.set(property, places)
      const where = pointerTo(at, property.name)
      const before = places.get(value)
      if (before === undefined) {
        places.set(value, where)
        continue
      }
      const message = `${property.name} is unique, but ${JSON.stringify(value)} is used twice.`
      report({ code: 'data/duplicate-value', message, at: where, related: { message: 'first used here', at: before } })
    }
    for (const key of type.alternateKeys) {
      const parts = key.map(({ name }) => values[name] ?? null)
      // The check above covers a property that is a key alone.
      if (key.length === 1 || parts.includes(null)) continue
      const places = seen.get(key) ?? new Map<unknown, string>()
      seen.set(key, places)
      const text = JSON.stringify(parts)
      const before = places.get(text)
      if (before === undefined) {
        places.set(text, at)
        continue
      }
      const message = `${key.map(({ name }) => name).join(', ')} identify an item, but ${text} is used twice.`
      report({ code: 'data/duplicate-value', message, at, related: { message: 'first used here', at: before } })
    }
  }
}

type JsonObject = Readonly<Record<string, unknown>>

/** What a data file says of the streams of an item. */
interface GivenStreams {
  /** By the name of the property; empty for the media stream. */
  readonly streams: Readonly<Record<string, RecordStream>>
  /** The item without its streams. */
  readonly others: JsonObject
}

const base64url = /^[\w-]*={0,2}$/

/**
 * Reads the streams of an item of a data file: the bytes as base64url in the member with the name of the property, or in
 * `$value` for the media stream, and their media type in the control information `mediaContentType`.
 *
 * @see OData JSON Format 4.01, 9 (stream property)
 */
export function readStreams(
  json: JsonObject,
  type: EntityType,
  at: string,
  report: (problem: DataProblem) => void,
): GivenStreams {
  const names = [
    ...(type.hasStream ? [''] : []),
    ...type.properties.filter(property => isStream(property.type)).map(({ name }) => name),
  ]
  if (names.length === 0) return { streams: {}, others: json }
  const streams: Record<string, RecordStream> = Object.create(null)
  const others: Record<string, unknown> = Object.assign(Object.create(null), json)
  for (const name of names) {
    const member = name === '' ? '$value' : name
    const [content, mediaType = 'application/octet-stream'] = [others[member], others[`${name}@odata.mediaContentType`]]
    delete others[member]
    delete others[`${name}@odata.mediaContentType`]
    if (content === undefined || content === null) {
      if (type.properties.find(property => property.name === name)?.nullable === false) {
        report({ code: 'data/required', message: `A ${type.name} requires ${name}.`, at })
      }
    } else if (typeof content !== 'string' || !base64url.test(content) || typeof mediaType !== 'string') {
      const message = `${member} is a stream. Expected its bytes as base64url, and its media type in "${name}@odata.mediaContentType".`
      report({ code: 'data/value', message, at: pointerTo(at, member) })
    } else streams[name] = { mediaType, bytes: Buffer.from(content, 'base64url') }
  }
  return { streams, others }
}

/**
 * Reads a reference to an item: the value of its key, or an object with all its key properties.
 *
 * @returns the key, or a message about what is wrong
 */
export function readKey(json: unknown, type: EntityType, types: TypeTable): ItemKey | string {
  const [only] = type.key
  const named = typeof json === 'object' && json !== null && !Array.isArray(json)
  if (!named && type.key.length > 1) {
    return `A ${type.name} is identified by all parts of its key: { ${type.key.map(({ name }) => `${name}: …`).join(', ')} }.`
  }
  const values = named ? Object.entries(json) : [[only?.name ?? '', json] as const]
  const strange = values.find(([name]) => !type.key.some(part => part.name === name))
  if (strange !== undefined) return `${strange[0]} is not part of the key of ${type.name}.`
  const given = new Map<string, unknown>(values)
  const problems: ValueProblem[] = []
  const key: (string | number | boolean)[] = []
  for (const { name } of type.key) {
    const info = infoOf(types, type.name, name)
    if (info === undefined || !given.has(name)) return `The key of a ${type.name} needs ${name}.`
    const value = readValue(
      given.get(name),
      info,
      name,
      createReadContext({ types, namespace: '', numbers: 'exact' }, problems, 'create'),
    )
    if (isKeyValue(value)) key.push(value)
    else if (problems.length === 0) return `${name} cannot be part of a key.`
  }
  return problems.length === 0 ? key : problems.map(({ message }) => message).join(' ')
}

/** Whether a value can be part of a key. */
export function isKeyValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function infoOf(types: TypeTable, type: string, property: string): PropertyInfo | undefined {
  const info = Object.hasOwn(types, type) ? types[type] : undefined
  if (info === undefined || !('properties' in info)) return undefined
  return Object.hasOwn(info.properties, property) ? info.properties[property] : undefined
}

/**
 * The key of an item without a key in the data, if its type leaves the key to the service: a Guid derived from the item's
 * path, or the number of the item in its list. The same data therefore always gets the same keys. Undefined if the data must
 * contain the key.
 *
 * @param place the path of the item, such as `users/ada/messages/3`
 * @param position the number of the item in its list, from 1
 */
export function generatedKey(property: Property, place: string, position: number): string | number | undefined {
  if (!property.computed) return undefined
  const primitive = property.type.kind === 'primitive' ? property.type.name : ''
  if (primitive === 'String' || primitive === 'Guid') return guidOf(place)
  return isIntegerType(primitive) ? position : undefined
}

/**
 * A Guid of version 8, which can have any content.
 *
 * @see RFC 9562, 5.8
 */
export function guidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
