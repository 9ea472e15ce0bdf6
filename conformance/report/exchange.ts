import { authorizationInShell } from '../http/credentials.js'
import type { TestResponse } from '../http/message.js'
import type { Redact } from './redact.js'
import type { ReportedExchange } from './report.js'

/** Maximum number of characters of a body in a report. */
const maxBodyLength = 4_000

/** An exchange without secrets, which a service may echo in a body or a header. */
export function reportedExchange(response: TestResponse, redact: Redact): ReportedExchange {
  const { status, text, json } = response
  const { method, url, headers, body } = response.request
  const request = {
    method,
    url: redact(url),
    headers: eachOf(headers, redact),
    ...(body === undefined ? {} : { body: redact(body) }),
  }
  return {
    ...request,
    ...(request.body === undefined ? {} : { body: shortened(request.body) }),
    curl: curlLine({ testRequest: response.testRequest, request }),
    status,
    answerHeaders: eachOf(response.headers, redact),
    // Middle pages of a long list keep only their parsed body.
    answer: shortened(redact(text === '' && json !== undefined ? JSON.stringify(json) : text)),
  }
}

function eachOf(headers: Readonly<Record<string, string>>, redact: Redact): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]))
}

function shortened(text: string): string {
  return text.length <= maxBodyLength ? text : `${text.slice(0, maxBodyLength)} … (${text.length} characters)`
}

/** A shell command that sends the same request. The credential is `$TOKEN`. */
function curlLine({ request, testRequest }: Pick<TestResponse, 'request' | 'testRequest'>): string {
  const parts = ['curl', '-i']
  if (request.method === 'HEAD') parts.push('-I')
  else if (request.method !== 'GET') parts.push('-X', request.method)
  const authorization = authorizationInShell(testRequest.credential ?? 'own')
  if (authorization !== undefined) parts.push('-H', authorization)
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
