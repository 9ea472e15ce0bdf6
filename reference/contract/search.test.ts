import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import { type BothEngines, idsOf, openBoth } from '../testing/test-service.js'

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
  list: { search: { syntax: words, join: [AND, OR, NOT] }, orderby: {}, top: { max: 100 } }
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
