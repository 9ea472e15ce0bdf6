import { suggest } from '../diagnostics/suggest.js'
import type { PathKey, ResolvedSegment } from '../model/endpoint.js'
import type { Operation } from '../model/operation.js'
import type { ContainerElement } from '../model/service.js'
import type { EntityType, NavigationProperty, Property, StructuredType, ValueType } from '../model/types.js'
import { pointerTo } from '../source/pointer.js'
import type { TemplateArguments, TemplateSegment } from './path-template.js'
import { record } from './record.js'

/** What paths are made of. */
export interface PathElements {
  readonly namespace: string
  readonly container: ReadonlyMap<string, ContainerElement>
  readonly operations: ReadonlyMap<string, Operation>
  readonly types: ReadonlyMap<string, ValueType>
}

/** What a path stands for. */
export interface ResolvedPath {
  readonly segments: readonly ResolvedSegment[]
  readonly keys: readonly PathKey[]
  readonly target: PathTarget
}

/** What is at the end of a path. */
export type PathTarget =
  | { readonly kind: 'items' | 'item'; readonly type: EntityType }
  | { readonly kind: 'value'; readonly type: ValueType; readonly collection: boolean }
  | { readonly kind: 'count' | 'delta'; readonly type: EntityType }
  | { readonly kind: 'operation'; readonly operation: Operation }

/** Why a path resolves to nothing. */
export interface PathFault {
  readonly message: string
  readonly suggestion?: string | undefined
  /** What is missing would be declared here: pointers. */
  readonly missing?: readonly string[]
}

/** Where a path has got to. */
interface Position {
  readonly type: ValueType
  readonly collection: boolean
  /** The entity set or singleton whose bindings hold. */
  readonly source: ContainerElement | undefined
  /** From `source` on, through complex values. */
  readonly bindingPath: string
}

/**
 * Follows a path from the container on: entity sets and singletons, keys, relations, complex properties, casts,
 * operations, `$count`, `delta`.
 */
export function resolvePath(template: readonly TemplateSegment[], elements: PathElements): ResolvedPath | PathFault {
  const walk = new PathWalk(elements)
  for (const [index, segment] of template.entries()) {
    const fault = walk.take(segment, index === template.length - 1)
    if (fault) return fault
  }
  return walk.end()
}

const unqualified = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** The walk along one path; it has a position, hence a class. */
class PathWalk {
  readonly #elements: PathElements
  readonly #segments: ResolvedSegment[] = []
  readonly #keys: PathKey[] = []
  readonly #variables = new Set<string>()
  #position: Position | undefined
  #target: PathTarget | undefined

  constructor(elements: PathElements) {
    this.#elements = elements
  }

  take(segment: TemplateSegment, isLast: boolean): PathFault | undefined {
    if (this.#target) return { message: `Nothing can follow ${this.#describeTarget(this.#target)}.` }
    const position = this.#position
    switch (segment.kind) {
      case 'variable':
        return position === undefined
          ? { message: `"{${segment.variable}}" cannot begin a path; an entity set or a singleton does.` }
          : this.#takeKey(position, { kind: 'single', variable: segment.variable }, 'segment')
      case 'count':
        return this.#takeCount(position)
      case 'name':
        return position === undefined
          ? this.#takeFirst(segment.name, segment.arguments)
          : this.#takeName(position, segment.name, segment.arguments, isLast)
    }
  }

  end(): ResolvedPath | PathFault {
    const common = { segments: this.#segments, keys: this.#keys }
    if (this.#target) return { ...common, target: this.#target }
    if (this.#position === undefined) return { message: 'The path is empty.' }
    const last = this.#segments.at(-1)
    if (last?.kind === 'operation') return { ...common, target: { kind: 'operation', operation: last.operation } }
    const { type, collection } = this.#position
    if (type.kind !== 'entityType') return { ...common, target: { kind: 'value', type, collection } }
    return { ...common, target: { kind: collection ? 'items' : 'item', type } }
  }

  #takeFirst(name: string, given: TemplateArguments | undefined): PathFault | undefined {
    const { container, operations } = this.#elements
    const element = container.get(name)
    if (element?.kind === 'entitySet') {
      this.#segments.push({ kind: 'entitySet', element })
      this.#position = { type: element.type, collection: true, source: element, bindingPath: '' }
      return given === undefined ? undefined : this.#takeKey(this.#position, given, 'parentheses')
    }
    if (element) {
      this.#segments.push({ kind: 'singleton', element })
      this.#position = { type: element.type, collection: false, source: element, bindingPath: '' }
      return given === undefined ? undefined : { message: `"${name}" is a singleton and has no key.` }
    }
    const operation = operations.get(unqualified(name))
    if (operation && this.#isQualifierRight(name)) {
      if (operation.binding === undefined) return this.#takeOperation(operation, given, undefined)
      const of = operation.binding.collection ? 'a collection of' : 'an item of'
      return {
        message: `The operation "${name}" is bound to ${of} "${operation.binding.type.name}" and cannot begin a path.`,
      }
    }
    const known = [...container.keys(), ...[...operations.values()].flatMap(each => (each.binding ? [] : [each.name]))]
    const suggestion = suggest(name, known)
    const hint =
      suggestion === undefined ? ' Declare it under `container`, or say by `resource` what the path stands for.' : ''
    const missing = [pointerTo('/container', name), pointerTo('/operations', unqualified(name))]
    return {
      message: `A path begins with an entity set or a singleton; there is no "${name}".${hint}`,
      suggestion,
      missing,
    }
  }

  #takeName(
    position: Position,
    name: string,
    given: TemplateArguments | undefined,
    isLast: boolean,
  ): PathFault | undefined {
    const { type, collection } = position
    if (type.kind !== 'entityType' && type.kind !== 'complexType') {
      return { message: `"${name}" cannot follow a value of ${this.#describe(type)}.` }
    }
    if (!collection) {
      const relation = type.navigation.find(each => each.name === name)
      if (relation) return this.#takeRelation(position, relation, given)
      const property = type.properties.find(each => each.name === name)
      if (property) return this.#takeProperty(position, property, given)
    }
    const cast = this.#castType(name, type)
    if (cast && given === undefined) {
      this.#segments.push({ kind: 'cast', type: cast })
      this.#position = { ...position, type: cast }
      return undefined
    }
    const operation = this.#elements.operations.get(unqualified(name))
    if (operation && this.#isQualifierRight(name) && isBoundTo(operation, type, collection)) {
      return this.#takeOperation(operation, given, position)
    }
    if (isLast && unqualified(name) === 'delta' && collection && type.kind === 'entityType' && !hasArguments(given)) {
      this.#segments.push({ kind: 'delta' })
      this.#target = { kind: 'delta', type }
      return undefined
    }
    return this.#unknownName(type, collection, name, operation)
  }

  #takeRelation(
    position: Position,
    property: NavigationProperty,
    given: TemplateArguments | undefined,
  ): PathFault | undefined {
    const { source } = position
    this.#segments.push(
      source === undefined ? { kind: 'navigation', property } : { kind: 'navigation', property, source },
    )
    const path = `${position.bindingPath}${property.name}`
    const set = property.contained ? undefined : source?.bindings.get(path)
    this.#position = {
      type: property.type,
      collection: property.collection,
      source: set ?? (property.contained ? source : undefined),
      bindingPath: set ? '' : `${path}/`,
    }
    if (given === undefined) return undefined
    return property.collection
      ? this.#takeKey(this.#position, given, 'parentheses')
      : { message: `"${property.name}" leads to one item and has no key.` }
  }

  #takeProperty(position: Position, property: Property, given: TemplateArguments | undefined): PathFault | undefined {
    const { type, collection, name } = property
    if (given !== undefined) return { message: `"${name}" is a property and has no parentheses.` }
    if (type.kind !== 'complexType') {
      return {
        message: `The path leads to the property "${name}"; only items and complex values on the way to them have paths.`,
      }
    }
    this.#segments.push({ kind: 'property', property, type })
    this.#position = { ...position, type, collection, bindingPath: `${position.bindingPath}${name}/` }
    return undefined
  }

  #takeOperation(
    operation: Operation,
    given: TemplateArguments | undefined,
    position: Position | undefined,
  ): PathFault | undefined {
    if (given?.kind === 'single') {
      return { message: `Write the parameters of "${operation.name}" with their names: \`${signature(operation)}\`.` }
    }
    const variables = given?.variables ?? new Map<string, string>()
    if (operation.kind === 'action' && variables.size > 0) {
      return { message: `"${operation.name}" is an action; its parameters stand in the body, not in the path.` }
    }
    const parameters = operation.parameters.map(parameter => parameter.name)
    for (const [parameter, variable] of variables) {
      if (!parameters.includes(parameter)) {
        const suggestion = suggest(parameter, parameters)
        const missing = [pointerTo(`${operation.place.pointer}/parameters`, parameter)]
        return { message: `"${operation.name}" has no parameter "${parameter}".`, suggestion, missing }
      }
      const fault = this.#takeVariable(variable)
      if (fault) return fault
    }
    const missing = operation.parameters.find(({ name, optional }) => !optional && !variables.has(name))
    if (variables.size > 0 && missing) {
      return { message: `The parameter "${missing.name}" is missing; write \`${signature(operation)}\`.` }
    }
    this.#segments.push({ kind: 'operation', operation, variables: record(variables) })
    const { returns } = operation
    if (!operation.composable || returns === undefined) {
      this.#target = { kind: 'operation', operation }
      return undefined
    }
    this.#position = { type: returns.type, collection: returns.collection, source: position?.source, bindingPath: '' }
    return undefined
  }

  #takeKey(position: Position, given: TemplateArguments, style: 'segment' | 'parentheses'): PathFault | undefined {
    const { type, collection } = position
    if (type.kind !== 'entityType' || !collection) {
      const what = type.kind === 'entityType' ? `one "${type.name}"` : `values of "${type.name}"`
      return { message: `A key chooses one item of a collection; it cannot follow ${what}.` }
    }
    const names = type.key.map(property => property.name)
    const inParentheses = `(${names.map(name => `${name}={${name}}`).join(',')})`
    const missing = [`${type.place.pointer}/key`, `${type.place.pointer}/base`]
    if (names.length === 0) return { message: `"${type.name}" has no key.`, missing }
    if (given.kind === 'single' && names.length > 1) {
      return { message: `The key of "${type.name}" has ${names.length} parts; write \`${inParentheses}\`.` }
    }
    const variables = names.map(name => (given.kind === 'single' ? given.variable : given.variables.get(name)))
    if (given.kind === 'named' && (given.variables.size !== names.length || variables.includes(undefined))) {
      return { message: `The key of "${type.name}" is ${names.join(', ')}; write \`${inParentheses}\`.`, missing }
    }
    const segment = this.#segments.length
    for (const [index, property] of type.key.entries()) {
      const variable = variables[index] ?? property.name
      const fault = this.#takeVariable(variable)
      if (fault) return fault
      this.#keys.push({ variable, property, type, segment })
    }
    this.#segments.push({
      kind: 'key',
      type,
      variables: variables.map((name, index) => name ?? names[index] ?? ''),
      style,
    })
    this.#position = { ...position, collection: false }
    return undefined
  }

  #takeVariable(variable: string): PathFault | undefined {
    if (this.#variables.has(variable)) {
      return { message: `"{${variable}}" stands twice in the path; give each key and parameter a name of its own.` }
    }
    this.#variables.add(variable)
    return undefined
  }

  #takeCount(position: Position | undefined): PathFault | undefined {
    if (position?.type.kind !== 'entityType' || !position.collection) {
      return { message: '`$count` must follow a collection of items.' }
    }
    this.#segments.push({ kind: 'count' })
    this.#target = { kind: 'count', type: position.type }
    return undefined
  }

  #castType(name: string, from: StructuredType): StructuredType | undefined {
    if (!name.includes('.') || !this.#isQualifierRight(name)) return undefined
    const type = this.#elements.types.get(unqualified(name))
    if (type?.kind !== 'entityType' && type?.kind !== 'complexType') return undefined
    for (let each: StructuredType | undefined = type; each !== undefined; each = each.base)
      if (each === from) return type
    return undefined
  }

  #isQualifierRight(name: string): boolean {
    return !name.includes('.') || name.slice(0, name.lastIndexOf('.')) === this.#elements.namespace
  }

  #unknownName(type: StructuredType, collection: boolean, name: string, operation: Operation | undefined): PathFault {
    if (collection && type.navigation.some(relation => relation.name === name)) {
      return {
        message: `"${name}" is a relation of one item; a key must stand before it, \`{${type.kind === 'entityType' ? (type.key[0]?.name ?? 'id') : 'id'}}\`.`,
      }
    }
    if (operation) {
      const to = operation.binding
        ? `${operation.binding.collection ? 'a collection of' : 'one'} "${operation.binding.type.name}"`
        : 'nothing, and begins a path'
      return { message: `The operation "${name}" is bound to ${to}.` }
    }
    const bound = [...this.#elements.operations.values()].filter(each => isBoundTo(each, type, collection))
    const members = collection ? [] : [...type.navigation, ...type.properties]
    const suggestion = suggest(
      name,
      [...members, ...bound].map(each => each.name),
    )
    const where = collection ? `A collection of "${type.name}"` : `"${type.name}"`
    const { pointer } = type.place
    const missing = [
      pointerTo(`${pointer}/navigation`, name),
      pointerTo(`${pointer}/properties`, name),
      pointerTo('/operations', unqualified(name)),
      `${pointer}/base`,
    ]
    return { message: `${where} has no relation, complex property or operation "${name}".`, suggestion, missing }
  }

  #describe(type: ValueType): string {
    return `"${type.name}"`
  }

  #describeTarget(target: PathTarget): string {
    if (target.kind === 'operation') return `the operation "${target.operation.name}", which is not composable`
    return target.kind === 'count' ? '`$count`' : '`delta`'
  }
}

const hasArguments = (given: TemplateArguments | undefined): boolean =>
  given !== undefined && !(given.kind === 'named' && given.variables.size === 0)

function isBoundTo(operation: Operation, type: StructuredType, collection: boolean): boolean {
  if (operation.binding === undefined || operation.binding.collection !== collection) return false
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base) {
    if (each === operation.binding.type) return true
  }
  return false
}

const signature = ({ name, parameters }: Operation): string =>
  `${name}(${parameters.map(parameter => `${parameter.name}={${parameter.name}}`).join(',')})`
