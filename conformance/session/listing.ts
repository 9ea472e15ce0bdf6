import type { Answer } from '../http/answer.js'
import type { Row } from '../json.js'

/** A list with its pages. */
export interface Listing {
  /** The rows of all pages, in order. */
  readonly rows: readonly Row[]
  readonly pages: readonly Answer[]
  /**
   * `whole`: the last page had no next link. `cut`: the limit was reached. `refused`: the first page was an error answer.
   * `broken`: a later page failed, or a page was no list; the last of `pages` shows it. `endless`: a link came again, or
   * more rows and pages came than there can be. `elsewhere`: a link leads to another host, or is none, and was not followed.
   */
  readonly end: 'whole' | 'cut' | 'refused' | 'broken' | 'endless' | 'elsewhere'
}
