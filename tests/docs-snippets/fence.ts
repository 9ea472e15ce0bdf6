/** A fenced block of a page, and what holds it. */
export interface Fence {
  /** The page, relative to the repository. */
  readonly page: string
  /** The line of its opening fence, from 1. */
  readonly line: number
  /** What stands behind the backticks; empty when nothing does. */
  readonly language: string
  readonly text: string
  readonly check: Check
}

/**
 * How a block is checked, from the comment before it, or from the page's own rule for the language:
 *
 *     <!-- check: compiles          this block
 *     <!-- check every ts: runs     all further blocks of the language on this page
 *
 * The further lines of the comment are text that completes the block and is not shown.
 */
export interface Check {
  /** Its first line, without `check:`; undefined where there is no comment: the default of the language. */
  readonly words: string | undefined
  readonly hidden: string
}
