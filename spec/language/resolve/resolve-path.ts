import { suggest } from '../diagnostics/suggest.js'
import type { ContainerElement, PathKey, ResolvedSegment } from '../model/service.js'
import {
  type AlternateKey,
  derivesFrom,
  type EntityType,
  inheritanceChain,
  isStream,
  type NavigationProperty,
  type Operation,
  type Property,
  type StructuredType,
  type ValueType,
} from '../model/types.js'
import { record } from '../record.js'
import { pointerTo } from '../source/json-pointer.js'
import type { TemplateArguments, TemplateSegment } from './path-template.js'
import { chooseOperation, isBoundTo, type QualifiedNames, unqualified } from './resolve-operations.js'

/** Where a path leads. */
export interface ResolvedPath {
  readonly segments: readonly ResolvedSegment[]
  readonly keys: readonly PathKey[]
  readonly target: PathTarget
}

/**
 * Follows a path from the container on: entity sets and singletons, keys, relations, complex properties, casts,
 * operations, `$count`, `delta`.
 */
export function resolvePath(template: readonly TemplateSegment[], elements: PathElements): ResolvedPath | PathError {
  const walk: PathWalk = {
    elements,
    segments: [],
    keys: [],
    variables: new Set(),
    position: undefined,
    target: undefined,
  }
  for (const [index, segment] of template.entries()) {
    const fault = take(walk, segment, index === template.length - 1)
    if (fault) return fault
  }
  const target = targetOf(walk)
  return target === undefined ? { message: 'The path is empty.' } : { segments: walk.segments, keys: walk.keys, target }
}

function take(walk: PathWalk, segment: TemplateSegment, isLast: boolean): PathError | undefined {
  if (walk.target) return { message: `Nothing can follow ${describeEnd(walk.target)}.` }
  switch (segment.kind) {
    case 'variable':
      return takeKey(walk, { kind: 'single', variable: segment.variable }, 'segment')
    case 'count':
      return takeCount(walk)
    case 'value':
      return takeMediaStream(walk)
    case 'name':
      return walk.position === undefined
        ? takeFirst(walk, segment.name, segment.arguments)
        : takeName(walk, walk.position, segment, isLast)
  }
}

function targetOf({ segments, position, target }: PathWalk): PathTarget | undefined {
  if (target !== undefined || position === undefined) return target
  const last = segments.at(-1)
  if (last?.kind === 'operation') return { kind: 'operation', operation: last.operation }
  const { type, collection } = position
  if (type.kind !== 'entityType') return { kind: 'value', type, collection }
  return { kind: collection ? 'items' : 'item', type }
}

function describeEnd(target: PathTarget): string {
  if (target.kind === 'operation') return `the operation "${target.operation.name}", which is not composable`
  if (target.kind === 'stream') return 'a stream'
  return target.kind === 'count' ? '`$count`' : '`delta`'
}

/** What paths are made of. */
export interface PathElements {
  readonly container: ReadonlyMap<string, ContainerElement>
  readonly operations: ReadonlyMap<string, Operation>
  readonly qualified: QualifiedNames
}

/** What is at the end of a path. */
export type PathTarget =
  | { readonly kind: 'items' | 'item'; readonly type: EntityType }
  | { readonly kind: 'value'; readonly type: ValueType; readonly collection: boolean }
  | { readonly kind: 'count' | 'delta'; readonly type: EntityType }
  /** A stream property of an item; without one the media stream of a media entity. */
  | { readonly kind: 'stream'; readonly type: EntityType; readonly property?: Property }
  | { readonly kind: 'operation'; readonly operation: Operation }

/** Why a path resolves to nothing. */
interface PathError {
  readonly message: string
  readonly suggestion?: string | undefined
  /** What is missing would be declared here: pointers. */
  readonly missing?: readonly string[]
}

interface Position {
  readonly type: ValueType
  readonly collection: boolean
  /** The entity set or singleton whose bindings hold. */
  readonly source: ContainerElement | undefined
  /** From `source` on, through complex values. */
  readonly bindingPath: string
  /** The type to which a cast leads, with which paths of bindings can begin. */
  readonly cast?: StructuredType
}

/** The walk along one path, moved on by the functions that take its segments. */
interface PathWalk {
  readonly elements: PathElements
  readonly segments: ResolvedSegment[]
  readonly keys: PathKey[]
  /** The template variables so far. */
  readonly variables: Set<string>
  /** Absent before the first segment. */
  position: Position | undefined
  /** Present when nothing can follow. */
  target: PathTarget | undefined
}

/** Adds a template variable. Each needs a unique name. */
function takeVariable(walk: PathWalk, variable: string): PathError | undefined {
  if (walk.variables.has(variable)) {
    return { message: `"{${variable}}" is twice in the path. Give each key and parameter a unique name.` }
  }
  walk.variables.add(variable)
  return undefined
}

/** Takes the name with which a path begins: an entity set, a singleton, or an operation that is bound to nothing. */
function takeFirst(walk: PathWalk, name: string, given: TemplateArguments | undefined): PathError | undefined {
  const { container, qualified } = walk.elements
  const element = container.get(name)
  if (element?.kind === 'entitySet') {
    walk.segments.push({ kind: 'entitySet', element })
    walk.position = { type: element.type, collection: true, source: element, bindingPath: '' }
    return given === undefined ? undefined : takeKey(walk, given, 'parentheses')
  }
  if (element) {
    walk.segments.push({ kind: 'singleton', element })
    walk.position = { type: element.type, collection: false, source: element, bindingPath: '' }
    return given === undefined ? undefined : { message: `"${name}" is a singleton and has no key.` }
  }
  const overloads = qualified.operations.get(name) ?? []
  const unbound = overloads.filter(({ binding }) => binding === undefined)
  const operation = chooseOperation(unbound.length === 0 ? overloads : unbound, undefined, given)
  if (operation === undefined) return unknownFirst(walk, name)
  if (operation.binding === undefined) return takeOperation(walk, operation, given, undefined)
  const of = operation.binding.collection ? 'a collection of' : 'an item of'
  return {
    message: `The operation "${name}" is bound to ${of} "${operation.binding.type.name}" so it cannot begin a path.`,
  }
}

function unknownFirst({ elements: { container, operations } }: PathWalk, name: string): PathError {
  const unbound = [...operations.values()].filter(operation => operation.binding === undefined)
  const suggestion = suggest(name, [...container.keys(), ...unbound.map(operation => operation.name)])
  const hint =
    suggestion === undefined ? ' Declare it under `container`, or state with `resource` where the path leads.' : ''
  const message = `A path begins with an entity set or a singleton, and there is no "${name}".${hint}`
  const missing = [pointerTo('/container', name), pointerTo('/operations', unqualified(name))]
  return { message, suggestion, missing }
}

/** Takes a name within a path: a relation, a complex property, a type cast, a bound operation, or `delta` at the end. */
function takeName(
  walk: PathWalk,
  position: Position,
  { name, arguments: given }: Extract<TemplateSegment, { readonly kind: 'name' }>,
  isLast: boolean,
): PathError | undefined {
  const { type, collection } = position
  if (type.kind !== 'entityType' && type.kind !== 'complexType') {
    return { message: `"${name}" cannot follow a value of "${type.name}".` }
  }
  if (!collection) {
    const relation = type.navigation.find(each => each.name === name)
    if (relation) return takeRelation(walk, position, relation, given)
    const property = type.properties.find(each => each.name === name)
    if (property) return takeProperty(walk, position, property, given)
  }
  const cast = given === undefined ? castType(walk, name, type) : undefined
  if (cast) {
    walk.segments.push({ kind: 'cast', type: cast })
    walk.position = { ...position, type: cast, ...(position.bindingPath === '' ? { cast } : {}) }
    return undefined
  }
  const overloads = walk.elements.qualified.operations.get(name) ?? []
  const bound = overloads.filter(each => isBoundTo(each, type, collection))
  const operation = chooseOperation(bound, type, given)
  if (operation) return takeOperation(walk, operation, given, position)
  if (isLast && unqualified(name) === 'delta' && collection && type.kind === 'entityType' && !hasArguments(given)) {
    walk.segments.push({ kind: 'delta' })
    walk.target = { kind: 'delta', type }
    return undefined
  }
  return unknownName(walk, type, collection, name, overloads[0])
}

function castType(walk: PathWalk, name: string, from: StructuredType): StructuredType | undefined {
  const type = walk.elements.qualified.types.get(name)
  if (type?.kind !== 'entityType' && type?.kind !== 'complexType') return undefined
  return derivesFrom(type, from) ? type : undefined
}

const hasArguments = (given: TemplateArguments | undefined): boolean =>
  given !== undefined && !(given.kind === 'named' && given.variables.size === 0)

function unknownName(
  { elements }: PathWalk,
  type: StructuredType,
  collection: boolean,
  name: string,
  operation: Operation | undefined,
): PathError {
  if (collection && type.navigation.some(relation => relation.name === name)) {
    const key = type.kind === 'entityType' ? type.key[0]?.name : undefined
    return { message: `"${name}" is a relation of one item. Insert a key before it, \`{${key ?? 'id'}}\`.` }
  }
  if (operation) {
    const { binding } = operation
    const bound = binding && `${binding.collection ? 'a collection of' : 'one'} "${binding.type.name}"`
    const why = bound === undefined ? 'not bound, so it can only begin a path' : `bound to ${bound}`
    return { message: `The operation "${name}" is ${why}.` }
  }
  const bound = [...elements.operations.values()].filter(each => isBoundTo(each, type, collection))
  const members = collection ? bound : [...type.navigation, ...type.properties, ...bound]
  const names = members.map(member => member.name)
  const where = collection ? `A collection of "${type.name}"` : `"${type.name}"`
  return {
    message: `${where} has no relation, complex property or operation "${name}".`,
    suggestion: suggest(name, names),
    missing: [
      pointerTo('/operations', unqualified(name)),
      ...inheritanceChain(type).flatMap(({ location: { pointer } }) => [
        pointerTo(`${pointer}/navigation`, name),
        pointerTo(`${pointer}/properties`, name),
        `${pointer}/base`,
      ]),
    ],
  }
}

/** Takes a relation; the set that it is bound to says where further relations lead. */
function takeRelation(
  walk: PathWalk,
  { source, bindingPath, cast }: Position,
  property: NavigationProperty,
  given: TemplateArguments | undefined,
): PathError | undefined {
  const { type, collection, contained, name } = property
  const path = `${bindingPath}${name}`
  const casts = cast === undefined ? [] : inheritanceChain(cast).map(each => `${each.qualifiedName}/${path}`)
  const bound = [...casts, path].find(each => source?.bindings.has(each))
  const set = contained || bound === undefined ? undefined : source?.bindings.get(bound)
  const from = { ...(source === undefined ? {} : { source }), ...(set === undefined ? {} : { set }) }
  walk.segments.push({ kind: 'navigation', property, ...from })
  walk.position = set
    ? { type, collection, source: set, bindingPath: '' }
    : { type, collection, source: contained ? source : undefined, bindingPath: `${path}/` }
  if (given === undefined) return undefined
  return collection ? takeKey(walk, given, 'parentheses') : { message: `"${name}" leads to one item and has no key.` }
}

/** Takes a complex property. */
function takeProperty(
  walk: PathWalk,
  position: Position,
  property: Property,
  given: TemplateArguments | undefined,
): PathError | undefined {
  const { type, collection, name } = property
  if (given !== undefined) return { message: `"${name}" is a property and has no parentheses.` }
  if (isStream(type) && position.type.kind === 'entityType') {
    walk.segments.push({ kind: 'stream', property })
    walk.target = { kind: 'stream', type: position.type, property }
    return undefined
  }
  if (type.kind !== 'complexType') {
    return {
      message: `The path leads to the property "${name}". Only items, their streams, and complex values on the way to them have paths.`,
    }
  }
  walk.segments.push({ kind: 'property', property, type })
  walk.position = { ...position, type, collection, bindingPath: `${position.bindingPath}${name}/` }
  return undefined
}

/** Takes the key of one item of a collection. @see OData URL Conventions 4.01, 4.3 */
function takeKey(walk: PathWalk, given: TemplateArguments, style: 'segment' | 'parentheses'): PathError | undefined {
  const { position, segments } = walk
  if (position === undefined)
    return { message: 'A key cannot begin a path. Begin it with an entity set or a singleton.' }
  const { type, collection } = position
  if (type.kind !== 'entityType' || !collection) {
    const what = type.kind === 'entityType' ? `one "${type.name}"` : `values of "${type.name}"`
    return { message: `A key selects one item of a collection, so it cannot follow ${what}.` }
  }
  const names = type.key.map(property => property.name)
  const inParentheses = `(${names.map(name => `${name}={${name}}`).join(',')})`
  const missing = inheritanceChain(type).flatMap(({ location }) =>
    ['key', 'properties', 'base'].map(part => `${location.pointer}/${part}`),
  )
  const alternate = given.kind === 'named' ? alternateKeyOf(type, given.variables) : undefined
  if (alternate !== undefined && given.kind === 'named') return takeAlternateKey(walk, position, type, alternate, given)
  if (names.length === 0) return { message: `"${type.name}" has no key.`, missing }
  if (given.kind === 'single' && names.length > 1) {
    return { message: `The key of "${type.name}" has ${names.length} parts. Write \`${inParentheses}\`.` }
  }
  const variables = names.flatMap(name =>
    given.kind === 'single' ? given.variable : (given.variables.get(name) ?? []),
  )
  if (given.kind === 'named' && (given.variables.size !== names.length || variables.length !== names.length)) {
    const [first, ...more] = type.alternateKeys.map(inNames)
    const others = first === undefined ? '' : `, or an alternate key: ${[first, ...more].join(', ')}`
    const message = `The key of "${type.name}" is ${names.join(', ')}. Write \`${inParentheses}\`${others}.`
    return {
      message,
      missing: [...missing, ...inheritanceChain(type).map(({ location }) => `${location.pointer}/alternateKeys`)],
    }
  }
  for (const [index, property] of type.key.entries()) {
    const variable = variables[index] ?? property.name
    const fault = takeVariable(walk, variable)
    if (fault) return fault
    walk.keys.push({ variable, property, type, segment: segments.length })
  }
  segments.push({ kind: 'key', type, variables, style })
  walk.position = { ...position, collection: false }
  return undefined
}

const inNames = (key: AlternateKey): string => `\`(${key.map(({ name }) => `${name}={${name}}`).join(',')})\``

/** The alternate key with the given names. */
function alternateKeyOf(type: EntityType, given: ReadonlyMap<string, string>): AlternateKey | undefined {
  if (given.size === type.key.length && type.key.every(({ name }) => given.has(name))) return undefined
  return type.alternateKeys.find(key => key.length === given.size && key.every(({ name }) => given.has(name)))
}

/** Takes an alternate key. @see OData URL Conventions 4.01, 4.3.2 (alternate keys) */
function takeAlternateKey(
  walk: PathWalk,
  position: Position,
  type: EntityType,
  properties: AlternateKey,
  given: Extract<TemplateArguments, { readonly kind: 'named' }>,
): PathError | undefined {
  const variables = properties.map(({ name }) => given.variables.get(name) ?? name)
  for (const [index, property] of properties.entries()) {
    const variable = variables[index] ?? property.name
    const fault = takeVariable(walk, variable)
    if (fault) return fault
    walk.keys.push({ variable, property, type, segment: walk.segments.length })
  }
  walk.segments.push({ kind: 'alternateKey', type, properties, variables })
  walk.position = { ...position, collection: false }
  return undefined
}

/** Takes `$count`. @see OData URL Conventions 4.01, 4.8 */
function takeCount(walk: PathWalk): PathError | undefined {
  const { position } = walk
  if (position?.type.kind !== 'entityType' || !position.collection) {
    return { message: '`$count` must follow a collection of items.' }
  }
  walk.segments.push({ kind: 'count' })
  walk.target = { kind: 'count', type: position.type }
  return undefined
}

/** Takes `$value`. @see OData URL Conventions 4.01, 4.13 (media stream) */
function takeMediaStream(walk: PathWalk): PathError | undefined {
  const { position } = walk
  if (position?.type.kind !== 'entityType' || position.collection) {
    return { message: '`$value` must follow an item: a media entity.' }
  }
  const { type } = position
  if (!type.hasStream) {
    return {
      message: `Items of "${type.name}" have no media stream. Add \`hasStream: true\` there, or remove \`$value\`.`,
      missing: inheritanceChain(type).map(({ location: { pointer } }) => `${pointer}/base`),
    }
  }
  walk.segments.push({ kind: 'stream' })
  walk.target = { kind: 'stream', type }
  return undefined
}

/** Takes the call of an operation. Only a composable function can be followed by more. */
function takeOperation(
  walk: PathWalk,
  operation: Operation,
  given: TemplateArguments | undefined,
  position: Position | undefined,
): PathError | undefined {
  if (given?.kind === 'single') {
    return { message: `Write the parameters of "${operation.name}" with their names: \`${signature(operation)}\`.` }
  }
  const variables = given?.variables ?? new Map<string, string>()
  const fault = takeParameters(walk, operation, variables)
  if (fault) return fault
  walk.segments.push({ kind: 'operation', operation, variables: record(variables) })
  const { returns, composable } = operation
  if (composable && returns !== undefined) {
    const { type, collection } = returns
    walk.position = { type, collection, source: position?.source, bindingPath: '' }
  } else {
    walk.target = { kind: 'operation', operation }
  }
  return undefined
}

function takeParameters(
  walk: PathWalk,
  operation: Operation,
  variables: ReadonlyMap<string, string>,
): PathError | undefined {
  if (operation.kind === 'action' && variables.size > 0) {
    return { message: `"${operation.name}" is an action. Its parameters belong in the body, not in the path.` }
  }
  const parameters = operation.parameters.map(parameter => parameter.name)
  for (const [parameter, variable] of variables) {
    if (!parameters.includes(parameter)) {
      const message = `"${operation.name}" has no parameter "${parameter}".`
      const missing = [pointerTo(`${operation.location.pointer}/parameters`, parameter)]
      return { message, suggestion: suggest(parameter, parameters), missing }
    }
    const fault = takeVariable(walk, variable)
    if (fault) return fault
  }
  const absent = operation.parameters.find(({ name, optional }) => !optional && !variables.has(name))
  return variables.size > 0 && absent
    ? { message: `The parameter "${absent.name}" is missing. Write \`${signature(operation)}\`.` }
    : undefined
}

const signature = ({ name, parameters }: Operation): string =>
  `${name}(${parameters.map(parameter => `${parameter.name}={${parameter.name}}`).join(',')})`

/** Whether two paths have the same meaning, segment by segment. Variables may have different names. */
export function isSamePath(left: readonly ResolvedSegment[], right: readonly ResolvedSegment[]): boolean {
  return left.length === right.length && left.every((segment, index) => isSameStep(segment, right[index]))
}

function isSameStep(left: ResolvedSegment, right: ResolvedSegment | undefined): boolean {
  if (right === undefined || left.kind !== right.kind) return false
  switch (left.kind) {
    case 'entitySet':
    case 'singleton':
      return 'element' in right && left.element === right.element
    case 'navigation':
    case 'property':
      return 'property' in right && left.property === right.property
    case 'key':
    case 'cast':
      return 'type' in right && left.type === right.type
    case 'alternateKey':
      return 'properties' in right && left.properties === right.properties
    case 'operation':
      return 'operation' in right && left.operation === right.operation
    default:
      return true
  }
}
