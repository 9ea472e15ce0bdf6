import { type LineEdit, lineEdits } from './line-edits.js'

const context = 3
const noNewline = '\\ No newline at end of file\n'

/**
 * A unified diff of two texts, ending in a newline; empty when they are equal.
 *
 * @param from name of the old file, `/dev/null` when there is none
 * @param to name of the new file
 */
export function unifiedDiff(from: string, to: string, before: string, after: string): string {
  if (before === after) return ''
  const edits = lineEdits(linesOf(before), linesOf(after))
  const oldLines = linesBefore(edits, 'add')
  const newLines = linesBefore(edits, 'remove')
  const hunks = hunkRanges(edits).map(([first, last]) => {
    const oldRange = rangeOf(oldLines[first] ?? 0, oldLines[last] ?? 0)
    const newRange = rangeOf(newLines[first] ?? 0, newLines[last] ?? 0)
    return `@@ -${oldRange} +${newRange} @@\n${edits.slice(first, last).map(shownLine).join('')}`
  })
  return `--- ${from}\n+++ ${to}\n${hunks.join('')}`
}

/** Lines with their ends, so that a last line without one differs from one with. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Ranges of edits to show, each change with its context, overlapping ones joined. */
function hunkRanges(edits: readonly LineEdit[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = []
  edits.forEach((edit, index) => {
    if (edit.kind === 'keep') return
    const previous = ranges.at(-1)
    const end = Math.min(edits.length, index + context + 1)
    if (previous !== undefined && index - context <= previous[1]) previous[1] = end
    else ranges.push([Math.max(0, index - context), end])
  })
  return ranges
}

const signs = { keep: ' ', remove: '-', add: '+' } as const

const shownLine = ({ kind, line }: LineEdit): string =>
  signs[kind] + line + (line.endsWith('\n') ? '' : `\n${noNewline}`)

/** How many lines of one side stand before each edit, and before the end. */
function linesBefore(edits: readonly LineEdit[], otherSide: 'add' | 'remove'): readonly number[] {
  const counts = [0]
  let count = 0
  for (const edit of edits) counts.push(edit.kind === otherSide ? count : ++count)
  return counts
}

/** First line and number of lines; a range without lines names the line before it. */
function rangeOf(start: number, end: number): string {
  const length = end - start
  const first = length === 0 ? start : start + 1
  return length === 1 ? `${first}` : `${first},${length}`
}
