import type { ExpandItem, QueryOptions } from '../ast.js'
import { isJsonObject } from '../evaluate/json-object.js'
import { structuredTypeInfo } from '../evaluate/type-lookup.js'
import { maxNesting } from '../max-nesting.js'
import { type ApplyOptions, applyQuery, type Item } from './apply-query.js'
import { shapeItem, shapeValue } from './shape-item.js'

/** Adds a relation, or all for `*`, to the members of an item. @see OData 4.01 URL Conventions, 5.1.3 */
export function expandItem(
  item: Item,
  relation: ExpandItem,
  shaped: Map<string, unknown>,
  options: ApplyOptions,
): void {
  const [first, ...rest] = relation.path.filter(name => !name.includes('.'))
  if (first === '*') {
    const names = structuredTypeInfo(options.type, options.types)?.navigation ?? item
    for (const name of Object.keys(names)) expandNamed(item, name, relation, shaped, options)
  } else if (first !== undefined && rest.length > 0) {
    const inner = isJsonObject(item[first]) ? { ...item[first] } : undefined
    if (inner !== undefined)
      shaped.set(first, shapeItem(inner, { expand: [{ ...relation, path: rest }] }, optionsBelow(first, options)))
  } else if (first !== undefined) {
    expandNamed(item, first, relation, shaped, options)
  }
}

function expandNamed(
  item: Item,
  name: string,
  relation: ExpandItem,
  shaped: Map<string, unknown>,
  options: ApplyOptions,
): void {
  if (!Object.hasOwn(item, name)) return
  const related = item[name]
  const query = withLevels(relation)
  const inner = {
    ...optionsBelow(name, options),
    it: options.it ?? item,
    itType: options.it === undefined ? options.type : options.itType,
  }
  const items = Array.isArray(related) ? related.filter(isJsonObject) : undefined
  const result = items === undefined ? undefined : applyQuery(items, query, inner)
  if (relation.suffix === 'count' || query.count === true) shaped.set(`${name}@odata.count`, result?.count ?? 0)
  if (relation.suffix === 'count') return
  const value = result === undefined ? shapeValue(related, query, inner) : result.value
  shaped.set(name, relation.suffix === 'ref' ? referencesOf(value) : value)
}

/** `$levels=3` expands the same relation twice more within itself. */
function withLevels(relation: ExpandItem): QueryOptions {
  const { levels, ...query } = relation.options ?? {}
  const left = levels === 'max' ? maxNesting : (levels ?? 1)
  if (left <= 1) return query
  const again: ExpandItem = { ...relation, options: { ...query, levels: Math.min(left, maxNesting) - 1 } }
  return { ...query, expand: [...(query.expand ?? []), again] }
}

function optionsBelow(name: string, options: ApplyOptions): ApplyOptions {
  const type = structuredTypeInfo(options.type, options.types)
  const navigation = type !== undefined && Object.hasOwn(type.navigation, name) ? type.navigation[name] : undefined
  const property = type !== undefined && Object.hasOwn(type.properties, name) ? type.properties[name] : undefined
  return { ...options, type: navigation?.type ?? property?.type, searchProperties: undefined }
}

function referencesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referencesOf)
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name === '@odata.id'))
    : value
}
