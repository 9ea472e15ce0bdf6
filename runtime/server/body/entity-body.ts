import {
  isExactType,
  isSubtype,
  type NavigationInfo,
  type PropertyInfo,
  type StructuredTypeInfo,
  typeKey,
} from '../../query/index.js'
import { RequestFault } from '../errors.js'
import {
  concreteTypes,
  qualifiedTypeName,
  type ServiceTable,
  structuredType,
  underlyingType,
} from '../service-table.js'
import {
  isLongList,
  type LongList,
  type LongLists,
  type ReadContext,
  readLongList,
  readValue,
  type ValueProblem,
} from '../value/read-value.js'
import { authorizeLinks, dependentsOf, type LinkedObject, type LinkRules, linkProblem, readLinks } from './json-body.js'

/**
 * The purpose of a body. `create` requires the required properties and fills in defaults. `update` sets the given
 * properties and keeps the others. `replace` requires the required properties and ignores those that only the service
 * or a create sets. `upsert`, for items nested in an update, takes all that a create can set, and the key, and requires nothing:
 * whether there is such an item, only the handler knows.
 */
export type BodyPurpose = 'create' | 'update' | 'replace' | 'upsert'

/** A body in the form that handlers receive, and all its problems. */
interface ParsedEntity {
  readonly value: Readonly<Record<string, unknown>>
  readonly problems: readonly ValueProblem[]
  /** The related items that it contains or links. */
  readonly related: number
}

/** How many related items a body may contain or link. */
interface RelatedLimit {
  readonly limit: number
  /** Those of the other bodies of a batch, which count, too. */
  readonly others: number
}

/** What the service table says about bodies. */
export interface BodyRules extends Pick<ServiceTable, 'types' | 'namespace'>, LinkRules {
  readonly numbers?: ServiceTable['numbers'] | undefined
  readonly choices?: ServiceTable['choices'] | undefined
  /** Undefined: no limit. */
  readonly related?: RelatedLimit
  /** Long lists that were read before. */
  readonly longLists?: LongLists | undefined
}

interface BodyContext extends ReadContext {
  readonly rules: BodyRules
  readonly depth: { value: number }
  /** The properties that need no value, because the item around this one determines it. */
  readonly given: { value: ReadonlySet<string> }
  readonly related: { value: number }
}

const maxEntityNesting = 32

const noneGiven: ReadonlySet<string> = new Set()

/**
 * Reads a request body as an instance of `type`. Fails with `payloadTooLarge` if it has more related items than it may.
 *
 * @param given the properties that the item around the new one determines
 * @param present the item before an update
 * @see OData Protocol 4.01, 11.4.2 (create) and 11.4.3 (update)
 */
export function readEntity(
  json: unknown,
  type: string,
  purpose: BodyPurpose,
  rules: BodyRules,
  given: ReadonlySet<string> = noneGiven,
  present?: unknown,
): ParsedEntity {
  const problems: ValueProblem[] = []
  const reading = createReadContext(rules, problems, purpose, given, present)
  const value = readStructured(json, type, '', purpose, reading)
  return { value: value ?? {}, problems, related: reading.related.value }
}

/**
 * Reads a request body as a change of an item whose type is known. The body can name this type or one that it derives
 * from, but an update cannot change the type of an item.
 *
 * @param item the item before an update. A complex value that names no type in the body keeps the type that it has.
 * @see OData Protocol 4.01, 11.4.3 (entity id and entity type cannot be changed)
 */
export function readChange(
  json: unknown,
  itemType: string,
  purpose: BodyPurpose,
  rules: BodyRules,
  item?: unknown,
): ParsedEntity {
  const type = typeKey(itemType, rules.types)
  const named = givenType(json)
  const present = purpose === 'update' ? item : undefined
  if (named === undefined) return readEntity(json, type, purpose, rules, noneGiven, present)
  if (typeof named === 'string' && isSubtype(type, named, rules.types)) {
    return readEntity({ ...Object(json), '@odata.type': undefined }, type, purpose, rules, noneGiven, present)
  }
  const own = qualifiedTypeName(type, rules)
  const message = `The item is of type ${own}, and an update cannot change the type of an item.`
  return { value: {}, problems: [{ target: '@odata.type', message }], related: 0 }
}

/**
 * Reads the long lists of a body, in several steps, for `longLists` of the rules. It goes down to related items, but not into
 * complex values. What it does not find is read in one step, as all of a short body.
 */
export async function readLongLists(
  json: unknown,
  type: string,
  rules: BodyRules,
  nextTurn: () => Promise<void>,
): Promise<LongLists> {
  const lists = new Map<unknown, LongList>()
  const visit = async (item: unknown, usual: string, path: string, depth: number): Promise<void> => {
    if (!isObject(item) || depth > maxEntityNesting) return
    const given = givenType(item)
    const info = structuredType(rules.types, typeof given === 'string' ? typeKey(given, rules.types) : usual)
    for (const [name, member] of Object.entries(item)) {
      const [own = name] = name.split('@', 1)
      const shown = name === own ? name : `${own}@odata.delta`
      const target = path === '' ? shown : `${path}/${shown}`
      const property = info !== undefined && Object.hasOwn(info.properties, name) ? info.properties[name] : undefined
      const relation = info !== undefined && Object.hasOwn(info.navigation, own) ? info.navigation[own] : undefined
      if (property !== undefined && isLongList(member, property)) {
        const problems: ValueProblem[] = []
        const reading = createReadContext(rules, problems, 'create')
        const value = await readLongList(member, property, target, reading, nextTurn)
        lists.set(member, { value, problems, related: reading.related.value })
        await nextTurn()
      } else if (relation !== undefined && Array.isArray(member)) {
        for (const [index, each] of member.entries()) await visit(each, relation.type, `${target}/${index}`, depth + 1)
      } else if (relation !== undefined) await visit(member, relation.type, target, depth + 1)
    }
  }
  await visit(json, type, '', 0)
  return lists
}

/** The value of `@odata.type` in a body. */
function givenType(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, '@odata.type')) return undefined
  return Reflect.get(json, '@odata.type')
}

/** Reads nested complex values. Those in collections are always complete, so they are read as for a create. */
export function createReadContext(
  rules: BodyRules,
  problems: ValueProblem[],
  purpose: BodyPurpose,
  given: ReadonlySet<string> = noneGiven,
  present?: unknown,
): BodyContext {
  const depth = { value: 0 }
  const related = { value: 0 }
  const reading: BodyContext = {
    rules,
    depth,
    given: { value: given },
    related,
    countRelated: (count, target) => {
      related.value += count
      const { limit, others } = rules.related ?? unlimited
      if (related.value + others > limit) throw tooManyRelated(limit, others > 0, target)
    },
    types: rules.types,
    numbers: rules.numbers,
    enumNumbers: rules.choices?.['enumNumbers'] === 'accepted',
    longLists: rules.longLists,
    problems,
    readComplex: (json, type, target, item) => {
      if (depth.value === maxEntityNesting) return problems.push({ target, message: `${target} is nested too deep.` })
      depth.value++
      const value = readStructured(
        json,
        presentType(present, target, type, rules) ?? type,
        target,
        item ? 'create' : purpose,
        reading,
        type,
      )
      depth.value--
      return value
    },
  }
  return reading
}

const unlimited: RelatedLimit = { limit: Number.POSITIVE_INFINITY, others: 0 }

function tooManyRelated(limit: number, isBatch: boolean, target: string): RequestFault {
  const what = isBatch ? 'The bodies of the batch have' : 'The body has'
  const reason = `${what} more related items than the limit nestedItems, which is ${limit}.`
  return new RequestFault('payloadTooLarge', { target: truncateName(target), values: { limit, reason } })
}

/** The type of the complex value at a path, if it is one that derives from the declared type. */
function presentType(item: unknown, path: string, declared: string, { types }: BodyRules): string | undefined {
  let value = item
  if (item === undefined) return undefined
  for (const name of path.split('/')) {
    // A collection is replaced as a whole.
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined
    value = Reflect.get(value, name)
  }
  const named = givenType(value)
  const type = typeof named === 'string' ? typeKey(named, types) : undefined
  return type !== undefined && isSubtype(type, declared, types) ? type : undefined
}

/** An object of the body while its members are read. */
interface BodyObject extends LinkedObject {
  readonly typeName: string
}

/** @param usual the type of a body that names none: the declared type, or the one that the value has before an update */
function readStructured(
  json: unknown,
  usual: string,
  target: string,
  purpose: BodyPurpose,
  reading: BodyContext,
  declared: string = usual,
): Record<string, unknown> | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    reading.problems.push({ target, message: `${target === '' ? 'The body' : target} must be an object.` })
    return undefined
  }
  const given = givenType(json)
  const typeName = resolveBodyType(json, given === undefined ? usual : declared, target, purpose, reading)
  const type = typeName === undefined ? undefined : structuredType(reading.types, typeName)
  if (typeName === undefined || type === undefined) return undefined
  // An update that names the declared type may change the type of a complex value.
  const isNamed = typeName !== declared || (given !== undefined && purpose === 'update' && target !== '')
  const value: Record<string, unknown> = isNamed
    ? { '@odata.type': given ?? `#${qualifiedTypeName(typeName, reading.rules)}` }
    : {}
  const object: BodyObject = { type, typeName, value, target }
  for (const [name, member] of Object.entries(json)) {
    if (member === undefined) continue
    const delta = name.includes('@') ? deltaOf(name, type, purpose, reading) : undefined
    if (delta !== undefined)
      value[delta.name] = readDelta(
        member,
        delta.relation,
        target === '' ? delta.name : `${target}/${delta.name}`,
        reading,
      )
    else if (name.includes('@')) readLinks(name, member, object, reading.rules, reading)
    else readMember(name, member, object, purpose, reading)
  }
  if (!/^up/.test(purpose)) fillInMembers(json, object, purpose, reading)
  return value
}

function readMember(name: string, json: unknown, object: BodyObject, purpose: BodyPurpose, reading: BodyContext): void {
  const { type, typeName, value, target } = object
  const path = target === '' ? name : `${target}/${name}`
  const info = Object.hasOwn(type.properties, name) ? type.properties[name] : undefined
  const relation = Object.hasOwn(type.navigation, name) ? type.navigation[name] : undefined
  const isInserted = purpose === 'create' && reading.rules.features?.includes('deepInsert') === true
  if (relation !== undefined && (isInserted || isDeepUpdate(relation, purpose, reading))) {
    const isSingleLink = relation.contained !== true && relation.collection !== true && !(isInserted && json === null)
    const link = isSingleLink && reading.rules.references !== undefined ? linkOf(json) : undefined
    // What links one item, or none, is the same as with `@odata.bind`.
    if (link === undefined) value[name] = readRelated(json, relation, path, isInserted ? 'create' : 'upsert', reading)
    else readLinks(`${name}@odata.bind`, link, object, linking(reading.rules), reading)
    return
  }
  if (info === undefined) {
    const problem = memberProblem(name, type, typeName)
    if (problem === undefined) value[name] = json
    else reading.problems.push({ target: truncateName(path), message: problem })
    return
  }
  if (isFixed(info, purpose) && !(purpose === 'upsert' && type.key.includes(name))) {
    if (purpose === 'replace' || purpose === 'upsert' || reading.rules.choices?.['readOnlyInBody'] === 'ignored') return
    const why = info.computed === true ? 'is read-only and cannot be set' : 'can only be set when the item is created'
    reading.problems.push({ target: path, message: `${path} ${why}.` })
    return
  }
  value[name] = readValue(json, info, path, reading)
}

/** Whether an update can contain the items of a relation. @see OData Protocol 4.01, 11.4.3.1 (deep update) */
function isDeepUpdate({ contained }: NavigationInfo, purpose: BodyPurpose, { rules }: BodyContext): boolean {
  if (purpose === 'create' || rules.features?.includes('deepUpdate') !== true) return false
  return contained === true || rules.references !== undefined
}

/** A deep insert or update can link items, whether or not the service has the feature `bind`. */
function linking(rules: BodyRules): LinkRules {
  return { ...rules, features: [...(rules.features ?? []), 'bind'] }
}

/** The URL of an object that only links an item, or null. Undefined: it is another object. */
function linkOf(json: unknown): unknown {
  if (json === null) return null
  const isLink = typeof json === 'object' && Object.keys(json).every(name => /^@(?:odata\.)?id$/.test(name))
  return isLink ? givenId(json) : undefined
}

/** `@odata.id`, or `@id`, of an object. */
function givenId(json: unknown): unknown {
  return isObject(json) ? (json['@odata.id'] ?? json['@id']) : undefined
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/**
 * Reads an item of a relation that does not contain its items: the URL of one that exists, or values; in an update, also both.
 * Values need the scopes of the paths that create and change such items. A create ignores the URL of an item with values.
 */
function readLinked(
  json: unknown,
  relation: Pick<NavigationInfo, 'type' | 'contained' | 'partner'>,
  target: string,
  purpose: 'create' | 'upsert',
  reading: BodyContext,
): unknown {
  const { rules } = reading
  const { type, contained } = relation
  if (contained === true) return readStructured(json, type, target, purpose, reading)
  const id = rules.references === undefined ? undefined : givenId(json)
  const isOnlyLink = isObject(json) && id !== undefined && Object.keys(json).every(name => name.startsWith('@'))
  const url = isOnlyLink || purpose === 'upsert' ? id : undefined
  const isRemoved = isObject(json) && ['@removed', '@odata.removed'].some(name => Object.hasOwn(json, name))
  if (isOnlyLink) authorizeLinks(relation, rules, reading.types)
  else if (!isRemoved) rules.authorize?.(type, purpose)
  const value = isOnlyLink ? {} : readStructured(json, type, target, purpose, reading)
  if (url === undefined) return value
  const problem = linkProblem(url, type, rules.references, reading.types)
  if (problem !== undefined) reading.problems.push({ target, message: `${target}: ${problem}.` })
  return { ...value, '@odata.id': url }
}

/** Reads related items that a create or an update contains. @see OData Protocol 4.01, 11.4.2.2 (deep insert) and 11.4.3.1 */
function readRelated(
  json: unknown,
  relation: Pick<NavigationInfo, 'type' | 'collection' | 'nullable' | 'partner' | 'contained'>,
  path: string,
  purpose: 'create' | 'upsert',
  reading: BodyContext,
): unknown {
  if (reading.depth.value === maxEntityNesting) {
    return reading.problems.push({ target: path, message: `${path} is nested too deep.` })
  }
  reading.countRelated?.(Array.isArray(json) ? json.length : 1, path)
  const given = reading.given.value
  reading.given.value = dependentsOf(relation, reading.types)
  reading.depth.value++
  if (purpose === 'upsert') authorizeLinks(relation, reading.rules, reading.types)
  const read = (item: unknown, target: string): unknown => readLinked(item, relation, target, purpose, reading)
  let value: unknown
  if (relation.collection !== true) value = json === null && relation.nullable === true ? null : read(json, path)
  else if (Array.isArray(json)) value = json.map((item: unknown, index) => read(item, `${path}/${index}`))
  else reading.problems.push({ target: path, message: `${path} must be a list.` })
  reading.depth.value--
  reading.given.value = given
  return value
}

const deltaMember = /^([^@]+)@(?:odata\.)?delta$/

/** The relation of a member `name@odata.delta` of a deep update. */
function deltaOf(
  member: string,
  type: StructuredTypeInfo,
  purpose: BodyPurpose,
  reading: BodyContext,
): { readonly name: string; readonly relation: NavigationInfo } | undefined {
  const name = deltaMember.exec(member)?.[1] ?? ''
  const relation = Object.hasOwn(type.navigation, name) ? type.navigation[name] : undefined
  if (relation?.collection !== true || !isDeepUpdate(relation, purpose, reading)) return undefined
  return { name: `${name}@odata.delta`, relation }
}

/** Reads the items that a delta adds, changes, or with `@removed` removes. @see OData JSON Format 4.01, 15 (delta payload) */
function readDelta(json: unknown, relation: NavigationInfo, path: string, reading: BodyContext): unknown {
  const items = readRelated(json, relation, path, 'upsert', reading)
  if (!Array.isArray(json) || !Array.isArray(items)) return items
  return items.map((item: unknown, index) => {
    const given: unknown = json[index]
    const removed = isObject(given) ? (given['@removed'] ?? given['@odata.removed']) : undefined
    if (removed === undefined || !isObject(item)) return item
    if (relation.contained !== true && isObject(removed) && removed['reason'] === 'deleted') {
      const target = `${path}/${index}`
      const message = `${target} cannot be deleted here. Write "@removed": {"reason": "changed"} to remove it from the relation.`
      reading.problems.push({ target, message })
    }
    return { ...item, '@removed': {} }
  })
}

function memberProblem(name: string, type: StructuredTypeInfo, typeName: string): string | undefined {
  if (Object.hasOwn(type.navigation, name)) return `${name} is a navigation property and cannot be set here.`
  if (type.open === true && name !== '__proto__') return undefined
  return `The property ${JSON.stringify(truncateName(name))} does not exist on type ${typeName}.`
}

function isFixed(info: PropertyInfo, purpose: BodyPurpose): boolean {
  return info.computed === true || (info.createOnly === true && purpose !== 'create' && purpose !== 'upsert')
}

function fillInMembers(
  json: object,
  { type, value, target }: BodyObject,
  purpose: BodyPurpose,
  reading: BodyContext,
): void {
  const { properties } = type
  // A collection can have many complex values, so this creates nothing.
  for (const name in properties) {
    const info = properties[name]
    // The content of a stream is never in a body.
    if (
      info === undefined ||
      Object.hasOwn(json, name) ||
      Object.hasOwn(value, name) ||
      isFixed(info, purpose) ||
      info.type === 'Edm.Stream'
    )
      continue
    // A replaced item keeps its key.
    if (purpose === 'replace' && type.key.includes(name)) continue
    if (info.default !== undefined) value[name] = defaultValue(info, reading)
    else if (info.required === true && !isGiven(name, type, { ...value, ...json }, reading)) {
      const path = target === '' ? name : `${target}/${name}`
      reading.problems.push({ target: path, message: `${path} is required.` })
    }
  }
}

/** Whether a related item determines the property: the one around the item, or one that the body contains. */
function isGiven(name: string, type: StructuredTypeInfo, json: object, { given, rules }: BodyContext): boolean {
  if (type.kind === 'entityType' && given.value.has(name)) return true
  if (rules.features?.includes('deepInsert') !== true) return false
  return Object.entries(type.navigation).some(([relation, { constraint = {} }]) => {
    return Object.hasOwn(json, relation) && Object.hasOwn(constraint, name)
  })
}

/** The default value in the form that handlers receive. */
function defaultValue(info: PropertyInfo, reading: BodyContext): unknown {
  const isNumber = typeof info.default === 'number' && isExactType(underlyingType(reading.types, info.type))
  return isNumber ? readValue(info.default, info, '', reading) : info.default
}

/**
 * The type that `@odata.type` names: the declared type or a type derived from it, and not an abstract one. A body that
 * does not name it has the declared type or, if that is abstract, the only type that it can have. Undefined: a problem
 * was reported.
 */
function resolveBodyType(
  json: object,
  declared: string,
  target: string,
  purpose: BodyPurpose,
  reading: BodyContext,
): string | undefined {
  const given = givenType(json)
  const { types } = reading
  const report = (message: string): undefined => {
    reading.problems.push({ target: target === '' ? '@odata.type' : `${target}/@odata.type`, message })
  }
  const name = given === undefined ? declared : typeof given === 'string' ? typeKey(given, types) : ''
  if (structuredType(types, name) === undefined || !isSubtype(name, declared, types)) {
    return report(`@odata.type must name ${declared} or a type derived from it.`)
  }
  if (/^up/.test(purpose) || structuredType(types, name)?.abstract !== true) return name
  const concrete = concreteTypes(name, types)
  const [only] = concrete
  if (only !== undefined && concrete.length === 1) return only
  const names = concrete.map(type => `#${qualifiedTypeName(type, reading.rules)}`).join(', ')
  return report(
    `The type ${name} is abstract. ${names === '' ? 'No type derives from it.' : `@odata.type must name one of ${names}.`}`,
  )
}

const maxNameLength = 100

/** Truncates a name from the request, so that a response stays small. */
export function truncateName(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}...`
}
