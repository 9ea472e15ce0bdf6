import type { Entity } from '../world/entity.js'

/** The rows of one page. `next` is what the next link carries; absent on the last page. */
export interface Page {
  readonly rows: readonly Entity[]
  readonly next?: string
}
