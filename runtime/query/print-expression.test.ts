import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Expression, Literal, PathSegment, QueryOptions } from './ast.js'
import { parseFilter } from './expressions.js'
import { parseExpand, parseSelect } from './options.js'
import { PrintError, printSearch } from './print-context.js'
import { printFilter } from './print-expression.js'
import { printExpand, printQueryOptions, printSelect } from './print-options.js'
import { parseQueryOptions } from './query-string.js'
import { parseSearch } from './search.js'
import { expressionArbitrary, searchArbitrary } from './testing/expression-arbitrary.js'
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
} from './testing/notation.js'
import { queryOptionsArbitrary } from './testing/query-options-arbitrary.js'

describe('printFilter', () => {
  it.each([
    ["A EQ 'O''Neil'", "A eq 'O''Neil'"],
    ["STARTSWITH( a , 'b' )", "startswith(a,'b')"],
    ['not a', 'not (a)'],
    ['not not a', 'not (not (a))'],
    ['not a and b', '(not (a)) and b'],
    ['a and not b', 'a and (not (b))'],
    ['a or b and c', 'a or (b and c)'],
    ['a eq 1 or b eq 2 or c eq 3', 'a eq 1 or b eq 2 or c eq 3'],
    ['a eq 1 or (b eq 2 or c eq 3)', 'a eq 1 or (b eq 2 or c eq 3)'],
    ['a add 1 eq b', 'a add 1 eq b'],
    ['a add b mul c', 'a add (b mul c)'],
    ['a sub b sub c', 'a sub b sub c'],
    ['a eq b gt c', 'a eq (b gt c)'],
    ['-a add b', '(-a) add b'],
    ['-(5)', '-(5)'],
    ['- 5', '-(5)'],
    ['- -5', '-(-5)'],
    ['-(-a)', '-(-a)'],
    ['- INF/x', '-(INF/x)'],
    ['+5', '5'],
    ['a in ( 1 , 2 )', 'a in (1,2)'],
    ['a/any( x : x/b eq 1 )', 'a/any(x:x/b eq 1)'],
    ['case( a : 1 , b : 2 )', 'case(a : 1,b : 2)'],
    ['["a",1,{"b":[]}]', '["a",1,{"b":[]}]'],
    ['a/$count( search=x ; filter=b )', 'a/$count($search=x;$filter=b)'],
    ['(not) eq 1', '(not) eq 1'],
    ["DURATION'p1d'", "duration'P1D'"],
    ['184EFA21-98C3-4E5D-95AB-D07053A96E67', '184efa21-98c3-4e5d-95ab-d07053a96e67'],
  ])('prints %s as %s', (written, expected) => {
    expect(printFilter(parseFilter(written))).toBe(expected)
  })
})

describe('the printers of other options', () => {
  it.each([
    ['a AND b OR c', 'a AND b OR c'],
    ['a b', 'a AND b'],
    ['a OR b OR c', 'a OR b OR c'],
    ['a AND (b OR c)', 'a AND (b OR c)'],
    ['NOT (a b)', 'NOT (a AND b)'],
    ['AND', '(AND)'],
    ["'\"x'", "'\"x'"],
    ['"x y"', '"x y"'],
  ])('print the search %s as %s', (written, expected) => {
    expect(printSearch(parseSearch(written))).toBe(expected)
  })

  it('print paths, suffixes and nested options', () => {
    const expand = 'a/ns.t/$ref($top=1),b($filter=c eq 1;$orderby=d desc;$expand=e($levels=max)),*,f/$count($search=x)'
    expect(printExpand(parseExpand(expand))).toBe(expand)
    const select = 'a,b/c,ns.*,@ns.t#q,ns.f(x,y),d($top=1)'
    expect(printSelect(parseSelect(select))).toBe(select)
  })

  it('print the options of a request in the order in which a service applies them', () => {
    const written = '$select=a&$top=1&$skip=2&$orderby=a&$count=true&$filter=a&$search=x&$compute=a as b&$expand=c&@p=1'
    const printed =
      '$compute=a%20as%20b&$search=x&$filter=a&$count=true&$orderby=a&$skip=2&$top=1&$expand=c&$select=a&@p=1'
    expect(printQueryOptions(parseQueryOptions(written).options)).toBe(printed)
  })

  it('encode only the characters that need it', () => {
    const options = parseQueryOptions("$filter=a/b eq 'O''Neil %26 + %25 %23 @:,;?!()*=é'").options
    expect(printQueryOptions(options)).toBe("$filter=a/b%20eq%20'O''Neil%20%26%20%2B%20%25%20%23%20@:,%3B?!()*=%C3%A9'")
  })

  it('print nothing for no options', () => {
    expect(printQueryOptions({})).toBe('')
  })
})

const key: PathSegment = { kind: 'key', values: [{ value: text('k') }] }
const namedKey: PathSegment = { kind: 'key', values: [{ name: 'a', value: text('k') }] }

describe('printFilter with a tree that no text represents', () => {
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
  ])('rejects %j', tree => {
    expect(() => printFilter(tree)).toThrow(PrintError)
  })

  it('rejects a tree that is too deep instead of overflowing the stack', () => {
    let tree: Expression = path('a')
    for (let depth = 0; depth < 100_000; depth += 1) tree = not(tree)
    expect(() => printFilter(tree)).toThrow(PrintError)
  })
})

describe('printQueryOptions with options that no query represents', () => {
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
  ])('rejects %j', options => {
    expect(() => printQueryOptions(options)).toThrow(PrintError)
  })
})

describe('printSearch', () => {
  it.each([
    { kind: 'phrase', text: '' } as const,
    { kind: 'phrase', text: 'a"b' } as const,
    { kind: 'not', operand: { kind: 'term', text: 'a b' } } as const,
  ])('rejects %j', search => {
    expect(() => printSearch(search)).toThrow(PrintError)
  })
})

describe('printing and parsing', () => {
  it('returns every expression unchanged', () => {
    fc.assert(
      fc.property(expressionArbitrary(), tree => {
        const text = printFilter(tree)
        const parsed = parseFilter(text)
        expect(parsed).toEqual(tree)
        expect(printFilter(parsed)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it('returns every search unchanged', () => {
    fc.assert(
      fc.property(searchArbitrary, tree => {
        expect(parseSearch(printSearch(tree))).toEqual(tree)
      }),
      { numRuns: 500 },
    )
  })

  it('returns all query options unchanged, percent-encoded', () => {
    fc.assert(
      fc.property(queryOptionsArbitrary, options => {
        const query = printQueryOptions(options)
        expect(query).toMatch(/^[A-Za-z0-9\-._~!$'()*,:@/?%=&]*$/)
        expect(parseQueryOptions(query)).toEqual({ options, custom: [] })
      }),
      { numRuns: 500 },
    )
  })
})
