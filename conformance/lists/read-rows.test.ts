import { describe, expect, it } from 'vitest'
import { parseExpand, parseFilter, parseOrderby, parseSelect, type QueryOptions } from '../../runtime/query/index.js'
import { createChoiceRecord } from '../choices/choices.js'
import { type SpecName, specOf } from '../testing/rule-tests.js'
import { isDemanded } from './read-rows.js'

function demanded(spec: SpecName, name: string, options: QueryOptions): boolean {
  const service = specOf(spec)
  const query = service.queryCapabilities.find(each => each.name === name)
  if (query === undefined) throw new Error(`There are no options ${name}.`)
  return isDemanded(options, query, { service, choices: createChoiceRecord(service) })
}

describe('every service must support', () => {
  it.each<[SpecName, string, QueryOptions]>([
    ['library', 'books.list', { select: parseSelect('title') }],
    ['library', 'books.list', { orderby: parseOrderby('title desc,pages') }],
    ['library', 'books.list', { top: 5, skip: 3, count: true }],
    ['library', 'books.list', { expand: parseExpand('copies') }],
    ['directory', 'children.list', { expand: parseExpand('thumbnails') }],
  ])('%s %s %j', (spec, name, options) => {
    expect(demanded(spec, name, options)).toBe(true)
  })
})

describe('a service may reject', () => {
  it.each<[SpecName, string, QueryOptions]>([
    ['directory', 'users.list', { select: parseSelect('displayName') }],
    ['directory', 'children.list', { expand: parseExpand('children') }],
    ['directory', 'children.list', { expand: parseExpand('thumbnails'), top: 1 }],
    ['library', 'books.list', { orderby: parseOrderby('summary') }],
    ['library', 'books.list', { expand: parseExpand('copies($top=1)') }],
    ['library', 'books.list', { expand: parseExpand('admirers') }],
    ['library', 'books.list', { filter: parseFilter("title eq 'x'") }],
    ['library', 'books.list', { top: 501 }],
    ['library', 'copies.list', { skip: 1 }],
  ])('%s %s %j', (spec, name, options) => {
    expect(demanded(spec, name, options)).toBe(false)
  })
})
