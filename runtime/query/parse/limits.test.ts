import { describe, expect, it } from 'vitest'
import { maxNesting } from '../max-nesting.js'
import { printFilter } from '../print/filter.js'
import { printSearch } from '../print/search.js'
import { syntaxErrorOf } from '../testing/syntax-error-of.js'
import { Cursor } from './cursor.js'
import { parseExpand, parseExpandItems } from './expand.js'
import { parseExpression } from './expression.js'
import { parseFilter } from './filter.js'
import { parseOrderby } from './orderby.js'
import { parseQueryOptions } from './query-options.js'
import { parseSearch, parseSearchExpression } from './search.js'
import { parseSelect } from './select.js'

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
  it.each(nested)('of %s is read, printed and read back as deep as allowed', (_, open, core, close) => {
    const depth = open === 'not (' ? maxNesting / 2 : maxNesting
    const tree = parseFilter(open.repeat(depth) + core + close.repeat(depth))
    const text = printFilter(tree)
    expect(parseFilter(text)).toEqual(tree)
  })

  it.each(nested)('of %s is refused when deeper, and never exhausts the stack', (_, open, core, close) => {
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
    const parse = name === 'words' ? (cursor: Cursor) => parseSearchExpression(cursor, false) : parseExpandItems
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
