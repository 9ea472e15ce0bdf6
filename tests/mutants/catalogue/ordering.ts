import type { OrderbyItem } from '../../../runtime/query/index.js'
import { environmentOf } from '../service/behaviour.js'
import { byCodePoint } from '../service/comparison.js'
import { evaluate } from '../service/evaluate.js'
import { ServiceCrash } from '../service/service.js'
import type { Entity } from '../service/store.js'
import type { Value } from '../service/values.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('ordering')

const isText = (value: Value): value is string => typeof value === 'string'

/** Faults of `$orderby`. */
export const orderingMutants: readonly Mutant[] = [
  mutant('orderby-ignored', '$orderby has no effect.', () => ({ sortRows: rows => rows })),
  mutant('desc-ignored', 'desc has no effect.', correct => ({
    compareSortValues: (left, right, item, at) =>
      correct.compareSortValues(left, right, { ...item, direction: 'asc' }, at),
  })),
  mutant('asc-as-desc', 'The direction of the first key is inverted.', correct => ({
    compareSortValues: (left, right, item, at) =>
      item === at.options.orderby?.[0]
        ? correct.compareSortValues(left, right, { ...item, direction: item.direction === 'asc' ? 'desc' : 'asc' }, at)
        : correct.compareSortValues(left, right, item, at),
  })),
  mutant('desc-of-first-for-all', 'The direction of the first key applies to all keys.', correct => ({
    compareSortValues: (left, right, item, at) =>
      correct.compareSortValues(
        left,
        right,
        { ...item, direction: at.options.orderby?.[0]?.direction ?? item.direction },
        at,
      ),
  })),
  mutant('desc-of-last-for-all', 'The direction of the last key applies to all keys.', correct => ({
    compareSortValues: (left, right, item, at) =>
      correct.compareSortValues(
        left,
        right,
        { ...item, direction: at.options.orderby?.at(-1)?.direction ?? item.direction },
        at,
      ),
  })),
  mutant('second-key-ignored', 'Keys after the first have no effect.', correct => ({
    sortRows: (rows, keys, at) => correct.sortRows(rows, keys.slice(0, 1), at),
  })),
  mutant('third-key-ignored', 'Keys after the second have no effect.', correct => ({
    sortRows: (rows, keys, at) => correct.sortRows(rows, keys.slice(0, 2), at),
  })),
  mutant('orderby-ignored-with-search', '$orderby has no effect together with $search.', correct => ({
    sortRows: (rows, keys, at) => correct.sortRows(rows, at.options.search === undefined ? keys : [], at),
  })),
  mutant('orderby-ignored-with-count', '$orderby has no effect together with $count.', correct => ({
    sortRows: (rows, keys, at) => correct.sortRows(rows, at.options.count === true ? [] : keys, at),
  })),
  mutant('orderby-ignored-with-expand', '$orderby has no effect together with $expand.', correct => ({
    sortRows: (rows, keys, at) => correct.sortRows(rows, at.options.expand === undefined ? keys : [], at),
  })),
  mutant('order-lost-if-not-selected', '$orderby has no effect on properties that are not selected.', correct => ({
    sortRows: (rows, keys, at) => {
      const selected = at.options.select?.map(({ path }) => path[0])
      const isSelected = ({ expression }: OrderbyItem): boolean =>
        expression.kind !== 'path' ||
        selected?.some(name => JSON.stringify(expression.segments[0]).includes(`"${name}"`)) !== false
      return correct.sortRows(
        rows,
        keys.filter(({ item }) => isSelected(item)),
        at,
      )
    },
  })),
  mutant('last-key-first', 'The last key decides first.', correct => ({
    sortRows: (rows, keys, at) => correct.sortRows(rows, [...keys].reverse(), at),
  })),
  mutant('nulls-left-out', 'Rows whose sort key is null are omitted.', correct => ({
    sortRows: (rows, keys, at) =>
      correct.sortRows(
        rows.filter(row => keys.every(key => key.value(row) !== null)),
        keys,
        at,
      ),
  })),
  mutant('orderby-ignored-with-filter', '$orderby has no effect together with $filter.', correct => ({
    sortRows: (rows, keys, at) => correct.sortRows(rows, at.options.filter === undefined ? keys : [], at),
  })),
  mutant('desc-lost-with-top', 'desc has no effect together with $top.', correct => ({
    compareSortValues: (left, right, item, at) =>
      correct.compareSortValues(left, right, at.options.top === undefined ? item : { ...item, direction: 'asc' }, at),
  })),
  mutant('page-sorted-alone', 'Each page is sorted after it was cut.', correct => ({
    sortRows: rows => rows,
    page: (rows, at) => {
      const page = correct.page(rows, at)
      const keys = (at.options.orderby ?? []).map(item => ({
        item,
        value: (row: Entity) => evaluate(item.expression, environmentOf(row, at)),
      }))
      return { ...page, rows: correct.sortRows(page.rows, keys, at) }
    },
  })),
  mutant('numbers-sort-as-text', 'Numbers sort as strings.', correct => ({
    compareSortValues: (left, right, item, at) =>
      typeof left === 'number' && typeof right === 'number'
        ? correct.compareSortValues(byCodePoint(String(left), String(right)), 0, item, at)
        : correct.compareSortValues(left, right, item, at),
  })),
  mutant('timestamps-sort-by-day', 'Timestamps sort by their day only.', correct => ({
    compareSortValues: (left, right, item, at) => correct.compareSortValues(dayOf(left), dayOf(right), item, at),
  })),
  mutant(
    'timestamps-sort-as-text',
    'Timestamps sort as the text that shows them, without zeros at its end.',
    correct => ({
      compareSortValues: (left, right, item, at) =>
        correct.compareSortValues(shownTimestamp(left), shownTimestamp(right), item, at),
    }),
  ),
  mutant('nulls-move-with-type', 'Nulls sort first for strings and last for other types.', correct => ({
    compareSortValues: (left, right, item, at) => {
      if (left === right || (left !== null && right !== null)) return correct.compareSortValues(left, right, item, at)
      return (left === null ? -1 : 1) * (isText(left ?? right) ? 1 : -1)
    },
  })),
  mutant('booleans-unsorted', 'A Boolean key has no effect.', correct => ({
    compareSortValues: (left, right, item, at) => {
      const isTruth = typeof left === 'boolean' || typeof right === 'boolean'
      return isTruth ? 0 : correct.compareSortValues(left, right, item, at)
    },
  })),
  mutant('paths-unsorted', 'A key inside a complex value has no effect.', correct => ({
    compareSortValues: (left, right, item, at) =>
      item.expression.kind === 'path' && item.expression.segments.length > 1
        ? 0
        : correct.compareSortValues(left, right, item, at),
  })),
  mutant('orderby-by-first-letter', 'Strings sort by their first letter only.', correct => ({
    compareSortValues: (left, right, item, at) =>
      correct.compareSortValues(
        isText(left) ? left.slice(0, 1) : left,
        isText(right) ? right.slice(0, 1) : right,
        item,
        at,
      ),
  })),
  mutant('two-keys-crash', 'Two sort keys cause an internal error.', () => ({
    interpret: options => {
      if ((options.orderby?.length ?? 0) > 1) throw new ServiceCrash()
      return options
    },
  })),
  mutant('first-rows-sorted', 'Only the first twenty rows are sorted.', correct => ({
    sortRows: (rows, keys, at) => [...correct.sortRows(rows.slice(0, 20), keys, at), ...rows.slice(20)],
  })),
]

function shownTimestamp(value: Value): Value {
  if (typeof value !== 'object' || value?.kind !== 'instant') return value
  return new Date(Number(value.nanos / 1_000_000n)).toISOString().replace(/\.?0*Z$/, 'Z')
}

function dayOf(value: Value): Value {
  if (typeof value !== 'object' || value?.kind !== 'instant') return value
  const day = 86_400_000_000_000n
  return { ...value, nanos: value.nanos - (value.nanos % day) }
}
