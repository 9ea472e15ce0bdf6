/** Lines kept, removed or added, in order: how one text becomes another. */
export interface LineEdit {
  readonly kind: 'keep' | 'remove' | 'add'
  readonly line: string
}

/** Above so many differences the search for the shortest edit stops: memory grows with their square. */
const mostDifferences = 1_500

/**
 * The shortest edit that turns one list of lines into another; when they share too little, what lies between their
 * common start and end is replaced whole.
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

/** Furthest positions by diagonal, one snapshot a difference, walked back from the end. */
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
