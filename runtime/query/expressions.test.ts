import { describe, expect, it } from 'vitest'
import type { PathSegment } from './ast.js'
import { Cursor, maxNesting } from './cursor.js'
import { parseExpression, parseFilter } from './expressions.js'
import { parseExpand, parseOptionValue, parseOrderby, parseSelect } from './options.js'
import { printSearch } from './print-context.js'
import { printFilter } from './print-expression.js'
import { parseQueryOptions } from './query-string.js'
import { parseSearch } from './search.js'
import {
  array,
  binary,
  call,
  lambda,
  list,
  number,
  path,
  rooted,
  syntaxErrorOf,
  text,
  variable,
} from './testing/notation.js'

describe('the precedence of operators', () => {
  // The right column is the same expression with every operation in parentheses.
  it.each([
    ['a or b and c', 'a or (b and c)'],
    ['a and b or c', '(a and b) or c'],
    ['a or b or c', '(a or b) or c'],
    ['a and b eq c', 'a and (b eq c)'],
    ['a eq b and c', '(a eq b) and c'],
    ['a eq b ne c', '(a eq b) ne c'],
    ['a eq b gt c', 'a eq (b gt c)'],
    ['a gt b eq c', '(a gt b) eq c'],
    ['a lt b le c', '(a lt b) le c'],
    ['a gt b add c', 'a gt (b add c)'],
    ['a add b mul c', 'a add (b mul c)'],
    ['a mul b add c', '(a mul b) add c'],
    ['a sub b sub c', '(a sub b) sub c'],
    ['a div b mod c divby d', '((a div b) mod c) divby d'],
    ['not a and b', '(not a) and b'],
    ['not a eq b', '(not a) eq b'],
    ['not a in (1)', 'not (a in (1))'],
    ["not a has n.E'x'", "not (a has n.E'x')"],
    ['not not a or b', '(not (not a)) or b'],
    ['-a add b', '(-a) add b'],
    ['-a mul b', '(-a) mul b'],
    ['- a in (1)', '-(a in (1))'],
    ['a mul -b', 'a mul (-b)'],
    ['a sub -5', 'a sub (-5)'],
    ['a eq not b', 'a eq (not b)'],
    ['a add b in (1)', 'a add (b in (1))'],
    ['a in (1) eq b', '(a in (1)) eq b'],
    ['a in b in c', '(a in b) in c'],
    ['((a))', 'a'],
    ['( a )', 'a'],
    ['A EQ B And Not C', 'A eq B and (not C)'],
    ['a  and\tb', 'a and b'],
    ['eq eq eq', '(eq) eq (eq)'],
    ['not', '(not)'],
    ['a eq not', 'a eq (not)'],
    ['NOT(a)', 'not (a)'],
  ])('parses %s', (text, grouped) => {
    expect(parseFilter(text)).toEqual(parseFilter(grouped))
  })

  it('distinguishes the groupings', () => {
    expect(parseFilter('a or (b and c)')).not.toEqual(parseFilter('(a or b) and c'))
    expect(parseFilter('-(5)')).not.toEqual(parseFilter('-5'))
    expect(parseFilter('- 5')).toEqual(parseFilter('-(5)'))
  })
})

describe('the parser of expressions', () => {
  it.each([
    ['', 0, 'Syntax error at position 0 of $filter: found the end, expected an operand'],
    [' a', 0, 'found a space'],
    ['a ', 1, 'found a space, expected an operator'],
    ['a eq', 4, 'expected a space and an operand after `eq`'],
    ['a eq ', 5, 'found the end, expected an operand'],
    [
      'a = 1',
      2,
      'found `=`, expected an operator (or, and, eq, ne, gt, ge, lt, le, add, sub, mul, div, divby, mod, has, in). Write `eq`.',
    ],
    ['a == 1', 2, 'Write `eq`.'],
    ['a != 1', 2, 'Write `ne`.'],
    ['a >= 1', 2, 'Write `ge`.'],
    ['a && b', 2, 'Write `and`.'],
    ['a || b', 2, 'Write `or`.'],
    ['a + 1', 2, 'Write `add`; a space in a URL is `%20`.'],
    ["a eq'x'", 4, 'expected a space and an operand after `eq`'],
    ['(a)and (b)', 3, 'expected a space before `and`'],
    ['a is null', 2, 'found `is`'],
    ['a eq "x"', 5, 'Put a string in single quotes.'],
    ['(a', 2, 'found the end, expected an operator'],
    ['(a eq 1', 7, '`)`'],
    ['a)', 1, 'found `)`'],
    ['()', 1, 'found `)`'],
    ['a\nand b', 1, 'found `\n`'],
    ['startwith(a,b)', 0, 'found `startwith`, expected the name of a canonical function. Did you mean `startswith`?'],
    ['lower(a) eq b', 0, 'Did you mean `tolower`?'],
    ['frobnicate()', 0, 'expected the name of a canonical function.'],
    ['contains(a)', 10, '`contains` takes 2 arguments.'],
    ['contains(a,b,c)', 12, '`contains` takes 2 arguments.'],
    ['contains(a,)', 11, 'expected an argument. `contains` takes 2 arguments.'],
    ['contains()', 9, '`contains` takes 2 arguments.'],
    ['contains(a b)', 11, 'found `b`, expected an operator'],
    ['substring(a)', 11, '`substring` takes 2 or 3 arguments.'],
    ['now(1)', 4, '`now` takes no arguments.'],
    ['length(a', 8, '`)`'],
    ['any(x:x)', 0, 'expected a path to a collection before it. Write `items/any(x:x/name eq 1)`.'],
    ['a/any(x)', 7, 'expected `:`. Write a lambda as `items/any(x:x/name eq 1)`.'],
    ['a/any(1:x)', 6, 'expected a variable or `)`'],
    ['a/all()', 6, 'expected a variable.'],
    ['a/', 2, 'expected a name or `$count`'],
    ['a/$value', 2, '`$count`'],
    ['a/$count/b', 8, 'found `/`'],
    ['ns.t', 4, 'expected `(` or `/` and a property'],
    ['a/ns.f(1,2)', 7, 'parameters by name'],
    ['a/f(1,2)', 4, 'a key'],
    ['Items(1)(2)', 8, 'found `(`'],
    ['$root', 5, 'the name of an entity set'],
    ['$root/any()', 6, 'the name of an entity set'],
    ['$that/x', 0, '`$it`'],
    ['@', 1, 'the name of an annotation or alias'],
    ['a in (1,b)', 8, 'A list in parentheses contains only literals'],
    ['a in (b,1)', 7, 'found `,`'],
    ['a in (1', 7, '`)`'],
    ['[1,2', 4, '`]`'],
    ['[1,]', 3, 'an operand'],
    ['{"a":1', 6, '`}`'],
    ['{a:1}', 1, 'in double quotes'],
    ['{"a" 1}', 5, 'expected `:`'],
    ['["\\x"]', 2, 'an escape of JSON'],
    ['["\\u12"]', 2, 'an escape of JSON'],
    ['["a]', 4, '`"`'],
    ['case(a:1,b)', 10, '`:`'],
    ['cast(1)', 6, '`,` and a type'],
    ["cast(a,'Edm.String)", 18, "`'`"],
    ['isof()', 5, 'an operand'],
    [`${'x'.repeat(129)} eq 1`, 0, 'a name of at most 128 characters'],
  ])('rejects %s', (text, position, message) => {
    const error = syntaxErrorOf(() => parseFilter(text))
    expect(error.message).toContain(message)
    expect(error.position).toBe(position)
  })

  it('accepts names of 128 code points', () => {
    expect(printFilter(parseFilter('x'.repeat(128)))).toBe('x'.repeat(128))
    expect(printFilter(parseFilter('𝒳'.repeat(128)))).toBe('𝒳'.repeat(128))
    expect(syntaxErrorOf(() => parseFilter('𝒳'.repeat(129))).position).toBe(0)
  })
})

const property = (name: string): PathSegment => ({ kind: 'property', name })
const cast = (type: string): PathSegment => ({ kind: 'cast', type })
const key = (value: string): PathSegment => ({ kind: 'key', values: [{ value: text(value) }] })
const fn = (name: string, ...parameters: Extract<PathSegment, { kind: 'function' }>['parameters']): PathSegment => ({
  kind: 'function',
  name,
  parameters,
})

describe('the parser of paths', () => {
  it.each([
    ['a/b/c', path('a/b/c')],
    ['größe/名前', path('größe/名前')],
    ['$it', rooted('it', '')],
    ['$it/a', rooted('it', 'a')],
    ['$this/a/b', rooted('this', 'a/b')],
    ['$root/sets', rooted('root', 'sets')],
    ["$root/sets('k')/a", rooted('root', 'sets', key('k'), property('a'))],
    ["Items('k')", path('Items', key('k'))],
    ["Items('k')/a", path('Items', key('k'), property('a'))],
    [
      'Items(a=1,b=@p)',
      path('Items', {
        kind: 'key',
        values: [
          { name: 'a', value: number('1') },
          { name: 'b', value: { kind: 'alias', name: 'p' } },
        ],
      }),
    ],
    ['a/ns.t', path('a', cast('ns.t'))],
    ['a/ns.t/b', path('a', cast('ns.t'), property('b'))],
    ["a/ns.t('k')/b", path('a', cast('ns.t'), key('k'), property('b'))],
    ['cast(ns.t)/b', path('', cast('ns.t'), property('b'))],
    ["cast('ns.t')/b", path('', cast('ns.t'), property('b'))],
    ['cast(a/c,ns.t)/b', path('a', property('c'), cast('ns.t'), property('b'))],
    ['ns.t/b', path('', cast('ns.t'), property('b'))],
    ['a.b.c/d', path('', cast('a.b.c'), property('d'))],
    ['a/$count', path('a', { kind: 'count' })],
    ['$this/$count', rooted('this', '', { kind: 'count' })],
    ['a/$count(search=x)', path('a', { kind: 'count', search: { kind: 'term', text: 'x' } })],
    [
      'a/$filter(b gt 3)/$count',
      path('a', { kind: 'filter', predicate: binary(path('b'), 'gt', number('3')) }, { kind: 'count' }),
    ],
    ["a/$filter(b)('k')", path('a', { kind: 'filter', predicate: path('b') }, key('k'))],
    ['a/ns.f()', path('a', fn('ns.f'))],
    ['a/f()/b', path('a', fn('f'), property('b'))],
    ['a/ns.f(x=1)', path('a', fn('ns.f', { name: 'x', value: number('1') }))],
    ['a/f(x=b)', path('a', fn('f', { name: 'x', value: path('b') }))],
    [
      'a/f( x=b add 1 , y=[1] )',
      path(
        'a',
        fn('f', { name: 'x', value: binary(path('b'), 'add', number('1')) }, { name: 'y', value: array(number('1')) }),
      ),
    ],
    ['a/f(x=1)', path('a/f', { kind: 'key', values: [{ name: 'x', value: number('1') }] })],
    ['ns.f()', path('', fn('ns.f'))],
    ['ns.f()/a', path('', fn('ns.f'), property('a'))],
    ['ns.f(x=1)/a', path('', fn('ns.f', { name: 'x', value: number('1') }), property('a'))],
    ["ns.f('x')", call('ns.f', text('x'))],
    ['ns.f(a,b)', call('ns.f', path('a'), path('b'))],
    ['@p', { kind: 'alias', name: 'p' }],
    ['@ns.t', path('', { kind: 'annotation', term: 'ns.t' })],
    ['@t/a', path('', { kind: 'annotation', term: 't' }, property('a'))],
    ['@t#q', path('', { kind: 'annotation', term: 't', qualifier: 'q' })],
    ['a/@ns.t#q/b', path('a', { kind: 'annotation', term: 'ns.t', qualifier: 'q' }, property('b'))],
    ['any/all', path('any/all')],
    ['contains', path('contains')],
    ['Collection', path('Collection')],
  ])('parses %s', (written, expected) => {
    expect(parseFilter(written)).toEqual(expected)
  })
})

describe('the parser of lambdas', () => {
  it.each([
    ['a/any()', { kind: 'lambda', operator: 'any', collection: path('a') }],
    ['a/any( )', { kind: 'lambda', operator: 'any', collection: path('a') }],
    ['a/ANY(x:x)', lambda(path('a'), 'any', 'x', variable('x'))],
    ['a/All( x : x/b )', lambda(path('a'), 'all', 'x', variable('x', 'b'))],
    ['$it/a/any(x:true)', lambda(rooted('it', 'a'), 'any', 'x', parseFilter('true'))],
    ['a/any(x:X)', lambda(path('a'), 'any', 'x', path('X'))],
    [
      'a/any(x:b/any(y:x eq y))',
      lambda(path('a'), 'any', 'x', lambda(path('b'), 'any', 'y', binary(variable('x'), 'eq', variable('y')))),
    ],
    ['a/any(x:x/any(x:x))', lambda(path('a'), 'any', 'x', lambda(variable('x'), 'any', 'x', variable('x')))],
    ['a/any(x:true) and x', binary(lambda(path('a'), 'any', 'x', parseFilter('true')), 'and', path('x'))],
    ['a/any(x:$it/x eq x)', lambda(path('a'), 'any', 'x', binary(rooted('it', 'x'), 'eq', variable('x')))],
    [
      'a/any(x:x/$count($filter=x/y) gt 1)',
      lambda(
        path('a'),
        'any',
        'x',
        binary(
          {
            kind: 'path',
            root: { kind: 'variable', name: 'x' },
            segments: [{ kind: 'count', filter: variable('x', 'y') }],
          },
          'gt',
          number('1'),
        ),
      ),
    ],
  ])('parses %s', (written, expected) => {
    expect(parseFilter(written)).toEqual(expected)
  })
})

describe('the parser of calls and lists', () => {
  it.each([
    ['StartsWith( a , b )', call('startswith', path('a'), path('b'))],
    ['GEO.Length(a)', call('geo.length', path('a'))],
    ['now( )', call('now')],
    ['case( a : 1 , b : 2 )', call('case', path('a'), number('1'), path('b'), number('2'))],
    ['cast(Edm.String)', call('cast', { kind: 'type', name: 'Edm.String', collection: false })],
    ['cast(customer)', call('cast', { kind: 'type', name: 'customer', collection: false })],
    ['cast( a , Collection( ns.t ) )', call('cast', path('a'), { kind: 'type', name: 'ns.t', collection: true })],
    ['isof(Collection(ns.t))', call('isof', { kind: 'type', name: 'ns.t', collection: true })],
    [
      "isof(Collection('k'),ns.t)",
      call('isof', path('Collection', key('k')), { kind: 'type', name: 'ns.t', collection: false }),
    ],
    ['a in ()', binary(path('a'), 'in', list())],
    ["a in ('x')", binary(path('a'), 'in', list(text('x')))],
    ["a in (('x'))", binary(path('a'), 'in', text('x'))],
    ['a in (b)', binary(path('a'), 'in', path('b'))],
    ['a in (1 add 2)', binary(path('a'), 'in', binary(number('1'), 'add', number('2')))],
    ['a in b/c', binary(path('a'), 'in', path('b/c'))],
    ['a in @p', binary(path('a'), 'in', { kind: 'alias', name: 'p' })],
    ['[]', array()],
    ['[ 1 , "x" , [ ] ]', array(number('1'), text('x'), array())],
    ['["\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"]', array(text('"\\/\b\f\n\r\té'))],
    ['{ "__proto__" : 1 }', { kind: 'object', members: [{ name: '__proto__', value: number('1') }] }],
  ])('parses %s', (written, expected) => {
    expect(parseFilter(written)).toEqual(expected)
  })
})

/** Texts of any depth, each with a complete and a broken-off form. */
const nested: readonly (readonly [name: string, open: string, core: string, close: string])[] = [
  ['parentheses', '(', 'a', ')'],
  ['not', 'not ', 'a', ''],
  ['not with parentheses', 'not (', 'a', ')'],
  ['minus', '-', 'a', ''],
  ['calls', 'tolower(', 'a', ')'],
  ['case', 'case(true:', 'a', ')'],
  ['cast', 'cast(', 'a', ',ns.t)'],
  ['lambdas', 'a/any(x:', 'true', ')'],
  ['arrays', '[', 'a', ']'],
  ['objects', '{"a":', '1', '}'],
  ['filter segments', 'a/$filter(', 'b', ')'],
  ['counts', 'a/$count($filter=', 'b', ')'],
  ['functions', 'ns.f(a=', 'b', ')'],
  ['parameters of functions', 'a/f(b=', 'c', ')'],
  ['lists', 'a in (', 'b', ')'],
  ['right operands', 'a eq (', 'b', ')'],
  ['weak in strong operators', '(a or ', 'b', ') mul c'],
]

describe('nesting', () => {
  it.each(nested)('of %s round-trips at the greatest allowed depth', (_, open, core, close) => {
    const depth = open === 'not (' ? maxNesting / 2 : maxNesting
    const tree = parseFilter(open.repeat(depth) + core + close.repeat(depth))
    const text = printFilter(tree)
    expect(parseFilter(text)).toEqual(tree)
  })

  it.each(nested)('of %s beyond the limit is rejected without overflowing the stack', (_, open, core, close) => {
    for (const depth of [maxNesting + 1, 10_000, 200_000]) {
      for (const end of [core + close.repeat(depth), '', core]) {
        const error = syntaxErrorOf(() => parseFilter(open.repeat(depth) + end))
        expect(error.message).toContain(`At most ${maxNesting} levels`)
      }
    }
  })

  it.each([
    ['$expand', () => parseExpand('a($expand='.repeat(10_000))],
    ['$select', () => parseSelect('a($select='.repeat(10_000))],
    ['$search', () => parseSearch('('.repeat(10_000))],
    ['NOT in $search', () => parseSearch(`${'NOT '.repeat(10_000)}a`)],
    ['$orderby', () => parseOrderby('('.repeat(10_000))],
    ['a query', () => parseQueryOptions(`$expand=${'a(%24expand='.repeat(10_000)}`)],
    ['an alias', () => parseQueryOptions(`@a=${'['.repeat(10_000)}`)],
  ])('is bounded in %s', (_, parse) => {
    expect(syntaxErrorOf(parse).message).toContain(`At most ${maxNesting} levels`)
  })

  it('does not count operators in a chain, however long it is', () => {
    for (const [operand, operator] of [
      ['a eq 1', ' or '],
      ['a', ' add '],
      ['a', ' eq '],
      ['a', ' in '],
    ] as const) {
      const text = Array(20_000).fill(operand).join(operator)
      expect(printFilter(parseFilter(text))).toBe(text)
    }
    const words = Array(20_000).fill('x').join(' OR ')
    expect(printSearch(parseSearch(words))).toBe(words)
  })
})

type TextOfSize = readonly [name: string, textOf: (size: number) => string]

describe('the work of parsing', () => {
  // Each doubles in length with its number; broken off, it must not try anything twice either.
  it.each<TextOfSize>([
    ...nested.map(
      ([name, open, core, close]): TextOfSize => [
        name,
        size => `${open.repeat(50)}${core}${close.repeat(50)} or `.repeat(size),
      ],
    ),
    ['a chain', (size: number) => 'a eq 1 and '.repeat(size)],
    ['ascending operators', (size: number) => 'a or b and c eq d gt e add f mul g in h or '.repeat(size)],
    ['a path', (size: number) => 'a/'.repeat(size)],
    ['a list', (size: number) => `a in (${'1,'.repeat(size)}`],
    ['an array', (size: number) => `[${'a,'.repeat(size)}`],
    ['quotes', (size: number) => `'${"''".repeat(size)}`],
    ['whitespace', (size: number) => `a${' '.repeat(size)}`],
    ['digits', (size: number) => '1'.repeat(size)],
    ['a long name', (size: number) => 'x'.repeat(size)],
    ['qualified names', (size: number) => 'x.'.repeat(size)],
    ['casts', (size: number) => 'cast(a,ns.t) or '.repeat(size)],
  ])('grows with the length of %s', (_, textOf) => {
    const [few, many] = [steps(textOf(100)), steps(textOf(800))]
    expect(many).toBeLessThanOrEqual(8 * few + 8)
    expect(many).toBeLessThanOrEqual(2 * textOf(800).length + 2)
  })

  it.each<TextOfSize>([
    ['expands', (size: number) => 'a($filter=b eq 1;$select=c,d),'.repeat(size)],
    ['words', (size: number) => 'a AND b OR NOT c '.repeat(size)],
  ])('grows with the number of %s', (name, textOf) => {
    const option = name === 'words' ? 'search' : 'expand'
    const parse = (cursor: Cursor): void => parseOptionValue(cursor, option, {}, false)
    const [few, many] = [steps(textOf(100), parse), steps(textOf(800), parse)]
    expect(many).toBeGreaterThan(few)
    expect(many).toBeLessThanOrEqual(8 * few + 8)
  })
})

/** How many constructs were begun, whether the text is read in the end or refused. */
function steps(text: string, parse: (cursor: Cursor) => unknown = parseExpression): number {
  const cursor = new Cursor(text, '$filter')
  try {
    parse(cursor)
  } catch {
    // Refused texts must not cost more than read ones.
  }
  return cursor.steps
}
