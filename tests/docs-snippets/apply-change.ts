/**
 * Applies a block of a page that shows a change: lines that begin with a blank are there, with `-` are taken away, with `+`
 * are added. Throws where the lines are not in the file, or more than once: nobody could tell where the change belongs.
 */
export function applyChange(text: string, change: string): string {
  const lines = change.split('\n')
  const linesOf = (marks: string): string =>
    lines
      .filter(line => marks.includes(line[0] ?? ' '))
      .map(line => `${line.slice(1)}\n`)
      .join('')
  const before = linesOf(' -')
  const places = text.split(before).length - 1
  if (places !== 1) throw new Error(`The file has these lines ${places} times:\n${before}`)
  return text.replace(before, () => linesOf(' +'))
}
