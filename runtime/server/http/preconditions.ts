/**
 * The request's `If-Match` and `If-None-Match`, read once.
 *
 * @see RFC 9110, 13.1; OData Protocol 4.01, 8.2.4 and 8.2.5
 */
export interface Precondition {
  readonly ifMatch: EntityTags | undefined
  readonly ifNoneMatch: EntityTags | undefined
  /**
   * Whether the item whose tag is `current` may be changed; `undefined`: it has no tag, `null`: there is no such item.
   * Without a condition in the request it always holds.
   */
  readonly holds: (current: string | null | undefined) => boolean
}

/** `*`, or the tags of the list. */
export type EntityTags = '*' | readonly EntityTag[]

/** A request without conditions. */
export const unconditional: Precondition = { ifMatch: undefined, ifNoneMatch: undefined, holds: () => true }

/** Reads both headers; undefined when one of them is malformed. */
export function readPrecondition(ifMatch: string | null, ifNoneMatch: string | null): Precondition | undefined {
  if (ifMatch === null && ifNoneMatch === null) return unconditional
  const match = ifMatch === null ? undefined : parseEntityTags(ifMatch)
  const noneMatch = ifNoneMatch === null ? undefined : parseEntityTags(ifNoneMatch)
  if ((ifMatch !== null && match === undefined) || (ifNoneMatch !== null && noneMatch === undefined)) return undefined
  return {
    ifMatch: match,
    ifNoneMatch: noneMatch,
    holds: current =>
      (match === undefined || includesTag(match, current)) &&
      (noneMatch === undefined || !includesTag(noneMatch, current)),
  }
}

/**
 * Whether the tags name the current one. The comparison is weak: OData's tags change with every change of the item, and
 * its services hand out weak ones, which a strong comparison would never match.
 */
export function includesTag(tags: EntityTags, current: string | null | undefined): boolean {
  if (current === null) return false
  if (tags === '*') return true
  if (current === undefined) return false
  const opaque = current.startsWith('W/') ? current.slice(2) : current
  return tags.some(tag => tag.opaque === opaque)
}

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
