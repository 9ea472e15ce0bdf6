/** Any list may be read so far. */
const fewestPages = 20

/**
 * How many pages of one list may be read: a share of the requests that are left, since it may have no end.
 *
 * @param share from 0 to 1
 */
export function pageLimit(requestsLeft: number, share: number): number {
  return Math.max(fewestPages, Math.ceil(requestsLeft * share))
}
