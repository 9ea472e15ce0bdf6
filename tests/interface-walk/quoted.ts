import type { Service } from '../../spec/language/model/index.js'

/** Whether a clause of that section quotes from the text, or the text lies within its quote. */
export function quoted(service: Service, section: string, text: string): boolean {
  return service.clauses.some(
    ({ ref, quote }) => ref.split(' ')[0] === section && (text.includes(quote) || quote.includes(text)),
  )
}
