import type { Answer } from '../http/answer.js'

/** An answer in a few words, for `received`: its status and the beginning of its body. */
export function describeAnswer(answer: Answer): string {
  if (answer.trouble !== undefined) return `no answer: ${answer.trouble}`
  const text = answer.text.trim().replaceAll(/\s+/gu, ' ')
  if (text === '') return `status ${answer.status} without a body`
  return `status ${answer.status}: ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`
}
