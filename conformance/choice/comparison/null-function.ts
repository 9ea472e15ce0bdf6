import { call, not } from '../../query/build.js'
import { nullProbes } from './null-probes.js'
import type { Probing } from './probe.js'

/** `not startswith(p,v)` where p is null: with two values the row is there. */
export const nullFunction: Probing = {
  choice: 'nullFunction',
  *probes(field) {
    if (!field.grammar.has('not')) return
    const name = ['startswith', 'endswith', 'contains'].find(field.grammar.has)
    if (name === undefined) return
    const isOfUse = (type: string, allows: (construct: string) => boolean): boolean =>
      type === 'Edm.String' && allows(name)
    yield* nullProbes(field, isOfUse, (term, value) => not(call(name, term, value)))
  },
}
