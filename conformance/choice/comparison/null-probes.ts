import type { Expression } from '../../../runtime/query/index.js'
import { pathTo } from '../../query/build.js'
import { literalOf } from '../../query/literal-of.js'
import { observed } from '../../query/observed.js'
import { valueAt } from '../../query/value-at.js'
import type { Probe, ProbeField } from './probe.js'

/** Probes by rows on which a property is null, asked for by its comparison with a value of another row. */
export function* nullProbes(
  field: ProbeField,
  isOfUse: (type: string, allows: (construct: string) => boolean) => boolean,
  ask: (term: Expression, value: Expression) => Expression,
): Generator<Probe> {
  const { rows } = field.snapshot
  const usable = field.terms.filter(({ type, allows, path }) => path.length === 1 && isOfUse(type, allows))
  for (let round = 0; round < 6; round++) {
    for (const { path, type } of usable) {
      const [value] = observed(rows, path)
      const literal = value === undefined ? undefined : literalOf(type, value, field.session)
      const row = rows.filter(each => isShownNull(each, path))[round]
      if (literal === undefined || row === undefined) continue
      yield { row, predicate: ask(pathTo(path), literal), present: 'twoValued', absent: 'threeValued' }
    }
  }
}

function isShownNull(row: object, path: readonly string[]): boolean {
  const [name] = path
  return name !== undefined && Object.hasOwn(row, name) && valueAt(row, path) === null
}
