import { describe, expect, it } from 'vitest'
import { openTestSession, testRules, verdictsOf } from '../../testing/rule-tests.js'
import { deltaRules } from '../index.js'
import { deltaInitial } from './delta-initial.js'
import { deltaRound, deltaToken } from './delta-round.js'

testRules({
  area: 'delta',
  rules: deltaRules,
  writes: true,
  sites: { correct: 1, variants: 1 },
  choices: { readYourWrites: 'immediate' },
  mutants: [
    ['delta-first-round-short', 'delta-initial', 'directory'],
    ['delta-without-link', 'delta-links', 'directory'],
    ['delta-both-links', 'delta-links', 'directory'],
    ['delta-link-refused', 'delta-initial', 'directory'],
    ['delta-rows-without-key', 'delta-initial', 'directory'],
    ['delta-misses-deletes', 'delta-changes', 'library'],
    ['delta-misses-creates', 'delta-changes', 'library'],
    ['delta-misses-changes', 'delta-changes', 'library'],
    ['delta-misses-updates-to-null', 'delta-updates', 'directory'],
    ['delta-reports-old-values', 'delta-changes', 'library'],
    ['track-changes-without-link', 'delta-preference', 'library'],
    ['track-changes-claimed', 'delta-preference', 'library'],
    ['track-changes-one-page', 'delta-preference', 'library'],
    ['delta-token-unchecked', 'delta-token', 'directory'],
    ['delta-select-ignored', 'delta-initial', 'directory'],
  ],
  variants: [
    'delta-reports-all-again',
    'unknown-delta-token-starts-again',
    'no-optional-endpoints',
    'small-pages',
    'defaultProjection-limited',
    'timestamps-with-zeros',
  ],
})

describe('delta links to another host', () => {
  it.each([
    ['delta-initial', deltaInitial],
    ['delta-token', deltaToken],
  ] as const)('are not followed and not reported: %s', async (_, rule) => {
    const bench = await openTestSession('directory', {
      transform: target => async request => {
        const response = await target(request)
        const text = await response.text()
        const { status, headers } = response
        const moved = text.replaceAll(
          '"@odata.deltaLink":"http://service.invalid',
          '"@odata.deltaLink":"http://localhost',
        )
        return new Response(text === '' ? null : moved, { status, headers })
      },
    })
    const verdicts = await verdictsOf(rule, bench)
    expect(verdicts.length).toBeGreaterThan(0)
    for (const verdict of verdicts) {
      expect(verdict).toMatchObject({ kind: 'inconclusive', why: expect.stringContaining('another host') })
    }
  })
})

describe('a round of a delta query', () => {
  it('is not reported as endless if the remaining requests cannot read it', async () => {
    const { session } = await openTestSession('directory')
    const cut: typeof session = { ...session, list: async () => ({ rows: [], pages: [], end: 'truncated' }) }
    expect(await deltaRound({ method: 'GET', path: '/users/delta' }, cut)).toEqual({
      rows: [],
      pages: [],
      unread: 'it has more pages than the remaining requests can read',
    })
  })
})
