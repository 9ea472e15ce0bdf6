import { describe, expect, it } from 'vitest'
import type { Expression, Literal, PathSegment, QueryOptions } from '../ast.js'
import {
  array,
  binary,
  call,
  lambda,
  list,
  literal,
  member,
  not,
  number,
  path,
  rooted,
  text,
  variable,
} from '../corpus/notation.js'
import { PrintError } from '../print-error.js'
import { printFilter } from './filter.js'
import { printQueryOptions } from './query-options.js'
import { printSearch } from './search.js'

const key: PathSegment = { kind: 'key', values: [{ value: text('k') }] }
const namedKey: PathSegment = { kind: 'key', values: [{ name: 'a', value: text('k') }] }

describe('printFilter refuses trees that no text stands for', () => {
  const injections = ['1 or true', "x'", '', ' ', '1)', 'a/b', '--', '\u0000']
  it.each<Expression>([
    ...injections.flatMap((value): Literal[] => [
      literal('Integer', value),
      literal('Decimal', value),
      literal('Double', value),
      literal('Guid', value),
      literal('Date', value),
      literal('DateTimeOffset', value),
      literal('TimeOfDay', value),
      literal('Duration', value),
      literal('Geography', value),
      literal('Geometry', value),
      member('ns.Color', value),
      member(value, 'Red'),
    ]),
    literal('Binary', "x'"),
    member('Color', 'Red'),
    path('a b'),
    path('a eq 1 or b'),
    path("a'"),
    path('1a'),
    path('x'.repeat(129)),
    path('null'),
    path('TRUE'),
    path('INF'),
    path(''),
    path('not', key),
    path('contains', key),
    path('any', key),
    path('a/any', key),
    path('', key),
    path('a', key, key),
    path('a', { kind: 'key', values: [] }),
    path('a', { kind: 'key', values: [{ value: text('k') }, { value: text('k') }] }),
    path('a', { kind: 'count' }, { kind: 'property', name: 'b' }),
    path('', { kind: 'count' }),
    path('', { kind: 'filter', predicate: path('a') }),
    path('', { kind: 'cast', type: 'ns.t' }),
    path('', { kind: 'cast', type: 'ns.t' }, key),
    path('a', { kind: 'cast', type: 't' }),
    path('a', { kind: 'cast', type: 'ns.t' }, namedKey),
    path('', { kind: 'annotation', term: 't' }),
    path('', { kind: 'annotation', term: 'ns.t' }, key),
    path('', { kind: 'function', name: 'f', parameters: [] }),
    path('a', { kind: 'function', name: 'f', parameters: [{ name: 'x', value: number('1') }] }),
    path('a', { kind: 'function', name: 'any', parameters: [] }),
    rooted('root', ''),
    variable('x'),
    lambda(path('a'), 'any', 'x', path('x/b')),
    lambda(path('a'), 'any', 'x y', number('1')),
    lambda(path('a', { kind: 'count' }), 'any', 'x', number('1')),
    { kind: 'lambda', operator: 'all', collection: path('a') },
    call('contains', path('a')),
    call('Contains', path('a'), path('b')),
    call('frobnicate', path('a')),
    call('ns.f'),
    call('case', path('a')),
    call('cast', path('a')),
    call('cast', path('a'), path('b')),
    list(text('a')),
    binary(list(text('a')), 'in', list(text('a'))),
    binary(path('a'), 'in', list(path('b'))),
    binary(path('a'), 'eq', list()),
    array(list()),
    { kind: 'type', name: 'Edm.String', collection: false },
    { kind: 'alias', name: 'a b' },
  ])('%j', tree => {
    expect(() => printFilter(tree)).toThrow(PrintError)
  })

  it('refuses a tree that is too deep instead of exhausting the stack', () => {
    let tree: Expression = path('a')
    for (let depth = 0; depth < 100_000; depth += 1) tree = not(tree)
    expect(() => printFilter(tree)).toThrow(PrintError)
  })
})

describe('printQueryOptions refuses options that no query stands for', () => {
  it.each<QueryOptions>([
    { top: -1 },
    { top: 1.5 },
    { skip: Number.NaN },
    { skip: Number.MAX_SAFE_INTEGER + 1 },
    { levels: 2 },
    { format: '' },
    { skiptoken: '' },
    { select: [] },
    { orderby: [] },
    { expand: [] },
    { compute: [] },
    { select: [{ path: [] }] },
    { select: [{ path: ['a,b'] }] },
    { select: [{ path: ['*', 'a'] }] },
    { select: [{ path: ['f(x)', 'a'] }] },
    { select: [{ path: ['a'], options: {} }] },
    { select: [{ path: ['*'], options: { top: 1 } }] },
    { select: [{ path: ['a'], options: { expand: [{ path: ['b'] }] } }] },
    { expand: [{ path: [] }] },
    { expand: [{ path: ['a('] }] },
    { expand: [{ path: ['*', 'a'] }] },
    { expand: [{ path: ['*'], suffix: 'count' }] },
    { expand: [{ path: ['*'], options: { top: 1 } }] },
    { expand: [{ path: ['a'], suffix: 'count', options: { top: 1 } }] },
    { expand: [{ path: ['a'], options: { levels: 0 } }] },
    { expand: [{ path: ['a'], options: { format: 'json' } }] },
    { aliases: { 'a b': number('1') } },
    { filter: text('\ud800') },
  ])('%j', options => {
    expect(() => printQueryOptions(options)).toThrow(PrintError)
  })
})

describe('printSearch', () => {
  it.each([
    { kind: 'phrase', text: '' } as const,
    { kind: 'phrase', text: 'a"b' } as const,
    { kind: 'not', operand: { kind: 'term', text: 'a b' } } as const,
  ])('refuses %j', search => {
    expect(() => printSearch(search)).toThrow(PrintError)
  })
})
