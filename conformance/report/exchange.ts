import type { TestResponse } from '../http/message.js'
import type { Redact } from './redact.js'
import type { ReportedExchange } from './report.js'

/** Letters of a body that a report keeps. */
const maxBodyLength = 4_000

/** What was sent and what came, without the secrets: a service may echo them, in a body or in a header. */
export function reportedExchange(answer: TestResponse, redact: Redact): ReportedExchange {
  const { status, text, json } = answer
  const { method, url, headers, body } = answer.request
  const request = {
    method,
    url: redact(url),
    headers: eachOf(headers, redact),
    ...(body === undefined ? {} : { body: redact(body) }),
  }
  return {
    ...request,
    ...(request.body === undefined ? {} : { body: shortened(request.body) }),
    curl: curlLine({ testRequest: answer.testRequest, request }),
    status,
    answerHeaders: eachOf(answer.headers, redact),
    // Of pages in the middle of a long list only what they say is kept.
    answer: shortened(redact(text === '' && json !== undefined ? JSON.stringify(json) : text)),
  }
}

/** Whatever the headers are called. */
function eachOf(headers: Readonly<Record<string, string>>, redact: Redact): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]))
}

function shortened(text: string): string {
  return text.length <= maxBodyLength ? text : `${text.slice(0, maxBodyLength)} … (${text.length} characters)`
}

/** A line for a shell that sends the same request; the credential is `$TOKEN`. */
function curlLine({ request, testRequest: ask }: Pick<TestResponse, 'request' | 'testRequest'>): string {
  const parts = ['curl', '-i']
  if (request.method === 'HEAD') parts.push('-I')
  else if (request.method !== 'GET') parts.push('-X', request.method)
  if (ask.credential === undefined || ask.credential === 'own') parts.push('-H', '"Authorization: Bearer $TOKEN"')
  if (ask.credential === 'broken') parts.push('-H', shellQuote('authorization: Bearer not-a-token'))
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'accept') parts.push('-H', shellQuote(`${name}: ${value}`))
  }
  if (request.body !== undefined) parts.push('--data-raw', shellQuote(request.body))
  parts.push(shellQuote(request.url))
  return parts.join(' ')
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
