import { derivesFrom, type EntityType, pointerTo } from '../../spec/language/index.js'
import type { ItemKey } from '../store/entity-record.js'
import { rootOf } from '../store/schema/schema.js'

/** One thing that is wrong with data, and where. */
export interface DataProblem {
  /** Stable, `data/unknown-target`. */
  readonly code: string
  /** What was found, what was expected. */
  readonly message: string
  /** JSON Pointer into the document; with JSON Lines into one that has all lines. */
  readonly at: string
  readonly on?: 'key'
  readonly suggestion?: string | undefined
  /** Another place that has to do with it. */
  readonly related?: { readonly message: string; readonly at: string }
}

/** Items that links can lead to: those of all entity sets, or those contained in one item. */
export interface LinkScope {
  /** Root type and key -> the type an item is of, and where it stands. */
  readonly items: Map<string, { readonly type: EntityType; readonly at: string }>
  /** Links to items that have not come yet. */
  readonly pending: PendingLink[]
}

interface PendingLink {
  readonly item: string
  readonly key: ItemKey
  readonly target: EntityType
  readonly at: string
}

/** A scope without items. */
export const emptyScope = (): LinkScope => ({ items: new Map(), pending: [] })

/** Takes down an item; a problem when there is one of that key. */
export function addItem(scope: LinkScope, type: EntityType, key: ItemKey, at: string): DataProblem | undefined {
  const item = itemName(type, key)
  const before = scope.items.get(item)
  if (before === undefined) {
    scope.items.set(item, { type, at })
    return undefined
  }
  const root = rootOf(type).name
  const message = `There is a ${root} with the key ${keyText(key)} already; give each a key of its own.`
  return { code: 'data/duplicate-key', message, at, related: { message: 'first given here', at: before.at } }
}

/** Takes down a link. What can be checked at once is, the rest by `unmetLinks`. */
export function addLink(scope: LinkScope, target: EntityType, key: ItemKey, at: string): DataProblem | undefined {
  const link = { item: itemName(target, key), key, target, at }
  if (scope.items.has(link.item)) return linkProblem(scope, link)
  scope.pending.push(link)
  return undefined
}

/** What is wrong with the links whose targets had not come when they were taken down. */
export function unresolvedLinks(scope: LinkScope): readonly DataProblem[] {
  return scope.pending.flatMap(link => linkProblem(scope, link) ?? [])
}

function linkProblem(scope: LinkScope, { item, key, target, at }: PendingLink): DataProblem | undefined {
  const found = scope.items.get(item)
  if (found === undefined) {
    const message = `There is no ${target.name} with the key ${keyText(key)} in the data; add it, or remove the link.`
    return { code: 'data/unknown-target', message, at }
  }
  if (derivesFrom(found.type, target)) return undefined
  const message = `The item with the key ${keyText(key)} is a ${found.type.name}; a ${target.name} is expected.`
  return { code: 'data/wrong-target', message, at, related: { message: 'the item stands here', at: found.at } }
}

const itemName = (type: EntityType, key: ItemKey): string => `${rootOf(type).name} ${JSON.stringify(key)}`

function keyText(key: ItemKey): string {
  return key.length === 1 ? JSON.stringify(key[0]) : JSON.stringify(key)
}

/** Makes the check that no two items share the value of a property that is declared unique. */
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
      const message = `${property.name} is unique, and ${JSON.stringify(value)} is taken already.`
      report({ code: 'data/duplicate-value', message, at: where, related: { message: 'first given here', at: before } })
    }
  }
}
