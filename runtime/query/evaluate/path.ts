import type { PathExpression, PathRoot, PathSegment } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import { evaluateAlias } from './alias.js'
import { annotationValue } from './annotation.js'
import { castSegment } from './cast-segment.js'
import { countSegment, filterSegment } from './collection-segment.js'
import type { Binding, Environment } from './environment.js'
import { memberOf } from './json-object.js'
import { jsonValue } from './json-value.js'
import { itemByKey } from './key.js'
import { structuredTypeInfo } from './type-lookup.js'
import { describeValue, type StructuredValue, type Value } from './value.js'

/** Where a path has come to: a value, and the item and name under which it was found. */
export interface Step {
  readonly value: Value
  readonly owner?: StructuredValue
  readonly name?: string
}

/**
 * The value at the end of a path; null behind anything that is null.
 *
 * @throws {EvaluationError} for a name that the row's type lacks, and for what only a service can follow
 * @see OData 4.01 URL Conventions, 5.1.1.15
 */
export function evaluatePath({ root, segments }: PathExpression, environment: Environment): Value {
  let step: Step = { value: startValue(root, environment) }
  let rest = segments
  const [first] = segments
  if (root === undefined && first?.kind === 'annotation' && isAlias(first, environment)) {
    step = { value: evaluateAlias(first.term, environment) }
    rest = segments.slice(1)
  }
  for (const segment of rest) step = takeStep(step, segment, environment)
  return step.value
}

function isAlias({ term, qualifier }: Extract<PathSegment, { kind: 'annotation' }>, { options }: Environment): boolean {
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
      return bound(environment.bindings, root.name)
  }
}

function bound(bindings: Binding | undefined, name: string): Value {
  for (let inner = bindings; inner !== undefined; inner = inner.outer) {
    if (inner.name === name) return inner.value
  }
  throw new EvaluationError(`The variable ${name} belongs to no lambda around it.`)
}

function takeStep(step: Step, segment: PathSegment, environment: Environment): Step {
  const { value } = step
  if (segment.kind === 'annotation') return { value: annotationValue(step, segment, environment.options.types) }
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
    case 'function':
      throw new EvaluationError(`Only the service can call the function ${segment.name}.`)
  }
}

function property(value: Exclude<Value, null>, name: string, { options }: Environment): Step {
  if (typeof value === 'boolean' || value.kind !== 'structured') {
    const hint = typeof value !== 'boolean' && value.kind === 'collection' ? ' Use `any`, `all` or `$count`.' : ''
    throw new EvaluationError(`${describeValue(value)} has no property ${name}.${hint}`)
  }
  const json = memberOf(value.json, name)
  const type = structuredTypeInfo(value.type, options.types)
  if (type === undefined) return { value: jsonValue(json, undefined, options.types), owner: value, name }
  const declared = ownMember(type.properties, name) ?? ownMember(type.navigation, name)
  // A computed property is in the row without being declared.
  if (declared === undefined && json === undefined && type.open !== true) {
    throw new EvaluationError(`The type ${value.type} has no property ${name}.`)
  }
  const given = json === undefined && declared?.collection === true ? [] : json
  return { value: jsonValue(given, declared?.type, options.types), owner: value, name }
}

function ownMember<Member>(record: Readonly<Record<string, Member>>, name: string): Member | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
