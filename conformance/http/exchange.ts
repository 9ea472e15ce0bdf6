import type { Trouble } from './answer.js'
import { jsonOf } from './json-of.js'
import type { SentRequest } from './request-of.js'
import type { IncomingAnswer, Sending } from './sender.js'
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
export function exchange(sent: SentRequest, options: ExchangeOptions): Promise<Received> {
  const { target, secret, bodyLimit, signal } = options
  return new Promise(resolve => {
    let underway: Sending | undefined
    let ended = false
    const end = (received: Received): void => {
      ended = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', interrupt)
      resolve(received)
    }
    // A function in the same process may not heed that it is given up.
    const giveUp = (trouble: Trouble): void => {
      end({ trouble })
      underway?.cancel()
    }
    const interrupt = (): void => giveUp('interrupted')
    const timer = setTimeout(() => giveUp('timeout'), options.timeout)
    signal?.addEventListener('abort', interrupt, { once: true })
    const send = (url: string): Promise<IncomingAnswer> => {
      if (ended) throw new Error('It was given up.')
      const { method, headers, body } = sent
      underway = target.send({ method, url, headers: { ...headers, ...secret }, body }, bodyLimit)
      return underway.answer
    }
    follow(sent, target, send).then(end, error => end({ trouble: 'unreachable', detail: reasonOf(error) }))
  })
}

/** What the network said: the innermost cause, `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return 'code' in error ? String(error.code) : error.message
}

async function follow(
  sent: SentRequest,
  target: Target,
  send: (url: string) => Promise<IncomingAnswer>,
): Promise<Received> {
  let url = sent.url
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await send(url)
    const next = nextAddress(answer, url, sent.method, target)
    if (next === undefined) return received(answer)
    url = next
  }
  return { trouble: 'tooManyRedirects' }
}

function nextAddress(
  { status, headers: { location } }: IncomingAnswer,
  url: string,
  method: string,
  { origin }: Target,
): string | undefined {
  if (location === undefined || !redirects.has(status) || !['GET', 'HEAD'].includes(method)) return undefined
  if (!URL.canParse(location, url)) return undefined
  const next = new URL(location, url)
  return next.origin === origin ? next.href : undefined
}

function received({ status, headers, text }: IncomingAnswer): Received {
  if (text === undefined) return { trouble: 'tooLarge' }
  const json = jsonOf(text)
  return { status, headers, text, ...(json === undefined ? {} : { json }) }
}
