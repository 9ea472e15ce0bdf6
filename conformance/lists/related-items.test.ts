import { expect, it } from 'vitest'
import { createChoiceRecord } from '../choices/choices.js'
import { type Snapshot, siteOf } from '../discover/site.js'
import { specOf } from '../testing/rule-tests.js'
import { shelf } from '../testing/services.js'
import { mayBeTruncated, relatedKeys } from './related-items.js'

it.each<[number, number | undefined, 'total' | 'pageSize' | undefined, boolean]>([
  [4, 4, 'total', true],
  [4, 4, undefined, true],
  [4, 4, 'pageSize', false],
  [3, 4, 'total', false],
  [5, 4, 'total', false],
  [4, undefined, 'total', false],
])('%s items for $top=%s, known to mean %s, may be truncated: %s', (length, top, value, expected) => {
  const choices = createChoiceRecord(shelf)
  for (const choice of shelf.open.filter(({ name }) => name === 'topMeaning')) {
    if (value !== undefined) choices.record({ choice, value, evidence: [] })
  }
  expect(mayBeTruncated(length, top === undefined ? {} : { top }, { service: shelf, choices })).toBe(expected)
})

it.each([
  ['01BYE5RZ6QN3ZWBTUF', ['child']],
  ['7', undefined],
])('the children of %s at another path are %j', (id, expected) => {
  const { endpoints } = specOf('directory')
  const [items, children] = ['me.drive.items.list', 'drive.items.children.list'].map(name =>
    endpoints.find(each => each.name === name),
  )
  const list = items && siteOf(items)
  const row = { id }
  const site = children && list && siteOf(children, { site: list, row })
  const relation = children?.resolved.at(-1)
  if (list?.type === undefined || site === undefined || relation?.kind !== 'navigation')
    throw new Error('no such paths')
  const snapshot: Snapshot = {
    site,
    rows: [{ id: 'child' }],
    byKey: new Map([['child', { id: 'child' }]]),
    complete: true,
    properties: new Set(['id']),
  }
  const session = { sites: [site], snapshot: () => snapshot }
  const found = relatedKeys(relation.property, row, list.type, list, session)
  expect(found && [...found.certain]).toEqual(expected)
})
