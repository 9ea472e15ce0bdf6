import type { Parameter } from '../../../spec/language/index.js'
import type { Json, Row } from '../../json.js'
import { primitiveOf } from '../../rule/primitive-of.js'
import type { Arguments } from './arguments.js'
import { type Compared, comparedWith } from './bound-filter.js'
import type { QueriedCall } from './queried-call.js'

/** Items in a list of arguments at most, where the spec sets no limit. */
const longestList = 12
const unknownText = 'specwright-unknown'

/**
 * Arguments that tell a right answer from a wrong one: taken from the values of the property that each is compared with.
 * Empty when that is not known for one of them.
 */
export function drawnArguments({ endpoint, meaning }: QueriedCall, rows: Iterable<Row>): readonly Arguments[] {
  const all = [...rows]
  const { parameters } = endpoint.operation
  const drawn = parameters.map(parameter => {
    const compared = comparedWith(meaning.filter, parameter.name)
    return valuesFor(parameter, compared, compared === undefined ? [] : textsOf(all, compared.name))
  })
  if (drawn.some(values => values.length === 0)) return parameters.length === 0 ? [{}] : []
  const most = Math.max(1, ...drawn.map(values => values.length))
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(parameters.map(({ name }, at) => [name, drawn[at]?.[index % (drawn[at]?.length ?? 1)] ?? null])),
  )
}

function textsOf(rows: readonly Row[], name: string): readonly string[] {
  const values = rows.map(row => (Object.hasOwn(row, name) ? row[name] : undefined))
  return [...new Set(values.filter(value => typeof value === 'string' || typeof value === 'number').map(String))]
}

function valuesFor(parameter: Parameter, compared: Compared | undefined, texts: readonly string[]): readonly Json[] {
  const primitive = primitiveOf(parameter.type)
  if (primitive === 'Boolean') return [false, true]
  if (parameter.collection) return texts.length === 0 ? [] : listsOf(parameter, texts)
  if (isMoment(parameter)) {
    const sorted = [...texts].sort()
    const isLow = compared?.operator === 'ge' || compared?.operator === 'gt'
    const places = isLow ? [0.25, 0, 0.5] : [0.75, 0.5, 1]
    return sorted.length === 0 ? [] : places.map(place => momentAt(sorted, place, parameter))
  }
  if (primitive === 'String' || primitive === 'Guid') return texts.slice(0, 4)
  return texts.slice(0, 4).map(Number).filter(Number.isFinite)
}

/** Lists of values that occur, one in a text that does not; no longer than the spec allows. */
function listsOf({ type, maxItems = longestList }: Parameter, texts: readonly string[]): readonly Json[] {
  const length = Math.max(1, Math.min(maxItems, longestList) - 1)
  const mayBeAny = type.kind === 'primitive' && type.name === 'String'
  const lists: string[][] = []
  for (let start = 0; start < texts.length && lists.length < 4; start += length) {
    lists.push([...texts.slice(start, start + length), ...(mayBeAny && length > 1 ? [unknownText] : [])])
  }
  return lists
}

/** Whether an argument is a day or a moment. */
export function isMoment({ type, format }: Parameter): boolean {
  const primitive = primitiveOf(type)
  return format === 'dateTimeOffset' || format === 'date' || primitive === 'Date' || primitive === 'DateTimeOffset'
}

/** A moment at a place of the sorted values, a second before it: what lies at the border itself is not asked about. */
export function momentAt(sorted: readonly string[], place: number, parameter: Parameter): string {
  const text = sorted[Math.round(place * (sorted.length - 1))] ?? ''
  const isDay = parameter.format === 'date' || primitiveOf(parameter.type) === 'Date'
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  const shifted = new Date(place === 1 ? time + 1000 : time - 1000).toISOString()
  return isDay ? new Date(time).toISOString().slice(0, 10) : shifted.replace(/\.\d+Z$/, 'Z')
}
