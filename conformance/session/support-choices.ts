import type { LearnedChoice } from '../choice/choices.js'

/** Choices that are learned from what was refused and what was answered, in the course of a run. */
export const supportChoices = ['optionSupport', 'optionCombinations'] as const

/** What was refused, as `supportRecord` tells it. */
export interface Refusals {
  /** Constructs that were refused by themselves, with their endpoints. */
  readonly constructs: readonly string[]
  /** Combinations of constructs that were answered one by one. */
  readonly combinations: readonly string[]
}

/** A learned choice, completed by what was refused. */
export function withSupport(learned: LearnedChoice, { constructs, combinations }: Refusals): LearnedChoice {
  const { choice } = learned
  if (choice.name === 'optionSupport') return told(learned, constructs, 'refused', 'supported')
  if (choice.name === 'optionCombinations') return told(learned, combinations, 'limited', 'all')
  return learned
}

function told({ choice }: LearnedChoice, refused: readonly string[], some: string, none: string): LearnedChoice {
  const witnesses = refused.slice(0, 3).map(text => `${text} was refused`)
  if (refused.length > 0) return { choice, value: some, witnesses }
  return { choice, value: none, witnesses: ['nothing that was asked was refused'] }
}
