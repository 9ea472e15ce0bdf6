import { describe, expect, it } from 'vitest'
import { parseExpand } from '../parse/expand.js'
import { parseFilter } from '../parse/filter.js'
import { parseQueryOptions } from '../parse/query-options.js'
import { parseSearch } from '../parse/search.js'
import { parseSelect } from '../parse/select.js'
import { printExpand } from './expand.js'
import { printFilter } from './filter.js'
import { printQueryOptions } from './query-options.js'
import { printSearch } from './search.js'
import { printSelect } from './select.js'

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

describe('the other options', () => {
  it.each([
    ['a AND b OR c', 'a AND b OR c'],
    ['a b', 'a AND b'],
    ['a OR b OR c', 'a OR b OR c'],
    ['a AND (b OR c)', 'a AND (b OR c)'],
    ['NOT (a b)', 'NOT (a AND b)'],
    ['AND', '(AND)'],
    ["'\"x'", "'\"x'"],
    ['"x y"', '"x y"'],
  ])('prints the search %s as %s', (written, expected) => {
    expect(printSearch(parseSearch(written))).toBe(expected)
  })

  it('prints paths, suffixes and nested options', () => {
    const expand = 'a/ns.t/$ref($top=1),b($filter=c eq 1;$orderby=d desc;$expand=e($levels=max)),*,f/$count($search=x)'
    expect(printExpand(parseExpand(expand))).toBe(expand)
    const select = 'a,b/c,ns.*,@ns.t#q,ns.f(x,y),d($top=1)'
    expect(printSelect(parseSelect(select))).toBe(select)
  })

  it('prints the options of a request in the order in which a service applies them', () => {
    const written = '$select=a&$top=1&$skip=2&$orderby=a&$count=true&$filter=a&$search=x&$compute=a as b&$expand=c&@p=1'
    const printed =
      '$compute=a%20as%20b&$search=x&$filter=a&$count=true&$orderby=a&$skip=2&$top=1&$expand=c&$select=a&@p=1'
    expect(printQueryOptions(parseQueryOptions(written).options)).toBe(printed)
  })

  it('encodes what has to be encoded, and no more', () => {
    const options = parseQueryOptions("$filter=a/b eq 'O''Neil %26 + %25 %23 @:,;?!()*=é'").options
    expect(printQueryOptions(options)).toBe("$filter=a/b%20eq%20'O''Neil%20%26%20%2B%20%25%20%23%20@:,%3B?!()*=%C3%A9'")
  })

  it('prints nothing for no options', () => {
    expect(printQueryOptions({})).toBe('')
  })
})
