import type { IncomingMessage } from 'node:http'
import type { IncomingAnswer } from './sender.js'
import { unpacked } from './unpacked.js'

const utf8 = new TextDecoder()

/** Reads an answer to its end, or until its body is longer than allowed. */
export async function readMessage(incoming: IncomingMessage, bodyLimit: number): Promise<IncomingAnswer> {
  const headers = headersOf(incoming.rawHeaders)
  const answer = (text: string | undefined): IncomingAnswer => ({ status: incoming.statusCode ?? 0, headers, text })
  const body = await bytesOf(incoming, bodyLimit)
  const plain = body && (await unpacked(body, headers['content-encoding'], bodyLimit))
  return answer(plain && utf8.decode(plain))
}

function bytesOf(incoming: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      incoming.destroy()
      resolve(undefined)
    })
    incoming.on('end', () => resolve(Buffer.concat(chunks)))
    incoming.on('error', reject)
  })
}

function headersOf(raw: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    const before = headers.get(name)
    const value = raw[index + 1] ?? ''
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}
