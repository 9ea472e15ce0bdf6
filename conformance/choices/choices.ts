import type { OpenChoice, Service } from '../../spec/language/index.js'

/** What the suite has learned about one open choice. */
export interface LearnedChoice {
  readonly choice: OpenChoice
  /** Absent if nothing decided it, or the service did both. */
  readonly value?: string | number
  /** One sentence per observation: the request, and what the response showed. */
  readonly evidence: readonly string[]
  /** Why there is no value. */
  readonly undecided?: string
}

/** The choices of the service under test. */
export interface Choices {
  /** The learned value, or the only legal one. Absent if it is unknown or the spec has no such choice. */
  readonly get: (name: string) => string | number | undefined
  readonly all: () => readonly LearnedChoice[]
  /** Increases with everything learned. Whatever is derived from the choices is valid for one revision. */
  readonly revision?: () => number
}

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
      service.open.map(choice => learned.get(choice.name) ?? { choice, evidence: [], undecided: 'not tested' }),
  }
}

/** The values that a choice may have: the learned one, or all legal ones. */
interface PermittedValues {
  /** Whether the service may use this value, as far as the suite knows. */
  readonly includes: (value: string) => boolean
  /** Whether the service is known to use this value and no other. */
  readonly isOnly: (value: string) => boolean
}

/**
 * The permitted values of a choice.
 *
 * @param otherwise the value for specs that do not mention the choice
 */
export function permittedValues(
  { choices, service }: { readonly choices: Choices; readonly service: Service },
  name: string,
  otherwise: string,
): PermittedValues {
  const declared = service.open.find(choice => choice.name === name)
  const learned = choices.get(name)
  const values =
    learned !== undefined ? [String(learned)] : declared === undefined ? [otherwise] : declared.legal.map(String)
  return { includes: value => values.includes(value), isOnly: value => values.length === 1 && values[0] === value }
}

/** The rule id under which an illegal choice is reported. */
export function choiceRuleId({ name }: Pick<OpenChoice, 'name'>): string {
  return `choice-${name}`
}
