import type { EntityType } from '../../spec/language/index.js'
import { derivesFrom } from '../../spec/language/model/derives-from.js'
import type { ItemKey } from '../entity-record.js'
import type { DataProblem } from './data-problem.js'

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
export function unmetLinks(scope: LinkScope): readonly DataProblem[] {
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

/** All types of one hierarchy share their keys. */
export function rootOf(type: EntityType): EntityType {
  let root = type
  while (root.base !== undefined) root = root.base
  return root
}

function keyText(key: ItemKey): string {
  return key.length === 1 ? JSON.stringify(key[0]) : JSON.stringify(key)
}
