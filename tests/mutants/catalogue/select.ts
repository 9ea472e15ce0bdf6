import type { Json } from '../../../conformance/json.js'
import { changeList, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('select')
const libraryMutant = mutantsIn('select', 'library')

/** Faults of `$select`, and of the values of properties. */
export const selectMutants: readonly Mutant[] = [
  mutant('select-ignored', '$select has no effect.', () => ({ interpret: ({ select: _, ...options }) => options })),
  mutant('select-ignored-on-items', '$select has no effect on single items.', () => ({
    interpret: (options, at) => {
      const { select: _, ...others } = options
      return at.endpoint.kind === 'item' ? others : options
    },
  })),
  mutant('select-ignored-below-items', '$select has no effect on collections below an item.', () => ({
    interpret: (options, at) => {
      const { select: _, ...others } = options
      return at.endpoint.kind === 'collection' && at.endpoint.keys.length > 0 ? others : options
    },
  })),
  mutant('select-loses-last', 'The last of several selected properties is missing.', () => ({
    interpret: options =>
      options.select === undefined || options.select.length < 2
        ? options
        : { ...options, select: options.select.slice(0, -1) },
  })),
  mutant('select-adds-neighbour', 'A property that follows a selected one is returned, too.', correct => ({
    includesProperty: (property, selected, row, at) => {
      const all = row?.type.properties ?? []
      const before = all[all.indexOf(property) - 1]
      const isNeighbour = at.options.select?.some(({ path }) => path[0] === before?.name) === true
      return correct.includesProperty(property, selected === undefined ? undefined : selected || isNeighbour, row, at)
    },
  })),
  mutant('select-by-part-of-name', 'A property is missing when its name is part of another selected one.', correct => ({
    includesProperty: (property, selected, row, at) => {
      const isPart = at.options.select?.some(
        ({ path }) =>
          path[0] !== property.name && path[0]?.toLowerCase().includes(property.name.toLowerCase()) === true,
      )
      return correct.includesProperty(
        property,
        selected === undefined ? undefined : selected && isPart !== true,
        row,
        at,
      )
    },
  })),
  mutant('selected-values-empty', 'Selected texts come empty.', correct => ({
    formatValue: (value, property, row, at) =>
      at.options.select !== undefined && typeof value === 'string' && !row?.type.key.includes(property)
        ? ''
        : correct.formatValue(value, property, row, at),
  })),
  mutant('null-as-empty-text', 'A text that is null comes as an empty one.', correct => ({
    formatValue: (value, property, row, at) =>
      value === null && property.type.kind === 'primitive' && property.type.name === 'String'
        ? ''
        : correct.formatValue(value, property, row, at),
  })),
  mutant(
    'null-as-empty-text-when-selected',
    'A text that is null comes as an empty one when it is selected.',
    correct => ({
      formatValue: (value, property, row, at) =>
        value === null &&
        at.options.select !== undefined &&
        property.type.kind === 'primitive' &&
        property.type.name === 'String'
          ? ''
          : correct.formatValue(value, property, row, at),
    }),
  ),
  mutant('select-changes-order', 'With $select the order is lost.', correct => ({
    sortRows: (rows, keys, at) => (at.options.select === undefined ? correct.sortRows(rows, keys, at) : rows),
  })),
  mutant('select-drops-nulls', 'Rows in which a selected property is null are missing.', correct => ({
    filter: correct.filter,
    sortRows: (rows, keys, at) => {
      const names = at.options.select?.map(({ path }) => path[0] ?? '') ?? []
      return correct.sortRows(
        rows.filter(row => names.every(name => row.values[name] !== null)),
        keys,
        at,
      )
    },
  })),
  mutant('select-hides-from-filter', 'A filter sees null for properties that are not selected.', correct => ({
    readProperty: (value, name, env) => {
      const { select } = env.at.options
      const isRow = typeof value === 'object' && value?.kind === 'object' && value.entity !== undefined
      const isHidden = isRow && value === env.it && select !== undefined && !select.some(({ path }) => path[0] === name)
      return isHidden ? null : correct.readProperty(value, name, env)
    },
  })),
  mutant('select-without-key-loses-link', 'Without the key in $select there is no next link.', correct => ({
    page: (rows, at) => {
      const page = correct.page(rows, at)
      const key = rows[0]?.type.key[0]?.name
      const isKeyed = at.options.select?.some(({ path }) => path[0] === key) ?? true
      return isKeyed ? page : { rows: page.rows }
    },
  })),
  mutant('booleans-as-text', 'true and false come as texts.', correct => ({
    formatValue: (value, property, row, at) =>
      typeof value === 'boolean' ? String(value) : correct.formatValue(value, property, row, at),
  })),
  mutant('select-shifts-values', 'Selected texts come from the next row.', () =>
    changeList((body, at) => {
      const { value } = body
      if (!Array.isArray(value) || !at.request.query.includes('select=')) return body
      return {
        ...body,
        value: value.map((item: Json, index) => shifted(item, value[(index + 1) % value.length] ?? null)),
      }
    }),
  ),
  libraryMutant('nested-select-ignored', 'A path in $select gives the whole complex value.', () => ({
    interpret: options =>
      options.select === undefined
        ? options
        : { ...options, select: options.select.map(({ path }) => ({ path: path.slice(0, 1) })) },
  })),
  libraryMutant('star-selects-nothing', '$select=* gives the key only.', () => ({
    interpret: (options, at) => {
      const isStar = options.select?.some(({ path }) => path[0] === '*') === true
      const type = 'type' in at.endpoint ? at.endpoint.type : undefined
      return isStar && type !== undefined
        ? { ...options, select: type.key.map(({ name }) => ({ path: [name] })) }
        : options
    },
  })),
]

/** An item with one text of another. */
function shifted(item: Json, other: Json): Json {
  if (typeof item !== 'object' || item === null || typeof other !== 'object' || other === null) return item
  const entries = Object.entries(item)
  const last = entries.findLast(([name, value]) => typeof value === 'string' && !name.startsWith('@'))
  return last === undefined || entries.length < 3 ? item : { ...item, [last[0]]: Reflect.get(other, last[0]) ?? null }
}
