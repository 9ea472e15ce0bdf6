import type { Diagnostic, Problem, SourceLocation } from '../diagnostics/diagnostic.js'

/** The text of a spec, the plain data in it, and the place of each part of the data in the text. */
export interface Source {
  /** As it was given. */
  readonly path: string
  /** Without byte order mark; empty when the file could not be read. */
  readonly text: string
  /** Plain data: objects without prototype, arrays, strings, numbers, booleans, null. */
  readonly document: unknown
  /**
   * The place of a part of the document. A pointer to nothing gets the location of the nearest part that exists.
   *
   * @param pointer a JSON Pointer
   * @param part its key or its value (default)
   */
  readonly at: (pointer: string, part?: 'key' | 'value') => SourceLocation
  /** The file of that place. Absent: everything is in `path`. */
  readonly pathOf?: (pointer: string, part?: 'key' | 'value') => string
  /** The files that the spec includes, without those that cannot be read. */
  readonly included?: readonly { readonly path: string; readonly text: string }[]
  /** The paths of all files that it includes. */
  readonly includedPaths?: readonly string[]
}

/** A source, and its YAML errors. */
export interface SourceResult {
  readonly source: Source
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds the lines and columns of a problem. */
export function locate(problem: Problem, source: Source): Diagnostic {
  const pathOf = source.pathOf ?? (() => source.path)
  const path = pathOf(problem.at, problem.on)
  return {
    severity: problem.severity ?? 'error',
    code: problem.code,
    message: problem.message,
    path,
    location: source.at(problem.at, problem.on),
    related: (problem.related ?? []).map(other => {
      const place = pathOf(other.at, other.on)
      return {
        message: other.message,
        location: source.at(other.at, other.on),
        ...(place === path ? {} : { path: place }),
      }
    }),
    ...(problem.suggestion === undefined ? {} : { suggestion: problem.suggestion }),
  }
}

/** Finds the line and column of a range of text. Counts the lines on first use. */
export function lineIndex(text: string): (start: number, end: number) => SourceLocation {
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
