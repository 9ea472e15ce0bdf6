import { type PropertyInfo, type StructuredTypeInfo, type TypeTable, typeKey } from '../../query/index.js'
import { structuredType } from '../type-lookup.js'
import { type ReadContext, readValue, type ValueProblem } from '../value/read-value.js'

/**
 * The purpose of a body. `create` requires the required properties and fills in defaults. `update` sets the given
 * properties and keeps the others. `replace` requires the required properties and ignores those that only the service
 * or a create sets.
 */
export type BodyPurpose = 'create' | 'update' | 'replace'

/** A body in the form that handlers receive, and all its problems. */
interface ParsedEntity {
  readonly value: Readonly<Record<string, unknown>>
  readonly problems: readonly ValueProblem[]
}

const maxEntityNesting = 32

/**
 * Reads a request body as an instance of `type`.
 *
 * @see OData Protocol 4.01, 11.4.2 (create) and 11.4.3 (update)
 */
export function readEntity(json: unknown, type: string, purpose: BodyPurpose, types: TypeTable): ParsedEntity {
  const problems: ValueProblem[] = []
  const value = readStructured(json, type, '', purpose, createReadContext(types, problems, purpose))
  return { value: value ?? {}, problems }
}

/** Reads nested complex values. Those in collections are always complete, so they are read as for a create. */
export function createReadContext(types: TypeTable, problems: ValueProblem[], purpose: BodyPurpose): ReadContext {
  let nesting = 0
  const reading: ReadContext = {
    types,
    problems,
    readComplex: (json, type, target, item) => {
      if (nesting === maxEntityNesting) return problems.push({ target, message: `${target} is nested too deep.` })
      nesting++
      const value = readStructured(json, type, target, item ? 'create' : purpose, reading)
      nesting--
      return value
    },
  }
  return reading
}

function readStructured(
  json: unknown,
  declared: string,
  target: string,
  purpose: BodyPurpose,
  reading: ReadContext,
): Record<string, unknown> | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    reading.problems.push({ target, message: `${target === '' ? 'The body' : target} must be an object.` })
    return undefined
  }
  const typeName = resolveBodyType(json, declared, target, reading)
  const type = structuredType(reading.types, typeName)
  if (type === undefined) return undefined
  const value: Record<string, unknown> =
    typeName === declared ? {} : { '@odata.type': Reflect.get(json, '@odata.type') }
  for (const [name, member] of Object.entries(json)) {
    if (name.includes('@')) reportBinding(name, target, reading)
    else readMember(name, member, type, typeName, value, target, purpose, reading)
  }
  if (purpose !== 'update') fillInMembers(json, type, value, target, purpose, reading)
  return value
}

function readMember(
  name: string,
  json: unknown,
  type: StructuredTypeInfo,
  typeName: string,
  value: Record<string, unknown>,
  target: string,
  purpose: BodyPurpose,
  reading: ReadContext,
): void {
  const path = target === '' ? name : `${target}/${name}`
  const info = Object.hasOwn(type.properties, name) ? type.properties[name] : undefined
  if (info === undefined) {
    const problem = memberProblem(name, type, typeName)
    if (problem === undefined) value[name] = json
    else reading.problems.push({ target: truncateName(path), message: problem })
    return
  }
  if (isFixed(info, purpose)) {
    if (purpose === 'replace') return
    const why = info.computed === true ? 'is read-only and cannot be set' : 'can only be set when the item is created'
    reading.problems.push({ target: path, message: `${path} ${why}.` })
    return
  }
  value[name] = readValue(json, info, path, reading)
}

function memberProblem(name: string, type: StructuredTypeInfo, typeName: string): string | undefined {
  if (Object.hasOwn(type.navigation, name)) return `${name} is a navigation property and cannot be set here.`
  if (type.open === true && name !== '__proto__') return undefined
  return `The property ${JSON.stringify(truncateName(name))} does not exist on type ${typeName}.`
}

function isFixed(info: PropertyInfo, purpose: BodyPurpose): boolean {
  return info.computed === true || (info.createOnly === true && purpose !== 'create')
}

/** Annotations are ignored, except bindings: a binding sets a navigation property and must not be lost silently. */
function reportBinding(name: string, target: string, reading: ReadContext): void {
  if (!name.endsWith('@odata.bind') && !name.endsWith('@bind')) return
  const path = truncateName(target === '' ? name : `${target}/${name}`)
  reading.problems.push({ target: path, message: `${path}: navigation properties cannot be set here.` })
}

function fillInMembers(
  json: object,
  type: StructuredTypeInfo,
  value: Record<string, unknown>,
  target: string,
  purpose: BodyPurpose,
  reading: ReadContext,
): void {
  for (const [name, info] of Object.entries(type.properties)) {
    if (Object.hasOwn(json, name) || isFixed(info, purpose)) continue
    if (info.default !== undefined) value[name] = info.default
    else if (info.required === true) {
      const path = target === '' ? name : `${target}/${name}`
      reading.problems.push({ target: path, message: `${path} is required.` })
    }
  }
}

/** The type that `@odata.type` names. It must be the declared type or a type derived from it. */
function resolveBodyType(json: object, declared: string, target: string, reading: ReadContext): string {
  const given: unknown = Object.hasOwn(json, '@odata.type') ? Reflect.get(json, '@odata.type') : undefined
  if (given === undefined) return declared
  const name = typeof given === 'string' ? typeKey(given, reading.types) : ''
  if (isDerived(name, declared, reading.types)) return name
  reading.problems.push({
    target: target === '' ? '@odata.type' : `${target}/@odata.type`,
    message: `@odata.type must name ${declared} or a type derived from it.`,
  })
  return declared
}

function isDerived(name: string, base: string, types: TypeTable): boolean {
  let current: string | undefined = name
  for (let step = 0; current !== undefined && step < maxEntityNesting; step++) {
    if (current === base) return true
    current = structuredType(types, current)?.base
  }
  return false
}

const maxNameLength = 100

/** Truncates a name from the request, so that a response stays small. */
export function truncateName(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`
}
