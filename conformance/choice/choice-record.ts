import type { Service } from '../../spec/language/index.js'
import type { Choices, LearnedChoice } from './choices.js'

/** What was learned so far of a service's choices. */
export interface ChoiceRecord extends Choices {
  readonly learned: (choice: LearnedChoice) => void
}

export function choiceRecord(service: Service): ChoiceRecord {
  const learned = new Map<string, LearnedChoice>()
  const declared = new Map(service.open.map(choice => [choice.name, choice]))
  let revision = 0
  return {
    learned: choice => {
      learned.set(choice.choice.name, choice)
      revision++
    },
    revision: () => revision,
    get: name => {
      const value = learned.get(name)?.value
      if (value !== undefined) return value
      const choice = declared.get(name)
      return choice?.legal.length === 1 ? choice.legal[0] : undefined
    },
    all: () =>
      service.open.map(choice => learned.get(choice.name) ?? { choice, witnesses: [], undecided: 'it was not tried' }),
  }
}
