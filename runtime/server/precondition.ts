import { type EntityTag, parseEntityTags } from './http/entity-tag.js'

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
