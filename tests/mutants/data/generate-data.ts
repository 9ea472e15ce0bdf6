import type { EntityType, NavigationProperty, Property, Service } from '../../../spec/language/index.js'
import type { Json } from '../service/json.js'
import { type Data, type DataItem, isOfType, storesLinks } from '../service/store.js'
import { generateValue } from './generate-value.js'

export interface DataOptions {
  /** Default 1. */
  readonly seed?: number
  /** Number of items in the largest sets. Default 60. */
  readonly rows?: number
  /** Identifiers with characters that URLs and literals encode. */
  readonly awkwardKeys?: boolean
}

/** A generated item, and what is needed to link it to others. */
interface GeneratedItem {
  readonly type: EntityType
  readonly item: { -readonly [Name in keyof DataItem]: DataItem[Name] }
  /** The items of the same entity set, or of the same containing item. */
  readonly siblings: GeneratedItem[]
  readonly owner?: GeneratedItem
}

/** How many keys to try for an item before it is left out because its pattern allows no unused key. */
const maxKeyAttempts = 100

/**
 * Generates data for any spec, chosen so that faulty services differ from correct ones. The same options give the same
 * data. Keys are unique within a collection: if a pattern allows fewer keys than items, there are fewer items.
 */
export function generateData(service: Service, { seed = 1, rows = 60, awkwardKeys = false }: DataOptions = {}): Data {
  const pick = createRandom(seed)
  const all: GeneratedItem[] = []
  const sets: Record<string, DataItem[]> = {}
  const singletons: Record<string, DataItem> = {}
  const principalType = service.container.find(element => element.kind === 'singleton' && element.principal)?.type
  let principal: GeneratedItem | undefined
  let serial = 0
  const keysOf = new Map<readonly GeneratedItem[], Set<string>>()

  /** Returns undefined if no key is left. */
  function make(
    type: EntityType,
    row: number,
    siblings: GeneratedItem[],
    owner?: GeneratedItem,
  ): GeneratedItem | undefined {
    const concrete = concreteType(type, row, service)
    const number = serial++
    const item = { ref: `item-${number}`, type: concrete.name, values: {}, contained: {}, links: {} }
    const generated: GeneratedItem = { type: concrete, item, siblings, ...(owner === undefined ? {} : { owner }) }
    const values = ownValues(concrete, row, number, generated)
    if (values === undefined) return undefined
    const isPrincipal = principal === undefined && type === principalType && row === 4
    if (isPrincipal) principal = generated
    item.values = values
    siblings.push(generated)
    all.push(generated)
    item.contained = containedIn(generated, row, isPrincipal)
    return generated
  }

  /** Values whose key differs from the keys of its siblings. */
  function ownValues(
    type: EntityType,
    row: number,
    number: number,
    generated: GeneratedItem,
  ): Record<string, Json> | undefined {
    const keys = keysOf.get(generated.siblings) ?? new Set<string>()
    keysOf.set(generated.siblings, keys)
    for (let tries = 0; tries < maxKeyAttempts; tries++) {
      const values = valuesOf(type, row, number, generated)
      const key = JSON.stringify(type.key.map(({ name }) => values[name]))
      if (type.key.length > 0 && keys.has(key)) continue
      keys.add(key)
      return values
    }
    return undefined
  }

  function valuesOf(type: EntityType, row: number, number: number, generated: GeneratedItem): Record<string, Json> {
    const values: Record<string, Json> = {}
    for (const [index, property] of type.properties.entries()) {
      values[property.name] = type.key.includes(property)
        ? keyValue(property, row, number, awkwardKeys, pick)
        : generateValue(property, { row: row + seed - 1, property: index, random: pick })
    }
    refer(values, type, row, generated)
    return values
  }

  /** Sets the dependent properties of referential constraints to the keys of items generated earlier. */
  function refer(values: Record<string, Json>, type: EntityType, row: number, generated: GeneratedItem): void {
    for (const [index, relation] of type.navigation.entries()) {
      if (relation.constraint.length === 0) continue
      const targets = all.filter(each => each !== generated && isOfType(each.type, relation.type))
      // Two consecutive rows refer to the same item, so that some items have several dependents.
      const step = index % 2 === 0 ? row >> 1 : row
      const target = targets[(step * (index + 2)) % Math.max(1, targets.length)]
      const isLeftOut = target === undefined || (relation.nullable && row % 4 === 3)
      for (const pair of relation.constraint) {
        values[pair.dependent] = isLeftOut ? null : (target.item.values[pair.principal] ?? null)
      }
    }
  }

  function containedIn(generated: GeneratedItem, row: number, isPrincipal: boolean): Record<string, DataItem[]> {
    const contained: Record<string, DataItem[]> = {}
    for (const relation of generated.type.navigation.filter(each => each.contained)) {
      const isMine = isPrincipal || generated.owner !== undefined
      const many = relation.collection
        ? isPrincipal || belongsTo(generated, principal)
          ? containedCount(generated, rows)
          : row % 3
        : 1
      const count = relation.collection ? many : isMine || row % 2 === 0 ? 1 : 0
      const siblings: GeneratedItem[] = []
      for (let index = 0; index < count; index++)
        if (make(relation.type, index, siblings, generated) === undefined) break
      contained[relation.name] = siblings.map(({ item }) => item)
    }
    return contained
  }

  const order = inDependencyOrder(service)
  for (const { name, type } of order) {
    if (type.abstract) continue
    const siblings: GeneratedItem[] = []
    const count = setSize(type, rows, service)
    for (let row = 0; row < count; row++) if (make(type, row, siblings) === undefined) break
    sets[name] = siblings.map(({ item }) => item)
  }
  for (const element of service.container) {
    if (element.kind !== 'singleton' || element.principal) continue
    const made = make(element.type, 0, [])
    if (made !== undefined) singletons[element.name] = made.item
  }
  for (const made of all) addLinks(made, all)
  return { sets, singletons, ...(principal === undefined ? {} : { principal: principal.item.ref }) }
}

function belongsTo(generated: GeneratedItem, principal: GeneratedItem | undefined): boolean {
  for (let each = generated.owner; each !== undefined; each = each.owner) if (each === principal) return true
  return false
}

/** How many items a contained collection of the signed-in user has: many directly below the user, few at the next level. */
function containedCount(generated: GeneratedItem, rows: number): number {
  const depth = generated.owner === undefined ? 0 : 1
  const single = generated.owner?.type.navigation.find(
    each => each.contained && each.type === generated.type && !each.collection,
  )
  if (depth === 0 || single !== undefined) return Math.ceil(rows * 0.7)
  return generated.siblings.length % 4
}

/** Entity sets in an order in which principals come before their dependents. */
function inDependencyOrder(service: Service): readonly { readonly name: string; readonly type: EntityType }[] {
  const waiting = service.container.flatMap(element =>
    element.kind === 'entitySet' ? [{ name: element.name, type: element.type }] : [],
  )
  const done: { readonly name: string; readonly type: EntityType }[] = []
  while (waiting.length > 0) {
    const isReady = ({ type }: { readonly type: EntityType }): boolean =>
      type.navigation.every(
        relation =>
          relation.constraint.length === 0 ||
          relation.type === type ||
          !waiting.some(other => other.type !== type && isOfType(relation.type, other.type)),
      )
    const index = Math.max(0, waiting.findIndex(isReady))
    done.push(...waiting.splice(index, 1))
  }
  return done
}

/** The first entity set is the largest. */
function setSize(type: EntityType, rows: number, service: Service): number {
  const isFirst = service.container.find(element => element.kind === 'entitySet')?.type === type
  return isFirst ? rows : Math.ceil(rows * 0.4)
}

/** The type itself or, for every fifth row, a derived type. */
function concreteType(type: EntityType, row: number, service: Service): EntityType {
  const derived = service.entityTypes.filter(each => each !== type && !each.abstract && isOfType(each, type))
  if (derived.length === 0 || (!type.abstract && row % 5 !== 4)) return type
  return derived[row % derived.length] ?? type
}

function keyValue(property: Property, row: number, number: number, awkward: boolean, pick: () => number): Json {
  const { type } = property
  const name = type.kind === 'primitive' ? type.name : type.kind === 'typeDefinition' ? type.underlying : 'String'
  const pattern = property.pattern ?? (type.kind === 'typeDefinition' ? type.pattern : undefined)
  if (name === 'Guid') return `7e57ab1e-0000-4000-8000-${String(number).padStart(12, '0')}`
  if (name !== 'String') return row + 1
  if (pattern !== undefined)
    return generateValue({ ...property, nullable: false }, { row: number, property: 0, random: pick })
  const marks = ["o'b", 'a/b', '50%', 'x=y', 'a b', '😀', 'q?#', '(1)', "''", 'a+b', 'é', ';,']
  return awkward ? `${marks[number % marks.length]}-${number}` : `${property.name}-${number}`
}

/** Links an item to others through the relations whose links are stored with it. */
function addLinks(generated: GeneratedItem, all: readonly GeneratedItem[]): void {
  const links: Record<string, readonly string[]> = {}
  for (const [index, relation] of generated.type.navigation.entries()) {
    const isByValue = relation.constraint.length > 0 || (relation.partner?.constraint.length ?? 0) > 0
    if (relation.contained || isByValue || !storesLinks(relation)) continue
    const targets = targetsOf(generated, relation, all)
    links[relation.name] = relation.collection
      ? severalTargets(targets, generated, index).map(({ item }) => item.ref)
      : singleTarget(targets, generated).map(({ item }) => item.ref)
  }
  generated.item.links = links
}

/**
 * Candidates for the targets of a relation. A relation between items of one type points only to earlier items, so that
 * there are no cycles.
 */
function targetsOf(
  generated: GeneratedItem,
  relation: NavigationProperty,
  all: readonly GeneratedItem[],
): readonly GeneratedItem[] {
  const inside = generated.siblings.filter(each => isOfType(each.type, relation.type))
  const pool =
    inside.length > 0 ? inside : all.filter(each => each.owner === undefined && isOfType(each.type, relation.type))
  const own = pool.indexOf(generated)
  return own < 0 ? pool : pool.slice(0, own)
}

function singleTarget(targets: readonly GeneratedItem[], generated: GeneratedItem): readonly GeneratedItem[] {
  const row = generated.siblings.indexOf(generated)
  const target = targets[(row * 7 + 3) % Math.max(1, targets.length)]
  return target === undefined || (row % 4 === 3 && row > 0) ? [] : [target]
}

function severalTargets(
  targets: readonly GeneratedItem[],
  generated: GeneratedItem,
  index: number,
): readonly GeneratedItem[] {
  const row = generated.siblings.indexOf(generated)
  const count = Math.min([3, 1, 0, 5][row % 4] ?? 0, targets.length)
  const first = (row * 5 + index) % Math.max(1, targets.length)
  const chosen = Array.from({ length: count }, (_, step) => targets[(first + step * 3) % targets.length])
  return [...new Set(chosen)].flatMap(each => each ?? [])
}

/** A seeded pseudo-random number generator: numbers from 0 (inclusive) to 1 (exclusive). */
export function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
