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
import { isInScope, isQualifiedName, type Scope } from './cursor.js'
import { canonicalFunctions, syntacticFunctions } from './functions.js'
import { keywordLiteral } from './literals.js'
import { operatorPrecedence } from './operators.js'
import {
  oneLevelDeeper,
  type PrintContext,
  PrintError,
  printFromRoot,
  printIdentifier,
  printLiteral,
  printQualifiedName,
  printSearchAt,
} from './print-context.js'

/**
 * Prints a `$filter`, or any other common expression, without percent-encoding. `parseFilter` returns the same tree.
 *
 * Operators and functions are in lower case. There are parentheses where the grammar needs them, and where services are known
 * to disagree: around the operand of `not`, around `and` in `or`, and around mixed arithmetic.
 *
 * @throws {PrintError} when no text represents the tree
 * @see OData 4.01 URL Conventions, 5.1.1
 */
export function printFilter(expression: Expression): string {
  return printFromRoot(context => printExpression(expression, context))
}

/** Prints an expression without parentheses around it. */
export function printExpression(expression: Expression, context: PrintContext): string {
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression)
    case 'path':
      return printPath(expression, context)
    case 'unary':
      return printUnary(expression, context)
    case 'binary':
      return printBinary(expression, context)
    case 'call':
      return printCall(expression, context)
    case 'lambda':
      return printLambda(expression, context)
    case 'list':
      if (expression.form === 'json') return printJsonArray(expression, context)
      throw new PrintError('A list in parentheses can only follow `in`.')
    case 'object':
      return printJsonObject(expression, context)
    case 'alias':
      return `@${printIdentifier(expression.name)}`
    case 'type':
      throw new PrintError('A type can only be an argument of `cast` and `isof`.')
  }
}

function printGroup(expression: Expression, context: PrintContext): string {
  return `(${printExpression(expression, oneLevelDeeper(context))})`
}

/** `not (x)` or `-x`. Services disagree about the precedence of `not`, so its operand gets parentheses. */
function printUnary({ operator, operand }: UnaryExpression, context: PrintContext): string {
  const inner = oneLevelDeeper(context)
  const canBeBare = isPrimary(operand) || operand.kind === 'unary'
  if (operator === 'not') {
    const bare = context.parentheses === 'fewest' && canBeBare
    return `not ${bare ? printExpression(operand, inner) : printGroup(operand, inner)}`
  }
  if (!canBeBare) return `-${printGroup(operand, inner)}`
  if (context.parentheses === 'fewest') return printBareNegation(printExpression(operand, inner))
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

function classOf(operator: BinaryOperator): 'logical' | 'comparison' | 'arithmetic' {
  if (operatorPrecedence[operator] <= operatorPrecedence.and) return 'logical'
  const isArithmetic =
    operatorPrecedence[operator] >= operatorPrecedence.add && operatorPrecedence[operator] <= operatorPrecedence.mod
  return isArithmetic ? 'arithmetic' : 'comparison'
}

/** Prints chains such as `a or b or c`, which can be long, without recursion. */
function printBinary(expression: BinaryExpression, context: PrintContext): string {
  const chain: BinaryExpression[] = [expression]
  let first = expression.left
  while (first.kind === 'binary' && operatorPrecedence[first.operator] === operatorPrecedence[expression.operator]) {
    chain.push(first)
    first = first.left
  }
  const parts = [printOperand(first, expression.operator, context)]
  for (let index = chain.length - 1; index >= 0; index -= 1) {
    const link = chain[index]
    if (link !== undefined) parts.push(` ${link.operator} ${printRight(link, context)}`)
  }
  return parts.join('')
}

function printRight({ operator, right }: BinaryExpression, context: PrintContext): string {
  if (operator === 'in' && right.kind === 'list' && right.form === 'parentheses')
    return printLiteralList(right, context)
  const groups = right.kind === 'binary' && operatorPrecedence[right.operator] <= operatorPrecedence[operator]
  return groups ? printGroup(right, context) : printOperand(right, operator, context)
}

function printOperand(operand: Expression, operator: BinaryOperator, context: PrintContext): string {
  return needsGroup(operand, operator, context) ? printGroup(operand, context) : printExpression(operand, context)
}

/** Services agree on precedence only between arithmetic, comparisons and `and`/`or`, and in chains. */
function needsGroup(operand: Expression, operator: BinaryOperator, context: PrintContext): boolean {
  if (operand.kind === 'unary') {
    return context.parentheses === 'defensive' || operatorPrecedence[operator] === operatorPrecedence.in
  }
  if (operand.kind !== 'binary') return false
  if (operatorPrecedence[operand.operator] <= operatorPrecedence[operator]) return true
  if (context.parentheses === 'fewest') return false
  const inner = classOf(operand.operator)
  const outer = classOf(operator)
  return inner === outer || (inner === 'comparison' && outer === 'arithmetic')
}

/** Whether an expression can be an operand of `-`, `not`, `has` and `in` without parentheses. */
function isPrimary(expression: Expression): boolean {
  if (expression.kind === 'binary') return operatorPrecedence[expression.operator] === operatorPrecedence.in
  return expression.kind !== 'unary'
}

/** `name(argument,argument)` */
function printCall(call: FunctionCall, context: PrintContext): string {
  return `${call.function}(${printArguments(call, oneLevelDeeper(context))})`
}

function printArguments({ function: name, arguments: values }: FunctionCall, context: PrintContext): string {
  if (name === 'case') return printCase(values, context)
  if (name === 'cast' || name === 'isof') return printTypeArguments(name, values, context)
  const arity = canonicalFunctions.get(name)
  const fits = arity === undefined ? values.length > 0 : values.length >= arity.fewest && values.length <= arity.most
  if (arity === undefined && (!isQualifiedName(name) || canonicalFunctions.has(name.toLowerCase()))) {
    throw new PrintError(`${JSON.stringify(name)} is neither a canonical function in lower case nor a qualified name.`)
  }
  if (!fits) throw new PrintError(`\`${name}\` does not take ${values.length} arguments.`)
  return values.map(value => printExpression(value, context)).join(',')
}

/** Without the spaces, `10 : 15` would be the time `10:15`. */
function printCase(values: readonly Expression[], context: PrintContext): string {
  if (values.length < 2 || values.length % 2 !== 0) throw new PrintError('`case` takes pairs of condition and result.')
  const texts = values.map(value => printExpression(value, context))
  return texts
    .map((text, index) => (index % 2 === 0 ? `${text} : ` : index < texts.length - 1 ? `${text},` : text))
    .join('')
}

function printTypeArguments(name: string, values: readonly Expression[], context: PrintContext): string {
  const [first, second] = values
  if (values.length === 1 && first?.kind === 'type') return printType(first)
  if (values.length === 2 && first !== undefined && second?.kind === 'type') {
    return `${printExpression(first, context)},${printType(second)}`
  }
  throw new PrintError(`\`${name}\` takes a type, or an expression and a type.`)
}

function printType({ name, collection }: TypeExpression): string {
  return collection ? `Collection(${printQualifiedName(name)})` : printQualifiedName(name)
}

/** `collection/any(x:predicate)`, or `collection/any()`. */
function printLambda({ operator, collection, variable, predicate }: LambdaExpression, context: PrintContext): string {
  const path = printCollectionPath(collection, context)
  const inner = oneLevelDeeper(context)
  if (variable === undefined && predicate === undefined && operator === 'any') return `${path}/any()`
  if (variable === undefined || predicate === undefined) {
    throw new PrintError(`\`${operator}\` needs both a variable and a predicate.`)
  }
  const scope = { variable: printIdentifier(variable), outer: context.scope }
  return `${path}/${operator}(${variable}:${printExpression(predicate, { ...inner, scope })})`
}

/** `('a','b')`, the right operand of `in`. */
function printLiteralList({ items }: ListExpression, context: PrintContext): string {
  oneLevelDeeper(context)
  const literals = items.map(item => {
    if (item.kind === 'literal') return printLiteral(item)
    throw new PrintError('A list in parentheses contains only literals. Use the form `json` for other expressions.')
  })
  return `(${literals.join(',')})`
}

/** `["a",1]` */
function printJsonArray({ items }: ListExpression, context: PrintContext): string {
  const inner = oneLevelDeeper(context)
  return `[${items.map(item => printJsonValue(item, inner)).join(',')}]`
}

/** `{"a":1}` */
function printJsonObject({ members }: ObjectExpression, context: PrintContext): string {
  const inner = oneLevelDeeper(context)
  return `{${members.map(({ name, value }) => `${JSON.stringify(name)}:${printJsonValue(value, inner)}`).join(',')}}`
}

function printJsonValue(value: Expression, context: PrintContext): string {
  return value.kind === 'literal' && value.type === 'String'
    ? JSON.stringify(value.value)
    : printExpression(value, context)
}

/** A segment without its `/`. */
function printSegment(segment: PathSegment, context: PrintContext): string {
  switch (segment.kind) {
    case 'property':
      return printIdentifier(segment.name)
    case 'cast':
      if (isQualifiedName(segment.type)) return segment.type
      throw new PrintError(`The type ${JSON.stringify(segment.type)} needs a namespace.`)
    case 'key':
      return `(${printKey(segment.values, oneLevelDeeper(context))})`
    case 'function':
      return `${printQualifiedName(segment.name)}(${printParameters(segment.parameters, oneLevelDeeper(context))})`
    case 'filter':
      return `$filter(${printExpression(segment.predicate, oneLevelDeeper(context))})`
    case 'count':
      return `$count${printCountOptions(segment, context)}`
    case 'annotation': {
      const qualifier = segment.qualifier === undefined ? '' : `#${printIdentifier(segment.qualifier)}`
      return `@${printQualifiedName(segment.term)}${qualifier}`
    }
  }
}

function printKey(values: readonly KeyValue[], context: PrintContext): string {
  const [only] = values
  if (only !== undefined && only.name === undefined && values.length === 1) return printExpression(only.value, context)
  if (only === undefined || values.some(({ name }) => name === undefined)) {
    throw new PrintError('A key is one value, or values by name.')
  }
  return values.map(({ name, value }) => `${printIdentifier(name ?? '')}=${printExpression(value, context)}`).join(',')
}

function printParameters(parameters: readonly NamedExpression[], context: PrintContext): string {
  return parameters.map(({ name, value }) => `${printIdentifier(name)}=${printExpression(value, context)}`).join(',')
}

function printCountOptions(
  { filter, search }: Extract<PathSegment, { readonly kind: 'count' }>,
  context: PrintContext,
): string {
  if (filter === undefined && search === undefined) return ''
  const inner: PrintContext = { ...oneLevelDeeper(context), nested: true }
  const options = [
    ...(search === undefined ? [] : [`$search=${printSearchAt(search, inner)}`]),
    ...(filter === undefined ? [] : [`$filter=${printExpression(filter, inner)}`]),
  ]
  return `(${options.join(';')})`
}

/** Names before `(` that are neither a key nor a canonical function. */
const reservedNames: ReadonlySet<string> = new Set([...syntacticFunctions, 'any', 'all', 'not'])

/** `$it/from/emailAddress`. @throws {PrintError} when a parser would read the path as something else */
function printPath(path: PathExpression, context: PrintContext): string {
  const { root, segments } = path
  const text = printCollectionPath(path, context, true)
  const only = segments.length + (root === undefined ? 0 : 1) === 1
  const [first] = segments
  if (root === undefined && only && first?.kind === 'cast') unprintable('A path cannot consist of a type cast alone.')
  if (root === undefined && only && first?.kind === 'annotation' && text.search(/[.#]/) === -1) {
    unprintable(`${text} alone would be a parameter alias.`)
  }
  if (root?.kind === 'root' && segments.length === 0) unprintable('`$root` alone is not a path.')
  if (!only) return text
  if (keywordLiteral(text) !== undefined) unprintable(`The path ${text} would be read as a literal.`)
  if (text.toLowerCase() !== 'not') return text
  // Without parentheses, it could be the operator.
  oneLevelDeeper(context)
  return `(${text})`
}

/** A path. Unless it is `complete`, a lambda operator follows it. */
function printCollectionPath({ root, segments }: PathExpression, context: PrintContext, complete = false): string {
  const start = root === undefined ? undefined : printRoot(root, context.scope)
  const parts: string[] = start === undefined ? [] : [start]
  segments.forEach((segment, index) => {
    const previous = segments[index - 1]
    if (segment.kind === 'count' && (index < segments.length - 1 || !complete)) unprintable('`$count` ends a path.')
    if (segment.kind === 'key') {
      requireKeyFits(segment.values, previous, index === 1 && root === undefined, context.scope)
      parts.push(`${parts.pop() ?? ''}${printSegment(segment, context)}`)
    } else {
      if (index === 0 && root === undefined) requireFirst(segment, context.scope)
      else requireLater(segment)
      parts.push(printSegment(segment, context))
    }
  })
  if (parts.length === 0) unprintable('A path needs a root or a segment.')
  return parts.join('/')
}

function printRoot(root: PathRoot, scope: Scope | undefined): string {
  if (root.kind !== 'variable') return `$${root.kind}`
  if (!isInScope(scope, root.name)) {
    unprintable(`No enclosing lambda defines the variable ${JSON.stringify(root.name)}.`)
  }
  return printIdentifier(root.name)
}

function requireFirst(segment: PathSegment, scope: Scope | undefined): void {
  if (segment.kind === 'property' && isInScope(scope, segment.name)) {
    unprintable(`The lambda variable ${segment.name} hides the property. Write the path as $it/${segment.name}.`)
  }
  if (
    segment.kind === 'function' &&
    (!isQualifiedName(segment.name) || canonicalFunctions.has(segment.name.toLowerCase()))
  ) {
    unprintable(`The function ${JSON.stringify(segment.name)} needs a namespace, or a path before it.`)
  }
  if (segment.kind === 'filter' || segment.kind === 'count') {
    unprintable(`\`$${segment.kind}\` needs a collection before it.`)
  }
}

function requireLater(segment: PathSegment): void {
  if (segment.kind !== 'function' || isQualifiedName(segment.name)) return
  const { name, parameters } = segment
  const operator = name.toLowerCase()
  if (operator === 'any' || operator === 'all') {
    unprintable(`The function ${name} would be read as a lambda operator.`)
  }
  if (parameters.length > 0 && parameters.every(({ value }) => value.kind === 'literal' || value.kind === 'alias')) {
    unprintable(`The function ${name} with literals alone would be read as an item by key. Qualify its name.`)
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
    const taken = atStart ? canonicalFunctions.has(name) || reservedNames.has(name) : name === 'any' || name === 'all'
    if (taken || (atStart && isInScope(scope, previous.name))) {
      unprintable(`${previous.name}(...) would not be read as an item by key.`)
    }
  } else if (previous?.kind === 'cast') {
    if (atStart || values.some(({ name }) => name !== undefined)) {
      unprintable(`${previous.type}(...) would be read as a function.`)
    }
  } else if (previous?.kind !== 'filter') {
    unprintable('A key needs a name, a type cast or `$filter` before it.')
  }
}

function unprintable(message: string): never {
  throw new PrintError(message)
}
