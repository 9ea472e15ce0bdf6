import type { Condition } from '../../../spec/language/index.js'
import type { Answer } from '../../http/answer.js'
import { errorBodyOf } from '../../rule/refusal.js'

/** Words of so many letters carry a meaning. */
const meaningful = 5

/**
 * Whether an error tells that a header is lacking, in whatever words: it names the header or its value, or has two of the
 * words of the declared message.
 */
export function saysSo(answer: Answer, { header, otherwise }: Condition): boolean {
  const error = errorBodyOf(answer)
  if (error === undefined) return false
  const message = `${error.code} ${error.message}`.toLowerCase()
  if (message.includes(header.name.toLowerCase()) || message.includes(header.value.toLowerCase())) return true
  const words = new Set(otherwise.message.toLowerCase().match(/\p{L}+/gu) ?? [])
  return [...words].filter(word => word.length >= meaningful && message.includes(word)).length >= 2
}
