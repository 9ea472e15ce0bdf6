import {
  computedTypes,
  type ExpandItem,
  exactNumber,
  isExactType,
  isRowType,
  isSubtype,
  type NavigationInfo,
  numeral,
  type PropertyInfo,
  type QueryOptions,
  type SelectItem,
  type StructuredTypeInfo,
  type TypeTable,
  typeKey,
} from '../../query/index.js'
import { concreteTypes, structuredType, underlyingType } from '../service-table.js'
import { hasStreams, streamWriter } from '../streams/stream-control-information.js'
import { JsonText, parseJsonText, printJson } from '../value/primitive-values.js'
import {
  type GivenRow,
  isRow,
  memberReader,
  memberWriter,
  type ProjectionRules,
  type RowWriter,
  returnedProperties,
  type Selection,
  type SentRow,
  selectionOf,
} from './returned-properties.js'

/** Converts an item from a handler to its response form, with the selected and expanded properties. */
export interface Projection {
  readonly value: (row: unknown) => unknown
  /**
   * The same as JSON text. `start` is the start of the text: `{`, optionally with members, without a trailing comma.
   */
  readonly text: (row: unknown, start?: string) => string
}

/**
 * Prepares the projection of a query, once for many rows. A row with a derived type in `@odata.type` is projected as
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
  const byType = new Map<string, Writers>()
  const writersOf = (name: string): Writers => {
    const writers = byType.get(name) ?? writersFor(query, name, types, rules)
    byType.set(name, writers)
    return writers
  }
  const declared = writersOf(typeName)
  const derivedOf = (given: unknown): string | undefined =>
    typeof given === 'string' ? derivedType(given, typeName, types) : undefined
  const value = (given: unknown): unknown => {
    const row = parseJsonText(given)
    if (!isRow(row)) return null
    const sent: SentRow = {}
    const derived = derivedOf(row['@odata.type'])
    if (derived !== undefined) sent['@odata.type'] = row['@odata.type']
    const etag = row['@odata.etag']
    if (typeof etag === 'string') sent['@odata.etag'] = etag
    const { properties, others } = derived === undefined ? declared : writersOf(derived)
    for (const { read, write } of properties) write(sent, read(row))
    for (const write of others) write(row, sent)
    return sent
  }
  const text = (given: unknown, start = '{'): string => {
    const row = parseJsonText(given)
    if (!isRow(row)) return 'null'
    let json = start
    let separator = start === '{' ? '' : ','
    const add = (member: string): void => {
      json += separator + member
      separator = ','
    }
    const derived = derivedOf(row['@odata.type'])
    if (derived !== undefined) add(`"@odata.type":${JSON.stringify(row['@odata.type'])}`)
    const etag = row['@odata.etag']
    if (typeof etag === 'string') add(`"@odata.etag":${jsonOf(etag)}`)
    const { properties, others } = derived === undefined ? declared : writersOf(derived)
    for (const { read, label } of properties) {
      const member = jsonOf(read(row))
      if (member !== undefined) add(label + member)
    }
    if (others.length > 0) {
      const sent: SentRow = {}
      for (const write of others) write(row, sent)
      const members = printJson(sent).slice(1, -1)
      if (members !== '') add(members)
    }
    return `${json}}`
  }
  return { value, text }
}

interface Writers {
  readonly properties: readonly PropertyWriter[]
  /** Writers of dynamic properties and of expanded navigation properties, which can write several members. */
  readonly others: readonly RowWriter[]
}

interface PropertyWriter {
  /** Reads the value. Undefined: the property is omitted. */
  readonly read: (row: GivenRow) => unknown
  readonly write: (sent: SentRow, value: unknown) => void
  /** The name in JSON, with the colon. */
  readonly label: string
}

/** Matches characters that JSON escapes. Most texts have none, and the test is faster than `JSON.stringify`. */
const needsEscape = /["\\\0-\x1f\ud800-\udfff]/

/** A value as JSON. Undefined: the value has no JSON form. */
function jsonOf(value: unknown): string | undefined {
  if (typeof value === 'string') return needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`
  if (value instanceof JsonText) return value.text
  return typeof value === 'object' && value !== null ? printJson(value) : JSON.stringify(value)
}

/** The type that `@odata.type` names, if it is derived from the declared type. */
function derivedType(given: string, declared: string, types: TypeTable): string | undefined {
  const name = typeKey(given, types)
  for (let current: string | undefined = name; current !== undefined; current = structuredType(types, current)?.base) {
    if (current === declared) return name === declared ? undefined : name
  }
  return undefined
}

function writersFor(query: QueryOptions, typeName: string, types: TypeTable, rules: ProjectionRules): Writers {
  const type = structuredType(types, typeName)
  if (type === undefined) return { properties: [], others: [] }
  // The rows of `concat` lack the properties that only other rows have.
  const missing = isRowType(typeName) ? 'absent' : rules.missing
  const properties: PropertyWriter[] = returnedProperties(query, type, rules).map(
    ({ name, info, below, sentAsNull: isBlank }) =>
      isBlank ? writerOf(name, () => null) : propertyWriter(name, info, below, types, { ...rules, missing }),
  )
  const selection = query.select === undefined ? undefined : selectionOf(query.select)
  const others: RowWriter[] = type.open === true ? [openWriter(type, selection)] : []
  if (hasStreams(type)) others.push(streamWriter(type, selection))
  for (const [name, computed] of computedTypes(query, types, typeName)) {
    if (selection !== undefined && !selection.all && !selection.names.has(name)) continue
    const convert = computed.kind === 'primitive' ? valueConversion(computed.name, rules) : undefined
    const read = memberReader(name)
    properties.push(writerOf(name, row => (convert === undefined ? read(row) : convert(read(row)))))
  }
  for (const item of query.expand ?? []) {
    // A cast at the start restricts the items to those of a type.
    const cast = item.path[0]?.includes('.') === true ? typeKey(item.path[0], types) : typeName
    if (isSubtype(typeName, cast, types)) others.push(...expandWriters(item, type, types, rules))
  }
  return { properties, others }
}

function writerOf(name: string, read: PropertyWriter['read']): PropertyWriter {
  const write = memberWriter(name)
  return {
    read,
    write: (sent, value) => {
      if (value !== undefined) write(sent, value)
    },
    label: `${JSON.stringify(name)}:`,
  }
}

function propertyWriter(
  name: string,
  info: PropertyInfo,
  below: readonly SelectItem[] | undefined,
  types: TypeTable,
  rules: ProjectionRules,
): PropertyWriter {
  const read = memberReader(name)
  const missing: readonly [] | null | undefined =
    rules.missing === 'absent' ? undefined : info.collection === true ? [] : info.nullable ? null : undefined
  const convert = conversionOf(info, below, types, rules)
  return writerOf(name, row => {
    const given = read(row)
    const value = given === undefined ? missing : given
    return convert === undefined || value === null || value === undefined ? value : convert(value)
  })
}

/** The conversion of a value to its response form. Undefined: none is needed. */
function conversionOf(
  info: PropertyInfo,
  below: readonly SelectItem[] | undefined,
  types: TypeTable,
  rules: ProjectionRules,
): ((value: unknown) => unknown) | undefined {
  const isStructured = structuredType(types, info.type) !== undefined
  if (isStructured && below !== undefined && below.length > 0) {
    const project = projectionOf({ select: below }, info.type, types, rules).value
    return info.collection === true ? given => itemsIn(parseJsonText(given)).map(project) : project
  }
  if (isStructured) return complexConversion(info, types, rules)
  const convert = valueConversion(underlyingType(types, info.type), rules)
  if (convert === undefined || info.collection !== true) return convert
  // JSON from a store has the digits already.
  return given =>
    given instanceof JsonText && rules.numbers === undefined ? given : itemsIn(parseJsonText(given)).map(convert)
}

/** The conversion of whole complex values, if they contain numbers whose form depends on the request. */
function complexConversion(
  info: PropertyInfo,
  types: TypeTable,
  rules: ProjectionRules,
): ((value: unknown) => unknown) | undefined {
  if (!containsExactNumbers(info.type, types)) return undefined
  let project: Projection['value'] | undefined
  return given => {
    if (given instanceof JsonText && rules.numbers === undefined) return given
    project ??= projectionOf({}, info.type, types, { ...rules, missing: 'absent' }).value
    const value = parseJsonText(given)
    return Array.isArray(value) ? value.map(project) : project(value)
  }
}

/** Whether values of a complex type, or of a type derived from it, have numbers with more digits than JavaScript's. */
function containsExactNumbers(type: string, types: TypeTable, seen: Set<string> = new Set()): boolean {
  if (seen.has(type)) return false
  seen.add(type)
  return concreteTypes(type, types).some(name =>
    Object.values(structuredType(types, name)?.properties ?? {}).some(
      info =>
        isExactType(underlyingType(types, info.type)) ||
        (structuredType(types, info.type) !== undefined && containsExactNumbers(info.type, types, seen)),
    ),
  )
}

/** The conversion of a primitive value to its response form. Undefined: none is needed. */
export function valueConversion(
  type: string,
  { numbers }: Pick<ProjectionRules, 'numbers'>,
): ((value: unknown) => unknown) | undefined {
  if (type === 'Edm.Double' || type === 'Edm.Single') return numberOrWord
  if (!isExactType(type)) return undefined
  return numbers === 'string' ? numberAsString : numberAsJson
}

/** @see OData JSON Format 4.01, 3.2 (IEEE754Compatible) */
function numberAsString(value: unknown): unknown {
  const given = value instanceof JsonText ? value.text : value
  return typeof given === 'number' || typeof given === 'bigint' || typeof given === 'string' ? numeral(given) : given
}

/** A number with all its digits. Handlers can return it as a number, a bigint or a string. */
function numberAsJson(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'bigint') return value
  const number = exactNumber(String(value))
  return typeof number === 'string' ? new JsonText(number) : number
}

function itemsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** JSON can't represent these numbers, so OData uses strings. @see OData JSON Format 4.01, 7.1 */
function numberOrWord(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}

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
  // The path can end with a type cast of the related items.
  const name = item.path.filter(each => !each.includes('.')).at(-1)
  return Object.entries(type.navigation)
    .filter(([property]) => name === '*' || name === property)
    .map(([property, info]) => navigationWriter(property, info, item, types, rules))
}

/**
 * The query for related items: the nested options and, with `$levels`, the same navigation property again.
 *
 * @see OData Protocol 4.01, 11.2.5.2.1.3 (recursion with $levels)
 */
function queryBelow(item: ExpandItem): QueryOptions {
  const { levels, ...options } = item.options ?? {}
  if (levels === undefined || levels === 1) return options
  const again = { ...item, options: { ...options, levels: levels === 'max' ? levels : levels - 1 } }
  return { ...options, expand: [...(options.expand ?? []), again] }
}

function navigationWriter(
  name: string,
  info: NavigationInfo,
  item: ExpandItem,
  types: TypeTable,
  rules: ProjectionRules,
): RowWriter {
  let prepared: Projection | undefined
  // Prepared on demand: with `$levels=max`, the rows determine the depth.
  const project = (row: unknown): unknown => {
    prepared ??= projectionOf(queryBelow(item), info.type, types, rules)
    return prepared.value(row)
  }
  const read = memberReader(name)
  const write = memberWriter(name)
  const numbersOf = rules.numbers === 'string' ? String : Number
  const annotations = [`${name}@odata.count`, `${name}@odata.nextLink`]
  return (row: GivenRow, sent: SentRow) => {
    const value = read(row)
    if (value === undefined && item.options?.levels === 'max') return
    if (info.collection === true) write(sent, Array.isArray(value) ? value.map(project) : [])
    else if (isRow(value)) write(sent, project(value))
    else if (rules.emptyRelation === 'null') write(sent, null)
    for (const annotation of annotations) {
      const given = row[annotation]
      if (given !== undefined) sent[annotation] = typeof given === 'number' ? numbersOf(given) : given
    }
  }
}
