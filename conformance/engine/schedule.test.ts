import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../spec/language/index.js'
import type { CoverageRecord } from '../coverage/coverage-record.js'
import { siteOf } from '../discover/site.js'
import type { ActiveRule } from '../rule/rule.js'
import { rules } from '../rules/index.js'
import { shelf } from '../testing/services.js'
import { nextScheduled, planVisits, type ScheduledRule, scheduledRule } from './schedule.js'

const ruleNamed = (id: string): ActiveRule => {
  const found = rules.find(rule => rule.id === id)
  if (found?.kind !== 'active') throw new Error(`no active rule ${id}`)
  return found
}
const unit = (id: string, name: string): ScheduledRule => {
  const endpoint = shelf.endpoints.find(each => each.name === name)
  const site = endpoint && siteOf(endpoint)
  if (site === undefined) throw new Error(`no ${name}`)
  return scheduledRule(ruleNamed(id), site, 0)
}

const service = shelf
type Coverage = Pick<CoverageRecord, 'answerOf' | 'at'>
const none: Coverage = { answerOf: () => 'no', at: () => undefined }
const checked = { checked: 1, refused: 0, inconclusive: 0, sites: new Set<string>() }
/** Every aspect was checked, but not every endpoint. */
const aspects: Coverage = { answerOf: () => 'no', at: () => checked }

describe('turns', () => {
  it('follow the priorities, without the rules that have nothing to check', () => {
    const units = ['order-sorted', 'count-value', 'filter-model', 'item-of-list'].map(id => unit(id, 'things.list'))
    const taken = Array.from({ length: 5 }, () => {
      const next = nextScheduled(units)
      if (next !== undefined) next.turns++
      return next?.rule.id
    })
    expect(taken.slice(0, 2)).toEqual(['filter-model', 'count-value'])
    expect(taken.filter(id => id === 'filter-model').length).toBeGreaterThan(1)
  })

  it('go to the cheapest rule for its weight, after those that have priority', () => {
    const units = ['life-cycle', 'write-shows'].map(id => unit(id, 'things.create'))
    const [first, second] = units.map(({ rule }) => rule.cost / rule.weight)
    const cheaper = (first ?? 0) < (second ?? 0) ? 'life-cycle' : 'write-shows'
    expect(nextScheduled(units)?.rule.id).toBe(cheaper)
  })

  it('go to a rule that had none before later turns of others, unless it takes many requests', () => {
    const later = unit('paging-covers', 'things.list')
    const waiting = unit('top-first', 'things.list')
    const expensive = unit('stream-keeps', 'things.create')
    expect(expensive.rule.cost).toBeGreaterThan(2 * waiting.rule.cost)
    later.turns++
    expect(nextScheduled([later, expensive, waiting])).toBe(waiting)
    const ofItems = unit('item-not-found', 'things.get')
    ofItems.turns++
    expect(nextScheduled([ofItems, expensive])).toBe(ofItems)
  })

  it('go to a rule that had none before priorities, if few requests are left', () => {
    const begun = unit('filter-model', 'things.list')
    const waiting = unit('top-first', 'things.list')
    begun.turns++
    expect(nextScheduled([begun, waiting], 100)).toBe(begun)
    expect(nextScheduled([begun, waiting], waiting.rule.cost - 1)).toBe(waiting)
  })
})

describe('visits', () => {
  it('go to each endpoint once before any twice', () => {
    const units = [unit('item-of-list', 'things.list'), unit('create-keeps', 'things.create')]
    const visits = planVisits(service, units, aspects)
    const visited = [1, 2, 3].map(() => visits.instead(undefined, 1)?.rule.id)
    // The list and its item, both with one rule, and the create endpoint.
    expect(visited).toEqual(['item-of-list', 'item-of-list', 'create-keeps'])
  })

  it('take the cheapest rule first', () => {
    const units = [unit('life-cycle', 'things.create'), unit('create-keeps', 'things.create')]
    expect(planVisits(service, units, none).instead(undefined, 1)?.rule.id).toBe('create-keeps')
  })

  it('include items that a rule reads where they are listed', () => {
    const isItem = ({ name }: Endpoint): boolean => name === 'things.get'
    const visits = planVisits(service, [unit('item-of-list', 'things.list')], {
      ...aspects,
      answerOf: each => (isItem(each) ? 'no' : 'yes'),
    })
    expect(visits.instead(undefined, 1)?.rule.id).toBe('item-of-list')
  })

  it('are not due while enough requests are left, and not for endpoints that were checked', () => {
    const units = [unit('item-of-list', 'things.list')]
    expect(planVisits(service, units, none).instead(undefined, 1000)).toBeUndefined()
    expect(planVisits(service, units, { ...aspects, answerOf: () => 'yes' }).instead(undefined, 1)).toBeUndefined()
  })

  it('go to the other aspects of an endpoint after the endpoints', () => {
    const units = [unit('item-of-list', 'things.list'), unit('order-sorted', 'things.list')]
    const visits = planVisits(service, units, { answerOf: () => 'yes', at: () => undefined })
    expect(visits.instead(undefined, 1)?.rule.id).toBe('order-sorted')
    expect(
      planVisits(service, units, { answerOf: () => 'yes', at: () => checked }).instead(undefined, 1),
    ).toBeUndefined()
  })

  it('come before a rule that could take the requests which they need', () => {
    const visits = planVisits(service, [unit('item-of-list', 'things.list')], none)
    expect(visits.instead(unit('unfit-body', 'things.create'), 20)?.rule.id).toBe('unfit-body')
    expect(visits.instead(unit('life-cycle', 'things.create'), 20)?.rule.id).toBe('item-of-list')
  })

  it('end, even if no rule can check an endpoint', () => {
    const visits = planVisits(service, [unit('item-of-list', 'things.list')], none)
    const visited = Array.from({ length: 50 }, () => visits.instead(undefined, 1))
    expect(visited.at(-1)).toBeUndefined()
  })
})
