import type { OpenChoice, Service } from '../../spec/language/index.js'
import type { Session } from '../session/session.js'

/** What was learned of one choice that the spec leaves open. */
export interface LearnedChoice {
  readonly choice: OpenChoice
  /** Absent: nothing decided it, or the service was seen doing both. */
  readonly value?: string | number
  /** What it was seen from, one sentence each: request, and what the answer showed. */
  readonly evidence: readonly string[]
  /** Why there is no value. */
  readonly undecided?: string
}

/** The choices of the service under test. */
export interface Choices {
  /** The value learned, or the only one that is legal; absent when not known. A name that no spec has is never known. */
  readonly get: (name: string) => string | number | undefined
  readonly all: () => readonly LearnedChoice[]
  /** How often something was learned; what is worked out from the choices holds until it was again. */
  readonly revision?: () => number
}

/** What was learned so far of a service's choices. */
export interface ChoiceRecord extends Choices {
  readonly record: (choice: LearnedChoice) => void
}

export function createChoiceRecord(service: Service): ChoiceRecord {
  const learned = new Map<string, LearnedChoice>()
  const declared = new Map(service.open.map(choice => [choice.name, choice]))
  let revision = 0
  return {
    record: choice => {
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
      service.open.map(choice => learned.get(choice.name) ?? { choice, evidence: [], undecided: 'it was not tried' }),
  }
}

/** What a service may do where the spec leaves it open: a value learned, or those that are legal. */
interface PermittedValues {
  /** Whether the service may do so, as far as is known. */
  readonly includes: (value: string) => boolean
  /** Whether it is known to do so and nothing else. */
  readonly isOnly: (value: string) => boolean
}

/**
 * What is known of a choice. A choice that the spec does not mention goes as `otherwise` says.
 *
 * @param otherwise what the language, or OData, has where the spec is silent
 */
export function permittedValues(
  session: Pick<Session, 'choices' | 'service'>,
  name: string,
  otherwise: string,
): PermittedValues {
  const declared = session.service.open.find(choice => choice.name === name)
  const learned = session.choices.get(name)
  const values =
    learned !== undefined ? [String(learned)] : declared === undefined ? [otherwise] : declared.legal.map(String)
  return { includes: value => values.includes(value), isOnly: value => values.length === 1 && values[0] === value }
}

/** The name under which a choice that nobody may make is reported, as the rules are by theirs. */
export function choiceRuleId({ name }: Pick<OpenChoice, 'name'>): string {
  return `choice-${name}`
}
