import type { Expression } from '../../runtime/query/index.js'
import { binary, call, not, nullLiteral, pathTo } from '../probes/expressions.js'
import { literalOf, observedValues, valueAt } from '../probes/observed-values.js'
import type { ChoiceProbe, ProbeContext, RowProbe } from './row-probes.js'

/**
 * `p ne v` and `not (p eq v)` where p is null: with two values the row is there, with three it is not. Who answers one of
 * them one way and the other the other way has made no choice.
 */
export const nullEquality: ChoiceProbe = {
  choice: 'nullEquality',
  inconsistency: 'eq and ne between null and a value must go by one logic, whichever it is',
  features: ['filter.eq', 'filter.ne', 'null'],
  *probes(field) {
    if (!field.grammar.has('not')) return
    yield* nullProbes(
      field,
      (_type, allows) => allows('eq'),
      (term, value) => not(binary('eq', term, value)),
    )
  },
  alternative: field =>
    nullProbes(
      field,
      (_type, allows) => allows('ne'),
      (term, value) => binary('ne', term, value),
    ),
}

/** Probes by rows on which a property is null, asked for by its comparison with a value of another row. */
function* nullProbes(
  field: ProbeContext,
  isOfUse: (type: string, allows: (construct: string) => boolean) => boolean,
  ask: (term: Expression, value: Expression) => Expression,
): Generator<RowProbe> {
  const { rows } = field.snapshot
  const usable = field.terms.filter(({ type, allows, path }) => path.length === 1 && isOfUse(type, allows))
  for (let round = 0; round < 6; round++) {
    for (const { path, type } of usable) {
      const [value] = observedValues(rows, path)
      const literal = value === undefined ? undefined : literalOf(type, value, field.session)
      const row = rows.filter(each => isShownNull(each, path))[round]
      if (literal === undefined || row === undefined) continue
      yield { row, predicate: ask(pathTo(path), literal), valueIfPresent: 'twoValued', valueIfAbsent: 'threeValued' }
    }
  }
}

function isShownNull(row: object, path: readonly string[]): boolean {
  const [name] = path
  return name !== undefined && Object.hasOwn(row, name) && valueAt(row, path) === null
}

/** `not (p gt v)` where p is null: with two values the row is there. */
export const nullRelational: ChoiceProbe = {
  choice: 'nullRelational',
  *probes(field) {
    if (!field.grammar.has('not')) return
    const isOfUse = (type: string, allows: (construct: string) => boolean): boolean =>
      allows('gt') && orderedTypes.has(type)
    yield* nullProbes(field, isOfUse, (term, value) => not(binary('gt', term, value)))
  },
}

const orderedTypes: ReadonlySet<string> = new Set([
  ...['Edm.String', 'Edm.DateTimeOffset', 'Edm.Date', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal'],
])

/** `not startswith(p,v)` where p is null: with two values the row is there. */
export const nullFunction: ChoiceProbe = {
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

/** `p eq null` where p is the empty string. */
export const emptyString: ChoiceProbe = {
  choice: 'emptyString',
  *probes({ terms, snapshot }) {
    for (const { path, type } of terms) {
      if (type !== 'Edm.String') continue
      for (const row of snapshot.rows.filter(each => valueAt(each, path) === '').slice(0, 2)) {
        yield {
          row,
          predicate: binary('eq', pathTo(path), nullLiteral),
          valueIfPresent: 'null',
          valueIfAbsent: 'distinct',
        }
      }
    }
  },
}

/** `p eq null` where a row does not show p, though it was asked for. */
export const absentProperty: ChoiceProbe = {
  choice: 'absentProperty',
  *probes({ terms, snapshot }) {
    for (const { path } of terms) {
      const [name, ...others] = path
      if (name === undefined || others.length > 0 || !snapshot.properties.has(name)) continue
      for (const row of snapshot.rows.filter(each => !Object.hasOwn(each, name)).slice(0, 2)) {
        yield {
          row,
          predicate: binary('eq', pathTo(path), nullLiteral),
          valueIfPresent: 'null',
          valueIfAbsent: 'distinct',
        }
      }
    }
  },
}
