import fc from 'fast-check'
import type { Expression, KeyValue, NamedExpression, PathExpression, PathRoot, PathSegment } from '../ast.js'
import { literalArbitrary } from './literal-arbitrary.js'
import { itemNameArbitrary, nameArbitrary, qualifiedNameArbitrary } from './name-arbitrary.js'
import { searchArbitrary } from './search-arbitrary.js'

const keyValue: fc.Arbitrary<KeyValue['value']> = fc.oneof(
  literalArbitrary,
  nameArbitrary.map(name => ({ kind: 'alias' as const, name })),
)

const key: fc.Arbitrary<readonly KeyValue[]> = fc.oneof(
  keyValue.map(value => [{ value }]),
  fc.array(fc.record({ name: nameArbitrary, value: keyValue }), { minLength: 1, maxLength: 2 }),
)

const property = nameArbitrary.map((name): PathSegment => ({ kind: 'property', name }))
const cast = qualifiedNameArbitrary.map((type): PathSegment => ({ kind: 'cast', type }))
const annotation = fc
  .record(
    { kind: fc.constant('annotation' as const), term: qualifiedNameArbitrary, qualifier: nameArbitrary },
    { requiredKeys: ['kind', 'term'] },
  )
  .map((segment): PathSegment => segment)
const item = fc.tuple(itemNameArbitrary, key).map(([name, values]): readonly PathSegment[] => [
  { kind: 'property', name },
  { kind: 'key', values },
])
const castItem = fc
  .tuple(cast, keyValue)
  .map(([segment, value]): readonly PathSegment[] => [segment, { kind: 'key', values: [{ value }] }])

function parameters(expression: fc.Arbitrary<Expression>): fc.Arbitrary<readonly NamedExpression[]> {
  return fc.array(fc.record({ name: nameArbitrary, value: expression }), { maxLength: 2 })
}

/** Segments that may stand behind others; each step is one segment, or a name with its key. */
function step(expression: fc.Arbitrary<Expression>): fc.Arbitrary<readonly PathSegment[]> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: property.map(segment => [segment]) },
    { weight: 1, arbitrary: cast.map(segment => [segment]) },
    { weight: 1, arbitrary: annotation.map(segment => [segment]) },
    { weight: 1, arbitrary: item },
    { weight: 1, arbitrary: castItem },
    {
      weight: 1,
      arbitrary: fc
        .record({
          kind: fc.constant('function' as const),
          name: qualifiedNameArbitrary,
          parameters: parameters(expression),
        })
        .map(segment => [segment]),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('filter' as const), predicate: expression }).map(segment => [segment]),
    },
  )
}

function first(expression: fc.Arbitrary<Expression>): fc.Arbitrary<readonly PathSegment[]> {
  const named = property.map((segment): readonly PathSegment[] => [segment])
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 8, arbitrary: named },
    { weight: 1, arbitrary: item },
    { weight: 1, arbitrary: fc.tuple(cast, property) },
    { weight: 1, arbitrary: annotation.map(segment => [segment]) },
    {
      weight: 1,
      arbitrary: fc
        .record({
          kind: fc.constant('function' as const),
          name: qualifiedNameArbitrary,
          parameters: parameters(expression),
        })
        .map(segment => [segment]),
    },
  )
}

function last(expression: fc.Arbitrary<Expression>): fc.Arbitrary<readonly PathSegment[]> {
  return fc
    .record(
      { kind: fc.constant('count' as const), filter: expression, search: searchArbitrary },
      { requiredKeys: ['kind'] },
    )
    .map(segment => [segment])
}

/** The path of a collection, as it may stand before `any` and `all`. */
export function collectionArbitrary(
  expression: fc.Arbitrary<Expression>,
  variables: readonly string[],
): fc.Arbitrary<PathExpression> {
  const steps = fc.array(step(expression), { maxLength: 2 }).map(list => list.flat())
  const roots: readonly PathRoot[] = [
    { kind: 'it' },
    { kind: 'this' },
    ...variables.map((name): PathRoot => ({ kind: 'variable', name })),
  ]
  return fc.oneof(
    { withCrossShrink: true },
    {
      weight: 3,
      arbitrary: fc
        .tuple(first(expression), steps)
        .map(([start, rest]): PathExpression => ({ kind: 'path', segments: [...start, ...rest] })),
    },
    {
      weight: 1 + variables.length,
      arbitrary: fc
        .tuple(fc.constantFrom(...roots), steps)
        .map(([root, segments]): PathExpression => ({ kind: 'path', root, segments })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.oneof(
            item,
            property.map(segment => [segment]),
          ),
          steps,
        )
        .map(
          ([start, rest]): PathExpression => ({ kind: 'path', root: { kind: 'root' }, segments: [...start, ...rest] }),
        ),
    },
  )
}

/** Any path. */
export function pathArbitrary(
  expression: fc.Arbitrary<Expression>,
  variables: readonly string[],
): fc.Arbitrary<PathExpression> {
  return fc
    .tuple(collectionArbitrary(expression, variables), fc.option(last(expression), { nil: [], freq: 8 }))
    .map(([path, end]) => ({ ...path, segments: [...path.segments, ...end] }))
}
