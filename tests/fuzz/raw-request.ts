/** A request as it goes over the wire, sound or not. */
export interface RawRequest {
  readonly bytes: Buffer
  readonly method: string
  /**
   * `refused`: malformed by its making, so that an error is due; `harmless`: perhaps sound, and if so nothing but a
   * question.
   */
  readonly expected: 'refused' | 'harmless'
  /** Whether nothing can follow on the same connection: where its message ends is not certain. */
  readonly last: boolean
}

/** What a request is made of. */
export interface RequestParts {
  readonly method?: string
  /** Behind `/v1.0`, written as it is; what is not ASCII goes out as UTF-8. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly expected?: RawRequest['expected']
}

export const token = 'let-me-in'
export const serviceRoot = '/v1.0'

/** A request with a credential, and with JSON for a body unless its headers say otherwise; refused unless told otherwise. */
export function rawRequest({
  method = 'GET',
  path,
  headers = {},
  body,
  expected = 'refused',
}: RequestParts): RawRequest {
  const content = typeof body === 'string' ? Buffer.from(body) : body
  const fields: Record<string, string> = { host: 'service.test', authorization: `Bearer ${token}` }
  if (content !== undefined) {
    fields['content-type'] = 'application/json'
    fields['content-length'] = String(content.length)
  }
  Object.assign(fields, headers)
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  // A blank would end the target, and turn the rest into a version of HTTP: that is for another family of requests.
  const target = (serviceRoot + path).replaceAll(/[\0- \x7f]/g, encodeURIComponent)
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return { bytes: content === undefined ? head : Buffer.concat([head, content]), method, expected, last: false }
}

/** A message that may be no HTTP at all; nothing comes after it. */
export function rawMessage(bytes: Buffer, expected: RawRequest['expected'] = 'refused'): RawRequest {
  const [method = ''] = bytes.subarray(0, 20).toString('latin1').split(' ')
  return { bytes, method, expected, last: true }
}
