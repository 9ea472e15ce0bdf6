import type { OpenChoice } from '../../spec/language/index.js'

/** The name under which a choice that nobody may make is reported, as the rules are by theirs. */
export function choiceRuleId({ name }: Pick<OpenChoice, 'name'>): string {
  return `choice-${name}`
}
