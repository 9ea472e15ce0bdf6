import { expect, it } from 'vitest'
import type { RouteSegment } from '../service-table.js'
import { createRouter } from './router.js'

const name = (text: string): RouteSegment => ({ kind: 'name', name: text })
const key = (...variables: readonly string[]): RouteSegment => ({
  kind: 'key',
  keys: variables.map(variable => ({ variable, property: variable, type: 'Edm.String' })),
})

const router = createRouter<string>('ns')
router.add([name('users')], 'GET', 'users')
router.add([name('users'), key('id')], 'GET', 'user')
router.add([name('users'), { kind: 'delta' }], 'GET', 'delta')
router.add([name('users'), { kind: 'count' }], 'GET', 'count')
router.add([name('users'), key('id'), name('mail')], 'GET', 'mail')
router.add([name('copies'), key('a', 'b')], 'GET', 'copy')
router.add([name('users'), key('id'), { kind: 'operation', name: 'find' }], 'GET', 'find')
router.add([{ kind: 'operation', name: 'all' }], 'GET', 'all')

it.each([
  [['users'], 'users', []],
  [['users', 'x'], 'user', ['x']],
  [["users('x')"], 'user', ["'x'"]],
  [["users(id='x')"], 'user', ["'x'"]],
  [['users', 'delta'], 'delta', []],
  [['users', 'delta()'], 'delta', []],
  [['users', 'ns.delta'], 'delta', []],
  [['users', 'delta(1)'], 'user', ['delta(1)']],
  [['users', '$count'], 'count', []],
  [['users', 'delta', 'mail'], 'mail', ['delta']],
  [['users', '$count', 'mail'], 'mail', ['$count']],
  [["users('x')", 'mail'], 'mail', ["'x'"]],
  [['users', 'a(b)'], 'user', ['a(b)']],
  [["copies(a='1',b='2')"], 'copy', ["'1'", "'2'"]],
  [["copies(b='2',a='1')"], 'copy', ["'1'", "'2'"]],
  [['copies', '1', '2'], 'copy', ['1', '2']],
  [['users', 'x', "find(p='(,)')"], 'find', ['x']],
  [['users', 'x', 'find'], 'find', ['x']],
  [['users', 'x', 'ns.find()'], 'find', ['x']],
  [['all'], 'all', []],
])('%j matches %s with %j', (segments, target, keys) => {
  const match = router.match(segments)
  expect([match?.resource.targets.get('GET'), match?.keys.map(({ text }) => text)]).toEqual([target, keys])
})

it.each([
  [[]],
  [['']],
  [['users', '']],
  [['users', 'x', 'nothing']],
  [['users()']],
  [['copies']],
  [["copies('1')"]],
  [['copies', '1']],
  [["copies(a='1',c='2')"]],
  [['users', 'x', "find(p='"]],
  [['users', 'x', 'find()', 'mail']],
  [['mail']],
  [['other.all']],
  [['__proto__']],
])('%j matches nothing', segments => {
  expect(router.match(segments)).toBeUndefined()
})

it('a match has the arguments of the operation', () => {
  expect([...(router.match(['users', 'x', "find(p='1')"])?.arguments.named ?? [])]).toEqual([['p', "'1'"]])
})
