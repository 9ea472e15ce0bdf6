import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import { collectionPlan, queryContext, scopeOf } from '../../sql/index.js'
import { openStore } from '../store/open-store.js'
import { loadRecords } from '../store/write/load-records.js'
import { type BothEngines, idsOf, linkOf, openBoth } from '../testing/test-service.js'

const spec = (limits: string): string => `specwright: 1
service: { name: notes, version: v1 }
resources:
  note:
    kind: entityType
    key: [id]
    properties:
      id: { type: String }
      text: { type: String, search: words }
      title: { type: String, nullable: true, search: words }
container: { notes: { entitySet: note } }
queryOptions:
  list: { search: { syntax: words, join: [AND, OR, NOT] }, orderby: {}, top: { max: 1000 } }
paths:
  /notes: { get: { returns: collection, query: list } }
errors: {}
${limits}
`

/** Two words in long texts: nearly every word of a phrase occurs nearly everywhere. */
const texts = Array.from({ length: 24 }, (_, index) =>
  Array.from({ length: 80 }, (_, place) => ((place * (index + 3)) % 7 < 3 ? 'a' : 'b')).join(' '),
)

const hasPhrase = (text: string, words: readonly string[]): boolean => ` ${text} `.includes(` ${words.join(' ')} `)

describe('a search for a phrase', () => {
  let both: BothEngines
  beforeAll(async () => {
    const records = texts.map((text, index) => ({
      type: 'note',
      properties: { id: `n${index}`, text, title: index % 2 === 0 ? null : text.slice(0, 40) },
    }))
    both = await openBoth(await loadValid(spec('limits: { searchWords: 150 }')), records)
  })
  afterAll(() => both.stop())

  const found = async (words: readonly string[]): Promise<unknown> => {
    const path = `/notes?$orderby=id&$search=${encodeURIComponent(`"${words.join(' ')}"`)}`
    const [sqlite, postgres] = [await both.services.sqlite.request(path), await both.services.postgres.request(path)]
    expect([postgres.status, postgres.text]).toEqual([sqlite.status, sqlite.text])
    return idsOf(sqlite)
  }
  const expected = (words: readonly string[]): readonly string[] =>
    texts.flatMap((text, index) => (hasPhrase(text, words) ? [`n${index}`] : [])).sort()

  it('returns the items with these words next to each other, on both engines', async () => {
    const phrase = fc.oneof(
      fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 9 }),
      fc
        .tuple(fc.nat(23), fc.nat(60), fc.integer({ min: 1, max: 80 }))
        .map(([text, start, length]) => texts[text]?.split(' ').slice(start, start + length) ?? []),
    )
    await fc.assert(
      fc.asyncProperty(phrase, async words => {
        expect(await found(words)).toEqual(expected(words))
      }),
      { numRuns: 60 },
    )
  })

  it.each([70, 150])('of %i words has an answer on both engines', async count => {
    const words = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 'a' : 'b'))
    expect(await found(words)).toEqual(expected(words))
  })

  it('of too many words is refused, with the name of the limit', async () => {
    const path = `/notes?$search=${encodeURIComponent(`"${'a '.repeat(151)}"`)}`
    const { status, text } = await both.services.sqlite.request(path)
    expect([status, text]).toEqual([501, expect.stringContaining('151 words, but the limit searchWords is 150.')])
  })
})

describe('a search for a word that most items have', () => {
  /** So many that a page is read in order. */
  const count = 700
  const wordsOf = (index: number): readonly string[] => [
    'all',
    `w${index % 3}`,
    index % 50 === 0 ? 'few' : 'x',
    `r${index}`,
  ]
  const ids = Array.from({ length: count }, (_, index) => `n${String(index).padStart(3, '0')}`)
  let both: BothEngines
  beforeAll(async () => {
    const records = ids.map((id, index) => {
      const [first, ...others] = wordsOf(index)
      return { type: 'note', properties: { id, text: others.join(' '), title: index % 10 === 0 ? null : first } }
    })
    both = await openBoth(await loadValid(spec('')), records)
  })
  afterAll(() => both.stop())

  interface Term {
    readonly text: string
    readonly holds: (index: number) => boolean
  }
  const word = (name: string): Term => ({
    text: name,
    holds: index => wordsOf(index).includes(name) && (name !== 'all' || index % 10 !== 0),
  })
  const term = fc.constantFrom(...['all', 'w0', 'w1', 'x', 'few', 'r7', 'none'].map(word))
  const search = fc.oneof(
    term,
    fc.tuple(term, term).map(
      ([a, b]): Term => ({
        text: `${a.text} AND ${b.text}`,
        holds: index => a.holds(index) && b.holds(index),
      }),
    ),
    fc.tuple(term, term).map(
      ([a, b]): Term => ({
        text: `${a.text} OR ${b.text}`,
        holds: index => a.holds(index) || b.holds(index),
      }),
    ),
    fc.tuple(term, term).map(
      ([a, b]): Term => ({
        text: `${a.text} AND NOT ${b.text}`,
        holds: index => a.holds(index) && !b.holds(index),
      }),
    ),
    fc.constant<Term>({ text: '"w0 x"', holds: index => index % 3 === 0 && index % 50 !== 0 }),
  )

  it('returns the same items, on all pages and in any order, on both engines', async () => {
    await fc.assert(
      fc.asyncProperty(search, fc.boolean(), async ({ text, holds }, isDescending) => {
        const order = isDescending ? 'id desc' : 'id'
        const found: unknown[] = []
        let path: string | undefined = `/notes?$orderby=${order}&$search=${encodeURIComponent(text)}`
        while (path !== undefined) {
          const page = await both.services.sqlite.request(path, { headers: { prefer: 'maxpagesize=300' } })
          found.push(...idsOf(page))
          path = linkOf(page, 'nextLink')
        }
        const expected = ids.filter((_, index) => holds(index))
        expect(found).toEqual(isDescending ? expected.toReversed() : expected)
        const first = `/notes?$orderby=${order}&$top=100&$search=${encodeURIComponent(text)}`
        const sqlite = await both.services.sqlite.request(first)
        expect((await both.services.postgres.request(first)).text).toBe(sqlite.text)
      }),
      { numRuns: 30 },
    )
  })
})

describe('on SQLite, a page of items', () => {
  const open = async (text: string) => {
    const statements: string[] = []
    const store = await openStore({ spec: await loadValid(spec('')), store: 'sqlite::memory:' })
    await loadRecords(
      store,
      Array.from({ length: 600 }, (_, index) => ({
        type: 'note',
        properties: { id: `n${index}`, text: `${text} r${index}` },
      })),
    )
    const read = store.engine.read
    const noting: typeof read = work =>
      read(session =>
        work({
          ...session,
          all: (statement, values) => {
            statements.push(statement.sql)
            return session.all(statement, values)
          },
        }),
      )
    return { store: { ...store, engine: { ...store.engine, read: noting } }, statements }
  }

  it.each([
    ['a common word', 'all', true],
    ['a rare word', 'r7', false],
  ])('with %s is read in the way that reads fewer rows', async (_, sought, isInOrder) => {
    const { store, statements } = await open('all')
    const route = store.table.routes.find(({ kind }) => kind === 'collection')
    const scope = route === undefined ? undefined : scopeOf(route, store)
    if (scope === undefined) throw new Error('There is no collection.')
    const plan = collectionPlan(
      scope,
      {
        options: { search: { kind: 'term', text: sought } },
        context: queryContext(undefined),
        searchedProperties: [],
      },
      store,
    )
    const { items } = await store.engine.read(session =>
      plan.page(session, {}, { after: undefined, skip: 0, limit: 1, bytes: undefined }),
    )
    expect(items).toHaveLength(1)
    expect(statements.at(-1)?.includes('EXISTS')).toBe(isInOrder)
    await store.engine.close()
  })
})
