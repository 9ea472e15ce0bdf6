import { binary, not } from '../../query/build.js'
import { nullProbes } from './null-probes.js'
import type { Probing } from './probe.js'

/**
 * `p ne v` and `not (p eq v)` where p is null: with two values the row is there, with three it is not. Who answers one of
 * them one way and the other the other way has made no choice.
 */
export const nullEquality: Probing = {
  choice: 'nullEquality',
  isOneOf: 'eq and ne between null and a value must go by one logic, whichever it is',
  features: ['filter.eq', 'filter.ne', 'null'],
  *probes(field) {
    if (!field.grammar.has('not')) return
    yield* nullProbes(
      field,
      (_type, allows) => allows('eq'),
      (term, value) => not(binary('eq', term, value)),
    )
  },
  also: field =>
    nullProbes(
      field,
      (_type, allows) => allows('ne'),
      (term, value) => binary('ne', term, value),
    ),
}
