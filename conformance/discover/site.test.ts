import { expect, it } from 'vitest'
import { specOf } from '../testing/rule-tests.js'
import { keysToTry, siteOf } from './site.js'

it.each([
  ['an address with capital letters', { mail: 'Cy@X.example' }],
  ['letters beyond ASCII', { displayName: 'Zo\u00eb' }],
  ['null', { mail: null }],
])('the key of an item with %s comes first', (_, values) => {
  const endpoint = specOf('directory').endpoints.find(({ name }) => name === 'users.list')
  const site = endpoint && siteOf(endpoint)
  if (site === undefined) throw new Error('no list of users')
  const usual = { displayName: 'Ada', mail: 'ada@x.example' }
  const rows = [
    { id: '1', ...usual },
    { id: '2', ...usual },
    { id: '3', ...usual, ...values },
  ]
  const snapshot = { site, rows, byKey: new Map(), complete: true, properties: new Set<string>() }
  expect(keysToTry(snapshot)).toEqual(['3', '1', '2'])
})
