import { describe, expect, it } from 'vitest'
import type { PathSegment } from '../ast.js'
import { array, binary, call, lambda, list, number, path, rooted, text, variable } from '../corpus/notation.js'
import { parseFilter } from './filter.js'

const property = (name: string): PathSegment => ({ kind: 'property', name })
const cast = (type: string): PathSegment => ({ kind: 'cast', type })
const key = (value: string): PathSegment => ({ kind: 'key', values: [{ value: text(value) }] })
const fn = (name: string, ...parameters: Extract<PathSegment, { kind: 'function' }>['parameters']): PathSegment => ({
  kind: 'function',
  name,
  parameters,
})

describe('paths', () => {
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
  ])('%s', (written, expected) => {
    expect(parseFilter(written)).toEqual(expected)
  })
})

describe('lambdas', () => {
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
  ])('%s', (written, expected) => {
    expect(parseFilter(written)).toEqual(expected)
  })
})

describe('calls and lists', () => {
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
  ])('%s', (written, expected) => {
    expect(parseFilter(written)).toEqual(expected)
  })
})
