import type {
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
  SearchExpression,
  TypeExpression,
} from './ast.js'
import {
  AT,
  CASE_BIT,
  CLOSE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  Cursor,
  DOLLAR,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  enter,
  fail,
  HASH,
  identifierEnd,
  isAsciiLetter,
  isDigit,
  isInScope,
  isWhitespace,
  LOWER_A,
  LOWER_N,
  LOWER_O,
  LOWER_T,
  MINUS,
  OPEN,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  qualifiedNameEnd,
  requireNameLength,
  SINGLE_QUOTE,
  SLASH,
  skipWhitespace,
  take,
  takeClose,
  takeIdentifier,
  takeQualifiedRest,
  takeSpaced,
  whitespaceEnd,
} from './cursor.js'
import { type CanonicalFunction, canonicalFunctions, functionNames } from './functions.js'
import { guidEnd } from './literal-formats.js'
import {
  keywordLiteral,
  parseEnumLiteral,
  parseGuid,
  parseJsonString,
  parseNumeric,
  parsePrefixedLiteral,
  parseString,
  startsInfinity,
} from './literals.js'
import { countOptions, parseNestedOptions } from './nested-options.js'
import {
  closeParenthesis,
  failAfterOperand,
  lowestPrecedence,
  peekOperator,
  primaryPrecedence,
  requireEndOfExpression,
  suggestFunction,
} from './operators.js'
import { parseSearchExpression } from './search.js'

/**
 * The tree of a `$filter`, or of any other common expression, percent-decoded.
 *
 * Operators, functions and `any`/`all` may be in any letter case. Names and variables are case-sensitive. The parser does
 * not check whether names exist, types fit or a service supports the construct.
 *
 * @param text the value of the option: `startswith(displayName,'A') and accountEnabled eq true`
 * @throws {QuerySyntaxError} when the text breaks the grammar or nests deeper than `maxNesting`
 * @see OData 4.01 URL Conventions, 5.1.2, and the OData ABNF, `commonExpr`
 */
export function parseFilter(text: string): Expression {
  const cursor = new Cursor(text, '$filter')
  const expression = parseExpression(cursor)
  requireEndOfExpression(cursor)
  return expression
}

/**
 * An expression up to the first character that cannot continue it.
 *
 * @see OData ABNF, `commonExpr`; precedence: URL Conventions 5.1.1.17
 */
export function parseExpression(cursor: Cursor): Expression {
  return parseBinary(cursor, lowestPrecedence)
}

/** Operands joined by operators of at least the `minimum` precedence. Operators of one precedence group from the left. */
function parseBinary(cursor: Cursor, minimum: number): Expression {
  let left = parseUnary(cursor)
  for (;;) {
    const operator = peekOperator(cursor)
    if (operator === undefined || operator.precedence < minimum) return left
    cursor.position = cursor.operatorEnd
    left = {
      kind: 'binary',
      operator: operator.name,
      left,
      right: parseRight(cursor, operator.name, operator.precedence),
    }
  }
}

function parseRight(cursor: Cursor, operator: string, precedence: number): Expression {
  if (precedence < primaryPrecedence) return parseBinary(cursor, precedence + 1)
  return operator === 'in' ? parseInOperand(cursor) : parsePrimary(cursor)
}

function parseUnary(cursor: Cursor): Expression {
  const code = cursor.text.charCodeAt(cursor.position)
  if (code === MINUS && startsNegation(cursor)) {
    cursor.position += 1
    return { kind: 'unary', operator: 'negate', operand: parseSignedOperand(cursor) }
  }
  if ((code | CASE_BIT) === LOWER_N && startsNot(cursor)) {
    cursor.position += 3
    return { kind: 'unary', operator: 'not', operand: parseSignedOperand(cursor) }
  }
  return parsePrimary(cursor)
}

function parseSignedOperand(cursor: Cursor): Expression {
  enter(cursor, 0)
  const operand = parseBinary(cursor, primaryPrecedence)
  cursor.nesting -= 1
  return operand
}

/** A minus directly before a digit or `INF` belongs to the literal. */
function startsNegation(cursor: Cursor): boolean {
  const next = cursor.position + 1
  return !isDigit(cursor.text.charCodeAt(next)) && !startsInfinity(cursor.text, next)
}

/** `not` is the operator when whitespace or a parenthesis follows; otherwise it is a name. */
function startsNot(cursor: Cursor): boolean {
  const { text, position } = cursor
  if ((text.charCodeAt(position + 1) | CASE_BIT) !== LOWER_O) return false
  if ((text.charCodeAt(position + 2) | CASE_BIT) !== LOWER_T) return false
  const next = text.charCodeAt(position + 3)
  return isWhitespace(next) || next === OPEN
}

/** One operand: a literal, a path, a call, a parenthesised expression. @see OData ABNF, `commonExpr` */
function parsePrimary(cursor: Cursor): Expression {
  cursor.steps += 1
  const code = cursor.text.charCodeAt(cursor.position)
  if (isAsciiLetter(code)) return parseNamed(cursor)
  if (code === SINGLE_QUOTE) return { kind: 'literal', type: 'String', value: parseString(cursor) }
  if (isDigit(code) || code === MINUS || code === PLUS) return parseNumeric(cursor)
  switch (code) {
    case OPEN:
      return parseParenthesised(cursor)
    case AT:
      return parseAt(cursor)
    case DOLLAR:
      return parseImplicitVariable(cursor)
    case OPEN_BRACKET:
      return parseJsonArray(cursor)
    case OPEN_BRACE:
      return parseJsonObject(cursor)
    default:
      return parseOther(cursor)
  }
}

function parseOther(cursor: Cursor): Expression {
  const { text, position } = cursor
  if (identifierEnd(text, position) > position) return parseNamed(cursor)
  const hint = text[position] === '"' ? 'Put a string in single quotes.' : undefined
  return fail(cursor, position, ['an operand (a literal, a name, a function call or `(`)'], hint)
}

function parseParenthesised(cursor: Cursor): Expression {
  enter(cursor, 1)
  const expression = parseExpression(cursor)
  closeParenthesis(cursor)
  cursor.nesting -= 1
  return expression
}

const firstGroupOfGuid = 8

/** An operand that starts with a name: a keyword, a variable, a path, a call, or a literal with a prefix. */
function parseNamed(cursor: Cursor): Expression {
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  const next = text.charCodeAt(end)
  if (next === MINUS && end - position === firstGroupOfGuid && guidEnd(text, position) !== -1) return parseGuid(cursor)
  const name = text.slice(position, end)
  requireNameLength(cursor, name)
  cursor.position = end
  if (next === DOT && identifierEnd(text, end + 1) > end + 1) return parseQualified(cursor, name)
  if (next === SINGLE_QUOTE) return parsePrefixedLiteral(cursor, name, position)
  if (next === OPEN) return parseCall(cursor, name, position)
  if (next !== SLASH) {
    const literal = keywordLiteral(name)
    if (literal !== undefined) return literal
  }
  return parsePath(cursor, name)
}

/**
 * An operand that starts with a qualified name, whose first part is consumed: an enumeration literal, a canonical `geo`
 * function, a service-defined function, or a path that starts with a type cast.
 */
function parseQualified(cursor: Cursor, first: string): Expression {
  const name = takeQualifiedRest(cursor, first)
  const next = cursor.text.charCodeAt(cursor.position)
  if (next === SINGLE_QUOTE) return parseEnumLiteral(cursor, name)
  if (next === OPEN) return parseFunction(cursor, name)
  if (next !== SLASH)
    return fail(cursor, cursor.position, ['`(`', '`/` and a property', 'a quoted member of the enumeration'])
  return parsePathFrom(cursor, undefined, [{ kind: 'cast', type: name }])
}

function parseFunction(cursor: Cursor, name: string): Expression {
  const lower = name.toLowerCase()
  const canonical = canonicalFunctions.get(lower)
  if (canonical !== undefined) return parseCanonicalCall(cursor, lower, canonical)
  const given = parseArguments(cursor)
  switch (given.kind) {
    case 'none':
      return parsePathFrom(cursor, undefined, [{ kind: 'function', name, parameters: [] }])
    case 'byName':
      return parsePathFrom(cursor, undefined, [{ kind: 'function', name, parameters: given.parameters }])
    case 'byPosition':
      return { kind: 'call', function: name, arguments: given.values }
    default: {
      const parameters = given.values.flatMap(value =>
        value.name === undefined ? [] : [{ name: value.name, value: value.value }],
      )
      return parameters.length > 0
        ? parsePathFrom(cursor, undefined, [{ kind: 'function', name, parameters }])
        : { kind: 'call', function: name, arguments: given.values.map(value => value.value) }
    }
  }
}

/**
 * The operand that starts with a name without a namespace, which is consumed, and `(`: a call of a canonical function, or an
 * item of a collection by its key.
 *
 * @see OData ABNF, `methodCallExpr`, `keyPredicate`
 */
function parseCall(cursor: Cursor, name: string, start: number): Expression {
  const lower = name.toLowerCase()
  const canonical = canonicalFunctions.get(lower)
  if (canonical !== undefined) return parseCanonicalCall(cursor, lower, canonical)
  if (lower === 'case') return parseCase(cursor)
  if (lower === 'cast' || lower === 'isof') return pathOfCast(cursor, parseTypeCall(cursor, lower))
  if (lower === 'any' || lower === 'all') {
    fail(cursor, start, ['a path to a collection before it'], `Write \`items/${lower}(x:x/name eq 1)\`.`)
  }
  const given = parseArguments(cursor)
  if (given.kind !== 'key')
    return fail(cursor, start, ['the name of a canonical function'], suggestFunction(name, functionNames))
  return parsePathFrom(cursor, undefined, [
    { kind: 'property', name },
    { kind: 'key', values: given.values },
  ])
}

/** A call of a canonical function, whose name is consumed. @see OData ABNF, `methodCallExpr` */
function parseCanonicalCall(cursor: Cursor, name: string, called: CanonicalFunction): FunctionCall {
  enter(cursor, 1)
  const values: Expression[] = []
  while (values.length < called.most && (values.length < called.fewest || !closes(cursor))) {
    if (values.length > 0) takeSeparator(cursor, name, called)
    if (closes(cursor))
      fail(cursor, whitespaceEnd(cursor.text, cursor.position), ['an argument'], arityHint(name, called))
    values.push(parseExpression(cursor))
  }
  closeCall(cursor, name, called)
  cursor.nesting -= 1
  return { kind: 'call', function: name, arguments: values }
}

function closes(cursor: Cursor): boolean {
  return cursor.text.charCodeAt(whitespaceEnd(cursor.text, cursor.position)) === CLOSE
}

function takeSeparator(cursor: Cursor, name: string, called: CanonicalFunction): void {
  if (takeSpaced(cursor, COMMA)) return
  if (closes(cursor)) fail(cursor, whitespaceEnd(cursor.text, cursor.position), ['`,`'], arityHint(name, called))
  failAfterOperand(cursor, ['`,`'])
}

function closeCall(cursor: Cursor, name: string, called: CanonicalFunction): void {
  const position = whitespaceEnd(cursor.text, cursor.position)
  const code = cursor.text.charCodeAt(position)
  if (code === COMMA || (code !== CLOSE && called.most === 0)) fail(cursor, position, ['`)`'], arityHint(name, called))
  if (code !== CLOSE) failAfterOperand(cursor, ['`)`'])
  cursor.position = position + 1
}

function arityHint(name: string, { fewest, most }: CanonicalFunction): string {
  const count =
    most === 0
      ? 'no arguments'
      : most === 1
        ? '1 argument'
        : `${fewest === most ? '' : `${fewest} or `}${most} arguments`
  return `\`${name}\` takes ${count}.`
}

/** `(condition:result,...)` after the name `case`. @see OData 4.01 URL Conventions, 5.1.1.12.1 */
function parseCase(cursor: Cursor): FunctionCall {
  enter(cursor, 1)
  const values: Expression[] = []
  do {
    values.push(parseExpression(cursor))
    if (!takeSpaced(cursor, COLON)) failAfterOperand(cursor, ['`:`'])
    values.push(parseExpression(cursor))
  } while (takeSpaced(cursor, COMMA))
  closeParenthesis(cursor, ['`,`'])
  cursor.nesting -= 1
  return { kind: 'call', function: 'case', arguments: values }
}

const collectionPrefix = 'Collection('

/**
 * `(type)` or `(expression,type)` after the name `cast` or `isof`.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10
 */
function parseTypeCall(cursor: Cursor, name: 'cast' | 'isof'): FunctionCall {
  enter(cursor, 1)
  const expression = startsOnlyType(cursor) ? undefined : parseExpression(cursor)
  if (expression !== undefined && !takeSpaced(cursor, COMMA)) failAfterOperand(cursor, ['`,` and a type'])
  const type = parseTypeName(cursor)
  takeClose(cursor)
  cursor.nesting -= 1
  return { kind: 'call', function: name, arguments: expression === undefined ? [type] : [expression, type] }
}

/**
 * A path that goes on from a cast of an item or a complex value: `cast(ns.type)/name` is the path `ns.type/name`, and
 * `cast(relation,ns.type)/name` is `relation/ns.type/name`. Any other call stays as it is.
 */
function pathOfCast(cursor: Cursor, call: FunctionCall): Expression {
  const [first, second] = call.arguments
  const type = second ?? first
  if (call.function !== 'cast' || cursor.text.charCodeAt(cursor.position) !== SLASH) return call
  if (type?.kind !== 'type' || type.collection || type.name.startsWith('Edm.')) return call
  const cast = { kind: 'cast', type: type.name } as const
  if (second === undefined) return parsePathFrom(cursor, undefined, [cast])
  return first?.kind === 'path' ? parsePathFrom(cursor, first.root, [...first.segments, cast]) : call
}

/** Whether a type is the only argument: `name)`, `'name')` or `Collection(name))`. */
function startsOnlyType(cursor: Cursor): boolean {
  const { text, position: start } = cursor
  if (text.charCodeAt(start) === SINGLE_QUOTE) {
    const end = text.indexOf("'", start + 1)
    return end !== -1 && isClose(text, whitespaceEnd(text, end + 1))
  }
  const name = text.startsWith(collectionPrefix, start) ? start + collectionPrefix.length : start
  const closing = closingAfterName(text, name)
  return name === start || closing === -1 ? closing !== -1 : isClose(text, whitespaceEnd(text, closing + 1))
}

function closingAfterName(text: string, position: number): number {
  const end = qualifiedNameEnd(text, position)
  const closing = whitespaceEnd(text, end)
  return end > position && isClose(text, closing) ? closing : -1
}

function isClose(text: string, position: number): boolean {
  return text.charCodeAt(position) === CLOSE
}

/** A type with or without quotes, which OData 4.0 requires and 4.01 does not have. */
function parseTypeName(cursor: Cursor): TypeExpression {
  if (!take(cursor, SINGLE_QUOTE)) return parseUnquotedTypeName(cursor)
  const type = parseUnquotedTypeName(cursor)
  if (!take(cursor, SINGLE_QUOTE)) fail(cursor, cursor.position, ["`'`"])
  return type
}

/** `Edm.String`, `ns.type`, `type` or `Collection(...)`. @see OData ABNF, `optionallyQualifiedTypeName` */
function parseUnquotedTypeName(cursor: Cursor): TypeExpression {
  const name = takeTypeName(cursor)
  if (name !== 'Collection' || !take(cursor, OPEN)) return { kind: 'type', name, collection: false }
  skipWhitespace(cursor)
  const item = takeTypeName(cursor)
  takeClose(cursor)
  return { kind: 'type', name: item, collection: true }
}

function takeTypeName(cursor: Cursor): string {
  return takeQualifiedRest(cursor, takeIdentifier(cursor, 'the name of a type'))
}

/**
 * The contents of the parentheses after the name of an item or of a service-defined function. `(a=1)` can be a key or
 * arguments by name. Since all values are literals or aliases, its kind is `key`.
 */
type Arguments =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly values: readonly KeyValue[] }
  | { readonly kind: 'byName'; readonly parameters: readonly NamedExpression[] }
  | { readonly kind: 'byPosition'; readonly values: readonly Expression[] }

/** @see OData ABNF, `keyPredicate`, `functionExprParameters` */
function parseArguments(cursor: Cursor): Arguments {
  enter(cursor, 1)
  const given = takeArguments(cursor)
  cursor.nesting -= 1
  return given
}

function takeArguments(cursor: Cursor): Arguments {
  if (take(cursor, CLOSE)) return { kind: 'none' }
  if (startsName(cursor)) return takeArgumentsByName(cursor)
  const values = [parseExpression(cursor)]
  while (takeSpaced(cursor, COMMA)) values.push(parseExpression(cursor))
  closeParenthesis(cursor, ['`,`'])
  const [only] = values
  if (only !== undefined && values.length === 1 && isKeyValue(only)) return { kind: 'key', values: [{ value: only }] }
  return { kind: 'byPosition', values }
}

function takeArgumentsByName(cursor: Cursor): Arguments {
  const parameters: NamedExpression[] = []
  const keys: KeyValue[] = []
  do {
    const name = takeIdentifier(cursor, 'the name of a parameter or key property')
    if (!take(cursor, EQUALS)) fail(cursor, cursor.position, ['`=`'])
    const value = parseExpression(cursor)
    parameters.push({ name, value })
    if (isKeyValue(value)) keys.push({ name, value })
  } while (takeSpaced(cursor, COMMA))
  closeParenthesis(cursor, ['`,`'])
  return keys.length === parameters.length ? { kind: 'key', values: keys } : { kind: 'byName', parameters }
}

function startsName(cursor: Cursor): boolean {
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  return end > position && text.charCodeAt(end) === EQUALS
}

function isKeyValue(value: Expression): value is KeyValue['value'] {
  return value.kind === 'alias' || value.kind === 'literal'
}

/**
 * The right operand of `in`: a list of literals in parentheses, or a collection. `(a)` with anything but a literal is a
 * parenthesised expression.
 *
 * @see OData ABNF, `inExpr`, `listExpr`
 */
function parseInOperand(cursor: Cursor): Expression {
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) return parsePrimary(cursor)
  enter(cursor, 1)
  const operand = parseListOrGroup(cursor)
  cursor.nesting -= 1
  return operand
}

function parseListOrGroup(cursor: Cursor): Expression {
  if (take(cursor, CLOSE)) return { kind: 'list', form: 'parentheses', items: [] }
  const grouped = cursor.text.charCodeAt(cursor.position) === OPEN
  const first = parseExpression(cursor)
  if (grouped || first.kind !== 'literal') {
    closeParenthesis(cursor)
    return first
  }
  const items: Expression[] = [first]
  while (takeSpaced(cursor, COMMA)) items.push(parseItem(cursor))
  takeClose(cursor, ['`,`'])
  return { kind: 'list', form: 'parentheses', items }
}

function parseItem(cursor: Cursor): Expression {
  const start = cursor.position
  const grouped = cursor.text.charCodeAt(start) === OPEN
  const item = parsePrimary(cursor)
  if (grouped || item.kind !== 'literal') {
    fail(
      cursor,
      start,
      ['a literal'],
      'A list in parentheses contains only literals. Write `[a,b]` for other expressions.',
    )
  }
  return item
}

/** `[value,...]`, with any expressions as values. @see OData ABNF, `array` */
function parseJsonArray(cursor: Cursor): ListExpression {
  const items: Expression[] = []
  if (!opensEmpty(cursor, CLOSE_BRACKET)) {
    do items.push(parseJsonValue(cursor))
    while (takeSpaced(cursor, COMMA))
    close(cursor, CLOSE_BRACKET, '`]`')
  }
  cursor.nesting -= 1
  return { kind: 'list', form: 'json', items }
}

/** `{"name":value,...}`, with any expressions as values. @see OData ABNF, `object` */
function parseJsonObject(cursor: Cursor): ObjectExpression {
  const members: NamedExpression[] = []
  if (!opensEmpty(cursor, CLOSE_BRACE)) {
    do members.push(parseMember(cursor))
    while (takeSpaced(cursor, COMMA))
    close(cursor, CLOSE_BRACE, '`}`')
  }
  cursor.nesting -= 1
  return { kind: 'object', members }
}

function opensEmpty(cursor: Cursor, closing: number): boolean {
  enter(cursor, 1)
  return take(cursor, closing)
}

function close(cursor: Cursor, closing: number, name: string): void {
  const position = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(position) !== closing) failAfterOperand(cursor, ['`,`', name])
  cursor.position = position + 1
}

function parseMember(cursor: Cursor): NamedExpression {
  if (cursor.text.charCodeAt(cursor.position) !== DOUBLE_QUOTE) {
    fail(cursor, cursor.position, ['the name of a member in double quotes'])
  }
  const name = parseJsonString(cursor)
  if (!takeSpaced(cursor, COLON)) fail(cursor, whitespaceEnd(cursor.text, cursor.position), ['`:`'])
  return { name, value: parseJsonValue(cursor) }
}

function parseJsonValue(cursor: Cursor): Expression {
  return cursor.text.charCodeAt(cursor.position) === DOUBLE_QUOTE
    ? { kind: 'literal', type: 'String', value: parseJsonString(cursor) }
    : parseExpression(cursor)
}

/** A path whose first name, a variable or a property, is consumed. @see OData ABNF, `firstMemberExpr` */
function parsePath(cursor: Cursor, first: string): PathExpression | LambdaExpression {
  return isInScope(cursor.scope, first)
    ? parsePathFrom(cursor, { kind: 'variable', name: first }, [])
    : parsePathFrom(cursor, undefined, [{ kind: 'property', name: first }])
}

/** The rest of a path, from its next `/` on. Appends to `segments`. */
function parsePathFrom(
  cursor: Cursor,
  root: PathRoot | undefined,
  segments: PathSegment[],
): PathExpression | LambdaExpression {
  const path: PathExpression = root === undefined ? { kind: 'path', segments } : { kind: 'path', root, segments }
  while (take(cursor, SLASH)) {
    const operator = peekLambdaOperator(cursor)
    if (operator !== undefined) return parseLambda(cursor, operator, path)
    if (parseSegment(cursor, segments) === 'last') return path
  }
  return path
}

/**
 * Appends the segment at the cursor, and the key that follows it, to `segments`. `last`: the path cannot continue.
 *
 * @see OData ABNF, `memberExpr`
 */
function parseSegment(cursor: Cursor, segments: PathSegment[]): 'open' | 'last' {
  cursor.steps += 1
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  if (end === position) return parseSpecialSegment(cursor, segments)
  const first = text.slice(position, end)
  requireNameLength(cursor, first)
  cursor.position = end
  const next = text.charCodeAt(end)
  if (next === DOT) addQualifiedSegment(cursor, takeQualifiedRest(cursor, first), segments)
  else if (next === OPEN) addCalledSegment(cursor, first, segments)
  else segments.push({ kind: 'property', name: first })
  return 'open'
}

function parseSpecialSegment(cursor: Cursor, segments: PathSegment[]): 'open' | 'last' {
  const { text, position } = cursor
  const code = text.charCodeAt(position)
  if (code === AT) {
    segments.push(parseAnnotation(cursor))
    return 'open'
  }
  if (code === DOLLAR && text.startsWith('$count', position)) {
    segments.push(parseCountSegment(cursor))
    return 'last'
  }
  if (code === DOLLAR && text.startsWith('$filter(', position)) {
    segments.push(parseFilterSegment(cursor))
    if (text.charCodeAt(cursor.position) === OPEN) addKey(cursor, segments)
    return 'open'
  }
  return fail(cursor, position, ['a name', '`$count`', '`$filter(`', 'an annotation (@ns.term)'])
}

/** `/ns.type`, `/ns.type('key')` or `/ns.function(...)`. */
function addQualifiedSegment(cursor: Cursor, name: string, segments: PathSegment[]): void {
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) {
    segments.push({ kind: 'cast', type: name })
    return
  }
  const start = cursor.position
  const given = parseArguments(cursor)
  if (given.kind === 'byPosition') fail(cursor, start + 1, ['parameters by name (`name=value`)'])
  if (given.kind === 'none') {
    segments.push({ kind: 'function', name, parameters: [] })
  } else if (given.kind === 'byName') {
    segments.push({ kind: 'function', name, parameters: given.parameters })
  } else if (given.values.every(hasName)) {
    segments.push({ kind: 'function', name, parameters: given.values })
  } else {
    segments.push({ kind: 'cast', type: name }, { kind: 'key', values: given.values })
  }
}

function hasName<Value extends { readonly name?: string }>(value: Value): value is Value & { readonly name: string } {
  return value.name !== undefined
}

/** `/name('key')`, `/name(a=1,b=2)` or `/function(...)`. */
function addCalledSegment(cursor: Cursor, name: string, segments: PathSegment[]): void {
  const start = cursor.position
  const given = parseArguments(cursor)
  if (given.kind === 'byPosition') fail(cursor, start + 1, ['a key', 'parameters by name (`name=value`)'])
  if (given.kind === 'key') {
    segments.push({ kind: 'property', name }, { kind: 'key', values: given.values })
  } else {
    segments.push({ kind: 'function', name, parameters: given.kind === 'none' ? [] : given.parameters })
  }
}

function addKey(cursor: Cursor, segments: PathSegment[]): void {
  const start = cursor.position
  const given = parseArguments(cursor)
  if (given.kind !== 'key') fail(cursor, start + 1, ['a key'])
  segments.push({ kind: 'key', values: given.values })
}

/** The lambda operator at the cursor: `any` or `all`, in any letter case, directly before `(`. */
function peekLambdaOperator(cursor: Cursor): 'any' | 'all' | undefined {
  const { text, position } = cursor
  if ((text.charCodeAt(position) | CASE_BIT) !== LOWER_A || text.charCodeAt(position + 3) !== OPEN) return undefined
  const word = text.slice(position, position + 3).toLowerCase()
  return word === 'any' || word === 'all' ? word : undefined
}

/** `any(variable:predicate)`, `all(variable:predicate)` or `any()` after a collection. @see OData ABNF, `anyExpr`, `allExpr` */
function parseLambda(cursor: Cursor, operator: 'any' | 'all', collection: PathExpression): LambdaExpression {
  enter(cursor, operator.length + 1)
  if (operator === 'any' && take(cursor, CLOSE)) {
    cursor.nesting -= 1
    return { kind: 'lambda', operator, collection }
  }
  const variable = takeIdentifier(cursor, operator === 'any' ? 'a variable or `)`' : 'a variable')
  if (!takeSpaced(cursor, COLON)) {
    fail(cursor, whitespaceEnd(cursor.text, cursor.position), ['`:`'], 'Write a lambda as `items/any(x:x/name eq 1)`.')
  }
  const outer = cursor.scope
  cursor.scope = { variable, outer }
  const predicate = parseExpression(cursor)
  cursor.scope = outer
  closeParenthesis(cursor)
  cursor.nesting -= 1
  return { kind: 'lambda', operator, collection, variable, predicate }
}

/** `$count`, optionally with `($filter=...;$search=...)`. @see OData ABNF, `collectionPathExpr` */
function parseCountSegment(cursor: Cursor): PathSegment {
  cursor.position += '$count'.length
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) return { kind: 'count' }
  const options: { filter?: Expression; search?: SearchExpression } = {}
  parseNestedOptions(cursor, countOptions, options, name => {
    if (name === 'filter') options.filter = parseExpression(cursor)
    else options.search = parseSearchExpression(cursor, true)
  })
  return { kind: 'count', ...options }
}

/** `$filter(predicate)` in a path. @see OData ABNF, `filterExpr` */
function parseFilterSegment(cursor: Cursor): PathSegment {
  enter(cursor, '$filter('.length)
  const predicate = parseExpression(cursor)
  closeParenthesis(cursor)
  cursor.nesting -= 1
  return { kind: 'filter', predicate }
}

/** `$it`, `$this` or `$root/...`. @see OData ABNF, `implicitVariableExpr`, `rootExpr` */
function parseImplicitVariable(cursor: Cursor): Expression {
  const { text, position } = cursor
  const end = identifierEnd(text, position + 1)
  const name = text.slice(position, end)
  cursor.position = end
  if (name === '$it') return parsePathFrom(cursor, { kind: 'it' }, [])
  if (name === '$this') return parsePathFrom(cursor, { kind: 'this' }, [])
  if (name !== '$root') return fail(cursor, position, ['`$it`', '`$this`', '`$root/`'])
  if (text.charCodeAt(end) !== SLASH) return fail(cursor, end, ['`/` and the name of an entity set or singleton'])
  const path = parsePathFrom(cursor, { kind: 'root' }, [])
  if (path.kind === 'lambda' && path.collection.segments.length === 0) {
    return fail(cursor, end + 1, ['the name of an entity set or singleton'])
  }
  return path
}

/**
 * The parameter alias `@p`, or a path that starts with an annotation, `@ns.term/name`. Before a path, a name without a
 * namespace is an annotation to the grammar. Code that knows the aliases of the request looks there first.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.16 and 5.3
 */
function parseAt(cursor: Cursor): Expression {
  const annotation = parseAnnotation(cursor)
  const { term, qualifier } = annotation
  const isAlias = qualifier === undefined && !term.includes('.') && cursor.text.charCodeAt(cursor.position) !== SLASH
  return isAlias ? { kind: 'alias', name: term } : parsePathFrom(cursor, undefined, [annotation])
}

/** `@ns.term` or `@ns.term#qualifier`, from the `@` on. @see OData ABNF, `annotationInQuery` */
export function parseAnnotation(cursor: Cursor): Extract<PathSegment, { readonly kind: 'annotation' }> {
  cursor.position += 1
  const term = takeQualifiedRest(cursor, takeIdentifier(cursor, 'the name of an annotation or alias'))
  if (!take(cursor, HASH)) return { kind: 'annotation', term }
  return { kind: 'annotation', term, qualifier: takeIdentifier(cursor, 'the qualifier of the annotation') }
}
