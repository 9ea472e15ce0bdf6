import { describe, expect, it } from 'vitest'
import { parseFilter, printFilter } from '../../../runtime/query/index.js'
import { openBench } from '../../testing/rule-bench.js'
import type { Atom } from '../atom.js'
import { atomsOf } from '../atoms-of.js'
import { grammarOf } from '../grammar.js'
import { wrongInterpreters } from './catalogue.js'
import { mayMisread, signsOf } from './signs-of.js'

it.each([
  ["contains(tolower(subject),'x')", ['contains', 'tolower', 'String']],
  ['size add -size gt 2.5', ['gt', 'add', 'negate', 'Decimal']],
  ['not (isRead eq null)', ['not', 'eq', 'null']],
  ["tags/any(t:t in ('a','b'))", ['any', 'in', 'String']],
])('the signs of %s', (text, signs) => {
  expect([...signsOf(parseFilter(text))].sort()).toEqual([...signs].sort())
})

describe.each(['directory', 'library'] as const)('of the conditions on a %s', async name => {
  const { session } = await openBench(name, {})
  const conditions = session.sites.flatMap((site): readonly Atom[] => {
    const [grammar, snapshot] = [grammarOf(site, session), session.snapshot(site)]
    return grammar === undefined || snapshot === undefined ? [] : atomsOf(grammar, snapshot, session)
  })

  it('an interpreter misreads none without its signs', () => {
    expect(conditions.length).toBeGreaterThan(1000)
    const unseen = wrongInterpreters.flatMap(wrong =>
      conditions
        .filter(({ filter }) => !mayMisread(wrong, signsOf(filter)))
        .filter(({ filter }) => (wrong.atom?.(filter) ?? wrong.truth?.(filter)) !== undefined)
        .map(({ filter }) => `${wrong.id}: ${printFilter(filter)}`),
    )
    expect(unseen).toEqual([])
  })
})
