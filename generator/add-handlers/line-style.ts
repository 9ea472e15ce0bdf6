/** How the author of a file ends and indents lines. */
export interface LineStyle {
  readonly lineEnd: '\r\n' | '\n'
  /** One level of indentation. */
  readonly unit: string
}

/** Told from the first line end and the first indented line; two spaces when there is none. */
export function lineStyle(text: string): LineStyle {
  const firstEnd = text.indexOf('\n')
  const lineEnd = firstEnd > 0 && text[firstEnd - 1] === '\r' ? '\r\n' : '\n'
  const indentation = /^(\t| {2,8})(?=[^\s*])/m.exec(text)?.[1] ?? '  '
  return { lineEnd, unit: indentation.startsWith('\t') ? '\t' : indentation }
}
