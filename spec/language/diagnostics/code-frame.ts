import type { SourceLocation } from './diagnostic.js'
import { type DisplayCell, displayCells } from './terminal-text.js'

/** A line of a source, and the line of carets below it. */
export interface CodeFrame {
  readonly code: string
  readonly carets: string
}

/** The number of characters to look at around the location. A line may have megabytes. */
const window = 600

/** The line in which a location is, cut to a width around the location, with carets under it. */
export function codeFrame(text: string, location: SourceLocation, width: number): CodeFrame {
  const lineStart = location.offset - (location.column - 1)
  const newline = text.indexOf('\n', lineStart)
  const lineEnd = newline === -1 ? text.length : newline
  const from = Math.max(lineStart, location.offset - window)
  const to = Math.min(lineEnd, location.offset + window)
  const cells = displayCells(text.slice(from, to).replace(/\r$/, ''))
  const start = location.offset - from
  const end = start + Math.max(1, location.length)
  const first = indexAt(cells, start)
  const view = cut(cells, first, width, from > lineStart, to < lineEnd)
  const carets = view.cells
    .map(cell => (cell.start >= start && cell.start < end ? '^' : ' ').repeat(cell.width))
    .join('')
    .trimEnd()
  const before = ' '.repeat(view.before.length)
  return {
    code: `${view.before}${view.cells.map(cell => cell.shown).join('')}${view.after}`,
    carets: `${before}${carets === '' ? `${' '.repeat(widthOf(view.cells))}^` : carets}`,
  }
}

function indexAt(cells: readonly DisplayCell[], offset: number): number {
  const after = cells.findIndex(cell => cell.start > offset)
  return Math.max(0, (after === -1 ? cells.length : after) - 1)
}

const widthOf = (cells: readonly DisplayCell[]): number => cells.reduce((sum, cell) => sum + cell.width, 0)

const ellipsis = '…'

interface VisibleCells {
  readonly before: string
  readonly cells: readonly DisplayCell[]
  readonly after: string
}

/** As many cells as fit; when not all do, a third of the room stays before the location. */
function cut(
  cells: readonly DisplayCell[],
  first: number,
  width: number,
  isCutBefore: boolean,
  isCutAfter: boolean,
): VisibleCells {
  if (!isCutBefore && !isCutAfter && widthOf(cells) <= width) return { before: '', cells, after: '' }
  const room = Math.max(10, width - 2)
  let from = first
  for (let used = 0; from > 0; from--) {
    used += cells[from - 1]?.width ?? 0
    if (used > room / 3) break
  }
  let to = from
  for (let used = 0; to < cells.length; to++) {
    used += cells[to]?.width ?? 0
    if (used > room) break
  }
  return {
    before: from > 0 || isCutBefore ? ellipsis : '',
    cells: cells.slice(from, to),
    after: to < cells.length || isCutAfter ? ellipsis : '',
  }
}
