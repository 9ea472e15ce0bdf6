/** Breaks lines between words so that they fit; a longer word stays whole. */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .map(line => wrappedLine(line, width))
    .join('\n')
}

function wrappedLine(line: string, width: number): string {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  lines.push(current)
  return lines.join('\n')
}
