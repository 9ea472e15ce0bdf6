import type {
  BinaryExpression,
  BinaryOperator,
  Expression,
  FunctionCall,
  KeyValue,
  LambdaExpression,
  ListExpression,
  NamedExpression,
  ObjectExpression,
  PathExpression,
  PathRoot,
  PathSegment,
  TypeExpression,
  UnaryExpression,
} from './ast.js'
import { isQualifiedName, type Scope } from './cursor.js'
import { canonicalFunctions } from './functions.js'
import { keywordLiteral } from './literals.js'
import { countOptions } from './nested-options.js'
import { operatorPrecedence } from './operators.js'
import {
  oneLevelDeeper,
  type PrintContext,
  PrintError,
  printFromRoot,
  printIdentifier,
  printLiteral,
  printQualifiedName,
} from './print-context.js'
import { printNestedOptions } from './print-options.js'

/**
 * A `$filter`, or any other common expression, as text that is not percent-encoded: `parseFilter` reads the same tree back.
 *
 * Operators and functions are in lower case. Parentheses stand where the grammar needs them, and also where services are
 * known to disagree: around the operand of `not`, around `and` within `or`, around mixed arithmetic.
 *
 * @throws {PrintError} when no text stands for the tree
 * @see OData 4.01 URL Conventions, 5.1.1
 */
export function printFilter(expression: Expression): string {
  return printFromRoot(place => printExpression(expression, place))
}

/** An expression that needs no parentheses where it stands. */
export function printExpression(expression: Expression, place: PrintContext): string {
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression)
    case 'path':
      return printPath(expression, place)
    case 'unary':
      return printUnary(expression, place)
    case 'binary':
      return printBinary(expression, place)
    case 'call':
      return printCall(expression, place)
    case 'lambda':
      return printLambda(expression, place)
    case 'list':
      if (expression.form === 'json') return printJsonArray(expression, place)
      throw new PrintError('A list in parentheses can only stand behind `in`.')
    case 'object':
      return printJsonObject(expression, place)
    case 'alias':
      return `@${printIdentifier(expression.name)}`
    case 'type':
      throw new PrintError('A type can only stand in `cast` and `isof`.')
  }
}

/** The expression in parentheses. */
function printGroup(expression: Expression, place: PrintContext): string {
  return `(${printExpression(expression, oneLevelDeeper(place))})`
}

/** `not (x)` or `-x`. Servers disagree about how far a bare `not` reaches, so its operand is put in parentheses. */
function printUnary({ operator, operand }: UnaryExpression, place: PrintContext): string {
  const inner = oneLevelDeeper(place)
  const mayStandBare = isPrimary(operand) || operand.kind === 'unary'
  if (operator === 'not') {
    const bare = place.parentheses === 'fewest' && mayStandBare
    return `not ${bare ? printExpression(operand, inner) : printGroup(operand, inner)}`
  }
  if (!mayStandBare) return `-${printGroup(operand, inner)}`
  if (place.parentheses === 'fewest') return printBareNegation(printExpression(operand, inner))
  const text = operand.kind === 'literal' || operand.kind === 'unary' ? undefined : printExpression(operand, inner)
  return text === undefined || joinsMinus(text) ? `-${printGroup(operand, inner)}` : `-${text}`
}

function printBareNegation(operand: string): string {
  return joinsMinus(operand) ? `- ${operand}` : `-${operand}`
}

/** Whether a minus directly before the text would become part of a literal. */
function joinsMinus(text: string): boolean {
  return /^(?:[0-9]|INF)/.test(text)
}

type Class = 'logical' | 'comparison' | 'arithmetic'

function classOf(operator: BinaryOperator): Class {
  if (operatorPrecedence[operator] <= operatorPrecedence.and) return 'logical'
  const isArithmetic =
    operatorPrecedence[operator] >= operatorPrecedence.add && operatorPrecedence[operator] <= operatorPrecedence.mod
  return isArithmetic ? 'arithmetic' : 'comparison'
}

/** `left operator right`. A chain of equally strong operators is printed without recursion, since it may be long. */
function printBinary(expression: BinaryExpression, place: PrintContext): string {
  const chain: BinaryExpression[] = [expression]
  let first = expression.left
  while (first.kind === 'binary' && operatorPrecedence[first.operator] === operatorPrecedence[expression.operator]) {
    chain.push(first)
    first = first.left
  }
  const parts = [printOperand(first, expression.operator, place)]
  for (let index = chain.length - 1; index >= 0; index -= 1) {
    const link = chain[index]
    if (link !== undefined) parts.push(` ${link.operator} ${printRight(link, place)}`)
  }
  return parts.join('')
}

function printRight({ operator, right }: BinaryExpression, place: PrintContext): string {
  if (operator === 'in' && right.kind === 'list' && right.form === 'parentheses') return printLiteralList(right, place)
  const groups = right.kind === 'binary' && operatorPrecedence[right.operator] <= operatorPrecedence[operator]
  return groups ? printGroup(right, place) : printOperand(right, operator, place)
}

function printOperand(operand: Expression, operator: BinaryOperator, place: PrintContext): string {
  return needsGroup(operand, operator, place) ? printGroup(operand, place) : printExpression(operand, place)
}

/** The order of precedence is beyond doubt only between arithmetic, comparisons and `and`/`or`, and for chains. */
function needsGroup(operand: Expression, operator: BinaryOperator, place: PrintContext): boolean {
  if (operand.kind === 'unary')
    return place.parentheses === 'cautious' || operatorPrecedence[operator] === operatorPrecedence.in
  if (operand.kind !== 'binary') return false
  if (operatorPrecedence[operand.operator] <= operatorPrecedence[operator]) return true
  if (place.parentheses === 'fewest') return false
  const inner = classOf(operand.operator)
  const outer = classOf(operator)
  return inner === outer || (inner === 'comparison' && outer === 'arithmetic')
}

/** Whether an expression is one operand to the operators `-`, `not`, `has` and `in`. */
function isPrimary(expression: Expression): boolean {
  if (expression.kind === 'binary') return operatorPrecedence[expression.operator] === operatorPrecedence.in
  return expression.kind !== 'unary'
}

/** `name(argument,argument)` */
function printCall(call: FunctionCall, place: PrintContext): string {
  return `${call.function}(${printArguments(call, oneLevelDeeper(place))})`
}

function printArguments({ function: name, arguments: values }: FunctionCall, place: PrintContext): string {
  if (name === 'case') return printCase(values, place)
  if (name === 'cast' || name === 'isof') return printTypeArguments(name, values, place)
  const arity = canonicalFunctions.get(name)
  const fits = arity === undefined ? values.length > 0 : values.length >= arity.least && values.length <= arity.most
  if (arity === undefined && (!isQualifiedName(name) || canonicalFunctions.has(name.toLowerCase()))) {
    throw new PrintError(`${JSON.stringify(name)} is neither a canonical function in lower case nor a qualified name.`)
  }
  if (!fits) throw new PrintError(`\`${name}\` does not take ${values.length} arguments.`)
  return values.map(value => printExpression(value, place)).join(',')
}

/** The spaces keep `10 : 15` from being the time `10:15`. */
function printCase(values: readonly Expression[], place: PrintContext): string {
  if (values.length < 2 || values.length % 2 !== 0) throw new PrintError('`case` takes pairs of condition and result.')
  const texts = values.map(value => printExpression(value, place))
  return texts
    .map((text, index) => (index % 2 === 0 ? `${text} : ` : index < texts.length - 1 ? `${text},` : text))
    .join('')
}

function printTypeArguments(name: string, values: readonly Expression[], place: PrintContext): string {
  const [first, second] = values
  if (values.length === 1 && first?.kind === 'type') return printType(first)
  if (values.length === 2 && first !== undefined && second?.kind === 'type') {
    return `${printExpression(first, place)},${printType(second)}`
  }
  throw new PrintError(`\`${name}\` takes a type, perhaps with an expression before it.`)
}

function printType({ name, collection }: TypeExpression): string {
  return collection ? `Collection(${printQualifiedName(name)})` : printQualifiedName(name)
}

/** `collection/any(x:predicate)`, or `collection/any()`. */
function printLambda({ operator, collection, variable, predicate }: LambdaExpression, place: PrintContext): string {
  const path = printCollectionPath(collection, place)
  const inner = oneLevelDeeper(place)
  if (variable === undefined && predicate === undefined && operator === 'any') return `${path}/any()`
  if (variable === undefined || predicate === undefined) {
    throw new PrintError(`\`${operator}\` needs both a variable and a predicate.`)
  }
  const scope = { variable: printIdentifier(variable), outer: place.scope }
  return `${path}/${operator}(${variable}:${printExpression(predicate, { ...inner, scope })})`
}

/** `('a','b')`, the right operand of `in`. */
function printLiteralList({ items }: ListExpression, place: PrintContext): string {
  oneLevelDeeper(place)
  const literals = items.map(item => {
    if (item.kind === 'literal') return printLiteral(item)
    throw new PrintError(
      'A list in parentheses holds literals only; a list of the form `json` may hold any expressions.',
    )
  })
  return `(${literals.join(',')})`
}

/** `["a",1]` */
function printJsonArray({ items }: ListExpression, place: PrintContext): string {
  const inner = oneLevelDeeper(place)
  return `[${items.map(item => printJsonValue(item, inner)).join(',')}]`
}

/** `{"a":1}` */
function printJsonObject({ members }: ObjectExpression, place: PrintContext): string {
  const inner = oneLevelDeeper(place)
  return `{${members.map(({ name, value }) => `${JSON.stringify(name)}:${printJsonValue(value, inner)}`).join(',')}}`
}

function printJsonValue(value: Expression, place: PrintContext): string {
  return value.kind === 'literal' && value.type === 'String'
    ? JSON.stringify(value.value)
    : printExpression(value, place)
}

/** One segment without its `/`; a key has none. */
function printSegment(segment: PathSegment, place: PrintContext): string {
  switch (segment.kind) {
    case 'property':
      return printIdentifier(segment.name)
    case 'cast':
      if (isQualifiedName(segment.type)) return segment.type
      throw new PrintError(`The type ${JSON.stringify(segment.type)} needs a namespace.`)
    case 'key':
      return `(${printKey(segment.values, oneLevelDeeper(place))})`
    case 'function':
      return `${printQualifiedName(segment.name)}(${printParameters(segment.parameters, oneLevelDeeper(place))})`
    case 'filter':
      return `$filter(${printExpression(segment.predicate, oneLevelDeeper(place))})`
    case 'count':
      return `$count${printCountOptions(segment, place)}`
    case 'annotation': {
      const qualifier = segment.qualifier === undefined ? '' : `#${printIdentifier(segment.qualifier)}`
      return `@${printQualifiedName(segment.term)}${qualifier}`
    }
  }
}

function printKey(values: readonly KeyValue[], place: PrintContext): string {
  const [only] = values
  if (only !== undefined && only.name === undefined && values.length === 1) return printExpression(only.value, place)
  if (only === undefined || values.some(({ name }) => name === undefined)) {
    throw new PrintError('A key is one value, or values by name.')
  }
  return values.map(({ name, value }) => `${printIdentifier(name ?? '')}=${printExpression(value, place)}`).join(',')
}

function printParameters(parameters: readonly NamedExpression[], place: PrintContext): string {
  return parameters.map(({ name, value }) => `${printIdentifier(name)}=${printExpression(value, place)}`).join(',')
}

function printCountOptions(
  { filter, search }: Extract<PathSegment, { readonly kind: 'count' }>,
  place: PrintContext,
): string {
  if (filter === undefined && search === undefined) return ''
  const options = { ...(filter === undefined ? {} : { filter }), ...(search === undefined ? {} : { search }) }
  return printNestedOptions(options, countOptions, place)
}

const otherFunctions: ReadonlySet<string> = new Set(['case', 'cast', 'isof', 'any', 'all', 'not'])

/** `$it/from/emailAddress`. @throws {PrintError} when the path would be read as something else */
function printPath(path: PathExpression, place: PrintContext): string {
  const { root, segments } = path
  const text = printCollectionPath(path, place, true)
  const only = segments.length + (root === undefined ? 0 : 1) === 1
  const [first] = segments
  if (root === undefined && only && first?.kind === 'cast') unprintable('A path cannot consist of a type cast alone.')
  if (root === undefined && only && first?.kind === 'annotation' && text.search(/[.#]/) === -1) {
    unprintable(`${text} alone would be a parameter alias.`)
  }
  if (root?.kind === 'root' && segments.length === 0) unprintable('`$root` alone is no path.')
  if (!only) return text
  if (keywordLiteral(text) !== undefined)
    unprintable(`A path that is only the name ${text} would be read as a literal.`)
  return text.toLowerCase() === 'not' ? printNameNot(text, place) : text
}

/** Bare, the name `not` could be the operator. */
function printNameNot(text: string, place: PrintContext): string {
  oneLevelDeeper(place)
  return `(${text})`
}

/** The path as far as the `/` before a lambda operator. */
function printCollectionPath({ root, segments }: PathExpression, place: PrintContext, complete = false): string {
  const start = root === undefined ? undefined : printRoot(root, place.scope)
  const parts: string[] = start === undefined ? [] : [start]
  segments.forEach((segment, index) => {
    const previous = segments[index - 1]
    if (segment.kind === 'count' && (index < segments.length - 1 || !complete)) unprintable('`$count` ends a path.')
    if (segment.kind === 'key') {
      requireKeyFits(segment.values, previous, index === 1 && root === undefined, place.scope)
      parts.push(`${parts.pop() ?? ''}${printSegment(segment, place)}`)
    } else {
      if (index === 0 && root === undefined) requireFirst(segment, place.scope)
      else requireLater(segment)
      parts.push(printSegment(segment, place))
    }
  })
  if (parts.length === 0) unprintable('A path needs a root or a segment.')
  return parts.join('/')
}

function printRoot(root: PathRoot, scope: Scope | undefined): string {
  if (root.kind !== 'variable') return `$${root.kind}`
  if (!isInScope(scope, root.name))
    unprintable(`The variable ${JSON.stringify(root.name)} belongs to no lambda around it.`)
  return printIdentifier(root.name)
}

function requireFirst(segment: PathSegment, scope: Scope | undefined): void {
  if (segment.kind === 'property' && isInScope(scope, segment.name)) {
    unprintable(
      `Within a lambda over the variable ${segment.name}, the property of this name can only be reached as $it/${segment.name}.`,
    )
  }
  if (
    segment.kind === 'function' &&
    (!isQualifiedName(segment.name) || canonicalFunctions.has(segment.name.toLowerCase()))
  ) {
    unprintable(`The function ${JSON.stringify(segment.name)} needs a namespace, or a path before it.`)
  }
  if (segment.kind === 'filter' || segment.kind === 'count')
    unprintable(`\`$${segment.kind}\` needs a collection before it.`)
}

function requireLater(segment: PathSegment): void {
  if (segment.kind !== 'function' || isQualifiedName(segment.name)) return
  const { name, parameters } = segment
  const operator = name.toLowerCase()
  if (operator === 'any' || operator === 'all')
    unprintable(`A function named ${name} would be read as a lambda operator.`)
  if (parameters.length > 0 && parameters.every(({ value }) => value.kind === 'literal' || value.kind === 'alias')) {
    unprintable(`The function ${name} with literals alone would be read as an item by key: qualify its name.`)
  }
}

function requireKeyFits(
  values: readonly KeyValue[],
  previous: PathSegment | undefined,
  atStart: boolean,
  scope: Scope | undefined,
): void {
  if (previous?.kind === 'property') {
    const name = previous.name.toLowerCase()
    const taken = atStart ? canonicalFunctions.has(name) || otherFunctions.has(name) : name === 'any' || name === 'all'
    if (taken || (atStart && isInScope(scope, previous.name)))
      unprintable(`${previous.name}(…) would not be read as an item by key.`)
  } else if (previous?.kind === 'cast') {
    if (atStart || values.some(({ name }) => name !== undefined))
      unprintable(`${previous.type}(…) would be read as a function.`)
  } else if (previous?.kind !== 'filter') {
    unprintable('A key needs a name, a type cast or `$filter` before it.')
  }
}

function isInScope(scope: Scope | undefined, name: string): boolean {
  for (let inner = scope; inner !== undefined; inner = inner.outer) {
    if (inner.variable === name) return true
  }
  return false
}

function unprintable(message: string): never {
  throw new PrintError(message)
}
