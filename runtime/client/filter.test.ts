import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../query/index.js'
import type { CanonicalFunctions } from './canonical-functions.js'
import { type AnyFilterBuilder, type Expression, type FilterBuilder, filterBuilder } from './filter.js'
import { dateTimeOffset, guid } from './path.js'

const formats = {
  received: dateTimeOffset,
  flag: { due: dateTimeOffset },
  licenses: { skuId: guid, plans: { $it: guid } },
  get replies() {
    return formats
  },
}

type Build = (f: AnyFilterBuilder) => Expression<unknown>
const textOf = (build: Build): string => build(filterBuilder(formats)).text

const sku = '184efa21-98c3-4e5d-95ab-d07053a96e67'

const cases: readonly (readonly [string, Build])[] = [
  ["subject eq 'a'", f => f.eq('subject', 'a')],
  ['subject eq null', f => f.eq('subject', null)],
  ['size ne 5', f => f.ne('size', 5)],
  ['size gt -2.5', f => f.gt('size', -2.5)],
  ['size ge 1e+21', f => f.ge('size', 1e21)],
  ['isRead eq true', f => f.eq('isRead', true)],
  ["subject eq 'O''Neil'''", f => f.eq('subject', "O'Neil'")],
  ["from/emailAddress/address eq 'a@b'", f => f.eq('from/emailAddress/address', 'a@b')],
  ['received gt 2024-01-31T12:00:00Z', f => f.gt('received', '2024-01-31T12:00:00Z')],
  ['flag/due lt 2024-01-31T12:00Z', f => f.lt('flag/due', '2024-01-31T12:00Z')],
  ["constructor eq 'x'", f => f.eq('constructor', 'x')],
  ["id in ('a','b''c')", f => f.in('id', ['a', "b'c"])],
  [`licenses/any(x:x/skuId in (${sku}))`, f => f.any('licenses', x => x.in('skuId', [sku]))],
  ["style has 'bold,italic'", f => f.has('style', 'bold,italic')],
  ["(a eq 'x' and b eq 'y' and c eq 'z')", f => f.and(f.eq('a', 'x'), f.eq('b', 'y'), f.eq('c', 'z'))],
  ["((a eq 'x' or b eq 'y') and c eq 'z')", f => f.and(f.or(f.eq('a', 'x'), f.eq('b', 'y')), f.eq('c', 'z'))],
  ["not (a eq 'x')", f => f.not(f.eq('a', 'x'))],
  ["startsWith(subject,'a')", f => f.startsWith('subject', 'a')],
  ["endsWith(subject,'a,b)')", f => f.endsWith('subject', 'a,b)')],
  ["contains(tolower(subject),'a')", f => f.contains(f.tolower('subject'), 'a')],
  ["tolower(subject) eq 'a'", f => f.eq(f.tolower('subject'), 'a')],
  ['year(received) eq 2024', f => f.eq(f.call('year', 'received'), 2024)],
  ["substring(subject,1,2) eq 'bc'", f => f.eq(f.call('substring', 'subject', 1, 2), 'bc')],
  ["licenses/any(x:x/name eq 'a')", f => f.any('licenses', x => x.eq('name', 'a'))],
  ['licenses/any()', f => f.any('licenses')],
  ["letters/any(x:x/author/name eq 'a')", f => f.any('letters', x => x.eq('author/name', 'a'))],
  [
    "letters/any(x:x/author/letters/any(xx:xx/name eq 'a'))",
    f => f.any('letters', x => x.any('author/letters', letter => letter.eq('name', 'a'))),
  ],
  ["tags/all(x:x ne 'a')", f => f.all('tags', x => x.ne('$it', 'a'))],
  ['replies/any(x:x/received gt 2024-01-31T12:00Z)', f => f.any('replies', x => x.gt('received', '2024-01-31T12:00Z'))],
  [
    `licenses/any(x:x/plans/any(xx:xx eq ${sku}))`,
    f => f.any('licenses', x => x.any('plans', plan => plan.eq('$it', sku))),
  ],
  [
    "replies/any(x:x/tags/any(xx:(xx eq 'a' and x/size gt 1 and subject eq 'b')))",
    f => f.any('replies', x => x.any('tags', tag => f.and(tag.eq('$it', 'a'), x.gt('size', 1), f.eq('subject', 'b')))),
  ],
  ['size add 1 gt 2', f => f.raw('size add 1 gt 2')],
]

/** Every member once, checked against the type by the compiler. */
const members: Readonly<Record<keyof FilterBuilder<object, keyof CanonicalFunctions>, true>> = {
  eq: true,
  ne: true,
  gt: true,
  ge: true,
  lt: true,
  le: true,
  in: true,
  has: true,
  and: true,
  or: true,
  not: true,
  startsWith: true,
  endsWith: true,
  contains: true,
  tolower: true,
  call: true,
  any: true,
  all: true,
  raw: true,
}

describe('the filter builder', () => {
  it.each(cases)('prints %s', (text, build) => {
    expect(textOf(build)).toBe(text)
  })

  it.each(cases)('prints text that the parser accepts: %s', text => {
    expect(() => parseFilter(text)).not.toThrow()
  })

  it('has exactly the members of its type', () => {
    expect(Object.keys(filterBuilder()).sort()).toEqual(Object.keys(members).sort())
  })

  it('keeps any text inside its literal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const f = filterBuilder()
        const text = f.and(
          f.eq('p', a),
          f.in('q', [b, a]),
          f.contains('r', b),
          f.any('s', x => x.ne('$it', a)),
        ).text
        const compare = (operator: string, left: object, value: string) => ({
          kind: 'binary',
          operator,
          left,
          right: string(value),
        })
        const string = (value: string) => ({ kind: 'literal', type: 'String', value })
        const path = (name: string) => ({ kind: 'path', segments: [{ kind: 'property', name }] })
        expect(parseFilter(text)).toEqual({
          kind: 'binary',
          operator: 'and',
          left: {
            kind: 'binary',
            operator: 'and',
            left: {
              kind: 'binary',
              operator: 'and',
              left: compare('eq', path('p'), a),
              right: {
                kind: 'binary',
                operator: 'in',
                left: path('q'),
                right: { kind: 'list', form: 'parentheses', items: [string(b), string(a)] },
              },
            },
            right: { kind: 'call', function: 'contains', arguments: [path('r'), string(b)] },
          },
          right: {
            kind: 'lambda',
            operator: 'any',
            collection: path('s'),
            variable: 'x',
            predicate: compare('ne', { kind: 'path', root: { kind: 'variable', name: 'x' }, segments: [] }, a),
          },
        })
      }),
    )
  })

  it.each([undefined, {}, () => 1, Symbol.iterator])('throws when compared with %s', value => {
    expect(() => filterBuilder().eq('p', value)).toThrow(TypeError)
  })

  it('throws if text is not a literal of an unquoted type', () => {
    const f = filterBuilder(formats)
    expect(() => f.gt('received', 'null or true')).toThrow(
      new TypeError("Expected a DateTimeOffset, found 'null or true'."),
    )
    expect(() => f.any('licenses', x => x.eq('skuId', "' or true"))).toThrow(TypeError)
  })
})
