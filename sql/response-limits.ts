import type { ServiceTable } from '../runtime/server/index.js'

/** What one response may contain. */
export interface ResponseLimits {
  /** Bytes of the items of a page, and of the items that `$expand` adds to it. */
  readonly responseBytes: number
  /** Items that `$expand` adds. */
  readonly expandedItems: number
}

export const defaultResponseLimits: ResponseLimits = { responseBytes: 4 * 1024 * 1024, expandedItems: 10_000 }

/** The limits of the service, or the defaults. */
export function responseLimits({ limits }: Pick<ServiceTable, 'limits'>): ResponseLimits {
  return {
    responseBytes: limits.responseBytes ?? defaultResponseLimits.responseBytes,
    expandedItems: limits.expandedItems ?? defaultResponseLimits.expandedItems,
  }
}
