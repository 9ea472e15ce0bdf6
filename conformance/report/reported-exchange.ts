import type { Answer } from '../http/answer.js'
import { curlLine } from './curl-line.js'
import type { ReportedExchange } from './report.js'

/** Letters of a body that a report keeps. */
const longest = 4_000

export function reportedExchange(answer: Answer): ReportedExchange {
  const { request, status, headers, text, json } = answer
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: shortened(request.body) }),
    curl: curlLine(answer),
    status,
    answerHeaders: headers,
    // Of pages in the middle of a long list only what they say is kept.
    answer: shortened(text === '' && json !== undefined ? JSON.stringify(json) : text),
  }
}

function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)} … (${text.length} characters)`
}
