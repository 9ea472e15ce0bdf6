import { describe, expect, it } from 'vitest'
import { isRow, type Row } from '../../json.js'
import { openTestSession } from '../../testing/rule-tests.js'
import { createItem } from './created-item.js'
import { writeSites } from './write-site.js'

type Refusal = (body: Row) => string | undefined

/** Creates a group with these values on a service that refuses some bodies. Returns what was sent in the end. */
async function created(refuse: Refusal, values: Readonly<Record<string, string | boolean>> = {}) {
  const bodies: Row[] = []
  const { session } = await openTestSession('directory', {
    writes: true,
    transform: target => async request => {
      if (request.method !== 'POST' || !request.url.endsWith('/groups')) return target(request)
      const body: unknown = await request.clone().json()
      const why = isRow(body) ? refuse(body) : 'No object.'
      if (isRow(body)) bodies.push(body)
      if (why === undefined) return target(request)
      const error = { error: { code: 'invalidBody', message: why } }
      return new Response(JSON.stringify(error), { status: 400, headers: { 'content-type': 'application/json' } })
    },
  })
  const site = writeSites(session).find(({ endpoint }) => endpoint.name === 'groups.create')
  if (site === undefined) throw new Error('Groups can be created.')
  const first = await createItem(values, site, session)
  const tries = bodies.length
  const second = await createItem(values, site, session)
  return { first, second, tries, later: bodies.length - tries, body: bodies.at(-1) ?? {} }
}

const refusals: readonly (readonly [string, Refusal])[] = [
  ['nothing', () => undefined],
  [
    'a body without a description',
    body => ('description' in body ? undefined : "The property 'description' is required."),
  ],
  ['a body without a description, and does not say why', body => ('description' in body ? undefined : 'Invalid.')],
  ['a group that is enabled for mail', body => (body['mailEnabled'] === true ? 'Invalid.' : undefined)],
  ['a nickname', body => ('mailNickname' in body ? "Unknown property 'mailNickname'." : undefined)],
  [
    'a display name with an exclamation mark',
    body => (String(body['displayName']).includes('!') ? 'Invalid.' : undefined),
  ],
]

describe('a create', () => {
  it.each(refusals)('succeeds in the end if the service refuses %s, and the next one at once', async (name, refuse) => {
    const isNicknameRequired = name === 'a nickname'
    const { first, second, tries, later } = await created(refuse, { displayName: 'Hello!' })
    // The service behind requires a nickname.
    expect(first.kind).toBe(isNicknameRequired ? 'ended' : 'created')
    expect(second.kind).toBe(first.kind)
    expect(tries).toBeLessThan(40)
    expect(later).toBeLessThanOrEqual(1)
  })

  it('first has only properties that the interface names, with plausible values', async () => {
    const { body } = await created(() => undefined)
    expect(Object.keys(body).sort()).toEqual(['displayName', 'mailEnabled', 'mailNickname', 'securityEnabled'])
    expect(body['mailNickname']).toMatch(/^sw[a-z0-9]+$/)
  })

  it('ends as unsupported if the service refuses every body', async () => {
    const { first, tries, later } = await created(() => 'Invalid.')
    expect(first).toMatchObject({ kind: 'ended', verdict: { kind: 'inconclusive' } })
    expect(tries).toBeLessThanOrEqual(30)
    expect(later).toBe(0)
  })
})
