import type { Expression, KeyValue, PathExpression, PathRoot, PathSegment } from '../ast.js'
import type { FunctionOperations } from '../functions.js'
import { matchesSearch } from '../search.js'
import {
  type AnyQueryFunction,
  definitionOf,
  functionNamed,
  type ServiceFunction,
  type ServiceFunctions,
} from '../service-functions.js'
import { structuredTypeInfo, type TypeTable } from '../type-table.js'
import { castSegment } from './cast.js'
import { areEqual } from './compare.js'
import { jsonValue, memberOf, valueJson } from './conversion.js'
import {
  type CollectionValue,
  describeValue,
  EvaluationError,
  integer,
  isOfKind,
  type NonNullValue,
  type StructuredValue,
  truthOf,
  type Value,
} from './value.js'

/** The value at a step of a path, and the item and name of the property that contains it. */
interface PathStep {
  readonly value: Value
  readonly owner?: StructuredValue
  readonly name?: string
}

/**
 * The value at the end of a path; null after a null value.
 *
 * @throws {EvaluationError} for a name that the row's type does not have, and for functions that only the service can call
 * @see OData 4.01 URL Conventions, 5.1.1.15
 */
export function evaluatePath({ root, segments }: PathExpression, environment: Environment): Value {
  let step: PathStep = { value: startValue(root, environment) }
  let rest = segments
  const [first] = segments
  if (root === undefined && first?.kind === 'annotation' && isAlias(first, environment)) {
    step = { value: evaluateAlias(first.term, environment) }
    rest = segments.slice(1)
  }
  for (const segment of rest) step = takeStep(step, segment, environment)
  return step.value
}

function isAlias(
  { term, qualifier }: Extract<PathSegment, { kind: 'annotation' }>,
  { options, parameters }: Environment,
): boolean {
  if (parameters !== undefined) return qualifier === undefined && parameters.has(term)
  return qualifier === undefined && options.aliases !== undefined && Object.hasOwn(options.aliases, term)
}

function startValue(root: PathRoot | undefined, environment: Environment): Value {
  switch (root?.kind) {
    case undefined:
    case 'this':
      return environment.row
    case 'it':
      return environment.it
    case 'root':
      return jsonValue(environment.options.root, undefined, environment.options.types)
    case 'variable':
      return variableValue(environment.bindings, root.name)
  }
}

function variableValue(bindings: Binding | undefined, name: string): Value {
  for (let inner = bindings; inner !== undefined; inner = inner.outer) {
    if (inner.name === name) return inner.value
  }
  throw new EvaluationError(`The variable ${name} is not defined by an enclosing lambda.`)
}

function takeStep(step: PathStep, segment: PathSegment, environment: Environment): PathStep {
  const { value } = step
  if (segment.kind === 'annotation') return { value: annotationValue(step, segment, environment.options.types) }
  if (segment.kind === 'function') {
    const given = new Map(segment.parameters.map(part => [part.name, environment.evaluate(part.value, environment)]))
    return { value: callServiceFunction(segment.name, value, given, environment) }
  }
  if (value === null) return { value: null }
  switch (segment.kind) {
    case 'property':
      return property(value, segment.name, environment)
    case 'cast':
      return { value: castSegment(value, segment.type, environment.options.types) }
    case 'key':
      return { value: itemByKey(value, segment.values, environment) }
    case 'filter':
      return { value: filterSegment(value, segment.predicate, environment) }
    case 'count':
      return { value: countSegment(value, segment, environment) }
  }
}

function property(value: NonNullValue, name: string, { options }: Environment): PathStep {
  if (!isOfKind(value, 'structured')) {
    const hint = isOfKind(value, 'collection') ? ' Use `any`, `all` or `$count`.' : ''
    throw new EvaluationError(`${describeValue(value)} has no property ${name}.${hint}`)
  }
  const json = memberOf(value.json, name)
  const type = structuredTypeInfo(value.type, options.types)
  if (type === undefined) return { value: jsonValue(json, undefined, options.types), owner: value, name }
  const declared = ownMember(type.properties, name) ?? ownMember(type.navigation, name)
  // The row contains computed properties that the type does not declare.
  if (declared === undefined && json === undefined && type.open !== true) {
    throw new EvaluationError(`The type ${value.type} has no property ${name}.`)
  }
  const given = json === undefined && declared?.collection === true ? [] : json
  return { value: jsonValue(given, declared?.type, options.types), owner: value, name }
}

function ownMember<Member>(record: Readonly<Record<string, Member>>, name: string): Member | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** The items for which the predicate is true. */
function filterSegment(value: NonNullValue, predicate: Expression, environment: Environment): CollectionValue {
  const items = collectionOf(value, '$filter').items.filter(
    item => truthOf(environment.evaluate(predicate, forItem(environment, item)), '$filter') === true,
  )
  return { kind: 'collection', items }
}

/** The number of items that match the filter and the search. */
function countSegment(
  value: NonNullValue,
  { filter, search }: Extract<PathSegment, { readonly kind: 'count' }>,
  environment: Environment,
): Value {
  const collection = collectionOf(value, '$count')
  const { items } = filter === undefined ? collection : filterSegment(collection, filter, environment)
  return integer(search === undefined ? items.length : items.filter(item => matchesSearch(search, item)).length)
}

function collectionOf(value: NonNullValue, segment: string): CollectionValue {
  if (isOfKind(value, 'collection')) return value
  throw new EvaluationError(`\`${segment}\` needs a collection, not ${describeValue(value)}.`)
}

/** The item with the key, or null. @throws {EvaluationError} if the property of the key is unknown */
function itemByKey(value: NonNullValue, key: readonly KeyValue[], environment: Environment): Value {
  const { items } = collectionOf(value, 'key')
  const expected = key.map(part => ({ name: part.name, value: environment.evaluate(part.value, environment) }))
  const found = items.find(item => {
    if (!isOfKind(item, 'structured')) return false
    return expected.every(part => {
      const actual = keyProperty(item, part.name, environment)
      return actual !== null && part.value !== null && areEqual(actual, part.value, environment.options.types)
    })
  })
  return found ?? null
}

function keyProperty(item: StructuredValue, name: string | undefined, { options }: Environment): Value {
  const type = structuredTypeInfo(item.type, options.types)
  const property = name ?? type?.key[0]
  if (property === undefined) throw new EvaluationError('A key without a name needs a type table.')
  const declared =
    type !== undefined && Object.hasOwn(type.properties, property) ? type.properties[property] : undefined
  return jsonValue(memberOf(item.json, property), declared?.type, options.types)
}

/**
 * The value of an annotation in JSON: of `@ns.term` in the annotated item, or of `price@ns.term` next to the annotated
 * property; null if it is absent.
 *
 * @see OData 4.01 JSON Format, 20
 */
function annotationValue(
  { value, owner, name }: PathStep,
  { term, qualifier }: Extract<PathSegment, { readonly kind: 'annotation' }>,
  types: TypeTable | undefined,
): Value {
  const annotation = `@${term}${qualifier === undefined ? '' : `#${qualifier}`}`
  const beside = owner === undefined || name === undefined ? undefined : memberOf(owner.json, `${name}${annotation}`)
  if (beside !== undefined) return jsonValue(beside, undefined, types)
  return isOfKind(value, 'structured') ? jsonValue(memberOf(value.json, annotation), undefined, types) : null
}

/**
 * The value of a function of the service: that of its definition, or what its handler returns. A function that is bound to an
 * item is null without it.
 *
 * @param bound the value before the call in the path; null if there is none
 * @param given the values of the arguments by name
 * @throws {EvaluationError} for a function that has neither
 */
export function callServiceFunction(
  name: string,
  bound: Value,
  given: ReadonlyMap<string, Value>,
  environment: Environment,
): Value {
  const { functions, handlers = {} } = environment.options
  const called = functionNamed(name, functions)
  const definition = called === undefined ? undefined : definitionOf(called)
  const handler = called !== undefined && Object.hasOwn(handlers, called.name) ? handlers[called.name] : undefined
  if (called === undefined || (definition === undefined && handler === undefined)) {
    throw new EvaluationError(`Only the service can call the function ${name}.`)
  }
  if (called.binding !== undefined && bound === null) return null
  const row = called.binding === undefined ? null : bound
  if (definition === undefined) return handlerValue(called, handler, row, given, environment)
  return environment.evaluate(definition, {
    ...environment,
    row,
    it: row,
    bindings: undefined,
    parameters: given,
    aliasValues: new Map(),
  })
}

function handlerValue(
  { name, binding, parameters, returns }: ServiceFunction,
  handler: AnyQueryFunction | undefined,
  row: Value,
  given: ReadonlyMap<string, Value>,
  { options }: Environment,
): Value {
  const values = Object.keys(parameters).map(each => [each, valueJson(given.get(each) ?? null)] as const)
  const result = handler?.({
    item: binding === undefined ? undefined : valueJson(row),
    parameters: Object.fromEntries(values),
  })
  if (result instanceof Promise) {
    throw new EvaluationError(
      `The handler of the function ${name} returned a promise. It must return the value itself.`,
    )
  }
  return jsonValue(result, returns.type, options.types)
}

/** The value of `@name`, evaluated once per row; null for an undefined alias. @see OData 4.01 Protocol, 11.2.5.1.3 */
export function evaluateAlias(name: string, environment: Environment): Value {
  const parameter = environment.parameters?.get(name)
  if (parameter !== undefined) return parameter
  // In the definition of a function, an optional parameter without an argument is null.
  if (environment.parameters !== undefined) return null
  const { aliases } = environment.options
  const expression = aliases !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (expression === undefined) return null
  const known = environment.aliasValues.get(name)
  if (known !== undefined) return known
  if (environment.aliasesInProgress.has(name)) throw new EvaluationError(`The alias @${name} refers to itself.`)
  const aliasesInProgress = new Set(environment.aliasesInProgress).add(name)
  const value = environment.evaluate(expression, { ...environment, aliasesInProgress, bindings: undefined })
  environment.aliasValues.set(name, value)
  return value
}

/** What an evaluation can use beyond the expression and the row. */
export interface EvaluationOptions {
  /** The service's types. Without them, the JSON values and the literals decide how values compare. */
  readonly types?: TypeTable | undefined
  /** The unqualified name of the row's type in `types`. */
  readonly type?: string | undefined
  /** The parameter aliases of the request, by name without `@`. */
  readonly aliases?: Readonly<Record<string, Expression>> | undefined
  /** The value of `$it` if it is not the row: the item of the resource path when a nested collection is filtered. */
  readonly it?: unknown
  /** The unqualified name of the type of `it`. */
  readonly itType?: string | undefined
  /** The value of `$root`: entity sets and singletons by name. */
  readonly root?: unknown
  /** The functions of the service that expressions can call. */
  readonly functions?: ServiceFunctions | undefined
  /** Those without a definition, by their names in the spec. */
  readonly handlers?: Readonly<Record<string, AnyQueryFunction>> | undefined
  /** The time of `now()`. Default: the clock of the computer. */
  readonly now?: (() => Date) | undefined
}

/** An item of a collection in JSON. */
export type Item = Readonly<Record<string, unknown>>

export interface ApplyOptions extends EvaluationOptions {
  /** The properties that `$search` searches. Default: all strings of an item. */
  readonly searchProperties?: readonly string[] | undefined
}

/** A lambda variable and its value, and those of the enclosing lambdas. */
interface Binding {
  readonly name: string
  readonly value: Value
  readonly outer: Binding | undefined
}

/** The environment of an expression. */
export interface Environment {
  readonly options: EvaluationOptions
  /** `$this`, and the start of paths without a root. */
  readonly row: Value
  /** `$it` */
  readonly it: Value
  readonly bindings: Binding | undefined
  /** The arguments of the function whose definition is evaluated. */
  readonly parameters?: ReadonlyMap<string, Value>
  /** The current depth of recursion, shared by all environments of one evaluation. */
  readonly level: { current: number }
  /** Aliases already evaluated for this row. */
  readonly aliasValues: Map<string, Value>
  /** Aliases whose value is being evaluated, to detect cycles. */
  readonly aliasesInProgress: ReadonlySet<string>
  /** Evaluates an expression inside a path. */
  readonly evaluate: (expression: Expression, environment: Environment) => Value
  readonly operations: FunctionOperations
}

/** The environment of a predicate on an item of a collection, which is `$this`. */
function forItem(environment: Environment, row: Value): Environment {
  return { ...environment, row, aliasValues: new Map() }
}
