import type { Lesson } from '../calibrator.js'

/** What one answer showed of a choice, and the sentence that says so. */
export interface Sign {
  readonly value: string
  readonly witness: string
}

/** Enough to be believed. */
const mostWitnesses = 4

/** What signs teach together: a value when all agree. */
export function lessonOf(signs: readonly Sign[], lacking: string): Lesson {
  const values = new Set(signs.map(({ value }) => value))
  const [value] = values
  const witnesses = [...new Set(signs.map(({ witness }) => witness))].slice(0, mostWitnesses)
  if (value === undefined) return { kind: 'undecided', why: lacking }
  if (values.size > 1) return { kind: 'undecided', why: `it was seen doing both: ${[...values].join(', ')}`, witnesses }
  return { kind: 'learned', value, witnesses }
}
