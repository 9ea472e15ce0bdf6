import { isObject, type Json } from '../service/json.js'
import { changeList, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('select')
const libraryMutant = mutantsIn('select', 'library')

/** Faults of `$select` and of property values. */
export const selectMutants: readonly Mutant[] = [
  mutant('selected-object-loses-a-member', 'A selected object lacks its last member.', correct => ({
    formatValue: (value, property, row, at) => {
      const shown = correct.formatValue(value, property, row, at)
      if (at.options.select === undefined || property.type.kind !== 'complexType' || !isObject(shown)) return shown
      return Object.fromEntries(Object.entries(shown).slice(0, -1))
    },
  })),
  mutant('object-lacks-a-member', 'An object lacks its first member everywhere.', correct => ({
    formatValue: (value, property, row, at) => {
      const shown = correct.formatValue(value, property, row, at)
      return property.name === 'body' && isObject(shown) && Object.keys(shown).length > 1
        ? Object.fromEntries(Object.entries(shown).slice(1))
        : shown
    },
  })),
  mutant('selected-object-is-missing', 'An object that $select names is missing.', correct => ({
    includesProperty: (property, selected, row, at) =>
      correct.includesProperty(property, selected, row, at) &&
      !(selected === true && property.type.kind === 'complexType'),
  })),
  mutant('item-lacks-a-collection', 'A single item has no recipients.', correct => ({
    includesProperty: (property, selected, row, at) =>
      correct.includesProperty(property, selected, row, at) &&
      !(at.endpoint.kind === 'item' && property.name === 'toRecipients'),
  })),
  mutant('selected-false-is-missing', 'A selected flag that is false is missing.', correct => ({
    formatValue: (value, property, row, at) => {
      const shown = correct.formatValue(value, property, row, at)
      return shown === false && at.options.select !== undefined ? undefined : shown
    },
  })),
  mutant('object-without-its-level', 'The members of an object are one level too high.', correct => ({
    formatValue: (value, property, row, at) => {
      const shown = correct.formatValue(value, property, row, at)
      if (property.name !== 'from' || !isObject(shown)) return shown
      return Object.fromEntries(
        Object.values(shown)
          .filter(isObject)
          .flatMap(each => Object.entries(each)),
      )
    },
  })),
  mutant('local-time', 'Timestamps have the offset of Berlin instead of UTC.', correct => ({
    formatValue: (value, property, row, at) => {
      const shown = correct.formatValue(value, property, row, at)
      const hour = typeof shown === 'string' && property.utc === true ? Number(shown.slice(11, 13)) : 23
      if (typeof shown !== 'string' || hour > 21) return shown
      return `${shown.slice(0, 11)}${String(hour + 2).padStart(2, '0')}${shown.slice(13).replace(/Z$/, '+02:00')}`
    },
  })),
  mutant('select-ignored', '$select has no effect.', () => ({ interpret: ({ select: _, ...options }) => options })),
  mutant('select-ignored-beside-search', '$select has no effect beside $search.', correct => ({
    includesProperty: (property, selected, row, at) =>
      correct.includesProperty(property, at.options.search === undefined ? selected : undefined, row, at),
  })),
  mutant('select-ignored-on-items', '$select has no effect on single items.', () => ({
    interpret: (options, at) => {
      const { select: _, ...others } = options
      return at.endpoint.kind === 'item' ? others : options
    },
  })),
  mutant('select-ignored-on-the-calendar', '$select has no effect on an item that no list shows.', () => ({
    interpret: (options, at) => {
      const { select: _, ...others } = options
      return at.endpoint.kind === 'item' && at.endpoint.type?.name === 'calendar' ? others : options
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
  mutant('select-loses-last-of-calendar', 'The last of several selected properties of a calendar is missing.', () => ({
    interpret: (options, at) =>
      options.select === undefined || options.select.length < 2 || !at.request.path.endsWith('/calendar')
        ? options
        : { ...options, select: options.select.slice(0, -1) },
  })),
  mutant('select-adds-neighbour', 'The property after a selected one is also returned.', correct => ({
    includesProperty: (property, selected, row, at) => {
      const all = row?.type.properties ?? []
      const before = all[all.indexOf(property) - 1]
      const isNeighbour = at.options.select?.some(({ path }) => path[0] === before?.name) === true
      return correct.includesProperty(property, selected === undefined ? undefined : selected || isNeighbour, row, at)
    },
  })),
  mutant('select-by-part-of-name', 'A property is missing if its name is part of another selected name.', correct => ({
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
  mutant('selected-values-empty', 'Selected strings are empty.', correct => ({
    formatValue: (value, property, row, at) =>
      at.options.select !== undefined && typeof value === 'string' && !row?.type.key.includes(property)
        ? ''
        : correct.formatValue(value, property, row, at),
  })),
  mutant('null-as-empty-text', 'Null strings are empty.', correct => ({
    formatValue: (value, property, row, at) =>
      value === null && property.type.kind === 'primitive' && property.type.name === 'String'
        ? ''
        : correct.formatValue(value, property, row, at),
  })),
  mutant('null-as-empty-text-when-selected', 'Selected null strings are empty.', correct => ({
    formatValue: (value, property, row, at) =>
      value === null &&
      at.options.select !== undefined &&
      property.type.kind === 'primitive' &&
      property.type.name === 'String'
        ? ''
        : correct.formatValue(value, property, row, at),
  })),
  mutant('select-changes-order', '$select loses the order.', correct => ({
    sortRows: (rows, keys, at) => (at.options.select === undefined ? correct.sortRows(rows, keys, at) : rows),
  })),
  mutant('select-drops-nulls', 'Rows are missing if a selected property is null.', correct => ({
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
  mutant('select-hides-from-filter', 'A filter reads null for unselected properties.', correct => ({
    readProperty: (value, name, env) => {
      const { select } = env.at.options
      const isRow = typeof value === 'object' && value?.kind === 'object' && value.entity !== undefined
      const isHidden = isRow && value === env.it && select !== undefined && !select.some(({ path }) => path[0] === name)
      return isHidden ? null : correct.readProperty(value, name, env)
    },
  })),
  mutant('select-without-key-loses-link', 'There is no next link if $select omits the key.', correct => ({
    page: (rows, at) => {
      const page = correct.page(rows, at)
      const key = rows[0]?.type.key[0]?.name
      const isKeyed = at.options.select?.some(({ path }) => path[0] === key) ?? true
      return isKeyed ? page : { rows: page.rows }
    },
  })),
  mutant('booleans-as-text', 'Booleans are strings.', correct => ({
    formatValue: (value, property, row, at) =>
      typeof value === 'boolean' ? String(value) : correct.formatValue(value, property, row, at),
  })),
  mutant('select-shifts-values', 'Selected strings belong to the next row.', () =>
    changeList((body, at) => {
      const { value } = body
      if (!Array.isArray(value) || !at.request.query.includes('select=')) return body
      return {
        ...body,
        value: value.map((item: Json, index) => shifted(item, value[(index + 1) % value.length] ?? null)),
      }
    }),
  ),
  libraryMutant('nested-select-ignored', 'A path in $select returns the whole complex value.', () => ({
    interpret: options =>
      options.select === undefined
        ? options
        : { ...options, select: options.select.map(({ path }) => ({ path: path.slice(0, 1) })) },
  })),
  libraryMutant('select-options-ignored', 'Options of a property in $select have no effect.', () => ({
    nestedSelect: ({ path }) => [{ path }],
  })),
  libraryMutant('select-options-on-item', 'Options of a property in $select apply to the item.', () => ({
    nestedSelect: ({ path, options }) => options?.select ?? [{ path }],
  })),
  libraryMutant('star-selects-nothing', '$select=* returns only the key.', () => ({
    interpret: (options, at) => {
      const isStar = options.select?.some(({ path }) => path[0] === '*') === true
      const type = 'type' in at.endpoint ? at.endpoint.type : undefined
      return isStar && type !== undefined
        ? { ...options, select: type.key.map(({ name }) => ({ path: [name] })) }
        : options
    },
  })),
]

/** An item with a string of another item. */
function shifted(item: Json, other: Json): Json {
  if (typeof item !== 'object' || item === null || typeof other !== 'object' || other === null) return item
  const entries = Object.entries(item)
  const last = entries.findLast(([name, value]) => typeof value === 'string' && !name.startsWith('@'))
  return last === undefined || entries.length < 3 ? item : { ...item, [last[0]]: Reflect.get(other, last[0]) ?? null }
}
