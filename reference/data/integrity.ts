import { derivesFrom, type EntityType, pointerTo } from '../../spec/language/index.js'
import { rootOf } from '../../sql/index.js'
import type { ItemKey } from '../store/entity-record.js'

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

/** Creates the check that no two items have the same value of a unique property. */
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
  }
}
