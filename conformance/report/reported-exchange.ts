import type { Answer } from '../http/answer.js'
import { curlLine } from './curl-line.js'
import type { Redact } from './redactor-of.js'
import type { ReportedExchange } from './report.js'

/** Letters of a body that a report keeps. */
const longest = 4_000

/** What was sent and what came, without the secrets: a service may echo them, in a body or in a header. */
export function reportedExchange(answer: Answer, redact: Redact): ReportedExchange {
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
    curl: curlLine({ ask: answer.ask, request }),
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
  return text.length <= longest ? text : `${text.slice(0, longest)} … (${text.length} characters)`
}
