/** An answer of the service that is killed, or none. */
export interface Answer {
  readonly status: number
  readonly json: unknown
}

/**
 * Sends a request. Undefined: the service was killed meanwhile, or said with 503 that its database was, so that nobody
 * knows whether the request took effect.
 *
 * @throws Error for any other error of the service
 */
export async function exchange(
  url: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | undefined> {
  let status: number
  let text: string
  try {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url, { method, headers: { ...type, ...headers }, ...sent })
    status = response.status
    text = await response.text()
  } catch (error) {
    // This is how `fetch` tells of a connection that was refused or cut.
    if (error instanceof TypeError) return undefined
    throw error
  }
  if (status === 503) return undefined
  if (status >= 400 && status !== 412) throw new Error(`${method} ${url}: ${status} ${text}`)
  return { status, json: text === '' ? undefined : JSON.parse(text) }
}
