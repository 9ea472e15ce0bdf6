import { createReadStream } from 'node:fs'

/** A line that is longer is no item of data. */
const longestLine = 64 * 1024 * 1024

/**
 * The lines of a file in UTF-8, without holding more than one of them.
 *
 * @throws TypeError when it is not UTF-8, RangeError when a line is too long, and what the file system throws
 */
export async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > longestLine) throw new RangeError('A line is too long.')
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
