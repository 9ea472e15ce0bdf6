import type {
  BinaryExpression,
  Expression,
  LambdaExpression,
  PathExpression,
  PathSegment,
} from '../../../runtime/query/index.js'
import type { NavigationProperty, Operation, Property, StructuredType } from '../../../spec/language/index.js'
import { type Environment, objectValue } from './behaviour.js'
import { literalValue, readValue, storedValue, type Truth, truthOf, type Value } from './values.js'

/** Evaluates an expression. A condition is true, false or null (unknown). */
export function evaluate(node: Expression, env: Environment): Value {
  const { behaviour } = env.at
  switch (node.kind) {
    case 'literal':
      return literalValue(node)
    case 'path':
      return followPath(node, env)
    case 'unary': {
      const operand = evaluate(node.operand, env)
      if (node.operator === 'not') return behaviour.negate(truthOf(operand), node.operand)
      return typeof operand === 'number' ? -operand : null
    }
    case 'binary':
      return evaluateBinary(node, env)
    case 'call': {
      const values = node.arguments.map(argument => evaluate(argument, env))
      return behaviour.call(node.function, values, node.arguments, env)
    }
    case 'lambda': {
      const collection = followPath(node.collection, env)
      const items = typeof collection === 'object' && collection?.kind === 'collection' ? collection.items : []
      return behaviour.lambda(node, items, item => testItem(node.variable, node.predicate, item, env), env)
    }
    case 'list':
      return { kind: 'collection', items: node.items.map(item => evaluate(item, env)) }
    case 'alias':
      return evaluateAlias(node.name, env)
    default:
      return null
  }
}

function evaluateBinary(node: BinaryExpression, env: Environment): Value {
  const { behaviour } = env.at
  if (node.operator === 'and' || node.operator === 'or') {
    const left = truthOf(evaluate(node.left, env))
    return behaviour.combine(node.operator, left, () => truthOf(evaluate(node.right, env)))
  }
  const left = evaluate(node.left, env)
  const right = evaluate(node.right, env)
  if (!['add', 'sub', 'mul', 'div', 'divby', 'mod'].includes(node.operator)) {
    return behaviour.compare(node, left, right, env)
  }
  if (typeof left !== 'number' || typeof right !== 'number') return null
  const integral = isIntegral(node.left, env) && isIntegral(node.right, env)
  return behaviour.calculate(node.operator, left, right, integral)
}

function testItem(name: string | undefined, predicate: Expression | undefined, item: Value, env: Environment): Truth {
  if (predicate === undefined) return true
  const variables = new Map(env.variables)
  if (name !== undefined) variables.set(name, item)
  return truthOf(evaluate(predicate, { ...env, variables }))
}

function evaluateAlias(name: string, env: Environment): Value {
  const argument = env.parameters.get(name)
  if (argument !== undefined) return argument
  const value = Object.hasOwn(env.aliases, name) ? env.aliases[name] : undefined
  return value === undefined ? null : evaluate(value, env)
}

/** The value at a path, or null if a segment has no value. */
function followPath(path: PathExpression, env: Environment): Value {
  let value: Value = startOf(path, env)
  for (const segment of path.segments) value = followSegment(value, segment, env)
  return value
}

function startOf({ root }: PathExpression, env: Environment): Value {
  if (root?.kind === 'variable') return env.variables.get(root.name) ?? null
  if (root?.kind === 'this') return env.variables.get('$this') ?? env.it
  return env.it
}

function followSegment(value: Value, segment: PathSegment, env: Environment): Value {
  if (segment.kind === 'function') {
    const called = env.at.service.operations.find(({ qualifiedName }) => qualifiedName === segment.name)
    const given = new Map(segment.parameters.map(({ name, value: part }) => [name, evaluate(part, env)]))
    return called === undefined ? null : env.at.behaviour.callService(called, value, given, env)
  }
  if (typeof value !== 'object' || value === null) return null
  if (value.kind === 'collection') {
    if (segment.kind === 'count') return value.items.length
    if (segment.kind === 'cast')
      return { kind: 'collection', items: value.items.filter(item => keeps(item, segment.type, env)) }
    return null
  }
  if (segment.kind === 'cast') return keeps(value, segment.type, env) ? value : null
  return segment.kind === 'property' ? env.at.behaviour.readProperty(value, segment.name, env) : null
}

/** The value of the definition of a function. */
export function callService(
  { definition }: Operation,
  item: Value,
  parameters: ReadonlyMap<string, Value>,
  { at }: Environment,
): Value {
  if (definition === undefined || item === null) return null
  return evaluate(definition, { at, it: item, variables: new Map(), aliases: {}, parameters })
}

/** Reads a property or a relation of an object. */
export function readProperty(value: Value, name: string, env: Environment): Value {
  if (typeof value !== 'object' || value?.kind !== 'object') return null
  const property = value.type.properties.find(each => each.name === name)
  if (property !== undefined) {
    return readValue(
      storedValue(value.values[name] ?? null, property, env.at.behaviour.choices),
      property.type,
      property.collection,
    )
  }
  const relation = value.type.navigation.find(each => each.name === name)
  if (relation === undefined || value.entity === undefined) return null
  const targets = env.at.behaviour.related(value.entity, relation, env.at)
  if (relation.collection) return { kind: 'collection', items: targets.map(objectValue) }
  const [target] = targets
  return target === undefined ? null : objectValue(target)
}

function keeps(value: Value, cast: string, { at }: Environment): boolean {
  return typeof value === 'object' && value?.kind === 'object' && at.behaviour.castKeeps(value.type, cast, at)
}

/**
 * `any` is true if the predicate is true for one item, `all` if it is true for each. @see OData URL Conventions 4.01,
 * 5.1.1.13
 */
export function lambda(node: LambdaExpression, items: readonly Value[], test: (item: Value) => Truth): Truth {
  const truths = items.map(test)
  const decisive = node.operator === 'any'
  if (truths.includes(decisive)) return decisive
  return truths.includes(null) ? null : !decisive
}

/** Arithmetic. `div` of integers gives an integer; `divby` does not. @see OData URL Conventions 4.01, 5.1.1.2 */
export function calculate(operator: string, left: number, right: number, integral: boolean): number | null {
  switch (operator) {
    case 'add':
      return roundOff(left + right)
    case 'sub':
      return roundOff(left - right)
    case 'mul':
      return roundOff(left * right)
    case 'div':
      if (right === 0) return null
      return integral ? Math.trunc(left / right) : roundOff(left / right)
    case 'divby':
      return right === 0 ? null : roundOff(left / right)
    default:
      return right === 0 ? null : roundOff(left % right)
  }
}

/** Removes binary rounding errors. */
function roundOff(number: number): number {
  return Number.isInteger(number) ? number : Number(number.toPrecision(14))
}

const integerTypes: ReadonlySet<string> = new Set(['Byte', 'SByte', 'Int16', 'Int32', 'Int64'])
const integerFunctions: ReadonlySet<string> = new Set([
  'length',
  'indexof',
  'year',
  'month',
  'day',
  'hour',
  'minute',
  'second',
])

/** Whether an operand has an integer type: `div` of two such operands gives an integer. */
function isIntegral(node: Expression, env: Environment): boolean {
  switch (node.kind) {
    case 'literal':
      return node.type === 'Integer'
    case 'unary':
      return isIntegral(node.operand, env)
    case 'binary':
      return node.operator !== 'divby' && isIntegral(node.left, env) && isIntegral(node.right, env)
    case 'call':
      return integerFunctions.has(node.function)
    case 'path':
      return endsInInteger(node, env)
    default:
      return false
  }
}

/** Whether a path ends in an integer property or a count. */
function endsInInteger({ root, segments }: PathExpression, env: Environment): boolean {
  const start = root?.kind === 'variable' ? env.variables.get(root.name) : env.it
  let type: StructuredType | undefined = typeof start === 'object' && start?.kind === 'object' ? start.type : undefined
  let isInteger = false
  for (const segment of segments) {
    if (segment.kind === 'count') return true
    if (segment.kind !== 'property') continue
    const property: Property | undefined = type?.properties.find(({ name }) => name === segment.name)
    const relation: NavigationProperty | undefined = type?.navigation.find(({ name }) => name === segment.name)
    isInteger = property?.type.kind === 'primitive' && integerTypes.has(property.type.name)
    type = relation?.type ?? (property?.type.kind === 'complexType' ? property.type : undefined)
  }
  return isInteger
}
