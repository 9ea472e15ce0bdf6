import { isObject } from '../service/json.js'
import { startOf } from '../service/reads.js'
import { matchingRows } from '../service/rows.js'
import { ServiceCrash } from '../service/service.js'
import type { Entity } from '../service/store.js'
import { changeList, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('top-skip-count')
const libraryMutant = mutantsIn('top-skip-count', 'library')

const shortPage = 8

/** Faults of `$top`, `$skip`, `$count` and the path `/$count`. */
export const topSkipCountMutants: readonly Mutant[] = [
  mutant('top-ignored', '$top has no effect.', () => ({ interpret: ({ top: _, ...options }) => options })),
  mutant('top-gives-one-more', 'A page has one item more than $top.', () => ({
    interpret: options =>
      options.top === undefined || options.top === 0 ? options : { ...options, top: options.top + 1 },
  })),
  libraryMutant('top-gives-one-less', 'A list has one item less than $top.', () => ({
    interpret: options =>
      options.top === undefined || options.top < 2 ? options : { ...options, top: options.top - 1 },
  })),
  mutant('top-ignored-with-filter', '$top has no effect together with $filter.', () => ({
    interpret: options => {
      const { top: _, ...others } = options
      return options.filter === undefined ? options : others
    },
  })),
  mutant('top-before-order-with-filter', '$top cuts a filtered list before it is sorted.', correct => ({
    sortRows: (rows, keys, at) => {
      const { filter, top } = at.options
      if (filter === undefined || top === undefined) return correct.sortRows(rows, keys, at)
      return [...correct.sortRows(rows.slice(0, top), keys, at), ...rows.slice(top)]
    },
  })),
  mutant('skip-ignored', '$skip has no effect.', () => ({ interpret: ({ skip: _, ...options }) => options })),
  mutant('skip-ignored-with-count', '$skip has no effect together with $count.', () => ({
    interpret: options => {
      const { skip: _, ...others } = options
      return options.count === true ? others : options
    },
  })),
  mutant('skip-beyond-the-end-is-404', '$skip beyond the end of a list gets 404.', correct => ({
    reply: (reply, at) => {
      const done = correct.reply(reply, at)
      const rows = isObject(done.json) ? done.json['value'] : undefined
      const isBeyond = at.request.query.includes('skip=') && Array.isArray(rows) && rows.length === 0
      return isBeyond ? correct.error(at.service.faults.itemNotFound, 'No such page.', at) : done
    },
  })),
  mutant('count-misses-new-items', 'The count of a list without a filter does not include new items.', correct => {
    const created = new Set<Entity>()
    return {
      commit: (change, at) => {
        if (change.kind === 'create') created.add(change.entity)
        correct.commit(change, at)
      },
      count: (matching, page, at) =>
        correct.count(at.options.filter === undefined ? matching.filter(row => !created.has(row)) : matching, page, at),
    }
  }),
  mutant('skip-leaves-one', '$skip skips one item too few.', () => ({
    interpret: options => (options.skip === undefined ? options : { ...options, skip: Math.max(0, options.skip - 1) }),
  })),
  mutant('skip-ignored-with-order', '$skip has no effect together with $orderby.', () => ({
    interpret: options => {
      const { skip: _, ...others } = options
      return options.orderby === undefined ? options : others
    },
  })),
  mutant('skip-ignored-with-filter-and-top', '$skip has no effect together with $filter and $top.', () => ({
    interpret: options => {
      const { skip: _, ...others } = options
      return options.filter === undefined || options.top === undefined ? options : others
    },
  })),
  mutant('skip-ignored-with-search', '$skip has no effect together with $search.', () => ({
    interpret: options => {
      const { skip: _, ...others } = options
      return options.search === undefined ? options : others
    },
  })),
  mutant('top-ignored-with-search', '$top has no effect together with $search.', () => ({
    interpret: options => {
      const { top: _, ...others } = options
      return options.search === undefined ? options : others
    },
  })),
  mutant('skip-needs-top', '$skip has no effect without $top.', () => ({
    interpret: options => {
      const { skip: _, ...others } = options
      return options.top === undefined ? others : options
    },
  })),
  mutant('skip-before-order', '$skip is applied before sorting.', correct => ({
    sortRows: (rows, keys, at) =>
      correct.sortRows(startOf(at) === undefined ? rows.slice(at.options.skip ?? 0) : rows, keys, at),
    page: (rows, at) => {
      const { skip: _, ...options } = at.options
      return correct.page(rows, { ...at, options })
    },
  })),
  mutant('skip-ignored-with-filter-and-order', '$skip has no effect together with $filter and $orderby.', () => ({
    interpret: options => {
      const { skip: _, ...others } = options
      return options.filter === undefined || options.orderby === undefined ? options : others
    },
  })),
  libraryMutant('top-before-skip', '$top is applied before $skip.', () => ({
    interpret: options =>
      options.top === undefined || options.skip === undefined
        ? options
        : { ...options, top: Math.max(0, options.top - options.skip) },
  })),
  mutant('count-is-page-length', '@odata.count is the number of items on the page.', correct => ({
    count: (matching, page, at) => (correct.count(matching, page, at) === undefined ? undefined : page.length),
  })),
  mutant('count-ignores-filter', '@odata.count ignores $filter.', correct => ({
    count: (matching, page, at) => {
      const all = at.target.kind === 'many' ? at.target.rows.length : 0
      return correct.count(matching, page, at) === undefined
        ? undefined
        : at.options.filter === undefined
          ? matching.length
          : all
    },
  })),
  mutant('count-without-skipped', '@odata.count does not count skipped items.', correct => ({
    count: (matching, page, at) => {
      const count = correct.count(matching, page, at)
      return typeof count === 'number' ? Math.max(0, count - (at.options.skip ?? 0)) : count
    },
  })),
  mutant('count-one-too-many', '@odata.count is one too many.', correct => ({
    count: (matching, page, at) => {
      const count = correct.count(matching, page, at)
      return typeof count === 'number' ? count + 1 : count
    },
  })),
  mutant('count-is-text', '@odata.count is a string.', correct => ({
    count: (matching, page, at) => {
      const count = correct.count(matching, page, at)
      return count === undefined ? undefined : String(count)
    },
  })),
  mutant('count-false-counts', '$count=false returns @odata.count.', correct => ({
    count: (matching, page, at) => (at.options.count === false ? matching.length : correct.count(matching, page, at)),
  })),
  mutant('count-missing', '@odata.count is always missing.', () => ({ count: () => undefined })),
  mutant('count-missing-with-filter', '@odata.count is missing if there is a $filter.', correct => ({
    count: (matching, page, at) => (at.options.filter === undefined ? correct.count(matching, page, at) : undefined),
  })),
  mutant('count-under-another-name', 'The count is named `count`.', () =>
    changeList(({ '@odata.count': count, ...body }) => (count === undefined ? body : { ...body, count })),
  ),
  mutant('count-grows-with-expand', 'With $expand, @odata.count counts joined rows.', correct => ({
    count: (matching, page, at) => {
      const count = correct.count(matching, page, at)
      return typeof count === 'number' && at.options.expand !== undefined ? count * 2 : count
    },
  })),
  mutant('count-zero-with-top-zero', 'With $top=0, @odata.count is 0.', correct => ({
    count: (matching, page, at) => {
      const count = correct.count(matching, page, at)
      return at.options.top === 0 && count !== undefined ? 0 : count
    },
  })),
  mutant('count-with-top-crashes', '$count together with $top causes an internal error.', () => ({
    interpret: options => {
      if (options.count === true && options.top !== undefined) throw new ServiceCrash()
      return options
    },
  })),
  mutant('count-varies', '@odata.count changes from request to request.', correct => ({
    count: (matching, page, at) => {
      const count = correct.count(matching, page, at)
      return typeof count === 'number' ? count + (at.number % 2) : count
    },
  })),
  mutant('count-of-none-absent', '@odata.count is absent if nothing matches.', correct => ({
    count: (matching, page, at) => (matching.length === 0 ? undefined : correct.count(matching, page, at)),
  })),
  mutant('count-of-the-rest', '@odata.count of a later page counts the remaining items.', correct => ({
    count: (matching, page, at) => {
      const count = correct.count(matching, page, at)
      return typeof count === 'number' ? count - (startOf(at) ?? 0) : count
    },
  })),
  mutant('count-path-of-none-empty', 'The count path returns nothing instead of 0.', correct => ({
    reply: (reply, at) =>
      at.endpoint?.kind === 'count' && reply.status === 200 && reply.text === '0'
        ? { status: 204, headers: {} }
        : correct.reply(reply, at),
  })),
  mutant('count-path-ignores-filter', 'The count path ignores $filter.', () => ({
    countPath: (_matching, all) => all.length,
  })),
  mutant('count-path-one-less', 'The count path counts one item too few.', () => ({
    countPath: matching => Math.max(0, matching.length - 1),
  })),
  mutant('count-path-in-envelope', 'The count path returns an object.', correct => ({
    reply: (reply, at) =>
      at.endpoint?.kind === 'count' && reply.status === 200 && reply.text !== undefined
        ? { status: 200, headers: {}, json: { count: Number(reply.text) } }
        : correct.reply(reply, at),
  })),
  libraryMutant('count-ignores-search', '@odata.count ignores $search.', correct => ({
    count: (matching, page, at) => {
      const { search: _, ...options } = at.options
      if (correct.count(matching, page, at) === undefined || at.target.kind !== 'many') return undefined
      return matchingRows(at.target.rows, options, { ...at, options }).length
    },
  })),
  mutant('next-pages-forget-top', 'Pages after the first go on beyond $top.', correct => ({
    page: (rows, at) => {
      const { top, skip = 0, skiptoken } = at.options
      if (top === undefined) return correct.page(rows, at)
      const start = startOf(at) ?? skip
      const end = start + (skiptoken === undefined ? Math.min(top, shortPage) : shortPage)
      const goesOn = end < rows.length && (skiptoken !== undefined || top > shortPage)
      return { rows: rows.slice(start, end), ...(goesOn ? { next: String(end) } : {}) }
    },
  })),
]
