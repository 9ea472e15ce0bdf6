const context = 3
const noNewline = '\\ No newline at end of file\n'

/**
 * A unified diff of two texts, ending in a newline; empty if they are equal.
 *
 * @param from name of the old file, `/dev/null` if there is none
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

/** How many lines of one side precede each edit, and the end. */
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

/** Lines kept, removed or added, in order: how one text becomes another. */
interface LineEdit {
  readonly kind: 'keep' | 'remove' | 'add'
  readonly line: string
}

/** The search for the shortest edit stops at this many differences, because memory grows with their square. */
const mostDifferences = 1_500

/**
 * The shortest edit that turns one list of lines into another; if they share too little, everything between their
 * common start and end is replaced.
 *
 * @see Myers, "An O(ND) Difference Algorithm and Its Variations", 1986
 */
export function lineEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const oldMiddle = before.slice(start, before.length - end)
  const newMiddle = after.slice(start, after.length - end)
  return [
    ...before.slice(0, start).map(keep),
    ...(shortestEdit(oldMiddle, newMiddle) ?? [...oldMiddle.map(remove), ...newMiddle.map(add)]),
    ...before.slice(before.length - end).map(keep),
  ]
}

const keep = (line: string): LineEdit => ({ kind: 'keep', line })
const remove = (line: string): LineEdit => ({ kind: 'remove', line })
const add = (line: string): LineEdit => ({ kind: 'add', line })

/** Furthest positions by diagonal, one snapshot for each difference, followed back from the end. */
function shortestEdit(before: readonly string[], after: readonly string[]): readonly LineEdit[] | undefined {
  const bound = Math.min(before.length + after.length, mostDifferences)
  const furthest = new Int32Array(2 * bound + 3)
  const at = (diagonal: number): number => furthest[diagonal + bound + 1] ?? 0
  const snapshots: Int32Array[] = []
  for (let differences = 0; differences <= bound; differences++) {
    snapshots.push(furthest.slice(bound + 1 - differences - 1, bound + 1 + differences + 2))
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const down = diagonal === -differences || (diagonal !== differences && at(diagonal - 1) < at(diagonal + 1))
      let x = down ? at(diagonal + 1) : at(diagonal - 1) + 1
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++
      furthest[diagonal + bound + 1] = x
      if (x >= before.length && x - diagonal >= after.length) return walkBack(snapshots, before, after)
    }
  }
  return undefined
}

function walkBack(
  snapshots: readonly Int32Array[],
  before: readonly string[],
  after: readonly string[],
): readonly LineEdit[] {
  const edits: LineEdit[] = []
  let x = before.length
  let y = after.length
  for (let differences = snapshots.length - 1; differences >= 0; differences--) {
    const snapshot = snapshots[differences]
    const at = (diagonal: number): number => snapshot?.[diagonal + differences + 1] ?? 0
    const diagonal = x - y
    const down = diagonal === -differences || (diagonal !== differences && at(diagonal - 1) < at(diagonal + 1))
    const fromX = differences === 0 ? 0 : down ? at(diagonal + 1) : at(diagonal - 1)
    const fromY = differences === 0 ? 0 : fromX - (down ? diagonal + 1 : diagonal - 1)
    while (x > fromX && y > fromY) {
      edits.push(keep(before[--x] ?? ''))
      y--
    }
    if (y > fromY) edits.push(add(after[--y] ?? ''))
    else if (x > fromX) edits.push(remove(before[--x] ?? ''))
  }
  return edits.reverse()
}
