import { describe, expect, it } from 'vitest'
import { type Expression, parseFilter, printFilter } from '../../runtime/query/index.js'
import { predict } from '../oracle/predict.js'
import { openTestSession } from '../testing/rule-tests.js'
import { diagnose } from './check-prediction.js'
import { conditionsOf } from './conditions.js'
import { grammarOf } from './grammar.js'
import { literalOf } from './observed-values.js'
import { createPlan, planChains, undetectableBugs } from './plan.js'
import { printMinimal } from './query-keys.js'

const choices = { guidLiteral: 'both', stringComparison: 'ordinal', functionComparison: 'ordinal' }
const { session } = await openTestSession('directory', { choices })

describe('printMinimal', () => {
  it.each([
    ['a eq 1 or b eq 2 and c eq 3'],
    ['(a eq 1 or b eq 2) and c eq 3'],
    ["not (a eq 1) and not contains(b,'x')"],
    ['not (a eq 1 or b eq 2)'],
    ["not tags/any(t:t eq 'x' or t eq 'y')"],
  ])('%s', text => {
    const filter = parseFilter(text)
    expect(printMinimal(filter)).toBe(text)
    expect(parseFilter(printMinimal(filter))).toEqual(filter)
  })
})

describe('literalOf', () => {
  it.each<[string, unknown, string | undefined]>([
    ['Edm.String', "O'Neil", "'O''Neil'"],
    ['Edm.String', 'a\u0000b', undefined],
    ['Edm.String', 'a\uD800', undefined],
    ['Edm.Boolean', true, 'true'],
    ['Edm.Int64', '9007199254740993', '9007199254740993'],
    ['Edm.Decimal', 2.5, '2.5'],
    ['Edm.Double', 1e300, undefined],
    ['Edm.Guid', '7E57AB1E-0000-4000-8000-000000000001', '7e57ab1e-0000-4000-8000-000000000001'],
    ['Edm.DateTimeOffset', '2024-05-01T14:00:00.500+02:00', '2024-05-01T12:00:00.500Z'],
    ['Edm.Date', '2024-05-01', '2024-05-01'],
    ['Edm.Duration', 'PT1H', "duration'PT1H'"],
    ['importance', 'high', "'high'"],
  ])('%s %j', (type, value, expected) => {
    const literal = literalOf(type, value, session)
    expect(literal && printFilter(literal)).toBe(expected)
  })
})

describe('a plan', () => {
  const site = session.sites.find(({ id }) => id === 'users.list')
  const grammar = site && grammarOf(site, session)
  const snapshot = site && session.snapshot(site)
  if (site === undefined || grammar === undefined || snapshot === undefined) throw new Error('Users can be filtered.')
  const plan = createPlan(site, grammar, session)

  it('detects most bug models with a few filters', () => {
    const early = new Set(plan.slice(0, 6).flatMap(({ detects }) => detects))
    expect(early.size).toBeGreaterThan(60)
    for (const id of ['no-precedence', 'gt-as-ge', 'ne-drops-null', 'like-wildcards', 'any-as-all', 'eq-folds-case']) {
      expect(new Set(plan.flatMap(({ detects }) => detects))).toContain(id)
    }
  })

  it('joins conditions that many rows meet, each for another row', async () => {
    const { session: library } = await openTestSession('library')
    const books = library.sites.find(({ id }) => id === 'books.list')
    const wide = books && grammarOf(books, library)
    if (books === undefined || wide === undefined) throw new Error('Books can be filtered.')
    const early = createPlan(books, wide, library).slice(0, 10)
    const detected = new Set(early.flatMap(({ detects }) => detects))
    for (const id of ['round-as-floor', 'floor-as-ceiling', 'div-as-mul', 'mod-as-div', 'sub-as-add', 'all-as-any']) {
      expect(detected).toContain(id)
    }
    const chain = early.map(({ filter }) => printFilter(filter)).find(text => /isbn eq '\d+' and round\(/.test(text))
    const keys = chain?.match(/isbn eq '\d+' and/g) ?? []
    expect(keys.length).toBeGreaterThan(2)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('names the bugs that the data cannot reveal', () => {
    expect(undetectableBugs(session)).not.toContain('gt is evaluated as ge')
  })

  it('uses declared operators only', () => {
    const allowed = new Set(['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'and', 'or', 'not'])
    const used = (part: Expression): readonly string[] => {
      if (part.kind === 'binary') return [part.operator, ...used(part.left), ...used(part.right)]
      if (part.kind === 'unary') return [part.operator, ...used(part.operand)]
      return part.kind === 'lambda' && part.predicate ? used(part.predicate) : []
    }
    for (const { filter } of plan) expect(used(filter).filter(each => !allowed.has(each))).toEqual([])
    for (const { filter } of plan) expect(encodeURIComponent(printFilter(filter)).length).toBeLessThan(1800)
    expect(conditionsOf(grammar, snapshot, session).length).toBeGreaterThan(100)
  })

  it('is the same for the same rows', async () => {
    const again = await openTestSession('directory', { choices })
    const other = again.session.sites.find(({ id }) => id === 'users.list')
    const otherGrammar = other && grammarOf(other, again.session)
    if (other === undefined || otherGrammar === undefined) throw new Error('Users can be filtered.')
    const printed = createPlan(other, otherGrammar, again.session).map(({ filter }) => printFilter(filter))
    expect(printed).toEqual(plan.map(({ filter }) => printFilter(filter)))
  })

  it('explains a wrong result with the bug model that produces it', () => {
    const all = new Set(snapshot.byKey.keys())
    const filter = parseFilter("mail eq 'Sales'")
    expect(diagnose(filter, all, snapshot, session).map(({ id }) => id)).toContain('filter-ignored')
    expect(diagnose(filter, new Set(['nobody']), snapshot, session).map(({ id }) => id)).toContain('nothing-found')
  })
})

describe('the chains of conditions', () => {
  const site = session.sites.find(({ id }) => id === 'groups.list')
  const grammar = site && grammarOf(site, session)
  const snapshot = site && session.snapshot(site)
  if (site === undefined || grammar === undefined || snapshot === undefined) throw new Error('Groups can be filtered.')
  const chains = planChains(site, grammar, session)

  /** The chain without each of its conditions in turn. */
  const shorter = (chain: Expression): readonly Expression[] => {
    if (chain.kind !== 'binary' || (chain.operator !== 'and' && chain.operator !== 'or')) return []
    const { operator, left, right } = chain
    return [left, ...shorter(left).map((rest): Expression => ({ kind: 'binary', operator, left: rest, right }))]
  }

  it('lose or gain a row without any of their conditions', () => {
    for (const chain of chains) {
      const { must } = predict(chain, snapshot, session)
      for (const other of shorter(chain))
        expect(predict(other, snapshot, session).must, printFilter(chain)).not.toEqual(must)
    }
  })

  it('compare each property with each operator', () => {
    const text = chains.map(chain => printFilter(chain)).join()
    for (const operator of ['eq', 'ne', 'gt', 'ge', 'lt', 'le'])
      for (const name of ['displayName', 'mail', 'mailNickname', 'id']) expect(text).toContain(`${name} ${operator} `)
    expect(text).toContain('securityEnabled eq false')
    expect(text).toContain('description eq null')
  })
})
