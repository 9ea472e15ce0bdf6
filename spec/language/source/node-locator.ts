import type { Alias, Node, YAMLMap } from 'yaml'
import type { SourcePlace } from '../diagnostics/diagnostic.js'
import { keyText } from './key-text.js'
import { pointerKeys } from './pointer.js'
import { yamlLibrary } from './yaml-library.js'

interface Member {
  readonly key: unknown
  readonly value: unknown
}

/**
 * Finds the nodes that pointers lead to.
 *
 * @param root the document's content
 * @param targets what each alias stands for
 * @param place line and column of a stretch of text
 */
export function nodeLocator(
  root: Node | null,
  targets: WeakMap<Alias, Node>,
  place: (start: number, end: number) => SourcePlace,
): (pointer: string, part?: 'key' | 'value') => SourcePlace {
  const { isAlias, isCollection, isMap, isNode, isPair, isScalar, isSeq } = yamlLibrary()
  const members = new WeakMap<YAMLMap, Map<string, Member>>()
  const membersOf = (map: YAMLMap): Map<string, Member> => {
    let found = members.get(map)
    if (found === undefined) {
      found = new Map()
      for (const item of map.items) {
        if (!isPair(item)) continue
        const key = keyText(item.key)
        if (key !== undefined && !found.has(key)) found.set(key, { key: item.key, value: item.value })
      }
      members.set(map, found)
    }
    return found
  }
  const rangeOf = (node: unknown): readonly [number, number] | undefined => {
    if (!isNode(node) || !node.range) return undefined
    return [node.range[0], node.range[1]]
  }
  return (pointer, part = 'value') => {
    let key: unknown
    let value: unknown = root
    let whole = true
    for (const step of pointerKeys(pointer)) {
      const node: unknown = isAlias(value) ? targets.get(value) : value
      const member: Member | undefined = isMap(node)
        ? membersOf(node).get(step)
        : isSeq(node) && Number(step) < node.items.length
          ? { key: undefined, value: node.items[Number(step)] }
          : undefined
      if (member === undefined) {
        whole = false
        break
      }
      key = member.key
      value = member.value
    }
    // A block collection starts on a line of its own; its key says better which one is meant.
    const blockValue = isCollection(value) && value.flow !== true
    const emptyValue = isScalar(value) && value.source === ''
    const wantKey = key !== undefined && (part === 'key' || !whole || blockValue || emptyValue)
    const range = (wantKey ? rangeOf(key) : undefined) ?? rangeOf(value) ?? rangeOf(key) ?? [0, 0]
    return place(range[0], range[1])
  }
}
