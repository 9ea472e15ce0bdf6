import { binary, not } from '../../query/build.js'
import { nullProbes } from './null-probes.js'
import type { Probing } from './probe.js'

/** `not (p eq v)` where p is null: with two values the row is there. */
export const nullEquality: Probing = {
  choice: 'nullEquality',
  probes: field =>
    nullProbes(
      field,
      (_type, allows) => allows('eq'),
      (term, value) => (field.grammar.has('not') ? not(binary('eq', term, value)) : binary('ne', term, value)),
    ),
}
