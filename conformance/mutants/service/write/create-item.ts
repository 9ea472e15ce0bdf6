import type { CreateEndpoint, EntityType, Property } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Exchange } from '../exchange.js'
import { itemReply } from '../reply/item-reply.js'
import { preferenceValue } from '../reply/prefer.js'
import { refusalReply } from '../reply/refusal-reply.js'
import { bare, type Reply } from '../reply/reply.js'
import { isOfType } from '../world/is-of-type.js'
import { makeEntity } from '../world/world.js'
import { readBody, typesBelow } from './read-body.js'
import { requestJson } from './request-json.js'

/** Makes a new item. */
export function createItem(endpoint: CreateEndpoint, at: Exchange): Reply {
  const { behaviour, service, target, world } = at
  const { invalidBody, itemNotFound } = service.faults
  if (target.kind !== 'many') return behaviour.error(itemNotFound, itemNotFound.message, at)
  const body = requestJson(at)
  if (body.kind !== 'object') return refusalReply(body, at)
  const types = typesBelow(endpoint.type, [...service.complexTypes, ...service.entityTypes])
  const read = readBody(body.json, endpoint.type, 'create', types)
  if (read.kind === 'problem') return behaviour.error(invalidBody, read.message, at)
  if (read.type.kind !== 'entityType' || read.type.abstract)
    return behaviour.error(invalidBody, invalidBody.message, at)
  const { type } = read
  const refusal = conflictOf(read.values, type, at) ?? danglingOf(read.values, type, at)
  if (refusal !== undefined) return refusal
  const { source } = target
  const owner = source.kind === 'relation' ? { owner: { entity: source.owner, relation: source.relation } } : {}
  const values = behaviour.create({ ...read.values, ...computedValues(type, at) }, at)
  const entity = makeEntity(type, values, owner.owner)
  behaviour.commit({ kind: 'create', entity }, at)
  const status = Number(choiceOr('createStatus', endpoint.status, at))
  const location = { Location: `${at.request.root}${at.request.path}/${keyText(values, type)}` }
  if (preferenceValue(at.request.headers.get('Prefer') ?? '', 'return') === 'minimal') return bare(204, location)
  world.made++
  const reply = itemReply(entity, endpoint.type, status, at)
  return { ...reply, headers: { ...reply.headers, ...location } }
}

/** The value of an open choice; where the spec has no such choice, what it says instead. */
export function choiceOr(name: string, declared: string | number, { service, behaviour }: Exchange): string | number {
  const isOpen = service.open.some(choice => choice.name === name)
  return (isOpen ? behaviour.choices[name] : undefined) ?? declared
}

/** What a new item gets from the service: keys, times, defaults. */
function computedValues(type: EntityType, { world }: Exchange): Readonly<Record<string, Json>> {
  const values: Record<string, Json> = {}
  for (const property of type.properties.filter(each => each.computed)) {
    if (property.stamp !== undefined) values[property.name] = nowText(property)
    else if (type.key.includes(property)) values[property.name] = newKey(property, world.made + world.entities.size)
    else if (property.default !== undefined) values[property.name] = property.default
  }
  return values
}

/** The present time in the digits that a property shows. */
export function nowText({ precision = 0 }: Property): string {
  const text = new Date().toISOString()
  return precision === 0 ? `${text.slice(0, 19)}Z` : text
}

function newKey({ type }: Property, number: number): Json {
  const name = type.kind === 'primitive' ? type.name : type.kind === 'typeDefinition' ? type.underlying : 'String'
  if (name === 'Guid') return `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`
  return name === 'String' ? `made-${number}` : 100_000 + number
}

/** A reply when another item has a value that must be unique. */
export function conflictOf(
  values: Readonly<Record<string, Json>>,
  type: EntityType,
  at: Exchange,
  except?: object,
): Reply | undefined {
  const { behaviour, service, world } = at
  const { conflict } = service.faults
  const others = [...world.entities].filter(
    each => each !== except && (isOfType(each.type, type) || isOfType(type, each.type)),
  )
  const same = (property: Property, each: (typeof others)[number]): boolean =>
    values[property.name] !== undefined &&
    values[property.name] !== null &&
    each.values[property.name] === values[property.name]
  const givenKey = type.key.every(property => !property.computed)
  const taken = others.some(each => {
    if (givenKey && except === undefined && type.key.every(property => same(property, each))) return true
    return type.properties.some(property => property.unique && same(property, each))
  })
  return taken ? behaviour.error(conflict, conflict.message, at) : undefined
}

/** A reply when a value that must name another item names none. */
export function danglingOf(values: Readonly<Record<string, Json>>, type: EntityType, at: Exchange): Reply | undefined {
  const { behaviour, service, world } = at
  const dangling = type.navigation.find(({ constraint, type: principal }) => {
    if (constraint.length === 0 || constraint.some(pair => (values[pair.dependent] ?? null) === null)) return false
    const named = [...world.entities].filter(each => isOfType(each.type, principal))
    return !named.some(each => constraint.every(pair => each.values[pair.principal] === values[pair.dependent]))
  })
  if (dangling === undefined) return undefined
  return behaviour.error(service.faults.invalidBody, `There is no ${dangling.type.name} for '${dangling.name}'.`, at)
}

function keyText(values: Readonly<Record<string, Json>>, { key }: EntityType): string {
  return key.map(({ name }) => encodeURIComponent(String(values[name]))).join(',')
}
