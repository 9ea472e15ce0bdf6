import fc from 'fast-check'
import type { MailList } from '../../generated/directory/client.js'
import type { Message } from '../../generated/directory/types.js'
import type { Filter, OfferedFilterBuilder } from '../../runtime/client/filter.js'
import type { BinaryOperator, Expression, Literal, PathExpression } from '../../runtime/query/ast.js'

type Builder = OfferedFilterBuilder<Message, MailList['filter']>

/** A filter as an app builds it, and the syntax tree that the service must get. */
interface BuiltFilter {
  readonly build: (f: Builder) => Filter
  readonly tree: Expression
}

const path = (text: string, root?: PathExpression['root']): PathExpression => ({
  kind: 'path',
  ...(root === undefined ? {} : { root }),
  segments: text === '' ? [] : text.split('/').map(name => ({ kind: 'property', name })),
})
const string = (value: string): Literal => ({ kind: 'literal', type: 'String', value })
const nothing: Literal = { kind: 'literal', type: 'null', value: null }
const binary = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
  kind: 'binary',
  operator,
  left,
  right,
})
const call = (name: string, ...all: readonly Expression[]): Expression => ({
  kind: 'call',
  function: name,
  arguments: all,
})

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const timestamp = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(date => date.toISOString())
const textPath = fc.constantFrom('subject', 'from/emailAddress/address', 'body/content')
const comparison = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le')
const equality = fc.constantFrom('eq', 'ne')
const textFunction = fc.constantFrom('startsWith', 'endsWith', 'contains')

const leaf: fc.Arbitrary<BuiltFilter> = fc.oneof(
  fc.tuple(comparison, textPath, text).map(
    ([operator, of, value]): BuiltFilter => ({
      build: f => f[operator](of, value),
      tree: binary(operator, path(of), string(value)),
    }),
  ),
  equality.map(
    (operator): BuiltFilter => ({
      build: f => f[operator]('subject', null),
      tree: binary(operator, path('subject'), nothing),
    }),
  ),
  fc.tuple(equality, fc.boolean()).map(
    ([operator, value]): BuiltFilter => ({
      build: f => f[operator]('isRead', value),
      tree: binary(operator, path('isRead'), { kind: 'literal', type: 'Boolean', value }),
    }),
  ),
  fc.tuple(comparison, timestamp).map(
    ([operator, value]): BuiltFilter => ({
      build: f => f[operator]('receivedDateTime', value),
      tree: binary(operator, path('receivedDateTime'), { kind: 'literal', type: 'DateTimeOffset', value }),
    }),
  ),
  fc.tuple(equality, fc.constantFrom('low', 'normal', 'high')).map(
    ([operator, value]): BuiltFilter => ({
      build: f => f[operator]('importance', value),
      tree: binary(operator, path('importance'), string(value)),
    }),
  ),
  fc.tuple(textFunction, textPath, text).map(
    ([name, of, value]): BuiltFilter => ({
      build: f => f[name](of, value),
      tree: call(name.toLowerCase(), path(of), string(value)),
    }),
  ),
  fc.tuple(equality, textPath, text).map(
    ([operator, of, value]): BuiltFilter => ({
      build: f => f[operator](f.tolower(of), value),
      tree: binary(operator, call('tolower', path(of)), string(value)),
    }),
  ),
  text.map(
    (value): BuiltFilter => ({
      build: f => f.any('toRecipients', x => x.eq('emailAddress/address', value)),
      tree: {
        kind: 'lambda',
        operator: 'any',
        collection: path('toRecipients'),
        variable: 'x',
        predicate: binary('eq', path('emailAddress/address', { kind: 'variable', name: 'x' }), string(value)),
      },
    }),
  ),
  text.map(
    (value): BuiltFilter => ({
      build: f => f.any('categories', x => x.startsWith('$it', value)),
      tree: {
        kind: 'lambda',
        operator: 'any',
        collection: path('categories'),
        variable: 'x',
        predicate: call('startswith', path('', { kind: 'variable', name: 'x' }), string(value)),
      },
    }),
  ),
)

const join = (operator: 'and' | 'or', [first, ...rest]: readonly [BuiltFilter, ...BuiltFilter[]]): BuiltFilter => ({
  build: f => f[operator](first.build(f), ...rest.map(({ build }) => build(f))),
  tree: rest.reduce((left, { tree }) => binary(operator, left, tree), first.tree),
})

/** Filters over messages, up to four levels deep. */
export const messageFilter: fc.Arbitrary<BuiltFilter> = fc.letrec<{ filter: BuiltFilter }>(tie => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom('and', 'or'), tie('filter'), fc.array(tie('filter'), { minLength: 1, maxLength: 2 }))
      .map(([operator, first, rest]) => join(operator, [first, ...rest])),
    tie('filter').map(({ build, tree }) => ({
      build: (f: Builder) => f.not(build(f)),
      tree: { kind: 'unary', operator: 'not', operand: tree } as const,
    })),
  ),
})).filter
