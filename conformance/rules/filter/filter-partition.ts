import type { Expression } from '../../../runtime/query/index.js'
import type { Snapshot } from '../../discover/site.js'
import { not } from '../../probes/expressions.js'
import { valuesAt } from '../../probes/observed-values.js'
import { filterRelation } from '../../rule/filter-relation.js'
import { constructsOf } from '../../rule/query-request.js'

export const filterPartition = filterRelation({
  id: 'filter-partition',
  statement: 'No row matches both `P` and `not P`. A row matches neither only if `P` reads a null.',
  advice:
    'Look at how `not` handles comparisons and functions. A row without nulls must match exactly one of the two filters.',
  aspects: ['filter.logical', 'filter.comparison'],
  covers: ['filter.not'],
  severity: 'must',
  cost: 2,
  weight: 2,
  conditions: 1,
  isSupported: ({ has }) => has('not'),
  filters: ([p]) => p && [p, not(p)],
  compare: ([yes, no], snapshot) => {
    if (yes === undefined || no === undefined) return undefined
    const surplus = [...yes.keys].filter(key => no.keys.has(key))
    if (surplus.length > 0) return { message: 'Rows matched both `P` and `not P`.', missing: [], surplus }
    if (!snapshot.complete) return undefined
    const missing = [...snapshot.byKey.keys()].filter(
      key => !yes.keys.has(key) && !no.keys.has(key) && readsNoNull(yes.filter, key, snapshot),
    )
    return missing.length === 0
      ? undefined
      : { message: 'Rows matched neither `P` nor `not P`, although P reads no null.', missing, surplus }
  },
})

/** Whether a condition reads no null on a row. Unknown for collections. */
export function readsNoNull(filter: Expression, key: string, { byKey, properties }: Snapshot): boolean {
  const row = byKey.get(key)
  const paths = constructsOf({ filter }).flatMap(each =>
    each.startsWith('filter:') ? [each.slice('filter:'.length)] : [],
  )
  if (row === undefined || filter.kind === 'lambda' || paths.some(path => path.includes('$') || path.includes('*')))
    return false
  return paths.every(path => {
    const [value] = valuesAt([row], path.split('/'))
    return value !== null && value !== undefined && value !== '' && properties.has(path.split('/')[0] ?? '')
  })
}
