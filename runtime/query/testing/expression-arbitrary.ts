import fc from 'fast-check'
import type { BinaryOperator, Expression, TypeExpression } from '../ast.js'
import { canonicalFunctions } from '../parse/canonical-functions.js'
import { literalArbitrary } from './literal-arbitrary.js'
import { nameArbitrary, qualifiedNameArbitrary } from './name-arbitrary.js'
import { collectionArbitrary, pathArbitrary } from './path-arbitrary.js'
import { textArbitrary } from './text-arbitrary.js'

const operators: readonly Exclude<BinaryOperator, 'in'>[] = [
  'or',
  'and',
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'add',
  'sub',
  'mul',
  'div',
  'divby',
  'mod',
  'has',
]

const type: fc.Arbitrary<TypeExpression> = fc.record({
  kind: fc.constant('type' as const),
  name: fc.oneof(fc.constantFrom('Edm.String', 'Edm.Int64', 'customer'), qualifiedNameArbitrary),
  collection: fc.boolean(),
})

const literalList: fc.Arbitrary<Expression> = fc
  .array(literalArbitrary, { maxLength: 3 })
  .map(items => ({ kind: 'list', form: 'parentheses', items }))

/**
 * Every common expression that the grammar can produce, with the given lambda variables in scope: types are not heeded, so
 * most of them mean nothing to a service.
 */
export function expressionArbitrary(maxDepth = 3, variables: readonly string[] = []): fc.Arbitrary<Expression> {
  return fc.letrec<{ expression: Expression }>(tie => {
    const expression = tie('expression')
    return {
      expression: fc.oneof(
        { maxDepth, withCrossShrink: true },
        literalArbitrary,
        pathArbitrary(expression, variables),
        nameArbitrary.map((name): Expression => ({ kind: 'alias', name })),
        unaryArbitrary(expression),
        binaryArbitrary(expression),
        inArbitrary(expression),
        callArbitrary(expression),
        lambdaArbitrary(expression, maxDepth, variables),
        jsonArbitrary(expression),
      ),
    }
  }).expression
}

function unaryArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc
    .tuple(fc.constantFrom('not' as const, 'negate' as const), expression)
    .map(([operator, operand]) => ({ kind: 'unary', operator, operand }))
}

function binaryArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc
    .tuple(fc.constantFrom(...operators), expression, expression)
    .map(([operator, left, right]) => ({ kind: 'binary', operator, left, right }))
}

function inArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc
    .tuple(expression, fc.oneof(literalList, expression))
    .map(([left, right]) => ({ kind: 'binary', operator: 'in', left, right }))
}

function callArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  const canonical = fc
    .constantFrom(...canonicalFunctions)
    .chain(([name, { least, most }]) =>
      fc
        .array(expression, { minLength: least, maxLength: most })
        .map((values): Expression => ({ kind: 'call', function: name, arguments: values })),
    )
  const conditional = fc
    .array(fc.tuple(expression, expression), { minLength: 1, maxLength: 3 })
    .map((pairs): Expression => ({ kind: 'call', function: 'case', arguments: pairs.flat() }))
  const typed = fc
    .tuple(fc.constantFrom('cast', 'isof'), fc.array(expression, { maxLength: 1 }), type)
    .map(([name, values, last]): Expression => ({ kind: 'call', function: name, arguments: [...values, last] }))
  const serviceDefined = fc
    .tuple(qualifiedNameArbitrary, fc.array(expression, { minLength: 1, maxLength: 2 }))
    .map(([name, values]): Expression => ({ kind: 'call', function: name, arguments: values }))
  return fc.oneof(canonical, conditional, typed, serviceDefined)
}

function lambdaArbitrary(
  expression: fc.Arbitrary<Expression>,
  maxDepth: number,
  variables: readonly string[],
): fc.Arbitrary<Expression> {
  const collection = collectionArbitrary(expression, variables)
  const bare = collection.map((path): Expression => ({ kind: 'lambda', operator: 'any', collection: path }))
  if (maxDepth < 1) return bare
  const full = fc
    .tuple(fc.constantFrom('any' as const, 'all' as const), collection, fc.constantFrom('x', 'y', 'o'))
    .chain(([operator, path, variable]) =>
      expressionArbitrary(maxDepth - 1, [...variables, variable]).map(
        (predicate): Expression => ({ kind: 'lambda', operator, collection: path, variable, predicate }),
      ),
    )
  return fc.oneof({ weight: 1, arbitrary: bare }, { weight: 4, arbitrary: full })
}

function jsonArbitrary(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  const array = fc
    .array(expression, { maxLength: 3 })
    .map((items): Expression => ({ kind: 'list', form: 'json', items }))
  const object = fc
    .array(fc.record({ name: fc.oneof(textArbitrary, fc.constant('__proto__')), value: expression }), { maxLength: 2 })
    .map((members): Expression => ({ kind: 'object', members }))
  return fc.oneof(array, object)
}
