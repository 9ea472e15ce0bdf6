import type { Trouble } from './answer.js'
import { readBody } from './read-body.js'
import type { SentRequest } from './request-of.js'
import type { Target } from './target.js'

/** What one round trip brought. */
export type Received =
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
      readonly json?: unknown
    }
  | { readonly trouble: Trouble; readonly detail?: string }

export interface ExchangeOptions {
  readonly target: Target
  /** Headers that hold the credential, and others that are not shown. */
  readonly secret: Readonly<Record<string, string>>
  /** Milliseconds until an answer is given up. */
  readonly timeout: number
  /** Bytes of a body that are read at most. */
  readonly bodyLimit: number
  readonly signal?: AbortSignal | undefined
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const maxRedirects = 5

/** Sends one request and reads its answer. Follows redirects of reads within the origin; never takes a credential elsewhere. */
export async function exchange(sent: SentRequest, options: ExchangeOptions): Promise<Received> {
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(), options.timeout)
  const stop = (): void => timer.abort()
  options.signal?.addEventListener('abort', stop, { once: true })
  try {
    // A function in the same process may not heed the signal.
    return await Promise.race([follow(sent, options, timer.signal), aborted(timer.signal)])
  } catch (error) {
    const trouble = troubleOf(timer.signal, options.signal)
    return trouble === 'unreachable' ? { trouble, detail: reasonOf(error) } : { trouble }
  } finally {
    clearTimeout(timeout)
    options.signal?.removeEventListener('abort', stop)
  }
}

function troubleOf(timer: AbortSignal, outer: AbortSignal | undefined): Trouble {
  if (outer?.aborted === true) return 'interrupted'
  return timer.aborted ? 'timeout' : 'unreachable'
}

/** What the network said: the innermost cause, `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return 'code' in error ? String(error.code) : error.message
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
  })
}

async function follow(sent: SentRequest, options: ExchangeOptions, signal: AbortSignal): Promise<Received> {
  let url = sent.url
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await options.target.fetch(
      new Request(url, {
        method: sent.method,
        headers: { ...sent.headers, ...options.secret },
        redirect: 'manual',
        signal,
        ...(sent.body === undefined ? {} : { body: sent.body }),
      }),
    )
    const next = nextAddress(response, url, sent.method, options.target)
    if (next === undefined) return received(response, options.bodyLimit)
    await response.body?.cancel()
    url = next
  }
  return { trouble: 'tooManyRedirects' }
}

function nextAddress(response: Response, url: string, method: string, { origin }: Target): string | undefined {
  const location = response.headers.get('location')
  if (location === null || !redirects.has(response.status) || !['GET', 'HEAD'].includes(method)) return undefined
  if (!URL.canParse(location, url)) return undefined
  const next = new URL(location, url)
  return next.origin === origin ? next.href : undefined
}

async function received(response: Response, limit: number): Promise<Received> {
  const text = await readBody(response, limit)
  if (text === undefined) return { trouble: 'tooLarge' }
  const headers = Object.fromEntries(response.headers)
  const json = parsed(text)
  return { status: response.status, headers, text, ...(json === undefined ? {} : { json }) }
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
