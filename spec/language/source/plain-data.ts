import type { Alias, Node } from 'yaml'
import { keyText } from './key-text.js'
import { yamlLibrary } from './yaml-library.js'

/** What is wrong at a node. */
export interface NodeFault {
  readonly code: string
  readonly message: string
  readonly node: Node | undefined
  readonly related?: { readonly message: string; readonly node: Node | undefined }
}

/** Nesting that no spec needs. */
const deepest = 64
/** Nodes that aliases may add, so that a few lines cannot become a billion nodes. */
const mostAliased = 10_000

/** Tags that say no more than the value itself does. */
const plainTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(name => `tag:yaml.org,2002:${name}`),
)

/**
 * The plain data of a YAML tree. What is at fault is left out.
 *
 * @param root the document's content
 * @param targets takes down what each alias stands for
 * @param fault takes down what is wrong
 */
export function plainData(
  root: Node | null,
  targets: WeakMap<Alias, Node>,
  fault: (found: NodeFault) => void,
): unknown {
  const { isAlias, isMap, isNode, isPair, isScalar, isSeq } = yamlLibrary()
  const nodeOrNothing = (value: unknown): Node | undefined => (isNode(value) ? value : undefined)
  const anchors = new Map<string, Node>()
  const open = new Set<Node>()
  let aliased = 0
  let aliasDepth = 0

  const children = (node: Node, depth: number): unknown => {
    if (isMap(node)) return mapData(node.items, depth)
    if (isSeq(node)) return node.items.map(item => plain(item, depth + 1))
    return isScalar(node) ? node.value : undefined
  }

  const mapData = (items: readonly unknown[], depth: number): unknown => {
    const data: Record<string, unknown> = Object.create(null)
    const keys = new Map<string, Node | undefined>()
    for (const item of items) {
      if (!isPair(item)) continue
      const node = nodeOrNothing(item.key)
      const key = keyText(item.key)
      if (key === undefined) {
        const message = 'A key must be text; this one is empty, a list or a mapping.'
        fault({ code: 'yaml/key-not-text', message, node: node ?? nodeOrNothing(item.value) })
      } else if (key === '__proto__') {
        const message =
          'The name "__proto__" has a meaning of its own in JavaScript and cannot be used; choose another name.'
        fault({ code: 'yaml/reserved-key', message, node })
      } else if (key === '<<') {
        fault({ code: 'yaml/merge-key', message: 'Merge keys are not part of YAML 1.2; write the keys out.', node })
      } else if (keys.has(key)) {
        const message = `The key "${key}" is already there; remove one of the two, or rename it.`
        const related = { message: 'first written here', node: keys.get(key) }
        fault({ code: 'yaml/duplicate-key', message, node, related })
      } else {
        keys.set(key, node)
        data[key] = plain(item.value, depth + 1)
      }
    }
    return data
  }

  const aliasData = (alias: Alias, depth: number): unknown => {
    const target = anchors.get(alias.source)
    if (target === undefined) {
      fault({
        code: 'yaml/unknown-anchor',
        message: `No anchor "&${alias.source}" stands before this alias.`,
        node: alias,
      })
      return null
    }
    if (open.has(target)) {
      fault({
        code: 'yaml/recursive-alias',
        message: `The alias "*${alias.source}" stands inside its own anchor.`,
        node: alias,
      })
      return null
    }
    targets.set(alias, target)
    aliasDepth++
    const data = plain(target, depth)
    aliasDepth--
    return data
  }

  const plain = (value: unknown, depth: number): unknown => {
    if (!isNode(value)) return null
    if (aliasDepth > 0 && ++aliased > mostAliased) {
      if (aliased === mostAliased + 1) {
        const message = `The aliases of this document stand for more than ${mostAliased} nodes; write them out, or use fewer.`
        fault({ code: 'yaml/too-many-aliases', message, node: value })
      }
      return null
    }
    if (depth > deepest) {
      fault({
        code: 'yaml/too-deep',
        message: `Nested more than ${deepest} levels deep; no part of a spec is.`,
        node: value,
      })
      return null
    }
    if (isAlias(value)) return aliasData(value, depth)
    if (value.anchor !== undefined) anchors.set(value.anchor, value)
    if (value.tag !== undefined && !plainTags.has(value.tag)) {
      fault({ code: 'yaml/tag', message: `The tag "${value.tag}" is not known here; remove it.`, node: value })
      return null
    }
    open.add(value)
    const data = children(value, depth)
    open.delete(value)
    return data
  }

  return root === null ? undefined : plain(root, 0)
}
