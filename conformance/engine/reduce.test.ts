import { describe, expect, it } from 'vitest'
import { parseExpand, parseFilter, parseOrderby, printFilter, type QueryOptions } from '../../runtime/query/index.js'
import type { TestCase } from '../rule/rule.js'
import { caseSize, halveFilter, reduceCase } from './reduce.js'

/** Reduces a case that fails whenever the text of its query has all these parts. */
const reduced = async (test: TestCase, ...parts: readonly string[]): Promise<TestCase> => {
  let sent = 0
  const fails = async ({ options, predicates }: TestCase): Promise<boolean> => {
    sent++
    const filters = [options?.filter, ...(predicates ?? [])].filter(each => each !== undefined).map(printFilter)
    const text = JSON.stringify(options ?? {}) + filters.join(' ')
    return parts.every(part => text.includes(part))
  }
  return reduceCase(
    test,
    fails,
    () => [],
    () => sent,
  )
}

const filterOf = async (text: string, ...parts: readonly string[]): Promise<string> => {
  const { options } = await reduced({ options: { filter: parseFilter(text) } }, ...parts)
  return options?.filter === undefined ? '' : printFilter(options.filter)
}

describe('a failing case', () => {
  it.each([
    ["a eq 'x' and (b eq 1 or not contains(c,'yyyy'))", ['contains'], "contains(c,'y')"],
    ['not (a eq 1 and b eq 2)', ['a eq 1'], 'a eq 1'],
    ['not (a eq 1 and b eq 2)', ['not', ' and '], 'not (a eq 1 and b eq 2)'],
    ["xs/any(x:x/a eq 'abc' or x/b eq 2)", ['any'], "xs/any(x:x/a eq 'a')"],
    ["tolower(a) eq 'hello'", ["'"], "a eq 'h'"],
    ["a in ('p','q','r')", ['in (', 'q'], "a in ('q')"],
  ])('%s with %j becomes %s', async (text, parts, expected) => {
    expect(await filterOf(text, ...parts)).toBe(expected)
  })

  it.each([
    ['a eq 1 or b eq 2 or c eq 3 or d eq 4', ['b'], ['a eq 1 or b eq 2', 'a eq 1', 'b eq 2']],
    ['a eq 1 and (b eq 2 or c eq 3)', ['c'], ['a eq 1', 'b eq 2 or c eq 3', 'b eq 2', 'c eq 3']],
    ['a eq 1 or b eq 2', ['a', 'b'], ['a eq 1', 'b eq 2']],
    ['not (a eq 1 or b eq 2)', ['a'], []],
  ])('%s that fails because of %j is halved', async (text, reasons, expected) => {
    const tried: string[] = []
    await halveFilter({ options: { filter: parseFilter(text) } }, async ({ options }) => {
      const half = options?.filter === undefined ? '' : printFilter(options.filter)
      tried.push(half)
      return reasons.every(reason => half.includes(reason))
    })
    expect(tried).toEqual(expected)
  })

  it('loses irrelevant options, also nested ones', async () => {
    const options: QueryOptions = {
      filter: parseFilter('a eq 1'),
      orderby: parseOrderby('a desc,b'),
      expand: parseExpand('m($select=x,y),n'),
      top: 40,
      count: true,
    }
    const { options: small } = await reduced({ options }, '"expand"', '"n"')
    expect(small).toEqual({ expand: parseExpand('n') })
    const { options: ordered } = await reduced({ options }, '"desc"', '"top"')
    expect(ordered).toEqual({ orderby: parseOrderby('a desc'), top: 1 })
  })

  it('keeps the options that its rule is about', async () => {
    const options: QueryOptions = { orderby: parseOrderby('a desc,b'), select: [{ path: ['a'] }], skip: 4, top: 40 }
    let sent = 0
    const small = await reduceCase(
      { options },
      async ({ options: tried }) => {
        sent++
        return JSON.stringify(tried).includes('desc')
      },
      () => [],
      () => sent,
      ['select', 'skip'],
    )
    expect(small.options).toEqual({ orderby: parseOrderby('a desc'), select: [{ path: ['a'] }], skip: 1 })
  })

  it('keeps what its steps need', async () => {
    const test: TestCase = { steps: ['create', 'read', 'patch', 'read', 'delete'].map(name => ({ action: name })) }
    let sent = 0
    const small = await reduceCase(
      test,
      async ({ steps = [] }) => {
        sent++
        const made = steps.findIndex(step => step.action === 'create')
        return made >= 0 && made < steps.findLastIndex(step => step.action === 'patch')
      },
      () => [],
      () => sent,
    )
    expect(small.steps?.map(step => step.action)).toEqual(['create', 'patch'])
  })

  it('respects the request limit', async () => {
    let sent = 0
    const many = Array.from({ length: 40 }, (_, index) => `a eq ${index}`).join(' or ')
    const test: TestCase = { options: { filter: parseFilter(many) } }
    await reduceCase(
      test,
      async () => {
        sent++
        return false
      },
      () => [],
      () => sent,
    )
    expect(sent).toBeLessThanOrEqual(60)
  })
})

it.each([
  ['a eq 1', 3],
  ["not contains(a,'x')", 4],
  ['xs/any(x:x/a eq 1)', 5],
])('%s has %s parts', (text, size) => {
  expect(caseSize({ options: { filter: parseFilter(text) } })).toBe(size)
})
