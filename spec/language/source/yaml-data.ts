import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from 'js-yaml'

const number = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

/**
 * The value of a scalar without quotes: what the core schema resolves it to.
 *
 * @see YAML 1.2, 10.3.2 (tag resolution)
 */
export function coreScalar(text: string): string | number | boolean | null {
  switch (text) {
    case '':
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return null
    case 'true':
    case 'True':
    case 'TRUE':
      return true
    case 'false':
    case 'False':
    case 'FALSE':
      return false
  }
  const first = text.charCodeAt(0)
  // Digits, `+`, `-` and `.`: a number cannot begin with anything else.
  if ((first < 48 || first > 57) && first !== 43 && first !== 45 && first !== 46) return text
  if (number.test(text) || /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/.test(text)) return Number(text)
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return Number.NaN
  const infinity = /^([-+]?)\.(?:inf|Inf|INF)$/.exec(text)
  if (infinity) return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return text
}

/** A stretch of the text: offsets in UTF-16 code units, the end exclusive. */
export type TextRange = readonly [start: number, end: number]

/** An error in a YAML text. */
export interface YamlProblem {
  readonly code: string
  readonly message: string
  readonly range: TextRange
  readonly related?: { readonly message: string; readonly range: TextRange }
}

/** The deepest nesting that a spec may have. */
const maxDepth = 64
/** The most nodes that aliases may add. Without a limit, a few lines could become a billion nodes. */
const maxAliasedNodes = 10_000

type NodeEvent = Exclude<Event, { readonly type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>

/** The place of a node in the text: for a collection, its first character. */
export function rangeOf(event: Event): TextRange {
  switch (event.type) {
    case EVENT_ID.SCALAR: {
      if (event.valueStart === -1) return [0, 0]
      const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
      return isQuoted ? [event.valueStart - 1, event.valueEnd + 1] : [event.valueStart, event.valueEnd]
    }
    case EVENT_ID.ALIAS:
      return [event.anchorStart - 1, event.anchorEnd]
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return [event.start, event.start + 1]
    default:
      return [0, 0]
  }
}

/** The text of a scalar that names a member; undefined for a key that is empty or no scalar. */
export function keyText(text: string, event: Event | undefined): string | undefined {
  if (event?.type !== EVENT_ID.SCALAR) return undefined
  const key = getScalarValue(text, event)
  return event.style === SCALAR_STYLE.PLAIN && event.tagStart === -1 && coreScalar(key) === null ? undefined : key
}

/**
 * Builds the plain data of one YAML document. Parts with a problem are left out.
 *
 * @param text the text that the events refer to
 * @param events those of the document's content
 * @returns undefined when a limit is exceeded
 */
export function yamlData(text: string, events: readonly Event[], report: (problem: YamlProblem) => void): unknown {
  /** The event of each anchored node, by the name of its anchor. */
  const anchors = new Map<string, number>()
  /** The events of the nodes that are being built. */
  const open = new Set<number>()
  let next = 0
  let aliased = 0
  let aliasDepth = 0
  let isStopped = false

  const stop = (code: string, message: string, event: Event): void => {
    isStopped = true
    report({ code, message, range: rangeOf(event) })
  }

  const skipNode = (): void => {
    let depth = 0
    do {
      const type = events[next++]?.type
      if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth++
      else if (type === EVENT_ID.POP) depth--
    } while (depth > 0)
  }

  const build = (depth: number): unknown => {
    const index = next
    const event = events[next]
    if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return undefined
    if (aliasDepth > 0 && ++aliased > maxAliasedNodes) {
      const message = `The aliases of this document expand to more than ${maxAliasedNodes} nodes. Write the nodes out, or use fewer aliases.`
      stop('yaml/too-many-aliases', message, event)
      return undefined
    }
    if (depth > maxDepth) {
      stop('yaml/too-deep', tooDeep, event)
      return undefined
    }
    if (event.type === EVENT_ID.ALIAS) {
      next++
      return aliasedData(text.slice(event.anchorStart, event.anchorEnd), event, depth)
    }
    addAnchor(event, index)
    const tag = tagOf(event)
    if (!isKnownTag(tag, event)) {
      report({ code: 'yaml/tag', message: `The tag "${tag}" is unknown. Remove it.`, range: rangeOf(event) })
      skipNode()
      return null
    }
    next++
    open.add(index)
    const data =
      event.type === EVENT_ID.SCALAR
        ? scalarData(event, tag)
        : event.type === EVENT_ID.SEQUENCE
          ? sequenceData(depth)
          : mappingData(depth)
    open.delete(index)
    return data
  }

  const addAnchor = ({ anchorStart, anchorEnd }: NodeEvent, index: number): void => {
    // A node that an alias repeats keeps its anchors.
    if (anchorStart !== -1 && aliasDepth === 0) anchors.set(text.slice(anchorStart, anchorEnd), index)
  }

  const tagOf = (event: Exclude<NodeEvent, { readonly type: typeof EVENT_ID.ALIAS }>): string =>
    event.tagStart === -1 ? '' : text.slice(event.tagStart, event.tagEnd)

  const scalarData = (event: Extract<Event, { readonly type: typeof EVENT_ID.SCALAR }>, tag: string): unknown => {
    const value = getScalarValue(text, event)
    if (tag === '') return event.style === SCALAR_STYLE.PLAIN ? coreScalar(value) : value
    const typed = /str>?$/.test(tag) ? value : coreScalar(value)
    const type = /float>?$|int>?$/.test(tag) ? 'number' : /bool>?$/.test(tag) ? 'boolean' : 'string'
    if (/null>?$/.test(tag) ? typed === null : typeof typed === type) return typed
    const message = `"${value}" is not a value of the tag "${tag}". Remove the tag, or change the value.`
    report({ code: 'yaml/tag', message, range: rangeOf(event) })
    return null
  }

  const sequenceData = (depth: number): unknown => {
    const items: unknown[] = []
    while (!isStopped && events[next]?.type !== EVENT_ID.POP) items.push(build(depth + 1))
    next++
    return items
  }

  const mappingData = (depth: number): unknown => {
    const data: Record<string, unknown> = Object.create(null)
    const keys = new Map<string, Event>()
    while (!isStopped) {
      const event = events[next]
      if (event === undefined || event.type === EVENT_ID.POP) break
      if (event.type === EVENT_ID.SCALAR) addAnchor(event, next)
      skipNode()
      const key = keyText(text, event)
      const problem = keyProblem(key, event, keys)
      if (problem === undefined && key !== undefined) {
        keys.set(key, event)
        data[key] = build(depth + 1)
      } else {
        if (problem) report(problem)
        skipNode()
      }
    }
    next++
    return data
  }

  const keyProblem = (
    key: string | undefined,
    event: Event,
    keys: ReadonlyMap<string, Event>,
  ): YamlProblem | undefined => {
    const value = events[next]
    const isEmpty = event.type === EVENT_ID.SCALAR && event.valueStart === -1
    const range = rangeOf(isEmpty && value !== undefined ? value : event)
    if (key === undefined) {
      return {
        code: 'yaml/key-not-text',
        message: 'A key must be text. This key is empty, a list or a mapping.',
        range,
      }
    }
    if (key === '__proto__') {
      const message = 'The name "__proto__" is reserved in JavaScript. Choose another name.'
      return { code: 'yaml/reserved-key', message, range }
    }
    if (key === '<<') {
      return { code: 'yaml/merge-key', message: 'YAML 1.2 has no merge keys. Write the keys out.', range }
    }
    const first = keys.get(key)
    if (first === undefined) return undefined
    const message = `The key "${key}" is already there. Remove one of the two, or rename it.`
    return {
      code: 'yaml/duplicate-key',
      message,
      range,
      related: { message: 'first written here', range: rangeOf(first) },
    }
  }

  const aliasedData = (name: string, event: Event, depth: number): unknown => {
    const target = anchors.get(name)
    if (target === undefined) {
      const message = `There is no anchor "&${name}" before this alias.`
      report({ code: 'yaml/unknown-anchor', message, range: rangeOf(event) })
      return null
    }
    if (open.has(target)) {
      const message = `The alias "*${name}" is inside its own anchor. Remove it.`
      report({ code: 'yaml/recursive-alias', message, range: rangeOf(event) })
      return null
    }
    const after = next
    next = target
    aliasDepth++
    const data = build(depth)
    aliasDepth--
    next = after
    return data
  }

  const data = build(0)
  return isStopped ? undefined : data
}

export const tooDeep = `Nested more than ${maxDepth} levels deep, which is the limit.`

const knownTags: ReadonlyMap<Event['type'], RegExp> = new Map<Event['type'], RegExp>([
  [EVENT_ID.SCALAR, /^(?:!!|!<tag:yaml\.org,2002:)(?:str|int|float|bool|null)>?$/],
  [EVENT_ID.SEQUENCE, /^(?:!!|!<tag:yaml\.org,2002:)seq>?$/],
  [EVENT_ID.MAPPING, /^(?:!!|!<tag:yaml\.org,2002:)map>?$/],
])

const isKnownTag = (tag: string, { type }: Event): boolean => tag === '' || (knownTags.get(type)?.test(tag) ?? false)
