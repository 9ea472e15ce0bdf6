import type { ComplexType, EntityType, Property, StructuredType } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import { isObject, type JsonObject } from '../reply/project.js'
import { valueProblem } from './value-problem.js'

/** What a body is for: a new item, a change of some properties, or a change of all. */
export type Purpose = 'create' | 'update' | 'replace'

/** The values of a body, or what is wrong with it. */
export type BodyReading =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, Json>>; readonly type: StructuredType }
  | { readonly kind: 'problem'; readonly message: string }

/**
 * Reads a body as an item, or a part of one.
 *
 * @param types those that `@odata.type` may name
 */
export function readBody(
  json: JsonObject,
  declared: StructuredType,
  purpose: Purpose,
  types: readonly StructuredType[],
): BodyReading {
  const given = json['@odata.type']
  const name = typeof given === 'string' ? given.replace('#', '') : declared.qualifiedName
  const type = types.find(each => each.qualifiedName === name) ?? declared
  const values: Record<string, Json> = Object.create(null)
  for (const [member, value] of Object.entries(json)) {
    if (member.includes('@')) continue
    const property = type.properties.find(each => each.name === member)
    if (property === undefined) return problem(`The property '${member}' does not exist on type '${type.name}'.`)
    if (property.computed || (property.createOnly && purpose !== 'create')) {
      if (purpose === 'replace') continue
      return problem(`The property '${member}' cannot be set.`)
    }
    const message = valueProblem(value, property)
    if (message !== undefined) return problem(message)
    const read = readMember(value, property, purpose, types)
    if (read.kind === 'problem') return read
    values[member] = read.json
  }
  if (purpose !== 'update') {
    for (const property of type.properties) {
      if (Object.hasOwn(values, property.name) || property.computed || (property.createOnly && purpose === 'replace'))
        continue
      if (property.required) return problem(`The property '${property.name}' is required.`)
      values[property.name] = property.default ?? (property.collection ? [] : null)
    }
  }
  return { kind: 'values', values, type }
}

type MemberReading = { readonly kind: 'json'; readonly json: Json } | Extract<BodyReading, { readonly kind: 'problem' }>

function readMember(
  value: Json,
  property: Property,
  purpose: Purpose,
  types: readonly StructuredType[],
): MemberReading {
  const { type } = property
  if (type.kind !== 'complexType' || value === null) return { kind: 'json', json: value }
  if (!property.collection) return readComplex(value, type, purpose, types)
  const items: Json[] = []
  for (const each of Array.isArray(value) ? value : []) {
    const read = readComplex(each, type, 'create', types)
    if (read.kind === 'problem') return read
    items.push(read.json)
  }
  return { kind: 'json', json: items }
}

function readComplex(
  value: Json,
  type: ComplexType,
  purpose: Purpose,
  types: readonly StructuredType[],
): MemberReading {
  if (!isObject(value)) return problem(`A value of type '${type.name}' must be an object.`)
  const read = readBody(value, type, purpose, types)
  return read.kind === 'problem' ? read : { kind: 'json', json: { ...read.values } }
}

function problem(message: string): { readonly kind: 'problem'; readonly message: string } {
  return { kind: 'problem', message }
}

/** The types that a body of a declared type may be of. */
export function typesBelow(declared: EntityType, all: readonly StructuredType[]): readonly StructuredType[] {
  const found: StructuredType[] = [declared]
  for (const type of all)
    if (type.kind === 'complexType' || (type.base !== undefined && found.includes(type.base))) found.push(type)
  return found
}
