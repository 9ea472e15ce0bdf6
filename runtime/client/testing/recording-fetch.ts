import type { Fetch, HttpRequest } from '../connection.js'

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: HttpRequest['body']
}

/** A `fetch` that records requests and returns the given responses in turn. */
interface RecordingFetch {
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

export const errorResponse = (status: number, error: object): Response => Response.json({ error }, { status })
