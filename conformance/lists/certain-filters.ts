import type { Expression, Literal } from '../../runtime/query/index.js'
import { predict } from '../oracle/predict.js'
import { pathTo } from '../probes/expressions.js'
import { isWellFormed } from '../probes/observed-values.js'
import type { Session } from '../session/session.js'
import { type LeafProperty, leafProperties, leafValue } from './properties.js'
import type { QuerySite } from './related-items.js'
import { timestampsMayBeFiner } from './sort-order.js'

/** A filter whose result is certain, and how many rows it has. */
interface CertainFilter {
  readonly filter: Expression
  readonly rows: number
}

/**
 * Simple comparisons whose result is the same in every conforming service, those that split the list most evenly first.
 * They are for rules that need some filter and check something else.
 */
export function certainFilters(site: QuerySite, session: Session): readonly CertainFilter[] {
  const snapshot = session.snapshot(site)
  const { support, operators, properties } = site.endpoint.query.filter
  if (snapshot?.complete !== true || support === 'none') return []
  const size = snapshot.byKey.size
  const found: CertainFilter[] = []
  for (const leaf of leafProperties(site.type)) {
    if (leaf.path.length > 1 || Object.hasOwn(properties, leaf.path.join('/'))) continue
    if (leaf.typeName === 'Edm.DateTimeOffset' && timestampsMayBeFiner(session)) continue
    const values = snapshot.rows.map(row => leafValue(row, leaf.path))
    for (const filter of certainComparisons(leaf, values)) {
      if (!Object.hasOwn(operators, filter.operator)) continue
      const { must, may } = predict(filter, snapshot, session)
      if (must.size === may.size && must.size > 0 && must.size < size) found.push({ filter, rows: must.size })
    }
  }
  const evenness = ({ rows }: CertainFilter): number => Math.min(rows, size - rows)
  return found.sort((a, b) => evenness(b) - evenness(a))
}

type Comparison = Extract<Expression, { kind: 'binary' }>

/** Comparisons that split the rows by a property. */
export function certainComparisons(
  { path, typeName }: LeafProperty,
  values: readonly unknown[],
): readonly Comparison[] {
  const left = pathTo(path)
  const present = [...new Set(values.filter(value => value !== null && value !== undefined))]
  const compare = (operator: Comparison['operator'], literal: Literal): Comparison => ({
    kind: 'binary',
    operator,
    left,
    right: literal,
  })
  if (typeName === 'Edm.Boolean') {
    return present.flatMap(value =>
      typeof value === 'boolean' ? [compare('eq', { kind: 'literal', type: 'Boolean', value })] : [],
    )
  }
  const type = literalTypes.get(typeName)
  if (type === undefined) return []
  const texts = present.map(String).sort((a, b) => (type === 'Integer' ? Number(a) - Number(b) : a < b ? -1 : 1))
  const middle = texts[Math.floor(texts.length / 2)]
  if (middle === undefined) return []
  const literal: Literal = { kind: 'literal', type, value: middle }
  return isWellFormed(literal) ? [compare('ge', literal)] : []
}

const literalTypes: ReadonlyMap<string, 'Integer' | 'DateTimeOffset' | 'Date'> = new Map([
  ['Edm.DateTimeOffset', 'DateTimeOffset'],
  ['Edm.Date', 'Date'],
  ['Edm.Byte', 'Integer'],
  ['Edm.Int16', 'Integer'],
  ['Edm.Int32', 'Integer'],
])
