import { createRequire } from 'node:module'
import type { Alias, Node, YAMLMap } from 'yaml'
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.js'
import { pointerKeys } from './json-pointer.js'
import { lineIndex, type SourceResult } from './source.js'

/** Faults beyond these are left out: a file that is no YAML at all would give thousands. */
const maxErrors = 50

/**
 * Parses the text of a spec by the full parser, which knows where each part stands.
 *
 * @param content the YAML, without byte order mark
 * @param path how diagnostics name it
 */
export function parseYamlTree(content: string, path: string): SourceResult {
  const location = lineIndex(content)
  const diagnostics: Diagnostic[] = []
  const report = (code: string, message: string, where: SourceLocation, related: Diagnostic['related'] = []): void => {
    if (diagnostics.length < maxErrors)
      diagnostics.push({ severity: 'error', code, message, path, location: where, related })
  }
  const nothing = (): SourceResult => ({
    source: { path, text: content, document: undefined, at: () => location(0, 0) },
    diagnostics,
  })

  const control = forbiddenCharacter.exec(content)
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    const message = `The character U+${code} may not stand in YAML; write it as an escape in double quotes, "\\u${code}".`
    report('yaml/control-character', message, location(control.index, control.index + 1))
    return nothing()
  }
  const document = parse(content)
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    report('yaml/too-deep', 'The document is nested too deeply to be read.', location(0, 0))
    return nothing()
  }
  for (const { code, message, pos } of document.errors) {
    if (code === 'MULTIPLE_DOCS') {
      report(
        'yaml/multiple-documents',
        'A spec is one YAML document; a second one begins here.',
        location(pos[0], pos[0] + 3),
      )
    } else {
      report(`yaml/${code.toLowerCase().replaceAll('_', '-')}`, sentence(message), location(pos[0], pos[1]))
    }
  }
  // What the parser made of broken YAML would only give errors that follow from it.
  if (document.errors.length > 0) return nothing()
  if (document.directives.yaml.explicit && document.directives.yaml.version !== '1.2') {
    report('yaml/version', 'A spec is YAML 1.2; remove the directive `%YAML`.', location(0, content.indexOf('\n')))
  }

  if (document.contents === null || isEmpty(document.contents)) {
    report('yaml/empty', 'The file is empty; a spec begins with `specwright: 1`.', location(0, 0))
    return nothing()
  }

  const targets = new WeakMap<Alias, Node>()
  const placeOf = (node: Node | undefined): SourceLocation => location(node?.range?.[0] ?? 0, node?.range?.[1] ?? 0)
  let isFatal = false
  const fault = ({ code, message, node, related }: NodeError): void => {
    if (code === 'yaml/too-many-aliases' || code === 'yaml/too-deep') isFatal = true
    const others = related === undefined ? [] : [{ message: related.message, location: placeOf(related.node) }]
    report(code, message, placeOf(node), others)
  }
  const data = plainData(document.contents, targets, fault)
  if (isFatal) return nothing()
  const at = nodeLocator(document.contents, targets, location)
  return { source: { path, text: content, document: data, at }, diagnostics }
}

const sentence = (message: string): string => (message.endsWith('.') ? message : `${message}.`)

function isEmpty(content: Node): boolean {
  return yamlLibrary().isScalar(content) && content.source === ''
}

function parse(text: string) {
  return yamlLibrary().parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    // Done by plainData, which takes linear time.
    uniqueKeys: false,
    prettyErrors: false,
    // Anything less and a second document would pass unnoticed.
    logLevel: 'error',
  })
}

/** The name that a mapping's key gives; undefined for a key that is empty or no scalar. */
function keyText(key: unknown): string | undefined {
  if (!yamlLibrary().isScalar(key)) return undefined
  if (typeof key.value === 'string') return key.value
  if (key.value === null) return undefined
  return key.source ?? String(key.value)
}

const require = createRequire(import.meta.url)

/** The full parser, loaded when it is first needed: a sound spec in plain style never needs it. */
function yamlLibrary(): typeof import('yaml') {
  return require('yaml')
}

/** What is wrong at a node. */
interface NodeError {
  readonly code: string
  readonly message: string
  readonly node: Node | undefined
  readonly related?: { readonly message: string; readonly node: Node | undefined }
}

/** Nesting that no spec needs. */
const maxDepth = 64
/** Nodes that aliases may add, so that a few lines cannot become a billion nodes. */
const maxAliasedNodes = 10_000

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
function plainData(root: Node | null, targets: WeakMap<Alias, Node>, fault: (found: NodeError) => void): unknown {
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
    if (aliasDepth > 0 && ++aliased > maxAliasedNodes) {
      if (aliased === maxAliasedNodes + 1) {
        const message = `The aliases of this document stand for more than ${maxAliasedNodes} nodes; write them out, or use fewer.`
        fault({ code: 'yaml/too-many-aliases', message, node: value })
      }
      return null
    }
    if (depth > maxDepth) {
      fault({
        code: 'yaml/too-deep',
        message: `Nested more than ${maxDepth} levels deep; no part of a spec is.`,
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

interface Member {
  readonly key: unknown
  readonly value: unknown
}

/**
 * Finds the nodes that pointers lead to.
 *
 * @param root the document's content
 * @param targets what each alias stands for
 * @param location line and column of a stretch of text
 */
function nodeLocator(
  root: Node | null,
  targets: WeakMap<Alias, Node>,
  location: (start: number, end: number) => SourceLocation,
): (pointer: string, part?: 'key' | 'value') => SourceLocation {
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
    return location(range[0], range[1])
  }
}

/** Characters that YAML forbids in a file: control characters other than tab and line break. @see YAML 1.2, 5.1 */
export const forbiddenCharacter = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F\uFFFE\uFFFF]/
