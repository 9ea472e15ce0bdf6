import { expect, it } from 'vitest'
import { openTestSession } from '../../testing/rule-tests.js'
import { harmlessHeaders } from './harmless-headers.js'

const { session } = await openTestSession('directory')
const lists = session.sites.filter(({ endpoint }) => endpoint.kind === 'collection')

it.each([
  ['the first list', []],
  ['the first list that is there', ['/me/messages', '/users']],
])('headers are tried on %s', (_, lacked) => {
  const isLacked = (path: string): boolean => lacked.some(root => path.startsWith(root))
  const lacking = {
    ...session,
    snapshot: (site: (typeof lists)[number]) => (isLacked(site.path) ? undefined : session.snapshot(site)),
  }
  const [site] = harmlessHeaders.sites(lacking)
  expect(site).toBe(lists.find(({ path }) => !isLacked(path)))
})

it('headers are tried on nothing where no list is there', () => {
  expect(harmlessHeaders.sites({ ...session, snapshot: () => undefined })).toEqual([])
})
