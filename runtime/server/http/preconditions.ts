import { RequestFault } from '../errors.js'
import type { Route, RouteKind } from '../service-table.js'
import type { RequestHead } from './message.js'

/**
 * The parsed `If-Match` and `If-None-Match` of a request.
 *
 * @see RFC 9110, 13.1; OData Protocol 4.01, 8.2.4 and 8.2.5
 */
export interface Precondition {
  readonly ifMatch: EntityTags | undefined
  readonly ifNoneMatch: EntityTags | undefined
  /**
   * Whether the item with the entity tag `current` can be changed. `undefined`: the item has no tag. `null`: there is
   * no such item. Always true for a request without conditions.
   */
  readonly holds: (current: string | null | undefined) => boolean
}

/** `*` or a list of entity tags. */
export type EntityTags = '*' | readonly EntityTag[]

/**
 * Reads the preconditions of a request that its route supports. Fails with `malformedEntityTag`, `preconditionRequired` or
 * `preconditionFailed`.
 *
 * @see RFC 9110, 13; RFC 6585, 3 (428)
 */
export function preconditionFor(route: Route, { headers }: RequestHead, hasUpsert = false): Precondition {
  if (route.kind !== 'item' && route.kind !== 'readStream' && !isChange(route.kind)) return unconditional
  const ifMatch = headers.get('if-match')
  const ifNoneMatch = headers.get('if-none-match')
  const precondition = readPrecondition(ifMatch, ifNoneMatch)
  if (precondition === undefined) {
    const header = ifMatch === null ? 'If-None-Match' : 'If-Match'
    throw new RequestFault('malformedEntityTag', {
      target: header,
      values: { reason: `${header} must be * or a list of entity tags, such as W/"1".` },
    })
  }
  if (!isChange(route.kind))
    return route.ifNoneMatch === 'none' ? { ...precondition, ifNoneMatch: undefined } : precondition
  const creates = hasUpsert || route.kind === 'replaceStream'
  if (route.ifMatch === 'required' && ifMatch === null && !(creates && ifNoneMatch !== null))
    throw new RequestFault('preconditionRequired')
  if (route.ifMatch === undefined || route.ifMatch === 'none') return withoutTags(precondition, hasUpsert)
  return precondition
}

/** Items without entity tags match no tag, so a condition on a tag fails. It must not be ignored. */
function withoutTags(precondition: Precondition, hasUpsert: boolean): Precondition {
  if (hasUpsert && (precondition.ifMatch === '*' || precondition.ifNoneMatch === '*')) return precondition
  if (precondition.ifMatch === undefined || precondition.ifMatch === '*') return unconditional
  throw new RequestFault('preconditionFailed', { values: { reason: 'These items have no entity tags.' } })
}

function isChange(kind: RouteKind): boolean {
  return (
    kind === 'update' || kind === 'replace' || kind === 'delete' || kind === 'replaceStream' || kind === 'deleteStream'
  )
}

const unconditional: Precondition = { ifMatch: undefined, ifNoneMatch: undefined, holds: () => true }

/** Parses both headers. Undefined: one of them is malformed. */
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
 * Whether the tags include the current one. The comparison is weak: OData services use weak tags, which never match in
 * a strong comparison, and a tag changes with every change of the item.
 */
export function includesTag(tags: EntityTags, current: string | null | undefined): boolean {
  if (current === null) return false
  if (tags === '*') return true
  if (current === undefined) return false
  const opaque = current.startsWith('W/') ? current.slice(2) : current
  return tags.some(tag => tag.opaque === opaque)
}

/** An entity tag of a header. */
export interface EntityTag {
  readonly weak: boolean
  /** Including the quotes, `"1"`. */
  readonly opaque: string
}

/**
 * Parses the value of `If-Match` or `If-None-Match`: `*` or a list of entity tags. Undefined: it is malformed.
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
