import type { ExpandItem, QueryOptions, SelectItem } from '../../query/ast.js'
import type { PropertyInfo, StructuredTypeInfo, TypeTable } from '../../query/schema.js'

/** Turns what a handler returned into what is sent: only what the query selects, and the relations that it expands. */
export type Projection = (row: unknown) => unknown

/**
 * Whether properties that a row lacks are sent as null, as an item is shown whole (`fill`), or left out, as among changes
 * (`keep`).
 */
export type Missing = 'fill' | 'keep'

type Row = Readonly<Record<string, unknown>>
type Output = Record<string, unknown>

/** Writes one member of a row into the output. */
type Writer = (row: Row, output: Output) => void

/**
 * Prepares the projection of a query, once for many rows. A row that names a derived type in `@odata.type` is shown as
 * that type.
 *
 * @see OData Protocol 4.01, 11.2.5 (what $select and $expand return)
 */
export function projectionOf(query: QueryOptions, typeName: string, types: TypeTable, missing: Missing): Projection {
  const byType = new Map<string, readonly Writer[]>()
  const writersOf = (name: string): readonly Writer[] => {
    const known = byType.get(name)
    if (known !== undefined) return known
    const writers = writersFor(query, name, types, missing)
    byType.set(name, writers)
    return writers
  }
  const declared = writersOf(typeName)
  return row => {
    if (!isRow(row)) return null
    const output: Output = {}
    const given = row['@odata.type']
    const derived = typeof given === 'string' ? derivedType(given, typeName, types) : undefined
    if (derived !== undefined) output['@odata.type'] = given
    const etag = row['@odata.etag']
    if (typeof etag === 'string') output['@odata.etag'] = etag
    for (const write of derived === undefined ? declared : writersOf(derived)) write(row, output)
    return output
  }
}

/** Whether handlers returned an item, not null or something else. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The type that `@odata.type` names, when it is one that is derived from the declared one. */
function derivedType(given: string, declared: string, types: TypeTable): string | undefined {
  const name = given.slice(Math.max(given.lastIndexOf('.'), given.lastIndexOf('#')) + 1)
  for (let current: string | undefined = name; current !== undefined; current = structuredType(types, current)?.base) {
    if (current === declared) return name === declared ? undefined : name
  }
  return undefined
}

function writersFor(query: QueryOptions, typeName: string, types: TypeTable, missing: Missing): readonly Writer[] {
  const type = structuredType(types, typeName)
  if (type === undefined) return []
  const selected = query.select === undefined ? undefined : selectionOf(query.select)
  const writers: Writer[] = []
  for (const [name, info] of Object.entries(type.properties)) {
    if (selected === undefined ? info.onSelect === true : !selected.all && !selected.names.has(name)) continue
    writers.push(propertyWriter(name, info, selected?.names.get(name), types, missing))
  }
  if (type.open === true) writers.push(openWriter(type, selected))
  for (const item of query.expand ?? []) writers.push(...expandWriters(item, type, types))
  return writers
}

interface Selection {
  readonly all: boolean
  /** First name of each path -> what is selected below it; empty: all of it. */
  readonly names: ReadonlyMap<string, readonly SelectItem[]>
}

function selectionOf(items: readonly SelectItem[]): Selection {
  const names = new Map<string, readonly SelectItem[]>()
  let all = false
  for (const item of items) {
    const path = item.path[0]?.includes('.') ? item.path.slice(1) : item.path
    const [first, ...rest] = path
    if (first === undefined) continue
    if (first === '*') all = true
    const whole = rest.length === 0 && item.options?.select === undefined
    const below = rest.length === 0 ? (item.options?.select ?? []) : [{ path: rest }]
    const known = names.get(first)
    names.set(first, whole || known?.length === 0 ? [] : [...(known ?? []), ...below])
  }
  return { all, names }
}

function propertyWriter(
  name: string,
  info: PropertyInfo,
  below: readonly SelectItem[] | undefined,
  types: TypeTable,
  missing: Missing,
): Writer {
  const read = readerOf(name)
  const write = writerTo(name)
  const fallback =
    missing === 'keep' ? undefined : info.collection === true ? [] : info.nullable === true ? null : undefined
  const convert = conversionOf(info, below, types, missing)
  return (row, output) => {
    const value = read(row) ?? fallback
    if (value === undefined) {
      if (missing === 'keep' && read(row) === null) write(output, null)
    } else write(output, convert === undefined || value === null ? value : convert(value))
  }
}

/** How a value is changed on its way out, when it is at all. */
function conversionOf(
  info: PropertyInfo,
  below: readonly SelectItem[] | undefined,
  types: TypeTable,
  missing: Missing,
): Projection | undefined {
  if (below !== undefined && below.length > 0 && structuredType(types, info.type) !== undefined) {
    const project = projectionOf({ select: below }, info.type, types, missing)
    return info.collection === true ? rows => (Array.isArray(rows) ? rows.map(project) : []) : project
  }
  return info.type === 'Edm.Double' || info.type === 'Edm.Single' ? finiteOrNamed : undefined
}

/** JSON has no word for these numbers, OData has. @see OData JSON Format 4.01, 7.1 */
function finiteOrNamed(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}

/** Properties that an open type does not declare. */
function openWriter(type: StructuredTypeInfo, selected: Selection | undefined): Writer {
  return (row, output) => {
    for (const name of Object.keys(row)) {
      if (name.includes('@') || Object.hasOwn(type.properties, name) || Object.hasOwn(type.navigation, name)) continue
      if (selected === undefined || selected.all || selected.names.has(name)) writerTo(name)(output, row[name])
    }
  }
}

function expandWriters(item: ExpandItem, type: StructuredTypeInfo, types: TypeTable): readonly Writer[] {
  const name = item.path.at(-1) ?? ''
  if (name === '*') return Object.keys(type.navigation).map(each => relationWriter(each, item, type, types))
  return Object.hasOwn(type.navigation, name) ? [relationWriter(name, item, type, types)] : []
}

function relationWriter(name: string, item: ExpandItem, type: StructuredTypeInfo, types: TypeTable): Writer {
  const info = type.navigation[name]
  if (info === undefined) return () => undefined
  const project = projectionOf(item.options ?? {}, info.type, types, 'fill')
  const read = readerOf(name)
  const write = writerTo(name)
  const annotations = ['@odata.count', '@odata.nextLink'].map(term => `${name}${term}`)
  return (row, output) => {
    const value = read(row)
    if (info.collection === true) write(output, Array.isArray(value) ? value.map(project) : [])
    else write(output, isRow(value) ? project(value) : null)
    for (const annotation of annotations) if (row[annotation] !== undefined) output[annotation] = row[annotation]
  }
}

/** What every object inherits is no property of a row, even where the service calls one `constructor`. */
function readerOf(name: string): (row: Row) => unknown {
  return name in Object.prototype ? row => (Object.hasOwn(row, name) ? row[name] : undefined) : row => row[name]
}

function writerTo(name: string): (output: Output, value: unknown) => void {
  if (name !== '__proto__') {
    return (output, value) => {
      output[name] = value
    }
  }
  return (output, value) => {
    Object.defineProperty(output, name, { value, enumerable: true })
  }
}

function structuredType(types: TypeTable, name: string): StructuredTypeInfo | undefined {
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  return type?.kind === 'entityType' || type?.kind === 'complexType' ? type : undefined
}
