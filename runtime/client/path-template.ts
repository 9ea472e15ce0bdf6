import { unexpected } from './unexpected.js'

/** Makes the path of an operation from its leading arguments; how many it takes, its `length` says. */
export type PathTemplate = (...keys: readonly unknown[]) => string

/**
 * A key as a path segment, percent-encoded. Throws a `TypeError` for what cannot be one: empty text would address the
 * whole collection, and dots are steps of the path.
 */
export const segment = (key: unknown): string => {
  const text = `${key ?? ''}`
  return /^\.{0,2}$/.test(text) ? unexpected('a key', key) : encodeURIComponent(text)
}
