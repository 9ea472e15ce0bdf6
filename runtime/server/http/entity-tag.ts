/** One entity tag of a header. */
export interface EntityTag {
  readonly weak: boolean
  /** With its quotes, `"1"`. */
  readonly opaque: string
}

/**
 * Reads the value of `If-Match` or `If-None-Match`: `*`, or a list of tags. Undefined when it is neither.
 *
 * @see RFC 9110, 8.8.3 and 13.1.1
 */
export function parseEntityTags(value: string): '*' | readonly EntityTag[] | undefined {
  const text = value.trim()
  if (text === '*') return '*'
  const tags: EntityTag[] = []
  let position = 0
  while (position < text.length) {
    const tag = readTag(text, position)
    if (tag === undefined) return undefined
    tags.push(tag.tag)
    position = skipBlanks(text, tag.end)
    if (position === text.length) break
    if (text[position] !== ',') return undefined
    while (text[position] === ',') position = skipBlanks(text, position + 1)
  }
  return tags.length === 0 ? undefined : tags
}

function readTag(text: string, start: number): { readonly tag: EntityTag; readonly end: number } | undefined {
  const weak = text.startsWith('W/', start)
  const open = weak ? start + 2 : start
  if (text[open] !== '"') return undefined
  const close = text.indexOf('"', open + 1)
  if (close < 0) return undefined
  for (let index = open + 1; index < close; index++) {
    const code = text.charCodeAt(index)
    if (code <= 0x20 || code === 0x7f) return undefined
  }
  return { tag: { weak, opaque: text.slice(open, close + 1) }, end: close + 1 }
}

function skipBlanks(text: string, start: number): number {
  let position = start
  while (text[position] === ' ' || text[position] === '\t') position++
  return position
}
