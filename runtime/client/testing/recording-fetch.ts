import type { Fetch, HttpRequest } from '../connection.js'

/** One request as it was sent. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A `fetch` that remembers what was sent and gives the answers in turn; a function is called with the URL. */
export interface RecordingFetch {
  readonly fetch: Fetch
  readonly sent: readonly SentRequest[]
}

type CannedResponse = Response | Error | ((url: string, request: HttpRequest) => Response)

export const recordingFetch = (...answers: readonly CannedResponse[]): RecordingFetch => {
  const sent: SentRequest[] = []
  return {
    sent,
    fetch: async (url, request) => {
      const answer = answers[sent.length] ?? Response.json({ value: [] })
      sent.push({ method: request.method, url, headers: Object.fromEntries(request.headers), body: request.body })
      if (answer instanceof Error) throw answer
      return typeof answer === 'function' ? answer(url, request) : answer
    },
  }
}

/** An error answer as a service gives it. */
export const errorResponse = (status: number, error: object): Response => Response.json({ error }, { status })
