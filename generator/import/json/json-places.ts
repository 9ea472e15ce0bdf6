import { pointerTo } from '../../../spec/language/source/pointer.js'

/**
 * Where the members of a JSON text stand, by JSON Pointer: the offset of a member's key, or of an item. The text is gone
 * through when first asked; what is not there has the place of the nearest part that is.
 *
 * @param text well-formed JSON
 */
export function jsonPlaces(text: string): (pointer: string) => number {
  let known: ReadonlyMap<string, number> | undefined
  return pointer => {
    known ??= placesIn(text)
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const place = known.get(pointer.slice(0, end))
      if (place !== undefined) return place
    }
    return known.get('') ?? 0
  }
}

interface OpenPart {
  readonly pointer: string
  /** Of the next item; absent in an object. */
  index: number | undefined
  /** The key that was read last. */
  key: string
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs

function placesIn(text: string): ReadonlyMap<string, number> {
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
