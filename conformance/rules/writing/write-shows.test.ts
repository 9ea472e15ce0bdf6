import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Verdict } from '../../rule/verdict.js'
import { openTestSession, type TestSessionOptions, verdictsOf } from '../../testing/rule-tests.js'
import { shelf } from '../../testing/services.js'
import { withBody } from '../../testing/things.js'
import { writeShows } from './write-shows.js'

const limited: TestSessionOptions = { chosen: { topMeaning: 'total' }, writes: true }
/** Rows with which the things are three: a created one makes as many as $top asks for at most. */
const three = 6

/** The second case of the rule reads the whole list. */
async function inList(options: TestSessionOptions): Promise<Verdict | undefined> {
  const [, verdict] = await verdictsOf(writeShows, await openTestSession(shelf, options), { sites: 1, cases: 2 })
  return verdict
}

/** Lists show every item with another size than it has. */
const largerInLists: TestSessionOptions['transform'] = target => async request => {
  const isList = request.method === 'GET' && new URL(request.url).pathname.endsWith('/things')
  const response = await target(request)
  if (!isList) return response
  return withBody(response, body => ({
    ...body,
    value: Array.isArray(body['value']) ? body['value'].map((row: object) => ({ ...row, size: 7_777 })) : [],
  }))
}

describe('a created item in a list that $top may limit', () => {
  it('may be missing if there are $top other items', async () => {
    expect(await inList({ ...limited, rows: 30 })).toMatchObject({ kind: 'inconclusive' })
  })

  it('is found if it is among them', async () => {
    expect(await inList({ ...limited, rows: three })).toMatchObject({ kind: 'pass' })
  })

  it('must have the written values', async () => {
    const verdict = await inList({ ...limited, rows: three, transform: largerInLists })
    expect(verdict).toMatchObject({ kind: 'fail', finding: { features: ['list', 'values'] } })
  })

  it('must not be listed after it was deleted', async () => {
    // The item by which the suite learns what a create requires remains, and that of the first case.
    const verdict = await inList({ ...limited, rows: three - 4, mutant: 'delete-without-effect' })
    expect(verdict).toMatchObject({ kind: 'fail', finding: { features: ['list', 'remains'] } })
  })
})

describe('a created item in a list of pages', () => {
  it('shows', async () => {
    expect(await inList({ rows: 30, writes: true })).toMatchObject({ kind: 'pass' })
  })

  it('must be listed', async () => {
    const verdict = await inList({
      rows: 30,
      writes: true,
      chosen: { topMeaning: 'total' },
      choices: { topMeaning: 'pageSize' },
    })
    expect(verdict).toMatchObject({ kind: 'fail', finding: { features: ['list', 'missing'] } })
  })
})

describe('a search', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** The second case of the rule searches. Waits take no time. */
  async function bySearch(options: Pick<TestSessionOptions, 'mutant' | 'chosen'>): Promise<Verdict | undefined> {
    const found = openTestSession('directory', { ...options, writes: true }).then(async test => {
      const sites = writeShows.sites(test.session).filter(site => {
        return writeShows.cases(site, test.session).planned?.[1]?.variant === 'search'
      })
      return sites[0] && writeShows.check({ variant: 'search' }, sites[0], test.session)
    })
    let isPending = true
    const ended = found.finally(() => {
      isPending = false
    })
    while (isPending) await vi.advanceTimersByTimeAsync(100)
    return ended
  }

  it.each([
    ['finds a new item, and what was changed', undefined, { kind: 'pass' }],
    ['must find a new item', 'new-missing-in-searches', { kind: 'fail', finding: { features: ['search', 'missing'] } }],
    [
      'must find new words',
      'changed-stale-in-searches',
      { kind: 'fail', finding: { features: ['search', 'missing'] } },
    ],
  ])('%s', async (_, mutant, expected) => {
    expect(await bySearch(mutant === undefined ? {} : { mutant })).toMatchObject(expected)
  })
})
