import type { SourcePlace } from '../diagnostics/diagnostic.js'

/** Finds line and column of a stretch of text; the lines are counted when first asked. */
export function lineFinder(text: string): (start: number, end: number) => SourcePlace {
  let starts: number[] | undefined
  const lineStarts = (): number[] => {
    if (starts) return starts
    starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
  return (start, end) => {
    const lines = lineStarts()
    let low = 0
    let high = lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((lines[middle] ?? 0) <= start) low = middle
      else high = middle - 1
    }
    const lineStart = lines[low] ?? 0
    const nextLine = lines[low + 1]
    let lineEnd = nextLine === undefined ? text.length : nextLine - 1
    if (text[lineEnd - 1] === '\r' && lineEnd > lineStart) lineEnd--
    return {
      line: low + 1,
      column: start - lineStart + 1,
      offset: start,
      length: Math.max(0, Math.min(end, lineEnd) - start),
    }
  }
}
