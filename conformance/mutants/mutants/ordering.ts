import { environmentOf } from '../service/evaluate/environment.js'
import { evaluate } from '../service/evaluate/evaluate.js'
import { ServiceCrash } from '../service/service-crash.js'
import { byCodePoint } from '../service/value/text.js'
import type { Value } from '../service/value/value.js'
import type { Entity } from '../service/world/entity.js'
import { type Mutant, mutantsOf } from './mutant.js'

const mutant = mutantsOf('ordering')

const isText = (value: Value): value is string => typeof value === 'string'

/** Faults of `$orderby`. */
export const orderingMutants: readonly Mutant[] = [
  mutant('orderby-ignored', '$orderby has no effect.', () => ({ order: rows => rows })),
  mutant('desc-ignored', 'desc has no effect.', correct => ({
    sort: (left, right, item, at) => correct.sort(left, right, { ...item, direction: 'asc' }, at),
  })),
  mutant('asc-as-desc', 'The first key sorts the other way round.', correct => ({
    sort: (left, right, item, at) =>
      item === at.options.orderby?.[0]
        ? correct.sort(left, right, { ...item, direction: item.direction === 'asc' ? 'desc' : 'asc' }, at)
        : correct.sort(left, right, item, at),
  })),
  mutant('desc-of-first-for-all', 'The direction of the first key holds for all.', correct => ({
    sort: (left, right, item, at) =>
      correct.sort(left, right, { ...item, direction: at.options.orderby?.[0]?.direction ?? item.direction }, at),
  })),
  mutant('desc-of-last-for-all', 'The direction of the last key holds for all.', correct => ({
    sort: (left, right, item, at) =>
      correct.sort(left, right, { ...item, direction: at.options.orderby?.at(-1)?.direction ?? item.direction }, at),
  })),
  mutant('second-key-ignored', 'Keys after the first have no effect.', correct => ({
    order: (rows, keys, at) => correct.order(rows, keys.slice(0, 1), at),
  })),
  mutant('last-key-first', 'The last key decides first.', correct => ({
    order: (rows, keys, at) => correct.order(rows, [...keys].reverse(), at),
  })),
  mutant('nulls-left-out', 'Rows whose key is null are left out.', correct => ({
    order: (rows, keys, at) =>
      correct.order(
        rows.filter(row => keys.every(key => key.value(row) !== null)),
        keys,
        at,
      ),
  })),
  mutant('orderby-ignored-with-filter', '$orderby has no effect together with $filter.', correct => ({
    order: (rows, keys, at) => correct.order(rows, at.options.filter === undefined ? keys : [], at),
  })),
  mutant('desc-lost-with-top', 'desc has no effect together with $top.', correct => ({
    sort: (left, right, item, at) =>
      correct.sort(left, right, at.options.top === undefined ? item : { ...item, direction: 'asc' }, at),
  })),
  mutant('page-sorted-alone', 'Each page is sorted by itself, after it was cut.', correct => ({
    order: rows => rows,
    page: (rows, at) => {
      const page = correct.page(rows, at)
      const keys = (at.options.orderby ?? []).map(item => ({
        item,
        value: (row: Entity) => evaluate(item.expression, environmentOf(row, at)),
      }))
      return { ...page, rows: correct.order(page.rows, keys, at) }
    },
  })),
  mutant('numbers-sort-as-text', 'Numbers sort as texts.', correct => ({
    sort: (left, right, item, at) =>
      typeof left === 'number' && typeof right === 'number'
        ? correct.sort(byCodePoint(String(left), String(right)), 0, item, at)
        : correct.sort(left, right, item, at),
  })),
  mutant('timestamps-sort-by-day', 'Timestamps sort by their day only.', correct => ({
    sort: (left, right, item, at) => correct.sort(dayOf(left), dayOf(right), item, at),
  })),
  mutant('nulls-move-with-type', 'Nulls come first among texts and last among everything else.', correct => ({
    sort: (left, right, item, at) => {
      if (left === right || (left !== null && right !== null)) return correct.sort(left, right, item, at)
      return (left === null ? -1 : 1) * (isText(left ?? right) ? 1 : -1)
    },
  })),
  mutant('booleans-unsorted', 'A key that is true or false has no effect.', correct => ({
    sort: (left, right, item, at) => {
      const isTruth = typeof left === 'boolean' || typeof right === 'boolean'
      return isTruth ? 0 : correct.sort(left, right, item, at)
    },
  })),
  mutant('paths-unsorted', 'A key inside a complex value has no effect.', correct => ({
    sort: (left, right, item, at) =>
      item.expression.kind === 'path' && item.expression.segments.length > 1 ? 0 : correct.sort(left, right, item, at),
  })),
  mutant('orderby-by-first-letter', 'Texts sort by their first letter only.', correct => ({
    sort: (left, right, item, at) =>
      correct.sort(isText(left) ? left.slice(0, 1) : left, isText(right) ? right.slice(0, 1) : right, item, at),
  })),
  mutant('two-keys-crash', 'Two keys end in an internal error.', () => ({
    understand: options => {
      if ((options.orderby?.length ?? 0) > 1) throw new ServiceCrash()
      return options
    },
  })),
  mutant('first-rows-sorted', 'Only the first twenty rows are sorted.', correct => ({
    order: (rows, keys, at) => [...correct.order(rows.slice(0, 20), keys, at), ...rows.slice(20)],
  })),
]

function dayOf(value: Value): Value {
  if (typeof value !== 'object' || value?.kind !== 'instant') return value
  const day = 86_400_000_000_000n
  return { ...value, nanos: value.nanos - (value.nanos % day) }
}
