import type { Expression } from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { isTrue, lawsOf, truthOn } from '../../semantics/index.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Arguments } from './arguments.js'
import { boundFilter } from './bound-filter.js'
import type { QueriedCall } from './queried-call.js'
import type { Related } from './related.js'

/** What a call shows for sure, and what it may show beside: keys, or the values that the operation gives. */
export interface Predicted {
  readonly must: ReadonlySet<string>
  readonly may: ReadonlySet<string>
}

/**
 * What the result shows of the items that the filter lets through.
 *
 * @param keys the items that the operation starts from
 */
export function predicted(
  call: QueriedCall,
  given: Arguments,
  keys: ReadonlySet<string>,
  { rows }: Related,
  session: Session,
): Predicted {
  const { meaning, endpoint } = call
  const filter = meaning.filter === undefined ? undefined : boundFilter(meaning.filter, endpoint.operation, given)
  const evaluate = filter === undefined ? undefined : truthOf(filter, meaning.of.type, rows.values(), session)
  const must = new Set<string>()
  const may = new Set<string>()
  for (const key of keys) {
    const row = rows.get(key)
    const value = row === undefined ? undefined : shownOf(row, call)
    if (row === undefined || value === undefined) {
      // Of an item that was not harvested nothing is known: it may be there or not.
      if (row === undefined) may.add(key)
      continue
    }
    const truth = evaluate === undefined ? isTrue : evaluate(row)
    if (truth & isTrue) may.add(value)
    if (truth === isTrue) must.add(value)
  }
  return { must, may }
}

function truthOf(filter: Expression, type: EntityType, rows: Iterable<Row>, session: Session): (row: Row) => number {
  const properties = new Set([...rows].flatMap(row => Object.keys(row)))
  return truthOn(filter, { laws: lawsOf(session), types: session.types, type: type.name, properties, now: Date.now() })
}

/** What a result lacks, and what it has too much. */
export function gapsOf(
  shown: readonly string[],
  { must, may }: Predicted,
  complete: boolean,
): { readonly missing: readonly string[]; readonly surplus: readonly string[] } {
  const given = new Set(shown)
  return {
    missing: [...must].filter(value => !given.has(value)),
    surplus: complete ? [...given].filter(value => !may.has(value)) : [],
  }
}

function shownOf(row: Row, { meaning }: QueriedCall): string | undefined {
  if (meaning.value === undefined) return keyOf(row, meaning.of.type)
  const value = Object.hasOwn(row, meaning.value.name) ? row[meaning.value.name] : undefined
  return value === undefined || value === null ? undefined : String(value)
}

/** A value of a result as predictions have it. */
export function shownAs(value: unknown, call: QueriedCall): string {
  if (call.meaning.value !== undefined) return String(value)
  return (isRow(value) ? keyOf(value, call.meaning.of.type) : undefined) ?? JSON.stringify(value)
}
