import type { Check } from './check.js'

const normal = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A clause quotes the interface word for word; line breaks and runs of spaces do not count. */
export const clauseQuote: Check = ({ service, report, interfaceText }) => {
  if (interfaceText === undefined) return
  const text = normal(interfaceText)
  for (const { id, quote, location } of service.clauses) {
    if (text.includes(normal(quote))) continue
    const message = `The quote of "${id}" is not in the interface. Copy the sentence word for word.`
    report({ code: 'spec/clause-quote', message, at: `${location.pointer}/quote` })
  }
}
