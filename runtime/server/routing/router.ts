import { isSubtype, type TypeTable, typeKey } from '../../query/index.js'
import { RequestFault } from '../errors.js'
import {
  type KeyInfo,
  keyProperties,
  type ResourceSegment,
  type RouteSegment,
  type ServiceTable,
  structuredType,
  underlyingType,
} from '../service-table.js'
import { invalidValue } from '../value/primitive-values.js'
import { plainJson, type ReadContext, readLiteral, readValue } from '../value/read-value.js'
import {
  noArguments,
  type PathArguments,
  parseCallArguments,
  parseSegmentCall,
  splitPath,
  splitTarget,
} from './path.js'

/** A resource that a path can lead to, with its targets by method. */
interface Resource<Target> {
  readonly targets: Map<string, Target>
}

interface KeyText {
  readonly key: KeyInfo
  readonly text: string
  /** A literal in parentheses, `'x'`, or a path segment, `x`. */
  readonly form: 'literal' | 'segment'
}

export interface PathMatch<Target> {
  readonly resource: Resource<Target>
  readonly keys: readonly KeyText[]
  /** The inline arguments of the operation at the end of the path. */
  readonly arguments: PathArguments
}

interface KeyNode<Target> {
  readonly keys: readonly KeyInfo[]
  readonly node: Node<Target>
}

interface Node<Target> extends Resource<Target> {
  readonly names: Map<string, Node<Target>>
  /** Overloads of a function, by name and parameters: `near(lat,lon)`. */
  readonly overloads: Map<string, Node<Target>>
  key: KeyNode<Target> | undefined
  /** By the sorted names of their properties. */
  readonly alternateKeys: Map<string, KeyNode<Target>>
  /** Whether the segment can have parentheses: `call` with arguments, `delta` with empty parentheses. */
  operation: 'call' | 'delta' | undefined
}

export interface Router<Target> {
  readonly add: (segments: readonly RouteSegment[], method: string, target: Target) => void
  readonly match: (segments: readonly string[]) => PathMatch<Target> | undefined
}

const noKeys: readonly KeyText[] = []

/**
 * Creates a router: a tree of path segments. A name takes precedence over a key. Keys are `/value`, `('value')` or
 * `(a='x',b=2)`; composite keys can also be consecutive segments. Operations can omit the parentheses and the
 * namespace.
 *
 * @see OData URL Conventions 4.01, 4.3 (key-as-segment: 4.3.6)
 */
export function createRouter<Target>(namespace: string): Router<Target> {
  const root = createNode<Target>()

  const add = (segments: readonly RouteSegment[], method: string, target: Target): void => {
    let node = root
    for (const segment of segments) node = childFor(node, segment, namespace)
    node.targets.set(method, target)
  }

  const match = (segments: readonly string[]): PathMatch<Target> | undefined => walk(root, segments, 0, noKeys)

  return { add, match }
}

function createNode<Target>(): Node<Target> {
  return {
    targets: new Map(),
    names: new Map(),
    overloads: new Map(),
    key: undefined,
    alternateKeys: new Map(),
    operation: undefined,
  }
}

function childFor<Target>(node: Node<Target>, segment: RouteSegment, namespace: string): Node<Target> {
  if (segment.kind === 'key') {
    node.key ??= { keys: segment.keys, node: createNode() }
    return node.key.node
  }
  if (segment.kind === 'alternateKey') {
    const names = sortedNames(segment.keys.map(({ property }) => property))
    const known = node.alternateKeys.get(names) ?? { keys: segment.keys, node: createNode() }
    node.alternateKeys.set(names, known)
    return known.node
  }
  if (segment.kind === 'operation' && segment.overload !== undefined) return overloadFor(node, segment, namespace)
  const name = segment.kind === 'count' ? '$count' : segment.kind === 'delta' ? 'delta' : segment.name
  const known = node.names.get(name)
  if (known !== undefined) return known
  const child = createNode<Target>()
  node.names.set(name, child)
  if (segment.kind === 'operation' || segment.kind === 'delta') {
    child.operation = segment.kind === 'delta' ? 'delta' : 'call'
    const qualified = segment.kind === 'operation' ? segment.qualifiedName : undefined
    node.names.set(qualified ?? `${namespace}.${name}`, child)
  }
  return child
}

/** The node of a function overload. A call whose parameters match no overload goes to the first. */
function overloadFor<Target>(
  node: Node<Target>,
  { name, qualifiedName, overload = [] }: Extract<RouteSegment, { readonly kind: 'operation' }>,
  namespace: string,
): Node<Target> {
  const known = node.overloads.get(overloadName(name, overload))
  if (known !== undefined) return known
  const child = createNode<Target>()
  child.operation = 'call'
  for (const spelling of [name, qualifiedName ?? `${namespace}.${name}`]) {
    node.overloads.set(overloadName(spelling, overload), child)
    if (!node.names.has(spelling)) node.names.set(spelling, child)
  }
  return child
}

const sortedNames = (names: Iterable<string>): string => [...names].sort().join()

const overloadName = (name: string, parameters: Iterable<string>): string => `${name}(${sortedNames(parameters)})`

function walk<Target>(
  node: Node<Target>,
  segments: readonly string[],
  index: number,
  keys: readonly KeyText[],
): PathMatch<Target> | undefined {
  const segment = segments[index]
  if (segment === undefined) {
    return node.targets.size === 0 ? undefined : { resource: node, keys, arguments: noArguments }
  }
  const named = node.names.get(segment)
  const found = named === undefined ? undefined : walk(named, segments, index + 1, keys)
  return found ?? walkCall(node, segments, index, keys) ?? walkKey(node, segments, index, keys)
}

/** `users('x')`, `delta()`, `reminderView(start='a')`. */
function walkCall<Target>(
  node: Node<Target>,
  segments: readonly string[],
  index: number,
  keys: readonly KeyText[],
): PathMatch<Target> | undefined {
  const called = parseSegmentCall(segments[index] ?? '')
  const first = called === undefined ? undefined : node.names.get(called.name)
  if (called === undefined || first === undefined) return undefined
  const given = parseCallArguments(called.arguments)
  if (given === undefined) return undefined
  const named = node.overloads.get(overloadName(called.name, given.named.keys())) ?? first
  if (named.operation !== undefined) {
    if (named.operation === 'delta' && given !== noArguments) return undefined
    const last = index + 1 === segments.length && named.targets.size > 0
    return last ? { resource: named, keys, arguments: given } : undefined
  }
  for (const key of [named.key, named.alternateKeys.get(sortedNames(given.named.keys()))]) {
    const texts = key === undefined ? undefined : literalKeys(key.keys, given)
    if (key !== undefined && texts !== undefined) return walk(key.node, segments, index + 1, [...keys, ...texts])
  }
  return undefined
}

/** Last segments that are no keys. Such a key is written in parentheses. @see OData URL Conventions 4.01, 4.3.6 */
const reserved: ReadonlySet<string> = new Set(['$ref', '$value', '$count'])

/** `/x`, with one segment for each part of a composite key. */
function walkKey<Target>(
  node: Node<Target>,
  segments: readonly string[],
  index: number,
  keys: readonly KeyText[],
): PathMatch<Target> | undefined {
  if (node.key === undefined) return undefined
  const texts: KeyText[] = []
  for (const [part, key] of node.key.keys.entries()) {
    const text = segments[index + part]
    const isLast = index + part === segments.length - 1
    if (text === undefined || text === '' || (isLast && reserved.has(text))) return undefined
    texts.push({ key, text, form: 'segment' })
  }
  return walk(node.key.node, segments, index + texts.length, [...keys, ...texts])
}

function literalKeys(keys: readonly KeyInfo[], given: PathArguments): readonly KeyText[] | undefined {
  const [only] = keys
  if (given.single !== undefined) {
    return keys.length === 1 && only !== undefined ? [{ key: only, text: given.single, form: 'literal' }] : undefined
  }
  if (given.named.size !== keys.length) return undefined
  const texts: KeyText[] = []
  for (const key of keys) {
    const text = given.named.get(key.property)
    if (text === undefined) return undefined
    texts.push({ key, text, form: 'literal' })
  }
  return texts
}

/** What the service table says about the values of keys. */
type KeyTypes = Pick<ServiceTable, 'types' | 'numbers'>

const noKeyValues: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null))

/**
 * Reads the keys of a path. `variables` are the route's names for the keys, in order; routes of the same resource can
 * use different names. Fails with `malformedKey`.
 */
export function readKeys(
  texts: readonly KeyText[],
  variables: readonly string[],
  table: KeyTypes,
): Readonly<Record<string, unknown>> {
  if (texts.length === 0) return noKeyValues
  const keys: Record<string, unknown> = {}
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index]
    if (text !== undefined) setKey(keys, variables[index] ?? text.key.variable, readKey(text, table))
  }
  return keys
}

/** A spec can choose any name. An object without a prototype would be slow, so `__proto__` is a special case. */
function setKey(keys: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(keys, name, { value, enumerable: true })
  else keys[name] = value
}

function readKey({ key, text, form }: KeyText, { types, numbers }: KeyTypes): unknown {
  if (key.type === 'Edm.String' && form === 'segment' && !text.includes('\0')) return text
  const type = underlyingType(types, key.type)
  const json = form === 'segment' ? plainJson(text, type) : readLiteral(text, type, undefined)
  const reading: ReadContext = { types, numbers, problems: [], readComplex: () => invalidValue }
  const value = json === invalidValue ? invalidValue : readValue(json, { type: key.type }, key.property, reading)
  const problem = reading.problems[0]
  if (value !== invalidValue && problem === undefined && !(typeof value === 'string' && value.includes('\0')))
    return value
  const reason = problem?.message ?? `${key.property} must be a key of type ${key.type}.`
  throw new RequestFault('malformedKey', { target: key.property, values: { reason, key: text } })
}

/** An item that a request names by its URL, to link it. */
export interface Reference {
  /** The type of its entity set or singleton, or the derived type that the URL casts the item to. */
  readonly type: string
  /** The path in terms of the model. */
  readonly resource: readonly ResourceSegment[]
  /** Its key by the names of the key properties. */
  readonly keys: Readonly<Record<string, unknown>>
}

/** Resolves the URL of an item, absolute or relative to the service. Undefined: no entity set has such an item. */
export type ResolveReference = (url: string) => Reference | undefined

/**
 * Prepares to resolve the URLs of the items of entity sets and of singletons, whether or not a path of the spec reads them.
 *
 * @see OData JSON Format 4.01, 4.6.7 (id) and 8.5 (bind)
 */
export function createReferences(
  table: ServiceTable,
  root: string,
): (url: string, serviceUrl: string) => Reference | undefined {
  const router = createRouter<Pick<Reference, 'type' | 'resource'>>(table.namespace)
  for (const [name, { kind, type }] of Object.entries(table.container)) {
    const keys = (keyProperties(table.types, type) ?? []).map(
      ({ name: property, type: of }): KeyInfo => ({ variable: property, property, type: of }),
    )
    const first: ResourceSegment = { kind, name, type }
    if (kind === 'singleton') router.add([{ kind: 'name', name }], 'GET', { type, resource: [first] })
    else if (keys.length > 0) {
      const key: ResourceSegment = { kind: 'key', type, variables: keys.map(({ variable }) => variable) }
      router.add(
        [
          { kind: 'name', name },
          { kind: 'key', keys },
        ],
        'GET',
        { type, resource: [first, key] },
      )
    }
  }
  for (const { resource, segments } of table.routes) addAlternateKey(resource, segments, router)
  return (url, serviceUrl) => {
    const { path } = splitTarget(belowService(url, serviceUrl, root))
    const segments = splitPath(path)
    if (segments === undefined) return undefined
    const { names, cast, isKeyed } = withoutCasts(segments, table.types)
    // A key can be the name of a type.
    const plain = isKeyed ? undefined : router.match(segments)
    const match = plain ?? router.match(names)
    const found = match?.resource.targets.get('GET')
    if (match === undefined || found === undefined) return undefined
    if (plain === undefined && cast !== undefined && !isSubtype(cast, found.type, table.types)) return undefined
    const item: Pick<Reference, 'type' | 'resource'> =
      plain !== undefined || cast === undefined
        ? found
        : { type: cast, resource: [...found.resource, { kind: 'cast', type: cast }] }
    try {
      return { ...item, keys: readKeys(match.keys, [], table) }
    } catch (error) {
      if (error instanceof RequestFault) return undefined
      throw error
    }
  }
}

/** An alternate key leads to an item if a path of the spec has it. Its values have the names of the properties. */
function addAlternateKey(
  resource: readonly ResourceSegment[],
  segments: readonly RouteSegment[],
  router: Router<Pick<Reference, 'type' | 'resource'>>,
): void {
  const [set, key, ...others] = resource
  const [, last] = segments
  if (set?.kind !== 'entitySet' || key?.kind !== 'alternateKey' || last?.kind !== 'alternateKey' || others.length > 0)
    return
  const keys = last.keys.map(each => ({ ...each, variable: each.property }))
  const named = { ...key, variables: key.properties }
  if (router.match([`${set.name}(${keys.map(({ property }) => `${property}=0`).join(',')})`]) !== undefined) return
  router.add(
    [
      { kind: 'name', name: set.name },
      { kind: 'alternateKey', keys },
    ],
    'GET',
    {
      type: set.type,
      resource: [set, named],
    },
  )
}

/**
 * The segments of a path without type casts, and the type of the last one: `animals/zoo.dog/1`, `animals/1/zoo.dog` and
 * `animals/zoo.dog(1)`, where a key follows a type, name the same item.
 *
 * @see OData URL Conventions 4.01, 4.11 (type cast)
 */
function withoutCasts(
  segments: readonly string[],
  types: TypeTable,
): { readonly names: readonly string[]; readonly cast: string | undefined; readonly isKeyed: boolean } {
  const names: string[] = []
  let cast: string | undefined
  let isKeyed = false
  for (const [index, segment] of segments.entries()) {
    const [, name = segment, key = ''] = /^([^(]*)(\(.*\))?$/s.exec(segment) ?? []
    const type = index > 0 && name.includes('.') ? typeKey(name, types) : undefined
    if (type === undefined || structuredType(types, type)?.kind !== 'entityType') names.push(segment)
    else {
      cast = type
      if (key !== '') names.push(`${names.pop() ?? ''}${key}`)
      isKeyed ||= key !== ''
    }
  }
  return { names, cast, isKeyed }
}

function belowService(url: string, serviceUrl: string, root: string): string {
  for (const prefix of [serviceUrl, root]) if (url.startsWith(`${prefix}/`)) return url.slice(prefix.length)
  return url
}
