import type { PropertyInfo, TypeInfo, TypeTable } from '../../query/schema.js'
import { facetProblem } from './facet-problem.js'
import { primitiveReader } from './primitive-readers.js'
import { readEnum } from './read-enum.js'
import { unfit } from './unfit.js'

/** One thing that is wrong with a value. */
export interface ValueProblem {
  /** Path to it, `toRecipients/0/emailAddress/address`. */
  readonly target: string
  /** A sentence: `importance must be one of low, normal, high.` */
  readonly message: string
}

/** What reading a value needs to know, and where it reports what is wrong. */
export interface ValueReading {
  readonly types: TypeTable
  readonly problems: ValueProblem[]
  /** Reads an object of a complex type; `item`: as an item of a collection, which is always given whole. */
  readonly readComplex: (json: unknown, type: string, target: string, item: boolean) => unknown
}

/** Items that a collection may have where its spec gives no limit. */
const maxItems = 100_000

/**
 * Reads the JSON of one property or parameter as its type; returns it in the form that handlers get. What does not fit is
 * reported, all of it.
 */
export function readValue(json: unknown, info: PropertyInfo, target: string, reading: ValueReading): unknown {
  if (info.collection !== true) return readSingleValue(json, info, target, reading)
  if (!Array.isArray(json)) return reportProblem(reading, target, 'must be a list')
  const least = info.minItems ?? 0
  const most = info.maxItems ?? maxItems
  if (json.length < least) return reportProblem(reading, target, `must have at least ${least} items`)
  if (json.length > most) return reportProblem(reading, target, `must have at most ${most} items`)
  return json.map((item: unknown, index) => readSingleValue(item, info, `${target}/${index}`, reading))
}

function readSingleValue(json: unknown, info: PropertyInfo, target: string, reading: ValueReading): unknown {
  if (json === null) return info.nullable === true ? null : reportProblem(reading, target, 'must not be null')
  const type = typeInfoOf(info.type, reading.types)
  if (type?.kind === 'complexType' || type?.kind === 'entityType') {
    return reading.readComplex(json, info.type, target, info.collection === true)
  }
  if (type?.kind === 'enumType') {
    const value = typeof json === 'string' ? readEnum(json, type) : unfit
    return value === unfit
      ? reportProblem(reading, target, `must be one of ${Object.keys(type.members).join(', ')}`)
      : value
  }
  const primitive = type?.kind === 'typeDefinition' ? type.type : info.type
  const reader = primitiveReader(primitive)
  if (reader === undefined) return reportProblem(reading, target, 'cannot be set in JSON')
  const value = reader.read(json)
  if (value === unfit) return reportProblem(reading, target, `must be ${reader.expected}`)
  const problem =
    facetProblem(info, primitive, value) ??
    (type?.kind === 'typeDefinition' ? facetProblem(type, primitive, value) : undefined)
  return problem === undefined ? value : reportProblem(reading, target, problem)
}

function reportProblem(reading: ValueReading, target: string, problem: string): undefined {
  reading.problems.push({ target, message: `${target} ${problem}.` })
}

function typeInfoOf(name: string, types: TypeTable): TypeInfo | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined
}
