import { pointerTo } from '../../../spec/language/index.js'

/**
 * The locations of the members of a JSON text, by JSON Pointer: the offset of a member's key, or of an item. Scans the text on
 * first use. A missing part has the location of the nearest part that exists.
 *
 * @param text well-formed JSON
 */
export function jsonPositions(text: string): (pointer: string) => number {
  let known: ReadonlyMap<string, number> | undefined
  return pointer => {
    known ??= positionsIn(text)
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const place = known.get(pointer.slice(0, end))
      if (place !== undefined) return place
    }
    return known.get('') ?? 0
  }
}

interface OpenPart {
  readonly pointer: string
  /** The index of the next item; absent in an object. */
  index: number | undefined
  /** The key that was read last. */
  key: string
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs

function positionsIn(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const open: OpenPart[] = []
  let isKeyNext = false
  for (const { 0: word, index } of text.matchAll(token)) {
    const part = open.at(-1)
    if (word === ',') {
      if (part?.index !== undefined) part.index++
      else isKeyNext = true
      continue
    }
    if (word === ':') continue
    if (word === '}' || word === ']') {
      open.pop()
      isKeyNext = false
      continue
    }
    if (isKeyNext && part !== undefined && part.index === undefined) {
      part.key = String(JSON.parse(word))
      places.set(pointerTo(part.pointer, part.key), index)
      isKeyNext = false
      continue
    }
    const pointer = part === undefined ? '' : pointerTo(part.pointer, part.index ?? part.key)
    if (!places.has(pointer)) places.set(pointer, index)
    if (word !== '{' && word !== '[') continue
    open.push({ pointer, index: word === '[' ? 0 : undefined, key: '' })
    isKeyNext = word === '{'
  }
  return places
}

/** Deeper than any metadata, and shallow enough for every stack. */
const deepest = 100

/** Members and items: many times those of the largest public service. */
const mostParts = 2_000_000

/** Whether brackets outside strings exceed the limits of nesting or size. */
export function exceedsLimits(text: string): boolean {
  let depth = 0
  let parts = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        isString = !isString
        break
      case 0x5c:
        if (isString) at++
        break
      case 0x5b:
      case 0x7b:
        if (!isString && ++depth > deepest) return true
        break
      case 0x2c:
        if (!isString && ++parts > mostParts) return true
        break
      case 0x5d:
      case 0x7d:
        if (!isString) depth--
        break
    }
  }
  return false
}
