import type {
  BinaryExpression,
  Expression,
  FunctionCall,
  KeyValue,
  LambdaExpression,
  ListExpression,
  ParameterAlias,
  PathExpression,
  PathSegment,
  UnaryExpression,
} from '../ast.js'
import { didYouMean } from '../operators.js'
import { isNumericTypeName } from '../primitive-types.js'
import { structuredTypeInfo } from '../type-table.js'
import { typeOfCall, typeOfCase, typeOfPathCall, typeOfTypeFunction } from './calls.js'
import {
  aliasValue,
  type BindingContext,
  booleanType,
  contextAt,
  declaredType,
  describeType,
  maxBindingDepth,
  objectType,
  report,
  resolveAlias,
  type SingleType,
  type StaticType,
  untyped,
} from './context.js'
import { bindCast, bindLiteral, memberType, unknownProperty } from './names.js'
import {
  arithmeticResult,
  checkBoolean,
  checkComparison,
  checkHas,
  checkIn,
  type Operand,
  pathText,
} from './operators.js'

/** The static type of an expression in its context. Reports errors; an expression with an error is `untyped`. */
export function bindNode(expression: Expression, context: BindingContext): StaticType {
  const { state } = context
  if (state.depth >= maxBindingDepth) {
    report(
      context,
      'tooComplex',
      `The expression is nested more than ${maxBindingDepth} levels deep. Write a simpler one.`,
    )
    return untyped
  }
  state.depth++
  const type = bindKind(expression, context)
  state.depth--
  return type
}

function bindKind(expression: Expression, context: BindingContext): StaticType {
  switch (expression.kind) {
    case 'literal':
      return bindLiteral(expression, context)
    case 'path':
      return bindPath(expression, context)
    case 'unary':
      return bindUnary(expression, context)
    case 'binary':
      return bindBinary(expression, context)
    case 'call':
      return bindCall(expression, context)
    case 'lambda':
      return bindLambda(expression, context)
    case 'list':
      return bindList(expression, context)
    case 'alias':
      return bindAlias(expression, context)
    case 'object':
      for (const member of expression.members) bindNode(member.value, context)
      return objectType
    case 'type':
      report(
        context,
        'notAValue',
        `The type name '${expression.name}' is not a value. It can only be an argument of cast and isof.`,
      )
      return untyped
  }
}

function bindUnary(unary: UnaryExpression, context: BindingContext): StaticType {
  const operand = bindNode(unary.operand, context)
  if (operand.kind === 'null' || operand.kind === 'untyped') return unary.operator === 'not' ? booleanType : operand
  const name = operand.kind === 'primitive' ? operand.name : ''
  if (unary.operator === 'not') {
    if (name !== 'Edm.Boolean') {
      const hint = 'Put the whole condition in parentheses: not (a eq b).'
      report(context, 'incompatibleTypes', `'not' takes a Boolean, but found ${describeType(operand)}. ${hint}`)
    }
    return booleanType
  }
  if (isNumericTypeName(name) || name === 'Edm.Duration') return operand
  report(context, 'incompatibleTypes', `'-' takes a number or a duration, but found ${describeType(operand)}.`)
  return untyped
}

/** Binds chains such as `a or b or c`, which can be long, without recursion. */
function bindBinary(binary: BinaryExpression, context: BindingContext): StaticType {
  const chain: BinaryExpression[] = []
  let innermost: Expression = binary
  while (innermost.kind === 'binary') {
    chain.push(innermost)
    innermost = innermost.left
  }
  let type = bindNode(innermost, context)
  for (const node of chain.reverse()) {
    const left = { type, expression: resolveAlias(node.left, context) }
    type = typeOfOperator(node, left, bindOperand(node.right, context), context)
  }
  return type
}

function typeOfOperator(binary: BinaryExpression, left: Operand, right: Operand, context: BindingContext): StaticType {
  const { operator } = binary
  switch (operator) {
    case 'and':
    case 'or':
      checkLogical(operator, left.type, context)
      checkLogical(operator, right.type, context)
      return booleanType
    case 'in':
      checkIn(left, right, context)
      return booleanType
    case 'has':
      checkHas(left, right, context)
      return booleanType
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'divby':
    case 'mod':
      return arithmeticResult(operator, left.type, right.type, context)
    default:
      checkComparison(operator, left, right, context)
      return booleanType
  }
}

function checkLogical(operator: 'and' | 'or', operand: StaticType, context: BindingContext): void {
  if (operand.kind === 'null' || operand.kind === 'untyped') return
  if (operand.kind === 'primitive' && operand.name === 'Edm.Boolean') return
  report(context, 'incompatibleTypes', `'${operator}' takes Booleans, but found ${describeType(operand)}.`)
}

/** An operand or argument, bound. */
function bindOperand(expression: Expression, context: BindingContext): Operand {
  return { type: bindNode(expression, context), expression: resolveAlias(expression, context) }
}

function bindCall({ function: name, arguments: given }: FunctionCall, context: BindingContext): StaticType {
  switch (name) {
    case 'case':
      return typeOfCase(
        given.map(argument => bindNode(argument, context)),
        context,
      )
    case 'cast':
    case 'isof': {
      const value = given.length > 1 ? given[0] : undefined
      const from = value === undefined ? context.current : bindNode(value, context)
      return typeOfTypeFunction(name, given, from, context)
    }
    default:
      return typeOfCall(
        name,
        given.map(argument => bindOperand(argument, context)),
        context,
      )
  }
}

function bindPathCall(
  segment: PathSegment & { readonly kind: 'function' },
  type: StaticType | undefined,
  context: BindingContext,
): StaticType {
  const given = segment.parameters.map(({ value }) => bindOperand(value, context))
  return typeOfPathCall(segment, given, type, context)
}

/** A list is a collection of the type that all its items, except nulls, have. */
function bindList(list: ListExpression, context: BindingContext): StaticType {
  const types = list.items.map(item => bindNode(item, context))
  context.itemTypes.set(list, types)
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

/** The type of the value of a parameter alias, or the one that the scope declares. */
function bindAlias(alias: ParameterAlias, context: BindingContext): StaticType {
  const known = context.aliasTypes.get(alias.name)
  if (known !== undefined) return known
  const type = aliasType(alias.name, context)
  context.aliasTypes.set(alias.name, type)
  return type
}

function aliasType(name: string, context: BindingContext): StaticType {
  const { parameters } = context.scope
  const value = aliasValue(name, context)
  if (value === undefined) {
    const parameter = parameters !== undefined && Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (parameter !== undefined) return declaredType(parameter, context.types)
    report(context, 'undefinedAlias', `The alias '@${name}' has no value. Add '@${name}=...' to the query.`)
    return untyped
  }
  const { resolving } = context.state
  if (resolving.has(name)) {
    report(context, 'circularAlias', `The value of the alias '@${name}' refers to itself.`)
    return untyped
  }
  resolving.add(name)
  // A lambda variable is visible only in the lambda, not in an alias that the lambda uses.
  const type = bindNode(value, { ...context, variables: new Map() })
  resolving.delete(name)
  return type
}

/**
 * `any` and `all`: a condition on the items of a collection.
 *
 * @see OData URL Conventions 4.01, 5.1.1.13
 */
function bindLambda(lambda: LambdaExpression, context: BindingContext): StaticType {
  const collection = bindPath(lambda.collection, context)
  let item: StaticType = untyped
  if (collection.kind === 'collection') {
    item = collection.of
  } else if (collection.kind !== 'untyped') {
    const message = `'${lambda.operator}' may only follow a collection, but found ${describeType(collection)}.`
    report(context, 'notACollection', message, pathText(lambda.collection))
  }
  const { variable, predicate } = lambda
  if (predicate === undefined) {
    if (lambda.operator === 'all') report(context, 'invalidArgument', "'all' needs a condition: all(x:x eq 1).")
    return booleanType
  }
  const variables = new Map(context.variables)
  if (variable !== undefined) variables.set(variable, item)
  const inner = { ...context, variables }
  checkBoolean(bindNode(predicate, inner), `The condition of '${lambda.operator}'`, inner)
  return booleanType
}

/**
 * The type at the end of a path.
 *
 * @see OData URL Conventions 4.01, 5.1.1.15
 */
function bindPath(path: PathExpression, context: BindingContext): StaticType {
  const [first, ...others] = path.segments
  let segments = path.segments
  let type = startOf(path, context)
  if (path.root === undefined && first?.kind === 'property' && context.computed.has(first.name)) {
    type = context.computed.get(first.name) ?? untyped
    segments = others
  }
  if (path.root === undefined && first?.kind === 'function') {
    type = bindPathCall(first, undefined, context)
    segments = others
  }
  if (path.root?.kind === 'root') {
    type = resourceType(first, context)
    segments = others
  }
  for (const segment of segments) {
    if (type.kind === 'untyped') return untyped
    type = follow(segment, type, path, context)
  }
  return type
}

function startOf(path: PathExpression, context: BindingContext): StaticType {
  const { root } = path
  switch (root?.kind) {
    case 'it':
      return context.it
    case 'variable': {
      const type = context.variables.get(root.name)
      if (type !== undefined) return type
      const hint = didYouMean(root.name, context.variables.keys())
      report(context, 'unknownVariable', `No lambda variable is named '${root.name}' here.${hint}`)
      return untyped
    }
    default:
      return context.current
  }
}

/** `$root/users`: an entity set or singleton of the service. */
function resourceType(segment: PathSegment | undefined, context: BindingContext): StaticType {
  const container = context.scope.container ?? {}
  const name = segment?.kind === 'property' ? segment.name : ''
  const resource = Object.hasOwn(container, name) ? container[name] : undefined
  if (resource === undefined) {
    const hint = didYouMean(name, Object.keys(container))
    report(context, 'unknownResource', `The service has no entity set or singleton named '${name}'.${hint}`, name)
    return untyped
  }
  const entity = { kind: 'entity', name: resource.type } as const
  return resource.kind === 'entitySet' ? { kind: 'collection', of: entity } : entity
}

function follow(segment: PathSegment, type: StaticType, path: PathExpression, context: BindingContext): StaticType {
  switch (segment.kind) {
    case 'property':
      return bindProperty(segment.name, type, path, context)
    case 'cast':
      return bindCast(segment.type, type, context)
    case 'key':
      return bindKey(segment.values, type, path, context)
    case 'function':
      return bindPathCall(segment, type, context)
    case 'filter':
      return bindFilterSegment(segment.predicate, type, path, context)
    case 'count':
      return bindCount(segment, type, path, context)
    case 'annotation':
      return untyped
  }
}

function bindProperty(name: string, type: StaticType, path: PathExpression, context: BindingContext): StaticType {
  if (type.kind !== 'entity' && type.kind !== 'complex') {
    const hint = type.kind === 'collection' ? ` Use '/any(x:x/${name} ...)'.` : ''
    const message = `'${name}' follows a value of type ${describeType(type)}, which has no properties.${hint}`
    report(context, 'notAStructure', message, pathText(path))
    return untyped
  }
  const member = memberType(name, type.name, context.types)
  if (member !== undefined) return member
  const message = unknownProperty(name, type.name, context.types, context.computed.keys())
  report(context, 'unknownProperty', message, pathText(path))
  return untyped
}

/** `('x')` or `(isbn='x',number=2)`: an item of a collection of entities, by all properties of its key. */
function bindKey(
  values: readonly KeyValue[],
  type: StaticType,
  path: PathExpression,
  context: BindingContext,
): StaticType {
  if (type.kind !== 'collection' || type.of.kind !== 'entity') {
    const message = `A key may only follow a collection of entities, but found ${describeType(type)}.`
    report(context, 'invalidKey', message, pathText(path))
    return untyped
  }
  const info = structuredTypeInfo(type.of.name, context.types)
  const key = info?.key ?? []
  const [only] = values
  const names =
    values.length === 1 && only?.name === undefined ? key.slice(0, 1) : values.map(value => value.name ?? '')
  const fits = key.length === values.length && new Set(names).size === key.length && key.every(k => names.includes(k))
  if (!fits) {
    const expected = key.length === 1 ? "('...')" : `(${key.map(name => `${name}=...`).join(',')})`
    report(context, 'invalidKey', `The key of '${type.of.name}' is ${expected}.`, pathText(path))
    return type.of
  }
  for (const [index, name] of names.entries()) {
    const value = values[index]?.value
    const property = info !== undefined && Object.hasOwn(info.properties, name) ? info.properties[name] : undefined
    if (value === undefined || property === undefined) continue
    const path: PathExpression = { kind: 'path', segments: [{ kind: 'property', name }] }
    const declared = { type: declaredType(property, context.types), expression: path }
    checkComparison('eq', declared, bindOperand(value, context), context)
  }
  return type.of
}

/** `/$filter(predicate)`: the items of a collection that meet a condition. */
function bindFilterSegment(
  predicate: Expression,
  type: StaticType,
  path: PathExpression,
  context: BindingContext,
): StaticType {
  if (type.kind !== 'collection') {
    report(
      context,
      'notACollection',
      `'$filter' may only follow a collection, but found ${describeType(type)}.`,
      pathText(path),
    )
    return untyped
  }
  const inner = contextAt(context, type.of)
  checkBoolean(bindNode(predicate, inner), "The condition of '$filter'", inner)
  return type
}

/** `/$count`: the number of items of a collection, or of those that meet a condition. */
function bindCount(
  segment: PathSegment & { readonly kind: 'count' },
  type: StaticType,
  path: PathExpression,
  context: BindingContext,
): StaticType {
  if (type.kind !== 'collection') {
    report(
      context,
      'notACollection',
      `'$count' may only follow a collection, but found ${describeType(type)}.`,
      pathText(path),
    )
  } else if (segment.filter !== undefined) {
    const inner = contextAt(context, type.of)
    checkBoolean(bindNode(segment.filter, inner), "The condition of '$count'", inner)
  }
  return { kind: 'primitive', name: 'Edm.Int64' }
}
