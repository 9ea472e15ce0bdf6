import { constructsOf, printFilter } from '../../../runtime/query/index.js'
import { isObject } from '../service/json.js'
import { cutPage } from '../service/reads.js'
import { ServiceCrash } from '../service/service.js'
import { changeNodes, countNodes, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('filter')
const libraryMutant = mutantsIn('filter', 'library')

/** Faults of lambdas and of whole filters. */
export const filterRowMutants: readonly Mutant[] = [
  mutant('any-as-all', 'any requires every item.', correct => ({
    lambda: (node, items, test, env) => correct.lambda({ ...node, operator: 'all' }, items, test, env),
  })),
  mutant('any-of-first', 'any tests only the first item.', correct => ({
    lambda: (node, items, test, env) => correct.lambda(node, items.slice(0, 1), test, env),
  })),
  mutant('any-of-none', 'any is true for an empty collection.', correct => ({
    lambda: (node, items, test, env) => items.length === 0 || correct.lambda(node, items, test, env),
  })),
  mutant('any-of-none-crashes', 'any of an empty collection causes an internal error.', correct => ({
    lambda: (node, items, test, env) => {
      if (items.length === 0) throw new ServiceCrash()
      return correct.lambda(node, items, test, env)
    },
  })),
  mutant('any-with-or-finds-all', 'An or inside any matches every row.', correct => ({
    lambda: (node, items, test, env) =>
      node.predicate?.kind === 'binary' && node.predicate.operator === 'or'
        ? true
        : correct.lambda(node, items, test, env),
  })),
  mutant('any-takes-the-rest', 'A condition after any is lost.', () =>
    changeNodes(node =>
      node.kind === 'binary' && node.operator === 'and' && node.left.kind === 'lambda' ? node.left : node,
    ),
  ),
  mutant('any-variable-is-x', 'The variable of any must be x.', correct => ({
    reject: (options, at) => {
      const isRefused = options.filter !== undefined && /\(((?!x:)\w+):/.test(printFilter(options.filter))
      return isRefused
        ? { kind: 'refused', error: at.service.faults.unsupportedQueryOption }
        : correct.reject(options, at)
    },
  })),
  mutant('eq-of-first-letters', 'eq compares the first 12 letters only.', () =>
    changeNodes(node => {
      if (node.kind !== 'binary' || node.operator !== 'eq' || node.right.kind !== 'literal') return node
      if (node.right.type !== 'String' || node.right.value.length <= 12) return node
      const beginning = { ...node.right, value: node.right.value.slice(0, 12) }
      return { kind: 'call', function: 'startswith', arguments: [node.left, beginning] }
    }),
  ),
  mutant('filter-ignored-below-items', 'A filter has no effect on collections below an item.', correct => ({
    filter: (rows, test, at) => (at.endpoint.keys.length > 0 ? rows : correct.filter(rows, test, at)),
  })),
  mutant('filter-ignored-on-later-pages', 'A filter applies only to the first page.', correct => ({
    filter: (rows, test, at) => (at.options.skiptoken === undefined ? correct.filter(rows, test, at) : rows),
  })),
  mutant(
    'call-in-text-needs-header',
    'A text that contains a function call needs the header of that function.',
    correct => ({
      reject: (options, at) => {
        const isMistaken = options.filter !== undefined && /'[^']*contains\(/.test(printFilter(options.filter))
        if (!isMistaken || correct.header('ConsistencyLevel', at) !== null) return correct.reject(options, at)
        return { kind: 'refused', error: at.service.faults.unsupportedQueryOption }
      },
    }),
  ),
  mutant('filter-without-match-is-404', 'A filter that matches nothing is an error.', correct => ({
    reply: (reply, at) => {
      const { endpoint, service } = at
      const isFiltered = endpoint?.kind === 'collection' && /(?:\$|%24)filter=/i.test(at.request.query)
      const isEmpty = isObject(reply.json) && Array.isArray(reply.json['value']) && reply.json['value'].length === 0
      return isFiltered && isEmpty ? correct.error(service.faults.itemNotFound, 'No item matches.', at) : reply
    },
  })),
  mutant('filter-loses-last', 'The last row that a filter should keep is lost.', correct => ({
    filter: (rows, test, at) => {
      const matching = correct.filter(rows, test, at)
      return matching.length > 2 ? matching.slice(0, -1) : matching
    },
  })),
  mutant('filter-of-first-rows', 'A filter tests only the first thirty rows.', correct => ({
    filter: (rows, test, at) => correct.filter(rows.slice(0, 30), test, at),
  })),
  mutant('or-repeats-rows', 'A row that matches both operands of or is returned twice.', correct => ({
    filter: (rows, test, at) => {
      const matching = correct.filter(rows, test, at)
      const { filter } = at.options
      return filter?.kind === 'binary' && filter.operator === 'or'
        ? matching.flatMap((row, index) => (index === 0 ? [row, row] : [row]))
        : matching
    },
  })),
  mutant('unknown-counts-as-true', 'A row for which the condition is unknown is returned.', () => ({
    filter: (rows, test) => rows.filter(row => test(row) !== false),
  })),
  mutant('long-filter-crashes', 'A filter with more than eleven nodes causes an internal error.', () => ({
    interpret: options => {
      if (options.filter !== undefined && countNodes(options.filter) > 20) throw new ServiceCrash()
      return options
    },
  })),
  mutant('filter-with-order-ignored', 'A filter has no effect together with $orderby.', correct => ({
    filter: (rows, test, at) => (at.options.orderby === undefined ? correct.filter(rows, test, at) : rows),
  })),
  mutant('two-functions-crash', 'Two functions in one filter cause an internal error.', () => ({
    interpret: options => {
      const functions = constructsOf(options).filter(name =>
        /^filter\.(startswith|endswith|contains|tolower)$/.test(name),
      )
      if (functions.length > 1) throw new ServiceCrash()
      return options
    },
  })),
  libraryMutant('filter-after-page', 'A filter is applied after the page was cut.', correct => ({
    filter: rows => rows,
    page: (rows, at) => {
      const page = cutPage(rows, at)
      const { filter } = at.options
      if (filter === undefined) return page
      const matching = correct.filter(page.rows, row => correct.satisfiesFilter(row, filter, new Map(), at), at)
      return { ...page, rows: matching }
    },
  })),
]
