/** Text to be put at an offset of a file. */
export interface Insertion {
  readonly at: number
  readonly text: string
}

/** Puts all insertions into a text; nothing of it is changed or removed. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  // Sorting is stable: of two insertions at one place, the first stays first.
  const ordered = [...insertions].sort((a, b) => a.at - b.at)
  let result = ''
  let from = 0
  for (const { at, text: inserted } of ordered) {
    result += text.slice(from, at) + inserted
    from = at
  }
  return result + text.slice(from)
}
