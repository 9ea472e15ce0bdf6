import type { ExpandItem, QueryOptions, SelectItem } from '../../query/ast.js'
import type { NavigationInfo, PropertyInfo, StructuredTypeInfo, TypeTable } from '../../query/schema.js'
import { typeKey } from '../../query/type-key.js'
import type { ProjectionRules } from './projection-rules.js'
import { type GivenRow, isRow, memberReader, memberWriter, type RowWriter, type SentRow } from './row-access.js'
import { type Selection, selectionOf } from './selection.js'
import { structuredType } from './structured-type.js'

/** Turns what a handler returned into what is sent: only what the query selects, and the relations that it expands. */
export type Projection = (row: unknown) => unknown

/**
 * Prepares the projection of a query, once for many rows. A row that names a derived type in `@odata.type` is shown as
 * that type.
 *
 * @see OData Protocol 4.01, 11.2.5 (what $select and $expand return)
 */
export function projectionOf(
  query: QueryOptions,
  typeName: string,
  types: TypeTable,
  rules: ProjectionRules,
): Projection {
  const byType = new Map<string, readonly RowWriter[]>()
  const writersOf = (name: string): readonly RowWriter[] => {
    const writers = byType.get(name) ?? writersFor(query, name, types, rules)
    byType.set(name, writers)
    return writers
  }
  const declared = writersOf(typeName)
  return row => {
    if (!isRow(row)) return null
    const sent: SentRow = {}
    const given = row['@odata.type']
    const derived = typeof given === 'string' ? derivedType(given, typeName, types) : undefined
    if (derived !== undefined) sent['@odata.type'] = given
    const etag = row['@odata.etag']
    if (typeof etag === 'string') sent['@odata.etag'] = etag
    for (const write of derived === undefined ? declared : writersOf(derived)) write(row, sent)
    return sent
  }
}

/** The type that `@odata.type` names, when it is one that is derived from the declared one. */
function derivedType(given: string, declared: string, types: TypeTable): string | undefined {
  const name = typeKey(given, types)
  for (let current: string | undefined = name; current !== undefined; current = structuredType(types, current)?.base) {
    if (current === declared) return name === declared ? undefined : name
  }
  return undefined
}

function writersFor(
  query: QueryOptions,
  typeName: string,
  types: TypeTable,
  rules: ProjectionRules,
): readonly RowWriter[] {
  const type = structuredType(types, typeName)
  if (type === undefined) return []
  const selection = query.select === undefined ? undefined : selectionOf(query.select)
  const writers: RowWriter[] = []
  for (const [name, info] of Object.entries(type.properties)) {
    const shown = isShown(name, info, type, selection, rules)
    if (shown) writers.push(propertyWriter(name, info, selection?.names.get(name), types, rules))
    else if (selection !== undefined && rules.unselected === 'null' && info.nullable === true)
      writers.push(nullWriter(name))
  }
  if (type.open === true) writers.push(openWriter(type, selection))
  for (const item of query.expand ?? []) writers.push(...expandWriters(item, type, types, rules))
  return writers
}

function isShown(
  name: string,
  info: PropertyInfo,
  type: StructuredTypeInfo,
  selection: Selection | undefined,
  rules: ProjectionRules,
): boolean {
  if (selection === undefined) return info.onSelect !== true
  if (selection.all || selection.names.has(name)) return true
  return info.always === true || (rules.keysAlways && type.key.includes(name))
}

function nullWriter(name: string): RowWriter {
  const write = memberWriter(name)
  return (_row, sent) => write(sent, null)
}

function propertyWriter(
  name: string,
  info: PropertyInfo,
  below: readonly SelectItem[] | undefined,
  types: TypeTable,
  rules: ProjectionRules,
): RowWriter {
  const read = memberReader(name)
  const write = memberWriter(name)
  const missing =
    rules.missing === 'absent' ? undefined : info.collection === true ? [] : info.nullable ? null : undefined
  const convert = conversionOf(info, below, types, rules)
  return (row, sent) => {
    const given = read(row)
    const value = given === undefined ? missing : given
    if (value === undefined) return
    write(sent, convert === undefined || value === null ? value : convert(value))
  }
}

/** How a value is changed on its way out, when it is at all. */
function conversionOf(
  info: PropertyInfo,
  below: readonly SelectItem[] | undefined,
  types: TypeTable,
  rules: ProjectionRules,
): Projection | undefined {
  if (below !== undefined && below.length > 0 && structuredType(types, info.type) !== undefined) {
    const project = projectionOf({ select: below }, info.type, types, rules)
    return info.collection === true ? rows => (Array.isArray(rows) ? rows.map(project) : []) : project
  }
  return info.type === 'Edm.Double' || info.type === 'Edm.Single' ? numberOrWord : undefined
}

/** JSON has no way to write these numbers, OData has words for them. @see OData JSON Format 4.01, 7.1 */
function numberOrWord(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}

/** Properties that an open type does not declare. */
function openWriter(type: StructuredTypeInfo, selection: Selection | undefined): RowWriter {
  return (row, sent) => {
    for (const name of Object.keys(row)) {
      if (name.includes('@') || Object.hasOwn(type.properties, name) || Object.hasOwn(type.navigation, name)) continue
      if (selection === undefined || selection.all || selection.names.has(name)) memberWriter(name)(sent, row[name])
    }
  }
}

function expandWriters(
  item: ExpandItem,
  type: StructuredTypeInfo,
  types: TypeTable,
  rules: ProjectionRules,
): readonly RowWriter[] {
  const name = item.path.at(-1)
  return Object.entries(type.navigation)
    .filter(([relation]) => name === '*' || name === relation)
    .map(([relation, info]) => relationWriter(relation, info, item, types, rules))
}

/**
 * What is asked of the targets of a relation: its nested options, and with `$levels` the relation itself once more.
 *
 * @see OData Protocol 4.01, 11.2.5.2.1.3 (recursion with $levels)
 */
function queryBelow(item: ExpandItem): QueryOptions {
  const { levels, ...options } = item.options ?? {}
  if (levels === undefined || levels === 1) return options
  const again = { ...item, options: { ...options, levels: levels === 'max' ? levels : levels - 1 } }
  return { ...options, expand: [...(options.expand ?? []), again] }
}

function relationWriter(
  name: string,
  info: NavigationInfo,
  item: ExpandItem,
  types: TypeTable,
  rules: ProjectionRules,
): RowWriter {
  let prepared: Projection | undefined
  // Prepared when a row is there: with `$levels=max` only rows say how deep it goes.
  const project: Projection = row => {
    prepared ??= projectionOf(queryBelow(item), info.type, types, rules)
    return prepared(row)
  }
  const read = memberReader(name)
  const write = memberWriter(name)
  const annotations = [`${name}@odata.count`, `${name}@odata.nextLink`]
  return (row: GivenRow, sent: SentRow) => {
    const value = read(row)
    if (value === undefined && item.options?.levels === 'max') return
    if (info.collection === true) write(sent, Array.isArray(value) ? value.map(project) : [])
    else if (isRow(value)) write(sent, project(value))
    else if (rules.emptyRelation === 'null') write(sent, null)
    for (const annotation of annotations) if (row[annotation] !== undefined) sent[annotation] = row[annotation]
  }
}
