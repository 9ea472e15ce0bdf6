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
  requireLegalLength,
  type Scope,
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
import { type Arity, canonicalFunctions } from './functions.js'
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
} from './operators.js'
import { editDistance } from './spelling.js'

/**
 * The tree of a `$filter`, or of any other common expression, written as in a URL but percent-decoded.
 *
 * Operators, functions and `any`/`all` may be in any letter case; names and variables are told apart by case. Whether the
 * names exist, the types fit or a service supports the construct is not asked here.
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

/** Operands joined by operators that bind at least as tightly as `minimum`; equal operators group from the left. */
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
    return { kind: 'unary', operator: 'negate', operand: parseOperandOfSign(cursor) }
  }
  if ((code | CASE_BIT) === LOWER_N && startsNot(cursor)) {
    cursor.position += 3
    return { kind: 'unary', operator: 'not', operand: parseOperandOfSign(cursor) }
  }
  return parsePrimary(cursor)
}

function parseOperandOfSign(cursor: Cursor): Expression {
  enter(cursor)
  skipWhitespace(cursor)
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
  const hint = text[position] === '"' ? 'A string stands in single quotes.' : undefined
  return fail(cursor, position, ['an operand (a literal, a name, a function call or `(`)'], hint)
}

function parseParenthesised(cursor: Cursor): Expression {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const expression = parseExpression(cursor)
  closeParenthesis(cursor)
  cursor.nesting -= 1
  return expression
}

const guidStart = 8

/** An operand that begins with a name: a keyword, a variable, a path, a call, or a literal with a prefix. */
function parseNamed(cursor: Cursor): Expression {
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  const next = text.charCodeAt(end)
  if (next === MINUS && end - position === guidStart && guidEnd(text, position) !== -1) return parseGuid(cursor)
  const name = text.slice(position, end)
  requireLegalLength(cursor, name)
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
 * An operand that begins with a qualified name whose first part was just read: a literal of an enumeration, a canonical
 * function of `geo`, a service-defined function, or a path that begins with a type cast.
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
  const arity = canonicalFunctions.get(lower)
  if (arity !== undefined) return parseCanonicalCall(cursor, lower, arity)
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
 * What a name without a namespace, just read, and the `(` behind it begin: the call of a canonical function, or one item of
 * a collection by its key.
 *
 * @see OData ABNF, `methodCallExpr`, `keyPredicate`
 */
function parseCall(cursor: Cursor, name: string, start: number): Expression {
  const arity = canonicalFunctions.get(name)
  if (arity !== undefined) return parseCanonicalCall(cursor, name, arity)
  const lower = name.toLowerCase()
  const arityInLower = canonicalFunctions.get(lower)
  if (arityInLower !== undefined) return parseCanonicalCall(cursor, lower, arityInLower)
  if (lower === 'case') return parseCase(cursor)
  if (lower === 'cast' || lower === 'isof') return parseTypeCall(cursor, lower)
  if (lower === 'any' || lower === 'all') {
    fail(cursor, start, ['a path to a collection before it'], `Write \`items/${lower}(x:x/name eq 1)\`.`)
  }
  const given = parseArguments(cursor)
  if (given.kind !== 'key') return fail(cursor, start, ['the name of a canonical function'], suggestFunction(name))
  return parsePathFrom(cursor, undefined, [
    { kind: 'property', name },
    { kind: 'key', values: given.values },
  ])
}

/** The arguments of a canonical function whose name was just read. @see OData ABNF, `methodCallExpr` */
function parseCanonicalCall(cursor: Cursor, name: string, arity: Arity): FunctionCall {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const values: Expression[] = []
  while (values.length < arity.most && (values.length < arity.least || !closes(cursor))) {
    if (values.length > 0) takeSeparator(cursor, name, arity)
    if (closes(cursor)) fail(cursor, whitespaceEnd(cursor.text, cursor.position), ['an argument'], takes(name, arity))
    values.push(parseExpression(cursor))
  }
  closeCall(cursor, name, arity)
  cursor.nesting -= 1
  return { kind: 'call', function: name, arguments: values }
}

function closes(cursor: Cursor): boolean {
  return cursor.text.charCodeAt(whitespaceEnd(cursor.text, cursor.position)) === CLOSE
}

function takeSeparator(cursor: Cursor, name: string, arity: Arity): void {
  if (takeSpaced(cursor, COMMA)) return
  if (closes(cursor)) fail(cursor, whitespaceEnd(cursor.text, cursor.position), ['`,`'], takes(name, arity))
  failAfterOperand(cursor, ['`,`'])
}

function closeCall(cursor: Cursor, name: string, arity: Arity): void {
  const position = whitespaceEnd(cursor.text, cursor.position)
  const code = cursor.text.charCodeAt(position)
  if (code === COMMA || (code !== CLOSE && arity.most === 0)) fail(cursor, position, ['`)`'], takes(name, arity))
  if (code !== CLOSE) failAfterOperand(cursor, ['`)`'])
  cursor.position = position + 1
}

function takes(name: string, { least, most }: Arity): string {
  const count =
    most === 0 ? 'no arguments' : most === 1 ? '1 argument' : `${least === most ? '' : `${least} or `}${most} arguments`
  return `\`${name}\` takes ${count}.`
}

const functionNames = [...canonicalFunctions.keys(), 'case', 'cast', 'isof']
const longestFunction = 24

/** A sentence that names the canonical function most like a misspelt one, if any is like it. */
function suggestFunction(misspelt: string): string | undefined {
  if (misspelt.length > longestFunction) return undefined
  const word = misspelt.toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const name of functionNames) {
    const distance = name.includes(word) || word.includes(name) ? 1 : editDistance(word, name)
    if (distance < least) {
      least = distance
      best = name
    }
  }
  return best === undefined ? undefined : `Did you mean \`${best}\`?`
}

/** `(condition:result,…)` behind the name `case`. @see OData 4.01 URL Conventions, 5.1.1.12.1 */
function parseCase(cursor: Cursor): FunctionCall {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
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
 * `(type)` or `(expression,type)` behind the name `cast` or `isof`.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10
 */
function parseTypeCall(cursor: Cursor, name: 'cast' | 'isof'): FunctionCall {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const expression = startsOnlyType(cursor) ? undefined : parseExpression(cursor)
  if (expression !== undefined && !takeSpaced(cursor, COMMA)) failAfterOperand(cursor, ['`,` and a type'])
  const type = parseTypeName(cursor)
  takeClose(cursor)
  cursor.nesting -= 1
  return { kind: 'call', function: name, arguments: expression === undefined ? [type] : [expression, type] }
}

/** Whether a lone type stands here: `name)`, or `Collection(name))`. */
function startsOnlyType(cursor: Cursor): boolean {
  const { text, position } = cursor
  const name = text.startsWith(collectionPrefix, position) ? position + collectionPrefix.length : position
  const closing = closingBehindName(text, name)
  return name === position || closing === -1 ? closing !== -1 : isClose(text, whitespaceEnd(text, closing + 1))
}

function closingBehindName(text: string, position: number): number {
  const end = qualifiedNameEnd(text, position)
  const closing = whitespaceEnd(text, end)
  return end > position && isClose(text, closing) ? closing : -1
}

function isClose(text: string, position: number): boolean {
  return text.charCodeAt(position) === CLOSE
}

/** `Edm.String`, `ns.type`, `type` or `Collection(…)`. @see OData ABNF, `optionallyQualifiedTypeName` */
function parseTypeName(cursor: Cursor): TypeExpression {
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
 * What stands in the parentheses behind the name of an item or of a service-defined function. `(a=1)` may be either a key
 * or arguments by name: it is reported as a key, since a key is all literals.
 */
type Arguments =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly values: readonly KeyValue[] }
  | { readonly kind: 'byName'; readonly parameters: readonly NamedExpression[] }
  | { readonly kind: 'byPosition'; readonly values: readonly Expression[] }

/** Reads parentheses from `(` on. @see OData ABNF, `keyPredicate`, `functionExprParameters` */
function parseArguments(cursor: Cursor): Arguments {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
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
 * What stands behind `in`: a list of literals in parentheses, or an operand that is a collection. `(a)` with anything but
 * a literal in it is a parenthesised expression.
 *
 * @see OData ABNF, `inExpr`, `listExpr`
 */
function parseInOperand(cursor: Cursor): Expression {
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) return parsePrimary(cursor)
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
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
    fail(cursor, start, ['a literal'], 'A list in parentheses holds literals; `[a,b]` may hold any expressions.')
  }
  return item
}

/** `[value,…]`, whose values may be any expressions. @see OData ABNF, `array` */
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

/** `{"name":value,…}`, whose values may be any expressions. @see OData ABNF, `object` */
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
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
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

/** A path whose first name, a variable or a property, was just read. @see OData ABNF, `firstMemberExpr` */
function parsePath(cursor: Cursor, first: string): PathExpression | LambdaExpression {
  return isVariable(cursor.scope, first)
    ? parsePathFrom(cursor, { kind: 'variable', name: first }, [])
    : parsePathFrom(cursor, undefined, [{ kind: 'property', name: first }])
}

/** The rest of a path, from its next `/` on; `segments` is taken over and added to. */
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

function isVariable(scope: Scope | undefined, name: string): boolean {
  for (let inner = scope; inner !== undefined; inner = inner.outer) {
    if (inner.variable === name) return true
  }
  return false
}

/** Whether the path may go on behind a segment. */
type Continuation = 'open' | 'last'

/** One segment behind its `/`, added to `segments`; with the key that follows it, two. @see OData ABNF, `memberExpr` */
function parseSegment(cursor: Cursor, segments: PathSegment[]): Continuation {
  cursor.steps += 1
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  if (end === position) return parseSpecialSegment(cursor, segments)
  const first = text.slice(position, end)
  requireLegalLength(cursor, first)
  cursor.position = end
  const next = text.charCodeAt(end)
  if (next === DOT) {
    addQualifiedSegment(cursor, takeQualifiedRest(cursor, first), segments)
    return 'open'
  }
  if (next !== OPEN) {
    segments.push({ kind: 'property', name: first })
    return 'open'
  }
  addCalledSegment(cursor, first, segments)
  return 'open'
}

function parseSpecialSegment(cursor: Cursor, segments: PathSegment[]): Continuation {
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

/** `/ns.type`, `/ns.type('key')` or `/ns.function(…)`. */
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

/** `/name('key')`, `/name(a=1,b=2)` or `/function(…)`. */
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

/** The lambda operator that begins here: `any` or `all`, in any letter case, directly before `(`. */
function peekLambdaOperator(cursor: Cursor): 'any' | 'all' | undefined {
  const { text, position } = cursor
  if ((text.charCodeAt(position) | CASE_BIT) !== LOWER_A || text.charCodeAt(position + 3) !== OPEN) return undefined
  const word = text.slice(position, position + 3).toLowerCase()
  return word === 'any' || word === 'all' ? word : undefined
}

/** `any(variable:predicate)` or `all(…)` behind its collection; `any()` too. @see OData ABNF, `anyExpr`, `allExpr` */
function parseLambda(cursor: Cursor, operator: 'any' | 'all', collection: PathExpression): LambdaExpression {
  enter(cursor)
  cursor.position += operator.length + 1
  skipWhitespace(cursor)
  if (operator === 'any' && take(cursor, CLOSE)) {
    cursor.nesting -= 1
    return { kind: 'lambda', operator, collection }
  }
  const variable = takeIdentifier(cursor, operator === 'any' ? 'a variable or `)`' : 'a variable')
  if (!takeSpaced(cursor, COLON))
    fail(
      cursor,
      whitespaceEnd(cursor.text, cursor.position),
      ['`:`'],
      'A lambda is written `items/any(x:x/name eq 1)`.',
    )
  const outer = cursor.scope
  cursor.scope = { variable, outer }
  const predicate = parseExpression(cursor)
  cursor.scope = outer
  closeParenthesis(cursor)
  cursor.nesting -= 1
  return { kind: 'lambda', operator, collection, variable, predicate }
}

/** `$count`, perhaps with `($filter=…;$search=…)`. @see OData ABNF, `collectionPathExpr` */
function parseCountSegment(cursor: Cursor): PathSegment {
  cursor.position += '$count'.length
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) return { kind: 'count' }
  const { filter, search } = parseNestedOptions(cursor, countOptions)
  return {
    kind: 'count',
    ...(filter === undefined ? {} : { filter }),
    ...(search === undefined ? {} : { search }),
  }
}

/** `$filter(predicate)` within a path. @see OData ABNF, `filterExpr` */
function parseFilterSegment(cursor: Cursor): PathSegment {
  enter(cursor)
  cursor.position += '$filter('.length
  skipWhitespace(cursor)
  const predicate = parseExpression(cursor)
  closeParenthesis(cursor)
  cursor.nesting -= 1
  return { kind: 'filter', predicate }
}

/** `$it`, `$this` or `$root/…`. @see OData ABNF, `implicitVariableExpr`, `rootExpr` */
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
 * What begins with `@`: the parameter alias `@p`, or a path from an annotation, `@ns.term/name`. A name without a namespace
 * that a path follows is an annotation to the grammar; whoever knows the aliases of the request looks there first.
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
