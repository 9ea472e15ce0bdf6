import { describe, expect, it } from 'vitest'
import { printFilter } from '../print/filter.js'
import { syntaxErrorOf } from '../testing/syntax-error-of.js'
import { parseFilter } from './filter.js'

describe('precedence and grouping', () => {
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
  ])('%s', (text, grouped) => {
    expect(parseFilter(text)).toEqual(parseFilter(grouped))
  })

  it('tells the groupings apart', () => {
    expect(parseFilter('a or (b and c)')).not.toEqual(parseFilter('(a or b) and c'))
    expect(parseFilter('-(5)')).not.toEqual(parseFilter('-5'))
    expect(parseFilter('- 5')).toEqual(parseFilter('-(5)'))
  })
})

describe('mistakes in expressions', () => {
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
    ['a eq "x"', 5, 'A string stands in single quotes.'],
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
    ['a/any(x)', 7, 'expected `:`. A lambda is written `items/any(x:x/name eq 1)`.'],
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
    ['a in (1,b)', 8, 'A list in parentheses holds literals'],
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
    ["cast(a,'Edm.String')", 7, 'the name of a type'],
    ['isof()', 5, 'an operand'],
    [`${'x'.repeat(129)} eq 1`, 0, 'a name of at most 128 characters'],
  ])('%s', (text, position, message) => {
    const error = syntaxErrorOf(() => parseFilter(text))
    expect(error.message).toContain(message)
    expect(error.position).toBe(position)
  })

  it('allows names of 128 characters, counted as such', () => {
    expect(printFilter(parseFilter('x'.repeat(128)))).toBe('x'.repeat(128))
    expect(printFilter(parseFilter('𝒳'.repeat(128)))).toBe('𝒳'.repeat(128))
    expect(syntaxErrorOf(() => parseFilter('𝒳'.repeat(129))).position).toBe(0)
  })
})
