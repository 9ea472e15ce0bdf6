import { binary, not } from '../../query/build.js'
import { nullProbes } from './null-probes.js'
import type { Probing } from './probe.js'

/** `not (p gt v)` where p is null: with two values the row is there. */
export const nullRelational: Probing = {
  choice: 'nullRelational',
  *probes(field) {
    if (!field.grammar.has('not')) return
    const isOfUse = (type: string, allows: (construct: string) => boolean): boolean => allows('gt') && ordered.has(type)
    yield* nullProbes(field, isOfUse, (term, value) => not(binary('gt', term, value)))
  },
}

const ordered: ReadonlySet<string> = new Set([
  ...['Edm.String', 'Edm.DateTimeOffset', 'Edm.Date', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal'],
])
