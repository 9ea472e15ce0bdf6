/** An answer as it came over the wire. */
export interface RawResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Reads an answer out of what was received; undefined while it is not whole.
 *
 * @param ended whether nothing more comes
 * @throws Error for what is no answer of HTTP/1.1
 * @see RFC 9112, 6.3 (message body length)
 */
export function readResponse(received: Buffer, method: string, ended: boolean): RawResponse | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...fields] = received.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (Number.isNaN(status)) throw new Error(`This is no status line: ${first}`)
  const rest = received.subarray(end + 4)
  // An interim answer, such as 100 (Continue), comes before the one that counts.
  if (status < 200) return readResponse(rest, method, ended)
  const headers = new Map<string, string>()
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers.set(field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim())
  }
  const body = bodyOf(rest, headers, method === 'HEAD' || status === 204 || status === 304, ended)
  return body === undefined ? undefined : { status, headers, body: body.toString('utf8') }
}

function bodyOf(rest: Buffer, headers: ReadonlyMap<string, string>, none: boolean, ended: boolean): Buffer | undefined {
  if (none) return Buffer.alloc(0)
  const length = headers.get('content-length')
  if (length !== undefined) return rest.length < Number(length) ? undefined : rest.subarray(0, Number(length))
  if (headers.get('transfer-encoding') === 'chunked') return dechunked(rest)
  return ended ? rest : undefined
}

function dechunked(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let position = 0; ; ) {
    const line = rest.indexOf('\r\n', position)
    if (line < 0) return undefined
    const size = Number.parseInt(rest.subarray(position, line).toString('latin1'), 16)
    const end = line + 2 + size + 2
    if (rest.length < end) return undefined
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(line + 2, line + 2 + size))
    position = end
  }
}
