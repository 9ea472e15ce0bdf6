import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { calibrators } from '../../conformance/choices/calibrators.js'
import { rules } from '../../conformance/index.js'
import { rulesPage } from '../../conformance/report/rules-page.js'
import { supportChoices } from '../../conformance/session/support-record.js'
import { canonicalFunctions } from '../../runtime/query/functions.js'
import { aspects, loadSpec, type Service } from '../../spec/language/index.js'
import { root } from '../root.js'

// The suite has a rule for everything that a spec can declare.

const covered = new Set(rules.flatMap(({ covers }) => covers))

const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'has', 'in', 'and', 'or', 'not', 'negate']
const arithmetic = ['add', 'sub', 'mul', 'div', 'divby', 'mod']
const options = ['select', 'filter', 'orderby', 'orderby.keys', 'expand', 'top', 'skip', 'count', 'search']
const nested = ['select', 'filter', 'orderby', 'expand', 'top', 'skip', 'count'].map(name => `expand.${name}`)
const streams = ['createMedia', 'readStream', 'replaceStream', 'deleteStream']
const endpoints = ['collection', 'item', 'count', 'delta', 'create', 'update', 'replace', 'delete', 'call', ...streams]

describe('the conformance rules', () => {
  const services: Service[] = []
  beforeAll(async () => {
    for (const name of ['directory', 'library', 'starter']) {
      const { service } = await loadSpec(join(root, 'spec', `${name}.yaml`))
      if (service !== undefined) services.push(service)
    }
    expect(services).toHaveLength(3)
  })

  it('are listed in docs/rules.md, as `npm run docs` writes it', () => {
    expect(readFileSync(join(root, 'docs', 'rules.md'), 'utf8')).toBe(rulesPage(rules))
  })

  it('have a unique name, a statement, and advice', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    const poor = rules.filter(
      ({ id, statement, advice }) =>
        !/^[a-z]+(?:-[a-z0-9]+)*$/.test(id) || !/\.$/.test(statement) || advice.length < 30,
    )
    expect(poor.map(({ id }) => id)).toEqual([])
  })

  it.each([
    ['query options', options],
    ['nested options', nested],
    ['operators', [...operators, ...arithmetic].map(name => `filter.${name}`)],
    ['lambdas', ['filter.any', 'filter.all', 'filter.$count']],
    ['endpoints', endpoints.map(kind => `endpoint.${kind}`)],
    ['headers and preferences', ['ifMatch', 'ifNoneMatch', 'prefer', 'requires']],
    ['searches', ['search.or', 'search.and', 'search.not']],
    [
      'everything else',
      ['authentication', 'entityTag', 'errorBody', 'limits', 'operation', 'version', 'nextLink', 'singleton'],
    ],
  ])('cover %s', (_, names) => {
    expect(names.filter(name => !covered.has(name))).toEqual([])
  })

  it('cover every canonical function', () => {
    const names = [...canonicalFunctions.keys(), 'cast', 'isof', 'case']
    expect(names.filter(name => !covered.has(`filter.${name}`))).toEqual([])
  })

  it('cover every fault', () => {
    const faults = Object.keys(services[0]?.faults ?? {})
    expect(faults.length).toBeGreaterThan(15)
    expect(faults.filter(name => !covered.has(`fault.${name}`))).toEqual([])
  })

  it('check every aspect, except those that leave something open', () => {
    const checked = new Set(rules.flatMap(rule => rule.aspects))
    const isOpen = (name: string): boolean => name === 'expand.depth'
    expect(Object.keys(aspects).filter(name => !isOpen(name) && !new Set<string>(checked).has(name))).toEqual([])
    expect(rules.filter(rule => rule.aspects.length === 0).map(({ id }) => id)).toEqual([])
  })

  it('check every clause that leaves nothing open', () => {
    const checked = new Set(rules.flatMap(rule => rule.aspects))
    const clauses = services.flatMap(service => service.clauses)
    const unchecked = clauses.filter(
      clause => clause.open === undefined && !clause.aspects.some(name => checked.has(name)),
    )
    expect(unchecked.map(({ id }) => id)).toEqual([])
  })

  it('learn every choice that a spec leaves open', () => {
    // There is nothing to learn of a choice that a service can make differently for each collection.
    const perCollection = ['advancedCollections', 'complexUpdate']
    const learned = new Set<string>([...calibrators.map(({ choice }) => choice), ...supportChoices, ...perCollection])
    const open = new Set(services.flatMap(service => service.open.map(({ name }) => name)))
    expect([...open].filter(name => !learned.has(name))).toEqual([])
  })
})
