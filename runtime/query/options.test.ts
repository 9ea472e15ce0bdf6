import { describe, expect, it } from 'vitest'
import { UnknownQueryOptionError } from './cursor.js'
import { parseCompute, parseExpand, parseOrderby, parseSelect } from './options.js'
import { binary, number, path, syntaxErrorOf, text } from './testing/notation.js'

describe('parseOrderby', () => {
  it.each([
    ['a', [{ expression: path('a'), direction: 'asc' }]],
    ['a asc', [{ expression: path('a'), direction: 'asc' }]],
    ['a DESC', [{ expression: path('a'), direction: 'desc' }]],
    [
      'a desc , b/c',
      [
        { expression: path('a'), direction: 'desc' },
        { expression: path('b/c'), direction: 'asc' },
      ],
    ],
    ['a add 1 desc', [{ expression: binary(path('a'), 'add', number('1')), direction: 'desc' }]],
    ['desc desc', [{ expression: path('desc'), direction: 'desc' }]],
  ])('parses %s', (written, expected) => {
    expect(parseOrderby(written)).toEqual(expected)
  })

  it.each([
    ['', 0, 'an operand'],
    ['a,', 2, 'an operand'],
    ['a descending', 2, '`asc` or `desc` or `,`'],
    ['a desc b', 7, 'found `b`'],
    ['a desc desc', 7, 'found `desc`'],
    ['a;b', 1, 'found `;`'],
  ])('rejects %s', (written, position, message) => {
    const error = syntaxErrorOf(() => parseOrderby(written))
    expect(error).toMatchObject({ position, option: '$orderby' })
    expect(error.message).toContain(message)
  })
})

describe('parseSelect', () => {
  it.each([
    ['a', [{ path: ['a'] }]],
    ['a,b , c', [{ path: ['a'] }, { path: ['b'] }, { path: ['c'] }]],
    ['*', [{ path: ['*'] }]],
    ['a/b/c', [{ path: ['a', 'b', 'c'] }]],
    ['ns.t/a', [{ path: ['ns.t', 'a'] }]],
    ['ns.*,a.b.*', [{ path: ['ns.*'] }, { path: ['a.b.*'] }]],
    ['@ns.t,a/@t#q', [{ path: ['@ns.t'] }, { path: ['a', '@t#q'] }]],
    ['ns.f(x, y)', [{ path: ['ns.f(x,y)'] }]],
    ['f(x)', [{ path: ['f(x)'] }]],
    ['a($top=5;skip=1)', [{ path: ['a'], options: { top: 5, skip: 1 } }]],
    ['a(select=b,c)', [{ path: ['a'], options: { select: [{ path: ['b'] }, { path: ['c'] }] } }]],
    ['a(@p=1)', [{ path: ['a'], options: { aliases: { p: number('1') } } }]],
  ])('parses %s', (written, expected) => {
    expect(parseSelect(written)).toEqual(expected)
  })

  it.each([
    ['', 0, 'the name of a property or `*`'],
    ['a,', 2, 'the name of a property'],
    ['a b', 1, 'found a space, expected `,` or `/` or `(` or the end'],
    ['a/', 2, 'the name of a property'],
    ['*/a', 1, 'found `/`'],
    ['a()', 2, 'an option'],
    ['a($expand=b)', 2, 'found `$expand`, expected $filter or'],
    ['a($top=5', 8, '`;` or `)`'],
    ['a($top=-1)', 7, 'an integer from 0'],
    ['a($top=1;$top=2)', 9, '$top was given before.'],
    ['a(x,)', 4, 'the name of a parameter'],
  ])('rejects %s', (written, position, message) => {
    const error = syntaxErrorOf(() => parseSelect(written))
    expect(error).toMatchObject({ position, option: '$select' })
    expect(error.message).toContain(message)
  })
})

describe('parseExpand', () => {
  it.each([
    ['a', [{ path: ['a'] }]],
    ['a,b/c', [{ path: ['a'] }, { path: ['b', 'c'] }]],
    ['a/ns.t', [{ path: ['a', 'ns.t'] }]],
    ['a/$ref', [{ path: ['a'], suffix: 'ref' }]],
    ['a/ns.t/$count', [{ path: ['a', 'ns.t'], suffix: 'count' }]],
    ['*', [{ path: ['*'] }]],
    ['*/$ref', [{ path: ['*'], suffix: 'ref' }]],
    ['*($levels=max)', [{ path: ['*'], options: { levels: 'max' } }]],
    ['a/*', [{ path: ['a', '*'] }]],
    ['$value,a', [{ path: ['$value'] }, { path: ['a'] }]],
    ['@ns.t', [{ path: ['@ns.t'] }]],
    ['a($levels=3)', [{ path: ['a'], options: { levels: 3 } }]],
    [
      'a/$count($filter=b eq 1)',
      [{ path: ['a'], suffix: 'count', options: { filter: binary(path('b'), 'eq', number('1')) } }],
    ],
    [
      'a/$ref($orderby=b;$count=TRUE)',
      [
        {
          path: ['a'],
          suffix: 'ref',
          options: { orderby: [{ expression: path('b'), direction: 'asc' }], count: true },
        },
      ],
    ],
    [
      "a( $Filter=b eq ');' ; Expand=c($select=d;$search=x y) )",
      [
        {
          path: ['a'],
          options: {
            filter: binary(path('b'), 'eq', text(');')),
            expand: [
              {
                path: ['c'],
                options: {
                  select: [{ path: ['d'] }],
                  search: { kind: 'and', left: { kind: 'term', text: 'x' }, right: { kind: 'term', text: 'y' } },
                },
              },
            ],
          },
        },
      ],
    ],
  ])('parses %s', (written, expected) => {
    expect(parseExpand(written)).toEqual(expected)
  })

  it.each([
    ['', 0, 'the name of a relation or `*`'],
    ['a(', 2, 'expected $filter'],
    ['a()', 2, 'expected $filter'],
    ['a($top=5;)', 9, 'expected $filter'],
    ['a($top)', 6, 'expected `=`'],
    ['a($levels=0)', 10, 'an integer from 1 or `max`'],
    ['a($levels=04)', 10, 'an integer from 1'],
    ['a($format=json)', 2, 'found `$format`'],
    ['a(x=1)', 2, 'found `x`'],
    ['a/$ref($levels=4)', 7, 'found `$levels`'],
    ['a/$count($top=1)', 9, 'expected $filter or $search'],
    ['*($top=1)', 2, 'expected $levels'],
    ['*/$ref($levels=1)', 6, 'found `(`'],
    ['*/$count', 1, 'found `/`'],
    ['*/a', 1, 'found `/`'],
    ['a/$value', 2, '`$ref` or `$count`'],
    ['a($filter=b eq)', 14, 'a space and an operand'],
    ['a($filter=b foo)', 12, 'found `foo`'],
    ['a($count=maybe)', 9, '`true` or `false`'],
    ['a(@p=1;@p=2)', 7, '@p was given before.'],
  ])('rejects %s', (written, position, message) => {
    const error = syntaxErrorOf(() => parseExpand(written))
    expect(error).toMatchObject({ position, option: '$expand' })
    expect(error.message).toContain(message)
  })

  it('distinguishes an unknown option from a syntax error', () => {
    const error = syntaxErrorOf(() => parseExpand('a($other=x)'))
    expect(error).toBeInstanceOf(UnknownQueryOptionError)
    expect(error).toMatchObject({ unknown: '$other', position: 2 })
  })
})

describe('parseCompute', () => {
  it.each([
    ['a mul b as c', [{ expression: binary(path('a'), 'mul', path('b')), alias: 'c' }]],
    [
      'as AS as,b as c',
      [
        { expression: path('as'), alias: 'as' },
        { expression: path('b'), alias: 'c' },
      ],
    ],
  ])('parses %s', (written, expected) => {
    expect(parseCompute(written)).toEqual(expected)
  })

  it.each([
    ['a', 1, '`as` and a name'],
    ['a as', 4, 'a space and a name'],
    ['a as 1', 5, 'the name of the computed property'],
    ['a as b c', 6, '`,` or the end'],
  ])('rejects %s', (written, position, message) => {
    const error = syntaxErrorOf(() => parseCompute(written))
    expect(error).toMatchObject({ position, option: '$compute' })
    expect(error.message).toContain(message)
  })
})
