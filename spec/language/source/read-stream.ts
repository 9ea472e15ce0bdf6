import { decodeText, longestText, type ReadFault, readFault } from './read-text.js'

/** The text that a stream of UTF-8 has up to its end, or what keeps it from being read. */
export async function readStream(chunks: AsyncIterable<Uint8Array>): Promise<string | ReadFault> {
  const read: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > longestText) {
        return { code: 'file/too-long', message: `At most ${longestText / 1024 / 1024} MB are read; there are more.` }
      }
      read.push(chunk)
    }
  } catch (error) {
    return readFault(error)
  }
  return decodeText(Buffer.concat(read))
}
