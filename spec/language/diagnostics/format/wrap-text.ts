/** Breaks each line of a text at blanks; a word that is longer than a line stays whole. */
export function wrapText(text: string, columns: number): readonly string[] {
  return text.split('\n').flatMap(whole => {
    const lines: string[] = []
    for (const word of whole.split(' ')) {
      const last = lines.at(-1)
      if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
      else lines.push(word)
    }
    return lines
  })
}
