import type {
  BinaryExpression,
  Expression,
  KeyValue,
  LambdaExpression,
  ListExpression,
  ParameterAlias,
  PathExpression,
  PathSegment,
  UnaryExpression,
} from '../ast.js'
import { isNumericTypeName } from '../primitive-types.js'
import { didYouMean } from '../spelling.js'
import { bindCall, bindPathFunction } from './calls.js'
import { type BindingContext, contextAt, maxBindingDepth, report } from './context.js'
import { bindLiteral } from './literals.js'
import { isAssignable, memberType, qualifiedType, structuredInfo, unknownProperty } from './names.js'
import {
  arithmeticResult,
  checkBoolean,
  checkComparison,
  checkHas,
  checkIn,
  type Operand,
  pathText,
} from './operators.js'
import {
  booleanType,
  declaredType,
  describeType,
  objectType,
  type SingleType,
  type StaticType,
  untyped,
} from './static-type.js'

/** The static type of an expression where it stands; what does not fit is reported, and is `untyped`. */
export function bindNode(expression: Expression, frame: BindingContext): StaticType {
  const { state: run } = frame
  if (run.depth >= maxBindingDepth) {
    report(
      frame,
      'tooComplex',
      `The expression is nested more than ${maxBindingDepth} levels deep. Write a simpler one.`,
    )
    return untyped
  }
  run.depth++
  const type = dispatch(expression, frame)
  run.depth--
  return type
}

function dispatch(expression: Expression, frame: BindingContext): StaticType {
  switch (expression.kind) {
    case 'literal':
      return bindLiteral(expression, frame)
    case 'path':
      return bindPath(expression, frame)
    case 'unary':
      return bindUnary(expression, frame)
    case 'binary':
      return bindBinary(expression, frame)
    case 'call':
      return bindCall(expression, frame)
    case 'lambda':
      return bindLambda(expression, frame)
    case 'list':
      return bindList(expression, frame)
    case 'alias':
      return bindAlias(expression, frame)
    case 'object':
      for (const member of expression.members) bindNode(member.value, frame)
      return objectType
    case 'type':
      report(frame, 'notAValue', `The type name '${expression.name}' is no value: it may stand in cast and isof only.`)
      return untyped
  }
}

/** `not` of a Boolean; `-` of a number or duration. */
function bindUnary(unary: UnaryExpression, frame: BindingContext): StaticType {
  const operand = bindNode(unary.operand, frame)
  if (operand.kind === 'null' || operand.kind === 'untyped') return unary.operator === 'not' ? booleanType : operand
  const name = operand.kind === 'primitive' ? operand.name : ''
  if (unary.operator === 'not') {
    if (name !== 'Edm.Boolean') {
      const hint = 'Put the whole condition in parentheses: not (a eq b).'
      report(frame, 'incompatibleTypes', `'not' takes a Boolean, but found ${describeType(operand)}. ${hint}`)
    }
    return booleanType
  }
  if (isNumericTypeName(name) || name === 'Edm.Duration') return operand
  report(frame, 'incompatibleTypes', `'-' takes a number or a duration, but found ${describeType(operand)}.`)
  return untyped
}

/** The left operands of `a or b or c …` are walked in a loop: such chains are long, but not deep. */
function bindBinary(binary: BinaryExpression, frame: BindingContext): StaticType {
  const chain: BinaryExpression[] = []
  let innermost: Expression = binary
  while (innermost.kind === 'binary') {
    chain.push(innermost)
    innermost = innermost.left
  }
  let type = bindNode(innermost, frame)
  for (const node of chain.reverse()) {
    const left = { type, expression: resolveAlias(node.left, frame) }
    const right = { type: bindNode(node.right, frame), expression: resolveAlias(node.right, frame) }
    type = operatorType(node, left, right, frame)
  }
  return type
}

function operatorType(binary: BinaryExpression, left: Operand, right: Operand, frame: BindingContext): StaticType {
  const { operator } = binary
  switch (operator) {
    case 'and':
    case 'or':
      checkLogical(operator, left.type, frame)
      checkLogical(operator, right.type, frame)
      return booleanType
    case 'in':
      checkIn(left, right, frame)
      return booleanType
    case 'has':
      checkHas(left, right, frame)
      return booleanType
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'divby':
    case 'mod':
      return arithmeticResult(operator, left.type, right.type, frame)
    default:
      checkComparison(operator, left, right, frame)
      return booleanType
  }
}

function checkLogical(operator: 'and' | 'or', operand: StaticType, frame: BindingContext): void {
  if (operand.kind === 'null' || operand.kind === 'untyped') return
  if (operand.kind === 'primitive' && operand.name === 'Edm.Boolean') return
  report(frame, 'incompatibleTypes', `'${operator}' takes Booleans, but found ${describeType(operand)}.`)
}

/** A list of values is a collection; of one type when its items, nulls aside, are. */
function bindList(list: ListExpression, frame: BindingContext): StaticType {
  const types = list.items.map(item => bindNode(item, frame))
  frame.itemTypes.set(list, types)
  let of: SingleType | undefined
  for (const type of types) {
    if (type.kind === 'null') continue
    of = type.kind === 'collection' || (of !== undefined && !isSameType(of, type)) ? untyped : type
  }
  return { kind: 'collection', of: of ?? untyped }
}

function isSameType(left: SingleType, right: SingleType): boolean {
  return left.kind === right.kind && 'name' in left && 'name' in right && left.name === right.name
}

/** A parameter alias has the type of its value, or the one that the scope declares for it. */
function bindAlias(alias: ParameterAlias, frame: BindingContext): StaticType {
  const known = frame.aliasTypes.get(alias.name)
  if (known !== undefined) return known
  const type = aliasType(alias.name, frame)
  frame.aliasTypes.set(alias.name, type)
  return type
}

function aliasType(name: string, frame: BindingContext): StaticType {
  const { parameters } = frame.scope
  const value = aliasValue(name, frame)
  if (value === undefined) {
    const parameter = parameters !== undefined && Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (parameter !== undefined) return declaredType(parameter, frame.types)
    report(frame, 'undefinedAlias', `The alias '@${name}' has no value. Add '@${name}=…' to the query.`)
    return untyped
  }
  const { resolving } = frame.state
  if (resolving.has(name)) {
    report(frame, 'circularAlias', `The value of the alias '@${name}' refers to itself.`)
    return untyped
  }
  resolving.add(name)
  // A lambda variable is visible in the lambda only, not in an alias that is used there.
  const type = bindNode(value, { ...frame, variables: new Map() })
  resolving.delete(name)
  return type
}

/** What the expression is once aliases that stand for it are replaced: the literal in `x eq @p` with `@p='a'`. */
export function resolveAlias(expression: Expression, frame: BindingContext): Expression {
  const seen = new Set<string>()
  let resolved = expression
  while (resolved.kind === 'alias' && !seen.has(resolved.name)) {
    seen.add(resolved.name)
    resolved = aliasValue(resolved.name, frame) ?? resolved
  }
  return resolved
}

function aliasValue(name: string, frame: BindingContext): Expression | undefined {
  return Object.hasOwn(frame.aliases, name) ? frame.aliases[name] : undefined
}

/**
 * `any` and `all`: a condition on the items of a collection, which the variable stands for.
 *
 * @see OData URL Conventions 4.01, 5.1.1.13
 */
function bindLambda(lambda: LambdaExpression, frame: BindingContext): StaticType {
  const collection = bindPath(lambda.collection, frame)
  let item: StaticType = untyped
  if (collection.kind === 'collection') {
    item = collection.of
  } else if (collection.kind !== 'untyped') {
    const message = `'${lambda.operator}' may only follow a collection, but found ${describeType(collection)}.`
    report(frame, 'notACollection', message, pathText(lambda.collection))
  }
  const { variable, predicate } = lambda
  if (predicate === undefined) {
    if (lambda.operator === 'all') report(frame, 'invalidArgument', "'all' needs a condition: all(x:x eq 1).")
    return booleanType
  }
  const variables = new Map(frame.variables)
  if (variable !== undefined) variables.set(variable, item)
  const inner = { ...frame, variables }
  checkBoolean(bindNode(predicate, inner), `The condition of '${lambda.operator}'`, inner)
  return booleanType
}

/**
 * What a path leads to: from its root, segment by segment.
 *
 * @see OData URL Conventions 4.01, 5.1.1.15
 */
function bindPath(path: PathExpression, frame: BindingContext): StaticType {
  const [first, ...others] = path.segments
  let segments = path.segments
  let type = startOf(path, frame)
  if (path.root === undefined && first?.kind === 'property' && frame.computed.has(first.name)) {
    type = frame.computed.get(first.name) ?? untyped
    segments = others
  }
  if (path.root === undefined && first?.kind === 'function') {
    type = bindPathFunction(first, undefined, frame)
    segments = others
  }
  if (path.root?.kind === 'root') {
    type = resourceType(first, frame)
    segments = others
  }
  for (const segment of segments) {
    if (type.kind === 'untyped') return untyped
    type = follow(segment, type, path, frame)
  }
  return type
}

function startOf(path: PathExpression, frame: BindingContext): StaticType {
  const { root } = path
  switch (root?.kind) {
    case 'it':
      return frame.it
    case 'variable': {
      const type = frame.variables.get(root.name)
      if (type !== undefined) return type
      const hint = didYouMean(root.name, frame.variables.keys())
      report(frame, 'unknownVariable', `No lambda variable is named '${root.name}' here.${hint}`)
      return untyped
    }
    default:
      return frame.current
  }
}

/** `$root/users`: an entity set or singleton of the service. */
function resourceType(segment: PathSegment | undefined, frame: BindingContext): StaticType {
  const container = frame.scope.container ?? {}
  const name = segment?.kind === 'property' ? segment.name : ''
  const resource = Object.hasOwn(container, name) ? container[name] : undefined
  if (resource === undefined) {
    const hint = didYouMean(name, Object.keys(container))
    report(frame, 'unknownResource', `The service has no entity set or singleton named '${name}'.${hint}`, name)
    return untyped
  }
  const entity = { kind: 'entity', name: resource.type } as const
  return resource.kind === 'entitySet' ? { kind: 'collection', of: entity } : entity
}

function follow(segment: PathSegment, type: StaticType, path: PathExpression, frame: BindingContext): StaticType {
  switch (segment.kind) {
    case 'property':
      return bindProperty(segment.name, type, path, frame)
    case 'cast':
      return bindCast(segment.type, type, frame)
    case 'key':
      return bindKey(segment.values, type, path, frame)
    case 'function':
      return bindPathFunction(segment, type, frame)
    case 'filter':
      return bindFilterSegment(segment.predicate, type, path, frame)
    case 'count':
      return bindCount(segment, type, path, frame)
    case 'annotation':
      return untyped
  }
}

function bindProperty(name: string, type: StaticType, path: PathExpression, frame: BindingContext): StaticType {
  if (type.kind !== 'entity' && type.kind !== 'complex') {
    const hint = type.kind === 'collection' ? ` Use '/any(x:x/${name} …)'.` : ''
    const message = `'${name}' follows a value of type ${describeType(type)}, which has no properties.${hint}`
    report(frame, 'notAStructure', message, pathText(path))
    return untyped
  }
  const member = memberType(name, type.name, frame.types)
  if (member !== undefined) return member
  const message = unknownProperty(name, type.name, frame.types, frame.computed.keys())
  report(frame, 'unknownProperty', message, pathText(path))
  return untyped
}

/** `('x')` or `(isbn='x',number=2)`: one item of a collection of entities, by all properties of its key. */
function bindKey(
  values: readonly KeyValue[],
  type: StaticType,
  path: PathExpression,
  frame: BindingContext,
): StaticType {
  if (type.kind !== 'collection' || type.of.kind !== 'entity') {
    const message = `A key may only follow a collection of entities, but found ${describeType(type)}.`
    report(frame, 'invalidKey', message, pathText(path))
    return untyped
  }
  const info = structuredInfo(type.of.name, frame.types)
  const key = info?.key ?? []
  const [only] = values
  const names =
    values.length === 1 && only?.name === undefined ? key.slice(0, 1) : values.map(value => value.name ?? '')
  const fits = key.length === values.length && new Set(names).size === key.length && key.every(k => names.includes(k))
  if (!fits) {
    const expected = key.length === 1 ? "('…')" : `(${key.map(name => `${name}=…`).join(',')})`
    report(frame, 'invalidKey', `The key of '${type.of.name}' is ${expected}.`, pathText(path))
    return type.of
  }
  for (const [index, name] of names.entries()) {
    const value = values[index]?.value
    const property = info !== undefined && Object.hasOwn(info.properties, name) ? info.properties[name] : undefined
    if (value === undefined || property === undefined) continue
    const given = { type: bindNode(value, frame), expression: resolveAlias(value, frame) }
    const declared = { type: declaredType(property, frame.types), expression: namedPath(name) }
    checkComparison('eq', declared, given, frame)
  }
  return type.of
}

function namedPath(name: string) {
  return { kind: 'path', segments: [{ kind: 'property', name }] } as const
}

/**
 * A type in a path, `/ns.manager`: the value, or each item of the collection, as of that type. It must be derived from
 * the declared type, or be a base of it.
 *
 * @see OData URL Conventions 4.01, 4.11
 */
export function bindCast(name: string, type: StaticType, frame: BindingContext): StaticType {
  const target = qualifiedType(name, frame)
  if (target === undefined) {
    const hint = didYouMean(name.slice(name.lastIndexOf('.') + 1), Object.keys(frame.types))
    report(frame, 'unknownType', `Could not find a type named '${name}'.${hint}`)
    return untyped
  }
  const from = type.kind === 'collection' ? type.of : type
  if (!isRelated(from, target, frame)) {
    const found = describeType(from)
    report(
      frame,
      'invalidCast',
      `A value of type ${found} is never a '${name}': the types are not derived from each other.`,
    )
    return untyped
  }
  return type.kind === 'collection' ? { kind: 'collection', of: target } : target
}

/** Whether a value of one structured type can be of the other. */
export function isRelated(from: SingleType, to: SingleType, frame: BindingContext): boolean {
  if (from.kind === 'untyped') return true
  if ((from.kind !== 'entity' && from.kind !== 'complex') || from.kind !== to.kind) return false
  return isAssignable(to.name, from.name, frame.types) || isAssignable(from.name, to.name, frame.types)
}

/** `/$filter(predicate)`: a condition on each item of a collection, whose type stays what it is. */
function bindFilterSegment(
  predicate: Expression,
  type: StaticType,
  path: PathExpression,
  frame: BindingContext,
): StaticType {
  if (type.kind !== 'collection') {
    report(
      frame,
      'notACollection',
      `'$filter' may only follow a collection, but found ${describeType(type)}.`,
      pathText(path),
    )
    return untyped
  }
  const inner = contextAt(frame, type.of)
  checkBoolean(bindNode(predicate, inner), "The condition of '$filter'", inner)
  return type
}

/** `/$count`: how many items a collection has, or how many of them meet the condition. */
function bindCount(
  segment: PathSegment & { readonly kind: 'count' },
  type: StaticType,
  path: PathExpression,
  frame: BindingContext,
): StaticType {
  if (type.kind !== 'collection') {
    report(
      frame,
      'notACollection',
      `'$count' may only follow a collection, but found ${describeType(type)}.`,
      pathText(path),
    )
  } else if (segment.filter !== undefined) {
    const inner = contextAt(frame, type.of)
    checkBoolean(bindNode(segment.filter, inner), "The condition of '$count'", inner)
  }
  return { kind: 'primitive', name: 'Edm.Int64' }
}
