import { type Expression, isSubtype, type NavigationInfo, type TypeTable } from '../../query/index.js'
import { RequestFault } from '../errors.js'
import type { ServerRequest } from '../http/message.js'
import type { QueryPlan } from '../planning/related-scopes.js'
import type { PathArguments } from '../routing/path.js'
import type { ResolveReference } from '../routing/router.js'
import {
  concreteTypes,
  type Fault,
  type ParameterInfo,
  type Route,
  type ServiceTable,
  type StreamInfo,
  structuredType,
  underlyingType,
} from '../service-table.js'
import { readStreamContent } from '../streams/stream-responses.js'
import { invalidValue, primitiveReader } from '../value/primitive-values.js'
import { plainJson, readLiteral, readValue, type ValueProblem } from '../value/read-value.js'
import {
  type BodyPurpose,
  type BodyRules,
  createReadContext,
  readChange,
  readEntity,
  readLongLists,
  truncateName,
} from './entity-body.js'
import { dependentsOf, isLong, nextTurn, type RelatedWrite, readJsonBody } from './json-body.js'

/** The parameters of an operation in the form that handlers receive, and all their problems. */
interface ParsedParameters {
  readonly value: Readonly<Record<string, unknown>>
  readonly problems: readonly ValueProblem[]
}

/**
 * Reads the parameters of an action or function from a JSON object: the body of an action (without a body, an empty
 * object), or the arguments in the URL of a function.
 *
 * @see OData Protocol 4.01, 11.5.5.1 (invoking an action)
 */
function readParameters(
  json: unknown,
  parameters: Readonly<Record<string, ParameterInfo>>,
  rules: BodyRules,
): ParsedParameters {
  const problems: ValueProblem[] = []
  const reading = createReadContext(rules, problems, 'create')
  const value: Record<string, unknown> = Object.create(null)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { value, problems: [{ target: '', message: 'The body must be an object with the parameters.' }] }
  }
  for (const name of Object.keys(json)) {
    if (Object.hasOwn(parameters, name) || name.includes('@')) continue
    problems.push({
      target: truncateName(name),
      message: `There is no parameter ${JSON.stringify(truncateName(name))}.`,
    })
  }
  for (const [name, info] of Object.entries(parameters)) {
    const given: unknown = Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined
    if (given === undefined) {
      if (info.default !== undefined) value[name] = info.default
      else if (info.optional !== true) problems.push({ target: name, message: `${name} is required.` })
      continue
    }
    const read = readValue(given, info, name, reading)
    const problem = info.format === undefined ? undefined : parameterFormatProblem(read, info.format)
    if (problem !== undefined) problems.push({ target: name, message: `${name} ${problem}.` })
    value[name] = read
  }
  return { value, problems }
}

/** The places for a function's arguments: the path, the parameter aliases of the query, or custom query options. */
interface ArgumentSources {
  readonly inline: PathArguments
  readonly aliases: Readonly<Record<string, Expression>> | undefined
  readonly custom: readonly (readonly [name: string, value: string])[]
}

/**
 * Reads a function's arguments. In the path, they are `(a='x',b=@p)`, where `@p` is a parameter alias. In the query,
 * they are `?a=...`, where a string does not need quotes.
 *
 * @see OData Protocol 4.01, 11.5.4.1 (invoking a function)
 */
function readFunctionArguments(
  sources: ArgumentSources,
  parameters: Readonly<Record<string, ParameterInfo>>,
  rules: BodyRules,
): ParsedParameters {
  const { types } = rules
  const json: Record<string, unknown> = Object.create(null)
  const problems: ValueProblem[] = []
  const take = (name: string, value: unknown): void => {
    if (value !== invalidValue) json[name] = value
    else problems.push({ target: name, message: `${name} must be a literal of type ${parameters[name]?.type}.` })
  }
  for (const [name, text] of sources.custom) {
    if (Object.hasOwn(parameters, name))
      take(name, plainArgument(text, parameterType(name, parameters, types), sources.aliases))
  }
  for (const [name, text] of sources.inline.named) {
    take(
      name,
      Object.hasOwn(parameters, name)
        ? readLiteral(text, parameterType(name, parameters, types), sources.aliases)
        : text,
    )
  }
  if (sources.inline.single !== undefined) problems.push({ target: '', message: 'Name each argument: (name=value).' })
  const reading = readParameters(json, parameters, rules)
  const unread = new Set(problems.map(problem => problem.target))
  const others = reading.problems.filter(problem => !unread.has(problem.target))
  return { value: reading.value, problems: [...problems, ...others] }
}

function plainArgument(text: string, type: string, aliases: ArgumentSources['aliases']): unknown {
  const written = /^['"[{@]/.test(text) ? readLiteral(text, type, aliases) : invalidValue
  return written === invalidValue ? plainJson(text, type) : written
}

function parameterType(name: string, parameters: Readonly<Record<string, ParameterInfo>>, types: TypeTable): string {
  return underlyingType(types, parameters[name]?.type ?? 'Edm.String')
}

const formatTypes = { dateTimeOffset: 'Edm.DateTimeOffset', date: 'Edm.Date', guid: 'Edm.Guid' } as const

/** Checks the format of a string parameter. Undefined: the format is valid, or the value isn't a string. */
function parameterFormatProblem(value: unknown, format: keyof typeof formatTypes): string | undefined {
  if (typeof value !== 'string') return undefined
  const reader = primitiveReader(formatTypes[format])
  return reader === undefined || reader.read(value) !== invalidValue ? undefined : `must be ${reader.expected}`
}

/** The input of a request besides keys and query: a body, or the parameters of an operation. */
export interface Input {
  /** Reads the body. Fails with a fault that lists all problems, if it was not checked before. */
  readonly body: () => unknown
  /** Reads the body as a change of an item of a type. Fails with a fault that lists all problems. */
  readonly bodyAs: (itemType: string, item?: unknown) => unknown
  /** Reads the body of an update as that of a create with a key. Undefined: an update creates nothing. */
  readonly newItem?: ((key: Readonly<Record<string, unknown>>) => unknown) | undefined
  readonly parameters: Readonly<Record<string, unknown>>
  /** The bytes of the body, as received. */
  readonly bytes: number
}

const noBody = (): undefined => undefined

const noInput: Input = { body: noBody, bodyAs: noBody, parameters: Object.freeze(Object.create(null)), bytes: 0 }

const purposes: Readonly<Partial<Record<Route['kind'], BodyPurpose>>> = {
  create: 'create',
  update: 'update',
  replace: 'replace',
}

/** The default of the limit `nestedItems`. */
export const defaultNestedItems = 500

/** What a body may refer to and write. */
interface InputAccess {
  readonly references: ResolveReference | undefined
  /** Fails if the caller lacks the scopes. */
  readonly requireScopes: (scopes: readonly string[]) => void
}

/** Reads and checks the input of a route. Fails with a fault that lists all problems. */
export function readInput(
  route: Route,
  request: ServerRequest,
  inline: PathArguments,
  plan: QueryPlan,
  table: ServiceTable,
  access: InputAccess,
): Input | Promise<Input> {
  const { operation, kind, type, stream } = route
  if (stream !== undefined && (kind === 'createMedia' || kind === 'replaceStream')) {
    return streamInput(request, stream, table.limits.stream)
  }
  if (operation !== undefined) {
    return route.method === 'POST' ? actionInput(route, request, table) : functionInput(route, inline, plan, table)
  }
  const purpose = purposes[kind]
  return purpose === undefined || type === undefined
    ? noInput
    : entityInput(route, type, purpose, request, table, access)
}

async function entityInput(
  route: Route,
  type: string,
  purpose: BodyPurpose,
  request: ServerRequest,
  table: ServiceTable,
  { references, requireScopes }: InputAccess,
): Promise<Input> {
  const authorized = new Set<string>()
  const authorize = (of: string, write: RelatedWrite): void => {
    if (authorized.has(`${write} ${of}`)) return
    for (const { scopes } of writesOf(of, write, table)) requireScopes(scopes)
    authorized.add(`${write} ${of}`)
  }
  const { json, bytes } = await readJsonBody(request, table.limits.body, undefined)
  const received = { ...noInput, bytes }
  const { nestedItems: limit = defaultNestedItems } = table.limits
  const total = request.related ?? { value: 0 }
  let own = 0
  const { types, namespace, numbers, features, choices } = table
  const common = { types, namespace, numbers, features, choices, references, authorize }
  const longLists = isLong(bytes)
    ? await readLongLists(json, type, { ...common, related: { limit, others: 0 } }, nextTurn)
    : undefined
  const rules = (): BodyRules => ({ ...common, longLists, related: { limit, others: total.value - own } })
  const checked = ({ value, problems, related }: ReturnType<typeof readEntity>): typeof value => {
    rejectInput('invalidBody', problems)
    // A body can be read more than once.
    total.value += related - own
    own = related
    return value
  }
  const bodyAs = (itemType: string, item?: unknown): unknown =>
    checked(readChange(json, itemType, purpose, rules(), item))
  const read = (): unknown => checked(readEntity(json, type, purpose, rules(), givenBy(route, table)))
  const creating = (key: Readonly<Record<string, unknown>>): unknown => {
    for (const { scopes } of createsBeside(route, table)) requireScopes(scopes)
    const keys = new Set(Object.keys(key))
    const value = checked(readEntity({ ...Object(json), ...withoutValues(key) }, type, 'create', rules(), keys))
    return { ...value, ...key }
  }
  // The item decides which properties an update can have, if it or its complex values can be of several types. Its handler
  // reads the body. A body that creates an item can have properties that an update cannot.
  if (purpose !== 'create' && isUpsert(route, table)) return { ...received, body: read, bodyAs, newItem: creating }
  if (purpose !== 'create' && !isOnlyType(type, table)) return { ...received, body: read, bodyAs }
  if (purpose === 'update' && hasTypedValues(type, table)) return { ...received, body: read, bodyAs }
  const body = read()
  if (isLong(bytes)) await nextTurn()
  return { ...received, body: () => body, bodyAs }
}

/** The key of the path is not read again: the service may compute it for other creates. */
function withoutValues(key: Readonly<Record<string, unknown>>): Readonly<Record<string, undefined>> {
  return Object.fromEntries(Object.keys(key).map((name): readonly [string, undefined] => [name, undefined]))
}

/**
 * Whether the route updates an item by its key, and creates it if it does not exist. Media entities, and items by a key or an
 * alternate key that the service computes, cannot be created so.
 *
 * @see OData Protocol 4.01, 11.4.4 (upsert)
 */
function isUpsert({ resource, type }: Route, { features, types }: ServiceTable): boolean {
  const last = resource.at(-1)
  if (features?.includes('upsert') !== true || type === undefined) return false
  if (last?.kind !== 'key' && last?.kind !== 'alternateKey') return false
  const info = structuredType(types, type)
  if (info === undefined || info.hasStream === true) return false
  const given = last.kind === 'key' ? info.key : last.properties
  return !given.some(name => info.properties[name]?.computed)
}

/**
 * The routes whose scopes a body needs to write items of a type in other entity sets. If no path of an entity set creates them,
 * those paths count that create them in a relation; if there are none, those that change them.
 */
function writesOf(type: string, write: RelatedWrite, { routes, types }: ServiceTable): readonly Route[] {
  const ofType = routes.filter(({ type: own }) => {
    return own !== undefined && (isSubtype(own, type, types) || isSubtype(type, own, types))
  })
  const inSet = ({ resource }: Route, length: number): boolean => {
    const [first, ...rest] = resource.filter(segment => segment.kind !== 'cast')
    return first?.kind === 'entitySet' && rest.length === length
  }
  const changing = ofType.filter(route => route.kind === 'update' && inSet(route, 1))
  if (write === 'update') return changing
  const creating = ofType.filter(isCreate)
  const creatingInSet = creating.filter(route => inSet(route, 0))
  const all =
    creatingInSet.length > 0
      ? creatingInSet
      : creating.filter(route => writtenRelation(route, { types })?.contained !== true)
  return write === 'upsert' || all.length === 0 ? [...all, ...changing] : all
}

/** The routes that create an item where an update by key can create one. */
function createsBeside({ resource }: Route, { routes }: ServiceTable): readonly Route[] {
  const shapeOf = (segments: Route['resource']): string =>
    segments.map(segment => ('name' in segment ? segment.name : segment.kind)).join('/')
  const around = shapeOf(resource.slice(0, -1))
  return routes.filter(route => isCreate(route) && shapeOf(route.resource) === around)
}

function isCreate({ kind }: Route): boolean {
  return kind === 'create' || kind === 'createMedia'
}

/** The relation with which the path of a route ends. */
function writtenRelation({ resource }: Route, { types }: Pick<ServiceTable, 'types'>): NavigationInfo | undefined {
  const reversed = [...resource].reverse()
  const [last, ...before] = reversed.slice(reversed.findIndex(({ kind }) => kind !== 'cast'))
  const owner = before.find(segment => 'type' in segment)
  if (last?.kind !== 'navigation' || owner === undefined || !('type' in owner)) return undefined
  return structuredType(types, owner.type)?.navigation[last.name]
}

/** The properties of a new item that the item before it in the path determines. */
function givenBy(route: Route, table: ServiceTable): ReadonlySet<string> {
  const relation = route.kind === 'create' ? writtenRelation(route, table) : undefined
  return relation === undefined ? nothingGiven : dependentsOf(relation, table.types)
}

const nothingGiven: ReadonlySet<string> = new Set()

function isOnlyType(type: string, { types }: ServiceTable): boolean {
  const [only, ...others] = concreteTypes(type, types)
  return only === type && others.length === 0
}

/** Whether an item has complex values that can be of several types, at any depth. */
function hasTypedValues(type: string, table: ServiceTable, seen: ReadonlySet<string> = new Set()): boolean {
  const properties = Object.values(structuredType(table.types, type)?.properties ?? {})
  return properties.some(({ type: of, collection }) => {
    if (collection === true || seen.has(of) || structuredType(table.types, of) === undefined) return false
    return !isOnlyType(of, table) || hasTypedValues(of, table, new Set([...seen, of]))
  })
}

async function streamInput(request: ServerRequest, stream: StreamInfo, limit: number | undefined): Promise<Input> {
  const content = await readStreamContent(request, stream, limit)
  return { ...noInput, body: () => content, bytes: content.bytes.byteLength }
}

async function actionInput({ operation }: Route, request: ServerRequest, table: ServiceTable): Promise<Input> {
  const { json, bytes } = await readJsonBody(request, table.limits.body, {})
  const { value, problems } = readParameters(json, operation?.parameters ?? {}, table)
  rejectInput('invalidParameter', problems)
  return { ...noInput, parameters: value, bytes }
}

function functionInput({ operation }: Route, inline: PathArguments, plan: QueryPlan, table: ServiceTable): Input {
  const sources = { inline, aliases: plan.options.aliases, custom: plan.custom }
  const { value, problems } = readFunctionArguments(sources, operation?.parameters ?? {}, table)
  rejectInput('invalidParameter', problems)
  return { ...noInput, parameters: value }
}

/** The maximum number of problems in a response, so that a large body doesn't get a larger response. */
const maxReportedProblems = 50

function rejectInput(fault: Fault, problems: readonly ValueProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw new RequestFault(fault, {
    ...(problems.length === 1 && first.target !== '' ? { target: first.target } : {}),
    values: { property: first.target, parameter: first.target, reason: reasonOf(problems, first) },
    reasons: problems.slice(0, maxReportedProblems),
  })
}

function reasonOf(problems: readonly ValueProblem[], first: ValueProblem): string {
  return problems.length === 1 ? first.message : `${first.message} ${problems.length - 1} more: see details.`
}
