import { COLLECTION_STYLE, EVENT_ID, type Event, SCALAR_STYLE } from 'js-yaml'
import { pointerKeys } from './json-pointer.js'
import { keyText, rangeOf, type TextRange } from './yaml-data.js'

/** A node of a YAML document, and its place. */
interface LocatedNode {
  readonly range: TextRange
  /** It is better marked by its key: a block collection, which starts on a line of its own, or nothing at all. */
  readonly isMarkedByKey: boolean
  readonly members: Map<string, { readonly key: TextRange | undefined; readonly node: LocatedNode }>
}

/**
 * Finds the stretches of text that JSON Pointers lead to.
 *
 * @param text the text that the events refer to
 * @param events those of the document's content
 * @returns for a pointer that leads nowhere, the range of the nearest part that exists
 */
export function yamlLocator(
  text: string,
  events: readonly Event[],
): (pointer: string, part: 'key' | 'value') => TextRange {
  const root = locatedNodes(text, events)
  return (pointer, part) => {
    let node = root
    let key: TextRange | undefined
    for (const step of pointerKeys(pointer)) {
      const member = node.members.get(step)
      if (member === undefined) return key ?? node.range
      key = member.key
      node = member.node
    }
    return part === 'key' || node.isMarkedByKey ? (key ?? node.range) : node.range
  }
}

function locatedNodes(text: string, events: readonly Event[]): LocatedNode {
  const anchors = new Map<string, LocatedNode>()
  let next = 0
  let end = 0

  const locate = (): LocatedNode => {
    const event = events[next++]
    const range = event === undefined ? ([0, 0] as const) : scalarRange(text, event)
    const members: LocatedNode['members'] = new Map()
    if (event?.type === EVENT_ID.ALIAS) {
      end = range[1]
      const target = anchors.get(text.slice(event.anchorStart, event.anchorEnd))
      return { range, isMarkedByKey: false, members: target?.members ?? members }
    }
    if (event?.type === EVENT_ID.SCALAR) {
      const isEmpty = event.valueStart === -1
      if (!isEmpty) end = range[1]
      return anchored(event, { range: isEmpty ? [end, end] : range, isMarkedByKey: isEmpty, members })
    }
    if (event?.type !== EVENT_ID.SEQUENCE && event?.type !== EVENT_ID.MAPPING) {
      return { range, isMarkedByKey: false, members }
    }
    // An anchored collection may hold aliases of itself.
    anchored(event, { range, isMarkedByKey: false, members })
    end = range[1]
    if (event.type === EVENT_ID.SEQUENCE) {
      for (let index = 0; hasMore(); index++) members.set(String(index), { key: undefined, node: locate() })
    } else {
      while (hasMore()) {
        const name = keyText(text, events[next])
        const key = locate().range
        const node = locate()
        if (name !== undefined && !members.has(name)) members.set(name, { key, node })
      }
    }
    next++
    const isFlow = event.style === COLLECTION_STYLE.FLOW
    if (isFlow && /[[{]/.test(text[event.start] ?? '')) end = closingBracket(text, end)
    return { range: [range[0], end], isMarkedByKey: !isFlow, members }
  }

  const hasMore = (): boolean => next < events.length && events[next]?.type !== EVENT_ID.POP

  const anchored = (
    event: { readonly anchorStart: number; readonly anchorEnd: number },
    node: LocatedNode,
  ): LocatedNode => {
    if (event.anchorStart !== -1) anchors.set(text.slice(event.anchorStart, event.anchorEnd), node)
    return node
  }

  return locate()
}

/** A block scalar begins with its header, `>-`, on the line before its text. */
function scalarRange(text: string, event: Event): TextRange {
  const range = rangeOf(event)
  if (event.type !== EVENT_ID.SCALAR) return range
  if (event.style !== SCALAR_STYLE.FOLDED_BLOCK && event.style !== SCALAR_STYLE.LITERAL_BLOCK) return range
  const lineStart = text.lastIndexOf('\n', range[0] - 2) + 1
  const header = /[|>][-+0-9]*[ \t]*(?:#.*)?\r?\n?$/.exec(text.slice(lineStart, range[0]))
  return header === null ? range : [lineStart + header.index, range[1]]
}

/** The end of a flow collection whose last entry ends here. */
function closingBracket(text: string, from: number): number {
  const between = /(?:[\s,:?]|#.*)*/y
  between.lastIndex = from
  between.test(text)
  return between.lastIndex + 1
}
