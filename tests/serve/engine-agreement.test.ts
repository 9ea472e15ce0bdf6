import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readData } from '../../reference/data/read-data.js'
import type { EntityRecord } from '../../reference/store/store.js'
import {
  type BothEngines,
  openBoth,
  type RequestOptions,
  type TestResponse,
} from '../../reference/testing/test-service.js'
import { loadSpec } from '../../spec/language/index.js'
import { libraryQueries } from '../fuzz/library-queries.js'
import { randomWrite } from '../fuzz/library-writes.js'
import { mutateQuery } from '../fuzz/mutate-query.js'
import { createRandom } from '../fuzz/random.js'
import { root } from '../root.js'

/** The number of queries to both engines. `npm run soak` sends 100,000. */
const requests = Number(process.env['REQUESTS'] ?? 1_000)
const writes = Math.max(500, Math.ceil(requests / 10))
const seed = Number(process.env['SEED'] ?? 1)
const atOnce = 8

/**
 * An engine may refuse a query whose numbers or timestamps leave its range, because it may evaluate other conditions of the filter than the
 * other engine.
 */
const isOutOfRange = (text: string): boolean => text.includes('is out of the range that the store can compute')

/** Removes entity tags: after a failed write, only one engine reuses its version number. */
const shown = ({ status, text }: TestResponse): string =>
  `${status} ${text.replaceAll(/"@odata\.etag":"[^,]*",/g, '"@odata.etag":"…",')}`

describe('both engines', () => {
  let both: BothEngines
  beforeAll(async () => {
    const { service } = await loadSpec(join(root, 'spec/library.yaml'))
    if (service === undefined) throw new Error('The spec is sound.')
    const records: EntityRecord[] = []
    for await (const record of readData(join(root, 'spec/library.data.yaml'), service)) records.push(record)
    both = await openBoth(service, records)
  })
  afterAll(() => both.stop())

  const statuses = new Map<number, number>()
  const askBoth = async (question: string, request: RequestOptions = {}): Promise<string | undefined> => {
    const path = question.replaceAll(' ', '%20').replaceAll('#', '%23')
    const { sqlite, postgres } = both.services
    const description = `${request.method ?? 'GET'} ${question} ${JSON.stringify(request.body)}`
    try {
      const [one, other] = await Promise.all([sqlite.request(path, request), postgres.request(path, request)])
      statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
      if (shown(one) === shown(other)) return undefined
      if (isOutOfRange(one.text) || isOutOfRange(other.text)) return undefined
      return `${description}\n  sqlite   ${shown(one).slice(0, 400)}\n  postgres ${shown(other).slice(0, 400)}`
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      return `${description}\n  ${String(error).slice(0, 300)}\n  ${String(cause).slice(0, 300)}`
    }
  }

  it('answer valid queries', async () => {
    for (const question of libraryQueries) {
      expect(await askBoth(question), question).toBe(undefined)
      const path = question.replaceAll(' ', '%20')
      expect((await both.services.sqlite.request(path)).status, question).toBe(200)
    }
  })

  it('give identical responses to mutated queries', async () => {
    const random = createRandom(seed)
    const problems: string[] = []
    for (let asked = 0; asked < requests && problems.length < 20; asked += atOnce) {
      const questions = Array.from({ length: atOnce }, () => mutateQuery(random.pick(libraryQueries), random))
      const found = await Promise.all(questions.map(question => askBoth(question)))
      problems.push(...found.filter(problem => problem !== undefined))
    }
    expect(problems).toEqual([])
  })

  it('accept and refuse the same writes, and have the same items afterwards', async () => {
    statuses.clear()
    const random = createRandom(seed)
    const problems: string[] = []
    for (let written = 0; written < writes && problems.length < 20; written++) {
      const { path, ...request } = randomWrite(random)
      const problem = await askBoth(path, request)
      if (problem !== undefined) problems.push(problem)
    }
    expect(problems).toEqual([])
    for (const status of [200, 201, 204, 400, 404, 409]) expect(statuses.get(status), String(status)).toBeGreaterThan(5)
    for (const set of ['books', 'members', 'copies', 'loans']) {
      expect(await askBoth(`/${set}?$count=true&$top=500`), set).toBe(undefined)
    }
  })
})
