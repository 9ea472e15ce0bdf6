import type { Expression } from '../../runtime/query/index.js'
import { binary, call, not, nullLiteral, pathTo, stringLiteral } from '../probes/expressions.js'
import { literalOf, observedValues, valueAt } from '../probes/observed-values.js'
import type { ChoiceProbe, ProbeContext, RowProbe } from './row-probes.js'

/**
 * `p ne v` and `not (p eq v)` where `p` is null: two-valued logic returns the row, three-valued logic does not. A
 * service that treats the two differently is inconsistent.
 */
export const nullEquality: ChoiceProbe = {
  choice: 'nullEquality',
  inconsistency: 'eq and ne must treat null with the same logic',
  features: ['filter.eq', 'filter.ne', 'null'],
  *probes(context) {
    if (!context.grammar.has('not')) return
    yield* nullProbes(
      context,
      (_type, allows) => allows('eq'),
      (term, value) => not(binary('eq', term, value)),
    )
  },
  alternative: context =>
    nullProbes(
      context,
      (_type, allows) => allows('ne'),
      (term, value) => binary('ne', term, value),
    ),
}

/** Probes on rows in which a property is null. They compare the property with a value from another row. */
function* nullProbes(
  context: ProbeContext,
  isOfUse: (type: string, allows: (construct: string) => boolean) => boolean,
  ask: (term: Expression, value: Expression) => Expression,
): Generator<RowProbe> {
  const { rows } = context.snapshot
  const usable = context.terms.filter(({ type, allows, path }) => path.length === 1 && isOfUse(type, allows))
  for (let round = 0; round < 6; round++) {
    for (const { path, type } of usable) {
      const [value] = observedValues(rows, path)
      const literal = value === undefined ? undefined : literalOf(type, value, context.session)
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

/** `not (p gt v)` where `p` is null: two-valued logic returns the row. */
export const nullRelational: ChoiceProbe = {
  choice: 'nullRelational',
  *probes(context) {
    if (!context.grammar.has('not')) return
    const isOfUse = (type: string, allows: (construct: string) => boolean): boolean =>
      allows('gt') && orderedTypes.has(type)
    yield* nullProbes(context, isOfUse, (term, value) => not(binary('gt', term, value)))
  },
}

const orderedTypes: ReadonlySet<string> = new Set([
  ...['Edm.String', 'Edm.DateTimeOffset', 'Edm.Date', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal'],
])

/** `not startswith(p,v)` where `p` is null: two-valued logic returns the row. */
export const nullFunction: ChoiceProbe = {
  choice: 'nullFunction',
  *probes(context) {
    if (!context.grammar.has('not')) return
    const name = ['startswith', 'endswith', 'contains'].find(context.grammar.has)
    if (name === undefined) return
    const isOfUse = (type: string, allows: (construct: string) => boolean): boolean =>
      type === 'Edm.String' && allows(name)
    yield* nullProbes(context, isOfUse, (term, value) => not(call(name, term, value)))
  },
}

/**
 * `p eq ''` where `p` is null, and `p ne ''` where it is a text. Databases that store empty texts as null treat the literal as
 * null: the first finds the row, or the second, with three-valued logic, does not.
 */
export const emptyString: ChoiceProbe = {
  choice: 'emptyString',
  *probes({ terms, snapshot }) {
    for (const { path, type, allows } of terms) {
      if (type !== 'Edm.String') continue
      const of = (operator: 'eq' | 'ne'): Expression => binary(operator, pathTo(path), stringLiteral(''))
      const empty = snapshot.rows.find(each => isShownNull(each, path))
      const full = snapshot.rows.find(each => isFullText(valueAt(each, path)))
      if (empty !== undefined && allows('eq')) {
        yield { row: empty, predicate: of('eq'), valueIfPresent: 'null', valueIfAbsent: 'distinct' }
      }
      if (full !== undefined && allows('ne')) {
        yield { row: full, predicate: of('ne'), valueIfPresent: 'distinct', valueIfAbsent: 'null' }
      }
    }
  },
}

function isFullText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** `p eq null` where a row omits `p` although it was selected. */
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
