import type { SourcePlace } from '../diagnostics/diagnostic.js'

/** The text of a spec, the plain data in it, and where in the text each part of the data stands. */
export interface Source {
  /** As it was given. */
  readonly path: string
  /** Without byte order mark; empty when the file could not be read. */
  readonly text: string
  /** Plain data: objects without prototype, arrays, strings, numbers, booleans, null. */
  readonly document: unknown
  /**
   * Where a part of the document stands. A pointer that leads nowhere gets the place of the nearest part that exists.
   *
   * @param pointer a JSON Pointer
   * @param part its key or its value (default)
   */
  readonly at: (pointer: string, part?: 'key' | 'value') => SourcePlace
}
