import type {
  BinaryExpression,
  BinaryOperator,
  Expression,
  FunctionCall,
  LambdaExpression,
  ListExpression,
  Literal,
  PathExpression,
  PathSegment,
  UnaryExpression,
} from '../ast.js'
import { QuerySyntaxError } from '../cursor.js'

/** A short notation for syntax trees, so that a table of them can be read. */
type TextType = Exclude<Literal['type'], 'null' | 'Boolean' | 'Enum'>

export const nothing: Literal = { kind: 'literal', type: 'null', value: null }

export function boolean(value: boolean): Literal {
  return { kind: 'literal', type: 'Boolean', value }
}

export function text(value: string): Literal {
  return { kind: 'literal', type: 'String', value }
}

/** An Integer, a Decimal with a point, or a Double with an exponent. */
export function number(value: string): Literal {
  return { kind: 'literal', type: /[eNI]/.test(value) ? 'Double' : value.includes('.') ? 'Decimal' : 'Integer', value }
}

export function literal(type: TextType, value: string): Literal {
  return { kind: 'literal', type, value }
}

export function member(enumType: string, value: string): Literal {
  return { kind: 'literal', type: 'Enum', enumType, value }
}

function properties(path: string): readonly PathSegment[] {
  return path === '' ? [] : path.split('/').map(name => ({ kind: 'property', name }))
}

/** A path of properties from the row: `from/emailAddress`. */
export function path(names: string, ...further: readonly PathSegment[]): PathExpression {
  return { kind: 'path', segments: [...properties(names), ...further] }
}

/** A path of properties from a lambda variable. */
export function variable(name: string, names = ''): PathExpression {
  return { kind: 'path', root: { kind: 'variable', name }, segments: properties(names) }
}

/** A path of properties from `$it`, `$this` or `$root`. */
export function rooted(
  kind: 'it' | 'this' | 'root',
  names: string,
  ...further: readonly PathSegment[]
): PathExpression {
  return { kind: 'path', root: { kind }, segments: [...properties(names), ...further] }
}

export function binary(left: Expression, operator: BinaryOperator, right: Expression): BinaryExpression {
  return { kind: 'binary', operator, left, right }
}

export function not(operand: Expression): UnaryExpression {
  return { kind: 'unary', operator: 'not', operand }
}

export function negate(operand: Expression): UnaryExpression {
  return { kind: 'unary', operator: 'negate', operand }
}

export function call(name: string, ...values: readonly Expression[]): FunctionCall {
  return { kind: 'call', function: name, arguments: values }
}

/** A list in parentheses. */
export function list(...items: readonly Expression[]): ListExpression {
  return { kind: 'list', form: 'parentheses', items }
}

/** A JSON array. */
export function array(...items: readonly Expression[]): ListExpression {
  return { kind: 'list', form: 'json', items }
}

export function lambda(
  collection: PathExpression,
  operator: 'any' | 'all',
  name: string,
  predicate: Expression,
): LambdaExpression {
  return { kind: 'lambda', operator, collection, variable: name, predicate }
}

/** A conjunction or disjunction of several operands, grouped from the left. */
export function chain(operator: 'and' | 'or', first: Expression, ...rest: readonly Expression[]): Expression {
  return rest.reduce<Expression>((left, right) => binary(left, operator, right), first)
}

/** The error with which a parse ends; any other outcome is thrown. */
export function syntaxErrorOf(parse: () => unknown): QuerySyntaxError {
  try {
    parse()
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error
    throw error
  }
  throw new Error('The text was read without an error.')
}
