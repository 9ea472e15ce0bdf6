import type { OpenChoice } from '../model/service.js'
import { pointerTo } from '../source/json-pointer.js'
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

/** Whether an answer is one of the legal ones, or a status of a legal class: 400 of `4xx`. */
function isLegal({ legal }: OpenChoice, answer: string | number): boolean {
  const text = String(answer)
  return legal.some(each => String(each) === text || (/^[45]\d\d$/.test(text) && String(each) === `${text[0]}xx`))
}

const list = ({ legal }: OpenChoice): string => legal.join(', ')

/** The answer of a service or a profile to an open choice is legal. */
export const openChoices: Check = ({ service, report }) => {
  for (const choice of service.open) {
    if (isLegal(choice, choice.reference)) continue
    const message = `"${choice.reference}" is not among the legal answers: ${list(choice)}.`
    report({ code: 'spec/choice-answer', message, at: `${choice.location.pointer}/reference` })
  }
  for (const profile of service.profiles) {
    for (const { choice, value } of profile.choices) {
      if (isLegal(choice, value)) continue
      const at = pointerTo(profile.location.pointer, choice.name)
      const message = `"${value}" is not among the legal answers to "${choice.name}": ${list(choice)}.`
      const related = [{ message: 'the choice', at: choice.location.pointer, on: 'key' as const }]
      report({ code: 'spec/choice-answer', message, at, related })
    }
  }
  for (const capabilities of service.queryCapabilities) {
    for (const { open, location } of capabilities.requires) {
      if (open === undefined || isLegal(open, 'rejected')) continue
      const message = `The choice "${open.name}" states whether the header is required, so \`rejected\` must be one of its legal answers: ${list(open)}.`
      const related = [{ message: 'the choice', at: open.location.pointer, on: 'key' as const }]
      report({ code: 'spec/condition-choice', message, at: `${location.pointer}/open`, related })
    }
  }
}
