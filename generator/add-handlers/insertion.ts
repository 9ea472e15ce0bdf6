/** Text to be put at an offset of a file. */
export interface Insertion {
  readonly at: number
  /** Where what follows goes on: what is between is white space that would end up at the end of a line. */
  readonly until?: number
  readonly text: string
}

/** Puts all insertions into a text; all else of it stays as it is. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  // Sorting is stable: of two insertions at one place, the first stays first.
  const ordered = [...insertions].sort((a, b) => a.at - b.at)
  let result = ''
  let from = 0
  for (const { at, until, text: inserted } of ordered) {
    result += text.slice(from, at) + inserted
    from = until ?? at
  }
  return result + text.slice(from)
}
