import { expect, it } from 'vitest'
import { openTestSession } from '../../testing/rule-tests.js'
import { harmlessHeaders } from './harmless-headers.js'

const { session } = await openTestSession('directory')
const lists = session.sites.filter(({ endpoint }) => endpoint.kind === 'collection')

it.each([
  ['the first list', []],
  ['the first list that exists', ['/me/messages', '/users']],
])('harmless-headers tests %s', (_, lacked) => {
  const isLacked = (path: string): boolean => lacked.some(root => path.startsWith(root))
  const missing = {
    ...session,
    snapshot: (site: (typeof lists)[number]) => (isLacked(site.path) ? undefined : session.snapshot(site)),
  }
  const [site] = harmlessHeaders.sites(missing)
  expect(site).toBe(lists.find(({ path }) => !isLacked(path)))
})

it('harmless-headers tests nothing if there is no list', () => {
  expect(harmlessHeaders.sites({ ...session, snapshot: () => undefined })).toEqual([])
})
