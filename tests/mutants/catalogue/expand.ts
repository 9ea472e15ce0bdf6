import type { NavigationProperty } from '../../../spec/language/index.js'
import { isObject, type Json } from '../service/json.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('expand')
const libraryMutant = mutantsIn('expand', 'library')

/** Faults of `$expand`. */
export const expandMutants: readonly Mutant[] = [
  mutant('expand-always', 'Single-valued relations are always included.', () => ({
    includesRelation: (relation, isRequested) => isRequested || (!relation.collection && !relation.contained),
  })),
  mutant('expand-always-collections', 'Contained collections are always included.', correct => ({
    includesRelation: (relation, isRequested, row, at) =>
      correct.includesRelation(relation, isRequested, row, at) ||
      (relation.collection && relation.contained && row.owner !== undefined),
  })),
  mutant(
    'expand-always-on-items',
    'A single item always includes its contained collections, if they have items.',
    correct => ({
      includesRelation: (relation, isRequested, row, at) =>
        correct.includesRelation(relation, isRequested, row, at) ||
        (relation.name === 'attachments' &&
          at.endpoint.kind === 'item' &&
          correct.related(row, relation, at).length > 0),
    }),
  ),
  mutant('expand-ignored', '$expand has no effect.', () => ({ includesRelation: () => false })),
  mutant('expand-ignored-on-items', '$expand has no effect on single items.', () => ({
    includesRelation: (_relation, isRequested, _row, at) => isRequested && at.endpoint.kind !== 'item',
  })),
  mutant('expand-ignored-below-items', '$expand has no effect on collections below an item.', () => ({
    includesRelation: (_relation, isRequested, _row, at) =>
      isRequested && !(at.endpoint.kind === 'collection' && at.endpoint.keys.length > 0),
  })),
  mutant('expand-empty-in-lists', 'In lists, relations without a path of their own are empty.', correct => ({
    expanded: (items, relation, row, at) =>
      correct.expanded(
        at.endpoint.kind === 'collection' && relation.name === 'attachments' ? [] : items,
        relation,
        row,
        at,
      ),
  })),
  mutant(
    'expand-children-has-itself',
    'In lists, the expanded children of an item include the item itself.',
    correct => ({
      expanded: correct.expanded,
      related: (row, relation, at) => {
        const related = correct.related(row, relation, at)
        const isExpanded = at.options.expand?.some(({ path }) => path[0] === relation.name) === true
        return isExpanded && relation.name === 'children' && related.length > 0 ? [row, ...related.slice(1)] : related
      },
    }),
  ),
  mutant('expand-names-by-key-in-lists', 'In lists, expanded attachments have their keys as names.', correct => ({
    expanded: (items, relation, row, at) => {
      const isWrong = at.endpoint.kind === 'collection' && relation.name === 'attachments'
      const named = items.map(item => (isWrong && isObject(item) ? { ...item, name: item['id'] ?? null } : item))
      return correct.expanded(named, relation, row, at)
    },
  })),
  mutant('expand-ignored-beside-skip', '$expand has no effect beside $skip.', () => ({
    includesRelation: (_relation, isRequested, _row, { options }) => isRequested && options.skip === undefined,
  })),
  mutant('expand-ignored-beside-search', '$expand has no effect beside $search.', () => ({
    includesRelation: (_relation, isRequested, _row, { options }) => isRequested && options.search === undefined,
  })),
  mutant('expand-select-ignored', '$select inside $expand has no effect.', () => ({
    nested: ({ select: _, ...options }) => options,
  })),
  mutant(
    'expand-select-is-the-outer-one',
    'Beside $select, a $select inside $expand is that of the outer items.',
    () => ({
      nested: (options, _relation, at) =>
        options.select === undefined || at.options.select === undefined
          ? options
          : { ...options, select: at.options.select },
    }),
  ),
  mutant('expand-select-reaches-parent', '$select inside $expand also applies to the outer items.', () => ({
    interpret: options => {
      const inner = options.expand?.[0]?.options?.select
      return inner === undefined || options.select !== undefined ? options : { ...options, select: inner }
    },
  })),
  mutant(
    'no-related-item-is-an-empty-object',
    'A single-valued relation without an item is an empty object.',
    correct => ({
      expanded: (items, relation, row, at) =>
        !relation.collection && items.length === 0 ? {} : correct.expanded(items, relation, row, at),
    }),
  ),
  mutant('select-reaches-expanded', '$select applies to expanded items, too.', () => ({
    nested: (options, _relation, at) =>
      options.select === undefined && at.options.select !== undefined
        ? { ...options, select: at.options.select }
        : options,
  })),
  mutant('expand-lost-in-selected-lists', 'A list with $select loses its expanded relations.', () => ({
    includesRelation: (relation, isRequested, _row, at) =>
      isRequested && !(relation.contained && at.endpoint.kind === 'collection' && at.options.select !== undefined),
  })),
  mutant('expand-select-loses-last', 'The last property selected inside $expand is missing.', () => ({
    nested: options =>
      options.select === undefined || options.select.length < 2
        ? options
        : { ...options, select: options.select.slice(0, -1) },
  })),
  mutant('expanded-shows-its-own', 'An expanded item contains its own related item.', correct => ({
    expanded: (items, relation, row, at) => {
      const value = correct.expanded(items, relation, row, at)
      return isObject(value) && !relation.collection ? { ...value, [relation.name]: value } : value
    },
  })),
  mutant('expand-drops-parents', '$expand omits items without related items.', correct => ({
    sortRows: (rows, keys, at) => {
      const names = at.options.expand?.map(({ path }) => path[0]) ?? []
      const matching = rows.filter(row =>
        row.type.navigation.every(
          relation => !names.includes(relation.name) || correct.related(row, relation, at).length > 0,
        ),
      )
      return correct.sortRows(matching, keys, at)
    },
  })),
  mutant('expand-repeats-parents', '$expand repeats an item for each related item.', correct => ({
    sortRows: (rows, keys, at) => {
      const name = at.options.expand?.[0]?.path[0]
      const joined = rows.flatMap(row => {
        const relation = row.type.navigation.find(each => each.name === name)
        const count = relation?.collection === true ? correct.related(row, relation, at).length : 1
        return Array.from({ length: Math.max(1, Math.min(count, 3)) }, () => row)
      })
      return correct.sortRows(joined, keys, at)
    },
  })),
  mutant('expand-of-neighbour', 'Expanded items belong to another item.', correct => ({
    expanded: correct.expanded,
    related: (row, relation, at) => {
      if (!at.options.expand?.some(({ path }) => path[0] === relation.name)) return correct.related(row, relation, at)
      const siblings = at.target.kind === 'many' ? at.target.rows : []
      const next = siblings[(siblings.indexOf(row) + 1) % Math.max(1, siblings.length)] ?? row
      return correct.related(next.type === row.type ? next : row, relation, at)
    },
  })),
  mutant('expand-contained-of-one', 'Each item is expanded with the contained items of the same one.', correct => ({
    expanded: correct.expanded,
    related: (row, relation, at) => {
      const isExpanded = relation.contained && at.options.expand?.some(({ path }) => path[0] === relation.name)
      const siblings = row.owner?.entity.related.get(row.owner.relation.name) ?? []
      const owner = siblings.find(each => correct.related(each, relation, at).length > 0)
      return correct.related(isExpanded === true && owner !== undefined ? owner : row, relation, at)
    },
  })),
  mutant('expand-single-as-list', 'A single-valued relation is expanded as a list.', correct => ({
    expanded: (items, relation, row, at) => (relation.collection ? correct.expanded(items, relation, row, at) : items),
  })),
  mutant('expand-first-only', 'Only the first of several relations is expanded.', () => ({
    interpret: options => (options.expand === undefined ? options : { ...options, expand: options.expand.slice(0, 1) }),
  })),
  mutant('expand-shared-once', 'A related item that several items of a page share is expanded only once.', correct => {
    const seen = new WeakMap<object, Set<string>>()
    return {
      expanded: (items, relation, row, at) => {
        if (relation.collection || at.endpoint.kind !== 'collection') return correct.expanded(items, relation, row, at)
        const before = seen.get(at.request) ?? new Set()
        seen.set(at.request, before)
        const text = JSON.stringify(items)
        const isRepeated = before.has(text)
        before.add(text)
        return correct.expanded(isRepeated ? [] : items, relation, row, at)
      },
    }
  }),
  mutant('expand-link-skips-an-item', 'The next link of an expanded list starts one item too late.', correct => ({
    expandedEnd: (rows, options, at) => {
      const end = correct.expandedEnd(rows, options, at)
      return end === undefined ? end : { ...end, next: end.next + 1 }
    },
  })),
  mutant('expand-link-repeats-an-item', 'The next link of an expanded list starts with its last item.', correct => ({
    expandedEnd: (rows, options, at) => {
      const end = correct.expandedEnd(rows, options, at)
      return end === undefined ? end : { ...end, next: end.next - 1 }
    },
  })),
  mutant('expand-link-refused', 'Following the next link of an expanded list causes an error.', () => ({
    reject: (options, at) =>
      options.skiptoken === undefined || at.endpoint.resolved.length < 3
        ? undefined
        : { kind: 'refused', error: at.service.faults.malformedQueryOption },
  })),
  mutant('expand-lost-beside-select', 'A single item with $select loses its expanded relations.', correct => ({
    includesRelation: (relation, isRequested, row, at) =>
      correct.includesRelation(relation, isRequested, row, at) &&
      !(at.endpoint.kind === 'item' && at.options.select !== undefined),
  })),
  mutant('expand-nulls-texts', 'The strings of expanded items are null.', correct => ({
    expanded: (items, relation, row, at) =>
      correct.expanded(
        items.map(item => withoutTexts(item, relation)),
        relation,
        row,
        at,
      ),
  })),
  mutant(
    'expand-select-adds-one',
    'Expanded items have one property more than $select inside $expand names.',
    correct => ({
      nested: (options, relation, at) => {
        const inner = correct.nested(options, relation, at)
        const extra = relation.type.properties.at(-1)
        return inner.select === undefined || extra === undefined
          ? inner
          : { ...inner, select: [...inner.select, { path: [extra.name] }] }
      },
    }),
  ),
  libraryMutant('expand-filter-ignored', '$filter inside $expand has no effect.', () => ({
    nested: ({ filter: _, ...options }) => options,
  })),
  libraryMutant('expand-orderby-ignored', '$orderby inside $expand has no effect.', () => ({
    nested: ({ orderby: _, ...options }) => options,
  })),
  libraryMutant('expand-top-ignored', '$top inside $expand has no effect.', () => ({
    nested: ({ top: _, ...options }) => options,
  })),
  libraryMutant('expand-skip-ignored', '$skip inside $expand has no effect.', () => ({
    nested: ({ skip: _, ...options }) => options,
  })),
  libraryMutant('expand-count-of-page', '$count inside $expand counts only the returned items.', correct => ({
    item: (item, row, at) => {
      const counted = Object.fromEntries(
        Object.entries(item).map(([name, value]) => {
          const shown = name.endsWith('@odata.count') ? item[name.slice(0, -'@odata.count'.length)] : undefined
          return [name, Array.isArray(shown) ? shown.length : value]
        }),
      )
      return correct.item(counted, row, at)
    },
  })),
  libraryMutant('expand-all-is-the-first', '$expand=* includes the first relation only.', () => ({
    interpret: options =>
      options.expand?.[0]?.path[0] === '*' ? { ...options, expand: [{ path: ['authors'] }] } : options,
  })),
  libraryMutant('expand-inside-ignored', '$expand inside $expand has no effect.', () => ({
    nested: ({ expand: _, ...options }) => options,
  })),
  libraryMutant('expand-top-over-all', '$top inside $expand applies to all related items together.', correct => {
    let left = 0
    return {
      interpret: options => {
        left = options.expand?.[0]?.options?.top ?? 0
        return options
      },
      expanded: (items, relation, row, at) => {
        const top = at.options.expand?.find(({ path }) => path[0] === relation.name)?.options?.top
        if (top === undefined) return correct.expanded(items, relation, row, at)
        const shown = items.slice(0, left)
        left -= shown.length
        return correct.expanded(shown, relation, row, at)
      },
    }
  }),
]

function withoutTexts(item: Json, { type }: NavigationProperty): Json {
  if (!isObject(item)) return item
  const keys = new Set(type.key.map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const isKept = typeof value !== 'string' || name.startsWith('@') || keys.has(name)
      return [name, isKept ? value : null]
    }),
  )
}
