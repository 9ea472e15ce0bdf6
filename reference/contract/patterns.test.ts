import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateFilter, parseFilter } from '../../runtime/query/index.js'
import { loadSpecText } from '../../spec/language/index.js'
import { type BothEngines, idsOf, openBoth } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: words, title: Words, namespace: words, version: v1 }
authentication: { scheme: none }
resources:
  word:
    kind: entityType
    key: [id]
    properties:
      id: { type: Int32 }
      text: { type: String, nullable: true }
      pattern: { type: String, nullable: true }
      others: { type: String, collection: true }
    navigation:
      next: { to: word, nullable: true }
      all: { to: word, collection: true }
container:
  words: { entitySet: word }
operations:
  matching:
    kind: function
    binding: word
    parameters: { pattern: { type: String } }
    returns: { type: word, collection: true }
    meaning: { of: all, filter: "matchesPattern(text,@pattern)", orderby: id }
queryOptions:
  words.list:
    select: true
    filter:
      operators: [eq, ne, and, or, not]
      functions: [matchespattern, tolower, concat]
      lambdas: [any, all]
      properties: { next: true }
    orderby: true
    top: { default: 100, max: 1000, above: clamp }
paths:
  /words: { get: { returns: collection, query: words.list } }
  /words/{id}/matching(pattern={pattern}): { get: { calls: matching } }
errors:
  notFound: { status: 404, code: not-found, message: There is no such item. }
`

const { service, diagnostics } = loadSpecText(spec, 'words.yaml')
if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
const found = service

/**
 * Texts that distinguish classes, anchors and boundaries: line ends, all kinds of spaces, letters inside and outside ASCII,
 * and surrogate pairs.
 */
const texts = [
  null,
  ...['', 'a', 'b', 'ab', 'ba', 'aab', 'abab', 'A', 'AB', 'a b', ' a', 'a ', 'a-b', 'a_b', 'a1', '1', '٣', '²'],
  ...['\n', 'a\n', '\na', 'a\nb', '\r', '\u2028', '\u0085', '\t', '\v', '\u00a0', '\ufeff', '\u180e', '\u3000'],
  ...['ä', 'Ä', 'äa', 'a\u0308', 'ß', 'İ', 'ı', 'K', 'ſ', 'ǅ', '漢字', '😀', 'a😀b', '😀😀', '\u{10ffff}', '\ufffd'],
  ...['.', '\\', '[', ']', '^', '$', '*', '***', '(?i)a', 'x{2}', '-', '/', '|', "O'Neil", '%', '\u0001', '\u0008'],
  ...['a'.repeat(600), `${'a'.repeat(600)}b`],
]
const rows = texts.map((text, id) => ({
  id,
  text,
  pattern: 'a',
  others: texts.slice(id, id + 2).filter(other => other !== null),
}))

const patterns = [
  ...['', '^', '$', '^$', '^a', 'a$', '^a$', 'a', 'A', 'ab|ba', '^(?:ab|ba)$', '(a)(b)', '(?<x>a)b', '|a', '^(|a)$'],
  ...['a*', '^a*$', 'a+?b', '^a??b', '^a{2}b', '^a{2,}b', '^a{0}b', '^(?:a|b){2,3}$', '^a{600}$', '^a{256,}b$'],
  ...['^a{0,255}$', '^a{0,700}b?$', '^(?:a{100}){6}$', '^(a*)*$', '^(?:^)*a', '(?:\\b)*b', '^(?:a?){3}a$'],
  ...['.', '^.$', '^..$', '^[^]$', '[]', 'a[]|b', '^[^a]$', '[ab]', '^[a-b]+$', '[\\]]', '[\\[]', '[\\^-]', '[a\\-b]'],
  ...['^\\d$', '\\D', '^\\w+$', '^\\W$', '^\\s$', '^\\S+$', '[\\d_]', '[^\\w\\s]', '[\\W]', '[\\S\\s]', '^[\\D]$'],
  ...['\\bb', 'a\\b', '\\Bb', '\\B', '^\\b', '\\b$', '\\b-\\b'],
  ...[
    '\\.',
    '\\\\',
    '\\/',
    '\\*{3}',
    '\\(\\?i\\)',
    'x\\{2\\}',
    '\\n',
    '\\r',
    '\\t',
    '\\v',
    '\\f',
    '\\cA',
    '\\x41',
    '\\u0041',
  ],
  ...['[\\b]', '\\0', '[\\0-\\x1f]', '\\u{1F600}', '\\uD83D\\uDE00', '[\\uD83D\\uDE00]', '^\\u{1F600}{2}$', '[😀-😂]'],
  ...['\\uD83D', '[\\uD800-\\uDFFF]', '[^\\uD83D]', '\\u{10FFFF}', '[\\u{10000}-\\u{10FFFF}]', '😀?b', '^😀+$'],
  ...[
    '\\p{L}',
    '^\\p{Lu}',
    '\\P{L}',
    '^\\P{L}$',
    '\\p{Script=Greek}',
    '\\p{Nd}',
    '[\\p{Lu}\\d]',
    '[^\\p{L}]',
    '\\p{M}',
  ],
  ...[
    '\\p{Emoji}',
    '\\p{Cs}',
    '\\P{Cs}',
    '\\p{Any}',
    '\\p{ASCII}',
    '\\p{White_Space}',
    'ä',
    'Ä',
    '[ä]',
    'K',
    'ß',
    'ss',
  ],
]

const scripts = [
  ...['Latin', 'Greek', 'Cyrillic', 'Han', 'Arabic', 'Hebrew', 'Thai', 'Lao', 'Tibetan', 'Khmer', 'Mongolian'],
  ...['Hiragana', 'Katakana', 'Hangul', 'Armenian', 'Georgian', 'Bengali', 'Tamil', 'Telugu', 'Kannada', 'Sinhala'],
]

describe('matchesPattern', () => {
  let both: BothEngines
  beforeAll(async () => {
    const all = rows.map(({ id }) => [id] as const)
    both = await openBoth(
      found,
      rows.map(properties => ({ type: 'word', properties, links: properties.id === 0 ? { next: [[1]], all } : {} })),
    )
  })
  afterAll(() => both.stop())

  const request = async (path: string) => {
    const [sqlite, postgres] = [await both.services.sqlite.request(path), await both.services.postgres.request(path)]
    expect(postgres.text, path).toBe(sqlite.text)
    return sqlite
  }
  const filtered = (filter: string) => request(`/words?$select=id&$orderby=id&$filter=${encodeURIComponent(filter)}`)
  const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

  /** Requests the texts that match and those that do not. For null, neither is true. */
  const agreed = async (pattern: string, mayBeTooLarge = false): Promise<void> => {
    for (const filter of [`matchesPattern(text,${literal(pattern)})`, `not matchesPattern(text,${literal(pattern)})`]) {
      const response = await filtered(filter)
      fc.pre(!mayBeTooLarge || !response.text.includes('too large for the store'))
      expect(response.status, `${filter} ${response.text}`).toBe(200)
      const wanted = rows.filter(row => evaluateFilter(parseFilter(filter), row))
      expect(
        idsOf(response).map(id => texts[Number(id)]),
        filter,
      ).toEqual(wanted.map(({ text }) => text))
    }
  }

  it.each(patterns)('agrees with the evaluator: %j', async pattern => {
    await agreed(pattern)
  })

  it('agrees with the evaluator for any pattern', async () => {
    const atom = fc.constantFrom(
      ...[
        'a',
        'b',
        '😀',
        '.',
        '[ab]',
        '[^a]',
        '\\w',
        '\\s',
        '\\d',
        '\\p{L}',
        '[\\n-a]',
        '[^\\s😀]',
        '-',
        '\\n',
        '^',
        '$',
      ],
      ...['\\b', '\\B'],
    )
    const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0}', '{2,}', '*?', '+?', '??')
    const { pattern } = fc.letrec<{ pattern: string; part: string }>(tie => ({
      part: fc.oneof(
        { maxDepth: 3 },
        atom,
        fc
          .tuple(fc.constantFrom('(?:', '(', '(?<n>'), tie('pattern'), quantifier)
          .map(([open, inner, count]) => `${open === '(?<n>' && inner.includes('<n>') ? '(' : open}${inner})${count}`),
        fc
          .tuple(
            atom.filter(source => !/^(?:\^|\$|\\[bB])$/.test(source)),
            quantifier,
          )
          .map(([source, count]) => source + count),
      ),
      pattern: fc
        .array(fc.array(tie('part'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
        .map(ways => ways.map(parts => parts.join('')).join('|')),
    }))
    const isValid = (source: string): boolean => {
      try {
        return new RegExp(source, 'u').source !== ''
      } catch {
        return false
      }
    }
    await fc.assert(
      fc.asyncProperty(pattern.filter(isValid), source => agreed(source, true)),
      { numRuns: Number(process.env['RUNS'] ?? 75) },
    )
  })

  it.each<[filter: string, ids: readonly number[]]>([
    ["matchesPattern('ab','^a')", rows.map(({ id }) => id)],
    ["matchesPattern(null,'^a')", []],
    ['matchesPattern(text,null)', []],
    ["matchesPattern(text,'^x') eq null", [0]],
    ["matchesPattern(tolower(text),'^ab$') and not matchesPattern(text,'^ab$')", [texts.indexOf('AB')]],
    ["matchesPattern(next/text,'^$')", [0]],
    ["matchesPattern(concat('x',text),'^xab$')", [4]],
  ])('can be combined like any condition: %s', async (filter, ids) => {
    expect(idsOf(await filtered(filter))).toEqual(ids)
  })

  it('works on collections', async () => {
    const filter = "others/any(o:matchesPattern(o,'^.b$')) and not others/all(o:matchesPattern(o,'^a'))"
    const wanted = rows.filter(row => evaluateFilter(parseFilter(filter), row)).map(({ id }) => id)
    expect(wanted.length).toBeGreaterThan(0)
    expect(idsOf(await filtered(filter))).toEqual(wanted)
  })

  it('accepts a pattern from a parameter alias', async () => {
    const response = await request(
      `/words?$select=id&$filter=matchesPattern(text,@p)&@p=${encodeURIComponent("'^ab$'")}`,
    )
    expect(idsOf(response)).toEqual([4])
  })

  it.each<[pattern: string, status: number, ids?: readonly number[]]>([
    ['^ab$', 200, [4]],
    ['^😀+$', 200, [texts.indexOf('😀'), texts.indexOf('😀😀')]],
    ['(', 400],
    ['(a)\\1', 501],
  ])('accepts a pattern from a parameter of an operation: %s', async (pattern, status, ids) => {
    const response = await request(`/words/0/matching(pattern='${encodeURIComponent(pattern)}')`)
    expect(response.status, response.text).toBe(status)
    if (ids !== undefined) expect(idsOf(response)).toEqual(ids)
  })

  it.each(['(', '[', 'a**', '\\', 'a{2,1}', '[b-a]', '\\p{Nope}', '\\u{110000}', '(?<n>a)(?<n>b)', '{', '\\-', 'a: ('])(
    'answers 400 for %j, which is not a pattern',
    async pattern => {
      const response = await filtered(`matchesPattern(text,${literal(pattern)})`)
      expect([response.status, response.text]).toEqual([
        400,
        expect.stringContaining('not an ECMAScript regular expression'),
      ])
    },
  )

  it.each<[what: string, filter: string]>([
    ['a pattern of the item', 'matchesPattern(text,pattern)'],
    ['a pattern that is worked out', "matchesPattern(text,concat('a','b'))"],
    ['looking ahead', "matchesPattern(text,'a(?=b)')"],
    ['looking behind', "matchesPattern(text,'(?<!b)a')"],
    ['referring back', "matchesPattern(text,'(a)\\1')"],
    ['more repeated parts than can be matched', "matchesPattern(text,'(?:a{99}){99}')"],
    ['many optional parts', "matchesPattern(text,'(?:a?){1000}')"],
    ['many assertions in repeated parts', "matchesPattern(text,'(?:\\ba?\\B){50}')"],
    ['many properties of characters', `matchesPattern(text,'${scripts.map(name => `\\p{Script=${name}}`).join('')}')`],
    ['many classes', `matchesPattern(text,'${'\\p{L}'.repeat(100)}')`],
    ['many different classes in repeated parts', `matchesPattern(text,'(?:${'a?b?c?d?e?'}){60}')`],
  ])('answers 501 for %s', async (_, filter) => {
    const response = await filtered(filter)
    expect(response.status, response.text).toBe(501)
  })

  it.each(['(a+)+$', '^(a|a)*$', '(a*)*c', '(a|aa)+$', '(.*)*x', '^(?:\\w+\\s?)*$'])(
    'takes linear time where backtracking would never end: %s',
    async pattern => {
      await agreed(pattern)
    },
  )
})

describe('a pattern that takes more steps than the limit', () => {
  const limits = 'limits: { patternSteps: 20000 }'
  let seed = 1
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed
  }
  const text = Array.from({ length: 60_000 }, () => (random() % 2 === 0 ? 'a' : 'b')).join('')
  let both: BothEngines
  beforeAll(async () => {
    const { service: limited } = loadSpecText(`${spec}${limits}\n`, 'words.yaml')
    if (limited === undefined) throw new Error('The spec with limits has errors.')
    both = await openBoth(limited, [{ type: 'word', properties: { id: 1, text, pattern: null, others: [] } }])
  })
  afterAll(() => both.stop())

  it.each<[what: string, path: string]>([
    ['in a filter', "/words?$filter=matchesPattern(text,'a[ab]{300}c')"],
    ['in a filter of items', "/words?$filter=matchesPattern(text,'a[ab]{300}c') or others/any(o:o eq 'x')"],
  ])('is refused with the name of the limit: %s', async (_, path) => {
    for (const { request } of Object.values(both.services)) {
      const response = await request(path)
      const reason = expect.stringContaining('takes more steps than the limit patternSteps, which is 20000.')
      expect([response.status, response.text]).toEqual([501, reason])
    }
  })

  it('leaves the others their answers', async () => {
    for (const { request } of Object.values(both.services)) {
      const [slow, ...others] = await Promise.all([
        request("/words?$filter=matchesPattern(text,'a[ab]{300}c')"),
        ...Array.from({ length: 20 }, () => request('/words?$select=id')),
      ])
      expect(slow.status).toBe(501)
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
    }
  })
})
