import type { PropertyInfo, StructuredTypeInfo, TypeInfo, TypeTable } from '../../runtime/query/index.js'
import { readEntity } from '../../runtime/server/index.js'
import {
  buildTypeTable,
  type ContainerElement,
  derivesFrom,
  type EntityType,
  type NavigationProperty,
  pointerTo,
  type Service,
  suggest,
} from '../../spec/language/index.js'
import { isObject } from '../../sql/index.js'
import type { EntityRecord, ItemKey } from '../store/store.js'
import {
  addItem,
  addLink,
  type DataProblem,
  emptyScope,
  generatedKey,
  isKeyValue,
  type LinkScope,
  readKey,
  readStreams,
  uniqueCheck,
  unresolvedLinks,
} from './integrity.js'

/** Reads items one at a time, each with the items that it contains. */
export interface ItemReader {
  /**
   * @param position the number of the item in its set, from 1
   * @param at the location of the item
   * @returns undefined if the item is too broken to be read
   */
  readonly read: (element: ContainerElement, json: unknown, position: number, at: string) => EntityRecord | undefined
  /** Checks links to items that never appeared. Call it after the last item. */
  readonly finish: () => void
}

type JsonObject = Readonly<Record<string, unknown>>

/** Where an item belongs. */
interface ItemLocation {
  readonly type: EntityType
  readonly singleton?: string
  /** The siblings of a contained item. It can link to these as well as to the items of entity sets. */
  readonly scope: LinkScope
  /** The items among which its key must be unique. */
  readonly siblings: LinkScope['items']
  /** The path from which generated keys are derived. */
  readonly place: string
  readonly position: number
  readonly at: string
  /** The values that the item that contains it determines. */
  readonly determined?: readonly (readonly [string, unknown])[]
}

/** Creates a reader for the data of a service. `report` receives the problems. */
export function itemReader(service: Service, report: (problem: DataProblem) => void): ItemReader {
  const types = dataTypes(service)
  const everywhere = emptyScope()
  const checkUnique = uniqueCheck(report)
  const isInSet = setMembership(service)

  const readItem = (json: unknown, standing: ItemLocation): EntityRecord | undefined => {
    const { at, scope, singleton } = standing
    if (!isObject(json)) {
      report({ code: 'data/shape', message: `An item of type ${standing.type.name} must be an object.`, at })
      return undefined
    }
    const type = concreteType(service, standing.type, json, at, report)
    if (type === undefined) return undefined
    const { streams, others } = readStreams(json, type, at, report)
    const given = linksOf(others, type, at)
    const properties = propertiesOf(others, type, given, standing)
    const key = keyOf(properties, type, standing)
    if (key === undefined) return undefined
    const duplicate = type.keyless ? undefined : addItem(scope, standing.siblings, type, key, at)
    if (duplicate !== undefined) report(duplicate)
    checkUnique(type, properties, at)
    const links = completeLinks(type, properties, given)
    checkLinks(type, links, standing)
    const contained = containedOf(json, type, properties, `${standing.place}/${key.join(',')}`, at)
    const sent = Object.keys(streams).length === 0 ? {} : { streams }
    return { type: type.name, properties, links, contained, ...sent, ...(singleton === undefined ? {} : { singleton }) }
  }

  const linksOf = (json: JsonObject, type: EntityType, at: string): ReadonlyMap<string, readonly ItemKey[]> => {
    const links = new Map<string, readonly ItemKey[]>()
    for (const navigation of type.navigation) {
      if (navigation.contained || !Object.hasOwn(json, navigation.name)) continue
      const place = pointerTo(at, navigation.name)
      const keys = listOf(json[navigation.name], navigation, place).flatMap((item, index) => {
        const key = readKey(item, navigation.type, types)
        if (typeof key !== 'string') return [key]
        report({ code: 'data/link', message: key, at: navigation.collection ? pointerTo(place, index) : place })
        return []
      })
      if (keys.length > 0) links.set(navigation.name, keys)
    }
    return links
  }

  const listOf = (json: unknown, navigation: NavigationProperty, at: string): readonly unknown[] => {
    if (!navigation.collection) return json === null ? [] : [json]
    if (Array.isArray(json)) return json
    report({ code: 'data/shape', message: `${navigation.name} is a collection. Expected a list.`, at })
    return []
  }

  const propertiesOf = (
    json: JsonObject,
    type: EntityType,
    links: ReadonlyMap<string, readonly ItemKey[]>,
    { at, determined = [] }: ItemLocation,
  ): Record<string, unknown> => {
    const relations = new Set(type.navigation.map(({ name }) => name))
    const linked = new Map([...determined, ...dependents(type, links)])
    const own: Record<string, unknown> = Object.assign(Object.create(null), Object.fromEntries(linked))
    for (const [name, value] of Object.entries(json)) {
      if (relations.has(name) || name === '@odata.type') continue
      own[name] = value
      const linkValue = linked.get(name)
      if (linkValue === undefined || linkValue === value) continue
      const message = `${name} is ${JSON.stringify(value)}, but its link says ${JSON.stringify(linkValue)}. Remove one of them.`
      report({ code: 'data/contradiction', message, at: pointerTo(at, name) })
    }
    const { value, problems } = readEntity(own, type.name, 'create', {
      types,
      namespace: service.namespace,
      numbers: 'exact',
    })
    for (const { target, message } of problems) {
      const strange = Object.hasOwn(own, target) && !type.properties.some(({ name }) => name === target)
      report({
        code: 'data/value',
        message,
        at: target === '' ? at : `${at}/${target}`,
        ...(strange ? { on: 'key', suggestion: suggestName(target, type) } : {}),
      })
    }
    return { ...value }
  }

  const keyOf = (values: Record<string, unknown>, type: EntityType, standing: ItemLocation): ItemKey | undefined => {
    const { place, position, at } = standing
    const key: (string | number | boolean)[] = []
    for (const property of type.key) {
      values[property.name] ??= generatedKey(property, `${place}/${position}`, position)
      const value = values[property.name]
      if (isKeyValue(value)) key.push(value)
      else report({ code: 'data/key', message: `${property.name} is part of the key and is required.`, at })
    }
    return key.length === type.key.length ? key : undefined
  }

  const checkLinks = (
    type: EntityType,
    links: Readonly<Record<string, readonly ItemKey[]>>,
    { scope, at }: ItemLocation,
  ): void => {
    for (const { name, type: target } of type.navigation) {
      const within = isInSet(target) ? everywhere : scope
      for (const key of links[name] ?? []) {
        const problem = addLink(within, target, key, pointerTo(at, name))
        if (problem !== undefined) report(problem)
      }
    }
  }

  const containedOf = (
    json: JsonObject,
    type: EntityType,
    properties: Readonly<Record<string, unknown>>,
    place: string,
    at: string,
  ): Readonly<Record<string, readonly EntityRecord[]>> => {
    const scope = emptyScope()
    const contained: Record<string, readonly EntityRecord[]> = Object.create(null)
    for (const navigation of type.navigation) {
      if (!navigation.contained) continue
      const { name, collection } = navigation
      const given = Object.hasOwn(json, name) ? json[name] : null
      if (given === null && !collection && !navigation.nullable) {
        report({ code: 'data/required', message: `A ${type.name} requires ${name}.`, at })
      }
      if (given === null) continue
      const where = pointerTo(at, name)
      const siblings: LinkScope['items'] = new Map()
      const constraint = navigation.partner?.constraint ?? []
      const determined = constraint.flatMap(({ dependent, principal }) => {
        const value = properties[principal]
        return isKeyValue(value) ? [[dependent, value] as const] : []
      })
      contained[name] = listOf(given, navigation, where).flatMap((child, index) => {
        const itsPlace = collection ? pointerTo(where, index) : where
        const standing = {
          type: navigation.type,
          scope,
          siblings,
          place: `${place}/${name}`,
          position: index + 1,
          at: itsPlace,
          determined,
        }
        return readItem(child, standing) ?? []
      })
    }
    for (const problem of unresolvedLinks(scope)) report(problem)
    return contained
  }

  return {
    read: ({ kind, name, type }, json, position, at) =>
      readItem(json, {
        type,
        scope: everywhere,
        siblings: everywhere.items,
        place: name,
        position,
        at,
        ...(kind === 'singleton' ? { singleton: name } : {}),
      }),
    finish: () => {
      for (const problem of unresolvedLinks(everywhere)) report(problem)
    },
  }
}

/** Whether items of a type are in an entity set, so that any item can link to them. */
function setMembership(service: Service): (type: EntityType) => boolean {
  const inSets = new Set(service.container.map(({ type }) => type))
  return type => {
    for (let each: EntityType | undefined = type; each !== undefined; each = each.base)
      if (inSets.has(each)) return true
    return false
  }
}

/** The properties whose values follow from links by a referential constraint. */
function dependents(type: EntityType, links: ReadonlyMap<string, readonly ItemKey[]>): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>()
  for (const navigation of type.navigation) {
    const [target] = links.get(navigation.name) ?? []
    if (target === undefined) continue
    for (const { dependent, principal } of navigation.constraint) {
      const part = navigation.type.key.findIndex(({ name }) => name === principal)
      // The store copies the value of any other property when it links the items.
      if (part >= 0) values.set(dependent, target[part])
    }
  }
  return values
}

function suggestName(name: string, type: EntityType): string | undefined {
  const names = [...type.properties, ...type.navigation].map(property => property.name)
  return suggest(name, names)
}

/**
 * The type of an item: the one that `@odata.type` names, or the declared type. Reports a problem and returns undefined if an
 * item cannot have this type.
 */
function concreteType(
  service: Service,
  declared: EntityType,
  json: Readonly<Record<string, unknown>>,
  at: string,
  report: (problem: DataProblem) => void,
): EntityType | undefined {
  const given = Object.hasOwn(json, '@odata.type') ? json['@odata.type'] : undefined
  const choices = service.entityTypes.filter(type => !type.abstract && derivesFrom(type, declared))
  const names = choices.map(({ name }) => name)
  if (given === undefined) {
    if (!declared.abstract) return declared
    const message = `${declared.name} is abstract. Set "@odata.type" to one of ${names.join(', ')}.`
    report({ code: 'data/abstract-type', message, at })
    return undefined
  }
  const qualified = typeof given === 'string' ? given.replace('#', '') : ''
  const name = qualified.slice(qualified.lastIndexOf('.') + 1)
  const found =
    choices.find(({ qualifiedName }) => qualifiedName === qualified) ?? choices.find(type => type.name === name)
  if (found === undefined) {
    const message = `"@odata.type" must be one of ${names.join(', ')}; found ${JSON.stringify(given)}.`
    const suggestion = suggest(name, names)
    report({ code: 'data/unknown-type', message, at: pointerTo(at, '@odata.type'), suggestion })
  }
  return found
}

/** The links of an item, including those that follow from its properties by a referential constraint. */
function completeLinks(
  type: EntityType,
  values: Readonly<Record<string, unknown>>,
  given: ReadonlyMap<string, readonly ItemKey[]>,
): Readonly<Record<string, readonly ItemKey[]>> {
  const links: Record<string, readonly ItemKey[]> = Object.create(null)
  for (const [name, keys] of given) links[name] = keys
  for (const { name, collection, constraint, type: target } of type.navigation) {
    if (collection || given.has(name) || constraint.length < target.key.length) continue
    const key = target.key.flatMap(part => {
      const dependent = constraint.find(({ principal }) => principal === part.name)?.dependent
      const value = dependent === undefined ? undefined : values[dependent]
      return isKeyValue(value) ? [value] : []
    })
    if (key.length === target.key.length && key.length > 0) links[name] = [key]
  }
  return links
}

/**
 * The types of a service as data files use them. Data may set computed properties. A property is required if it cannot be
 * null and the store cannot supply a value, such as a stamp or a generated key.
 */
function dataTypes(service: Service): TypeTable {
  const table: Record<string, TypeInfo> = Object.create(null)
  const entityTypes = new Map(service.entityTypes.map(type => [type.name, type]))
  for (const [name, info] of Object.entries(buildTypeTable(service))) {
    table[name] =
      info.kind === 'entityType' || info.kind === 'complexType' ? settable(info, entityTypes.get(name)) : info
  }
  return table
}

function settable(info: StructuredTypeInfo, type: EntityType | undefined): StructuredTypeInfo {
  const properties: Record<string, PropertyInfo> = Object.create(null)
  const madeUp = new Set(type?.properties.filter(({ stamp }) => stamp !== undefined).map(({ name }) => name))
  // The reader of the item checks the key.
  for (const { name } of type?.key ?? []) madeUp.add(name)
  for (const [name, property] of Object.entries(info.properties)) {
    const { computed: _computed, createOnly: _createOnly, required: _required, ...rest } = property
    if (property.type === 'Edm.Stream') continue
    const optional = property.nullable || property.collection || property.default !== undefined || madeUp.has(name)
    properties[name] = optional ? rest : { ...rest, required: true }
  }
  return { ...info, properties }
}
