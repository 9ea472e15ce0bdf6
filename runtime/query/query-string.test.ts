import { describe, expect, it } from 'vitest'
import { UnknownQueryOptionError } from './cursor.js'
import { parseFilter } from './expressions.js'
import { printFilter } from './print-expression.js'
import { parseQueryOptions } from './query-string.js'
import { binary, list, number, path, syntaxErrorOf, text } from './testing/notation.js'

const aEq = (value: string): ReturnType<typeof binary> => binary(path('a'), 'eq', text(value))

describe('parseQueryOptions', () => {
  it.each([
    ['', {}],
    ['?', {}],
    ['&&', {}],
    ['$filter=a%20eq%20%27x%27', { filter: aEq('x') }],
    ["?$filter=a eq 'x'", { filter: aEq('x') }],
    ["filter=a eq 'x'", { filter: aEq('x') }],
    ["$FILTER=a eq 'x'", { filter: aEq('x') }],
    ["%24filter=a eq 'x'", { filter: aEq('x') }],
    ["$filter=a eq 'x=y'", { filter: aEq('x=y') }],
    ["$filter=a eq 'x%26y%3Dz'", { filter: aEq('x&y=z') }],
    ["$filter=a eq '1+1'", { filter: aEq('1+1') }],
    ["$filter=a eq '1%2B1'", { filter: aEq('1+1') }],
    ["$filter=a eq '%2520'", { filter: aEq('%20') }],
    ["$filter=a eq '%F0%9F%98%80é'", { filter: aEq('😀é') }],
    ['$top=5&$skip=10', { top: 5, skip: 10 }],
    ['$top=0', { top: 0 }],
    ['$count=True', { count: true }],
    ['$count=false', { count: false }],
    ['$search=a b', { search: { kind: 'and', left: { kind: 'term', text: 'a' }, right: { kind: 'term', text: 'b' } } }],
    ['$format=application/json;odata.metadata=none', { format: 'application/json;odata.metadata=none' }],
    ['$skipToken=a%26b', { skiptoken: 'a&b' }],
    ['$deltatoken=latest', { deltatoken: 'latest' }],
    [
      '$orderby=a desc, b&$select=a, b',
      {
        orderby: [
          { expression: path('a'), direction: 'desc' },
          { expression: path('b'), direction: 'asc' },
        ],
        select: [{ path: ['a'] }, { path: ['b'] }],
      },
    ],
    [
      '@p=["x"]&$filter=a in @p',
      {
        filter: binary(path('a'), 'in', { kind: 'alias', name: 'p' }),
        aliases: { p: { kind: 'list', form: 'json', items: [text('x')] } },
      },
    ],
    ['@__proto__=1', { aliases: Object.fromEntries([['__proto__', number('1')]]) }],
  ])('parses %s', (query, expected) => {
    expect(parseQueryOptions(query)).toEqual({ options: expected, custom: [] })
  })

  it('returns custom options separately, decoded and in order', () => {
    expect(parseQueryOptions('x=1&debug&a%20b=c%3Dd+e&x=2&levels=3&$top=1')).toEqual({
      options: { top: 1 },
      custom: [
        ['x', '1'],
        ['debug', ''],
        ['a b', 'c=d+e'],
        ['x', '2'],
        ['levels', '3'],
      ],
    })
  })

  it('does not confuse aliases with members of Object.prototype', () => {
    const { aliases } = parseQueryOptions('@constructor=1&@__proto__=2').options
    expect(Object.keys(aliases ?? {})).toEqual(['constructor', '__proto__'])
    expect(Object.getPrototypeOf(aliases)).toBeNull()
  })

  it.each([
    ['$filter=', 8, 'in $filter: found the end, expected an operand'],
    ['$filter', 7, 'expected `=`'],
    ['$top=1&$filter=a%20eq', 21, 'a space and an operand after `eq`'],
    ['$filter=a%20eq%20%3D', 17, 'in $filter'],
    ['$filter=%F0%9F%98%80 eq 1', 8, 'in $filter'],
    ["$filter=a eq '%F0%9F%98%80' x", 28, 'found `x`'],
    ["$filter=a eq '%C3%A9%E2%82%AC' x", 31, 'found `x`'],
    ['$filter=a%zz', 9, 'percent-encoded UTF-8'],
    ['$filter=a%2', 9, 'percent-encoded UTF-8'],
    ["$filter=a eq '%C3%28'", 14, 'percent-encoded UTF-8'],
    ["$filter=a eq '%C0%80'", 14, 'percent-encoded UTF-8'],
    ["$filter=a eq '%ED%A0%80'", 14, 'percent-encoded UTF-8'],
    ["$filter=a eq '%41%FF'", 17, 'percent-encoded UTF-8'],
    ['%zz=1', 0, 'percent-encoded UTF-8'],
    ['x=%', 2, 'percent-encoded UTF-8'],
    ['$top=1&top=2', 7, '$top was given before.'],
    ['$Top=1&$top=2', 7, '$top was given before.'],
    ['$top=-1', 5, 'an integer from 0'],
    ['$top=1.5', 6, 'found `.5`'],
    ['$top=9007199254740992', 5, 'an integer from 0 to 9007199254740991'],
    ['$top=x', 5, 'an integer'],
    ['$top= 1', 5, 'an integer'],
    ['$skip=1 ', 7, 'found a space'],
    ['$count=1', 7, '`true` or `false`'],
    ['$filter=true&#x', 13, 'Write `#` as `%23`.'],
    ['@1=2', 0, '`@` and the name of an alias'],
    ['@p', 2, '`=` and the value of the alias'],
    ['@p=1&@p=2', 8, '@p was given before.'],
    ['@p=1 2', 5, 'in @p: found `2`'],
    ['$skiptoken=', 11, 'a value'],
    ['$orderby=a foo', 11, '`asc` or `desc`'],
    ['$expand=a($filter=b%20eq%20)', 27, 'in $expand'],
  ])('rejects %s', (query, position, message) => {
    const error = syntaxErrorOf(() => parseQueryOptions(query))
    expect(error).not.toBeInstanceOf(UnknownQueryOptionError)
    expect(error.message).toContain(message)
    expect(error).toMatchObject({ position, text: query })
  })

  it.each([
    ['$other=x', '$other', 0],
    ['$top=1&$schemaversion=1', '$schemaversion', 7],
    ['$levels=2', '$levels', 0],
    ['$filter =true', '$filter ', 0],
    ['$expand=a(%24foo=1)', '$foo', 10],
    ['$constructor=1', '$constructor', 0],
  ])('distinguishes the unknown option in %s from a syntax error', (query, unknown, position) => {
    const error = syntaxErrorOf(() => parseQueryOptions(query))
    expect(error).toBeInstanceOf(UnknownQueryOptionError)
    expect(error).toMatchObject({ unknown, position, name: 'UnknownQueryOptionError' })
    expect(error.message).toContain(`Unknown query option \`${unknown}\``)
  })

  it('parses a list of literals only after `in`', () => {
    expect(parseQueryOptions("$filter=a in ('x')").options.filter).toEqual(binary(path('a'), 'in', list(text('x'))))
  })
})

describe('a plus sign in a query string', () => {
  const filterOf = (query: string): string => printFilter(parseQueryOptions(query).options.filter ?? a)
  const a = parseFilter('a')

  it.each([
    ["$filter=name+eq+'a'", "name eq 'a'"],
    ["$filter=name+eq+'a+b'", "name eq 'a b'"],
    ["$filter=name+eq+'a%2Bb'", "name eq 'a+b'"],
    ['$orderby=name&$filter=x+eq+1+and+y%20eq%202', 'x eq 1 and y eq 2'],
    ['$orderby=x+desc&$filter=a eq +1', 'a eq 1'],
    ["x=1&$filter=contains(a,+'+')", "contains(a,' ')"],
  ])('is a space if the grammar does not permit it somewhere: %s', (query, expected) => {
    expect(filterOf(query)).toBe(expected)
  })

  it.each([
    ["$filter=name eq 'a+b'", "name eq 'a+b'"],
    ['$filter=x eq 2024-01-01T00:00:00+02:00', 'x eq 2024-01-01T00:00:00+02:00'],
    ['$filter=x eq +1', 'x eq 1'],
  ])('stays one if the grammar permits all of them: %s', (query, expected) => {
    expect(filterOf(query)).toBe(expected)
  })

  it('is a space in other options, too, if it is one anywhere', () => {
    expect(parseQueryOptions('title=a+b&$orderby=x+desc').custom).toEqual([['title', 'a b']])
    expect(parseQueryOptions('title=a+b&$orderby=x').custom).toEqual([['title', 'a+b']])
    expect(parseQueryOptions('$search=a+b&$expand=x($orderby=y+desc)').options.expand?.[0]?.options?.orderby).toEqual([
      { expression: parseFilter('y'), direction: 'desc' },
    ])
  })

  it('is reported where the likely reading fails', () => {
    expect(syntaxErrorOf(() => parseQueryOptions('$filter=a+eq+')).position).toBe(13)
    expect(syntaxErrorOf(() => parseQueryOptions('$filter=a eq 1 + 2')).position).toBe(15)
  })
})
