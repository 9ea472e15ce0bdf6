/** A command line up to the cursor: the words before it, and the one that is being written. */
export interface SplitLine {
  readonly before: readonly string[]
  /** Empty behind a blank. */
  readonly current: string
}

/** Splits a command line as POSIX shells do, quotes and backslashes included; what is not expanded stays as it is. */
export function splitLine(line: string): SplitLine {
  const before: string[] = []
  let current = ''
  let quote = ''
  let isWord = false
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? ''
    if (quote !== '' && character === quote) quote = ''
    else if (quote === "'") current += character
    else if (character === '\\' && index + 1 < line.length) {
      index++
      current += line[index] ?? ''
    } else if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (quote === '' && /\s/.test(character)) {
      if (isWord) before.push(current)
      current = ''
      isWord = false
      continue
    } else current += character
    isWord = true
  }
  return { before, current }
}
