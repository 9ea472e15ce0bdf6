import type { Session } from '../session/session.js'

/** What a service may do where the spec leaves it open: a value learned, or those that are legal. */
export interface OpenTo {
  /** Whether the service may do so, as far as is known. */
  readonly may: (value: string) => boolean
  /** Whether it is known to do so and nothing else. */
  readonly does: (value: string) => boolean
}

/**
 * What is known of a choice. A choice that the spec does not mention goes as `otherwise` says.
 *
 * @param otherwise what the language, or OData, has where the spec is silent
 */
export function openTo(session: Pick<Session, 'choices' | 'service'>, name: string, otherwise: string): OpenTo {
  const declared = session.service.open.find(choice => choice.name === name)
  const learned = session.choices.get(name)
  const values =
    learned !== undefined ? [String(learned)] : declared === undefined ? [otherwise] : declared.legal.map(String)
  return { may: value => values.includes(value), does: value => values.length === 1 && values[0] === value }
}
