import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleService } from '../testing/sample-service.js'
import { type BothEngines, idsOf, openBoth } from '../testing/test-service.js'

/** Texts with a meaning in URLs, patterns, SQL or JSON, or that engines order and fold differently. */
const texts = [
  "O'Neil",
  "''",
  '100%',
  '%41',
  'a_b',
  'a\\b',
  'a\\',
  'a+b',
  'a b',
  'a&b=c',
  'a#b',
  'a?b',
  'a/b',
  'a;b',
  'a,b',
  '(a)',
  '"q"',
  '$filter',
  '@x',
  '*',
  '[a-z]',
  '\t',
  'straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'Ελλάς',
  'ΕΛΛΆΣ',
  'e\u0301',
  '\u00e9',
  '\u00c9',
  'ǅ',
  'ﬃ',
  'Ა',
  'ა',
  '\uffee',
  '\uffff',
  '\u{10000}',
  '\u{10400}',
  '\u{10428}',
  '😀',
  '👩‍👩‍👧',
  '\u{10ffff}',
] as const

const idOf = (index: number): string => `t${String(index).padStart(2, '0')}`
const records = texts.map((text, index) => {
  return {
    type: 'sample',
    properties: { id: idOf(index), name: text, note: text, part: { label: text }, tags: [text] },
  }
})
const idsWhere = (holds: (text: string) => boolean): readonly string[] =>
  texts.flatMap((text, index) => (holds(text) ? [idOf(index)] : []))

/** The position in characters, which lengths and positions count. */
const positionOf = (text: string, part: string): number => {
  const position = text.indexOf(part)
  return position < 0 ? -1 : [...text.slice(0, position)].length
}
const byCodePoints = (left: string, right: string): number => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return Buffer.compare(a, b)
}

/** How to encode a query: as clients do, or as little as a URL allows. */
const encodings: readonly (readonly [name: string, encode: (text: string) => string])[] = [
  ['all of it encoded', encodeURIComponent],
  [
    'only what must be encoded',
    text => encodeURI(text).replaceAll('#', '%23').replaceAll('&', '%26').replaceAll('+', '%2B'),
  ],
]

describe('texts', () => {
  let both: BothEngines
  beforeAll(async () => {
    both = await openBoth(sampleService(), records)
  })
  afterAll(() => both.stop())

  const answer = async (query: string): Promise<readonly unknown[]> => {
    const response = await both.services.sqlite.request(query)
    expect(response.status, `${query} ${response.text}`).toBe(200)
    expect((await both.services.postgres.request(query)).text, query).toBe(response.text)
    return idsOf(response)
  }
  const found = (filter: string, encode: (text: string) => string = encodeURIComponent) =>
    answer(`/samples?$select=id&$top=100&$filter=${encode(filter)}`)

  it.each(texts)('%j is found by its value, its content, its start and its end, and by nothing else', async text => {
    const quoted = `'${text.replaceAll("'", "''")}'`
    const cases: readonly (readonly [filter: string, holds: (other: string) => boolean])[] = [
      [`note eq ${quoted}`, other => other === text],
      [`part/label eq ${quoted}`, other => other === text],
      [`note ne ${quoted}`, other => other !== text],
      [`note in (${quoted},'x')`, other => other === text],
      [`tags/any(t:t eq ${quoted})`, other => other === text],
      [`contains(note,${quoted})`, other => other.includes(text)],
      [`startswith(note,${quoted})`, other => other.startsWith(text)],
      [`startswith(part/label,${quoted})`, other => other.startsWith(text)],
      [`endswith(note,${quoted})`, other => other.endsWith(text)],
      [`indexof(note,${quoted}) eq 0`, other => positionOf(other, text) === 0],
      [`indexof(note,${quoted}) eq 1`, other => positionOf(other, text) === 1],
      [`length(note) eq length(${quoted})`, other => [...other].length === [...text].length],
      [`tolower(note) eq tolower(${quoted})`, other => other.toLowerCase() === text.toLowerCase()],
      [`toupper(note) eq toupper(${quoted})`, other => other.toUpperCase() === text.toUpperCase()],
      [`concat(note,${quoted}) eq concat(${quoted},note)`, other => other + text === text + other],
      [`note gt ${quoted}`, other => byCodePoints(other, text) > 0],
      [`note le ${quoted}`, other => byCodePoints(other, text) <= 0],
    ]
    for (const [filter, holds] of cases) expect(await found(filter), filter).toEqual(idsWhere(holds))
  })

  it.each(encodings)('with %s, each is found', async (_name, encode) => {
    for (const text of texts) {
      expect(await found(`note eq '${text.replaceAll("'", "''")}'`, encode), text).toEqual(
        idsWhere(other => other === text),
      )
    }
  })

  it.each(['note', 'name', 'part/label'])('of %s are ordered by code points', async path => {
    const wanted = [...texts].sort(byCodePoints).map(text => idOf(texts.indexOf(text)))
    expect(await answer(`/samples?$select=id&$top=100&$orderby=${path}`)).toEqual(wanted)
    expect(await answer(`/samples?$select=id&$top=100&$orderby=${path} desc`)).toEqual(wanted.toReversed())
  })
})

/** The same instant in different notations. */
const sameInstant = [
  '2024-02-29T23:59:59.5Z',
  '2024-02-29T23:59:59.500Z',
  '2024-02-29T23:59:59.500000000000Z',
  '2024-03-01T01:29:59.5+01:30',
  '2024-02-29T18:29:59.50-05:30',
  '2024-02-29t23:59:59.5z',
]
/** Different instants in ascending order. */
const instants = [
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  '1970-01-01T00:00:00.000000000001Z',
  '2024-02-29T23:59:59Z',
  '2024-02-29T23:59:59.4999999Z',
  '2024-02-29T23:59:59.5Z',
  '2024-03-01T00:00:00.0001+00:00',
  '2024-02-29T23:00:01-01:00',
  '9999-12-31T23:59:59.999999999999Z',
]

describe('instants', () => {
  let both: BothEngines
  const records = instants.map((moment, index) => {
    return { type: 'sample', properties: { id: `i${index}`, name: 'n', moment, part: { made: moment } } }
  })
  beforeAll(async () => {
    both = await openBoth(sampleService(), records)
  })
  afterAll(() => both.stop())

  const found = async (options: string): Promise<readonly unknown[]> => {
    const query = `/samples?$select=id&$top=100&${options}`
    const response = await both.services.sqlite.request(query)
    expect(response.status, `${query} ${response.text}`).toBe(200)
    expect((await both.services.postgres.request(query)).text, query).toBe(response.text)
    return idsOf(response)
  }

  it.each(sameInstant)('%s is found in each of its notations', async moment => {
    for (const path of ['moment', 'part/made']) {
      expect(await found(`$filter=${encodeURIComponent(`${path} eq ${moment}`)}`)).toEqual(['i6'])
      expect(await found(`$filter=${encodeURIComponent(`${path} lt ${moment}`)}`)).toEqual([
        'i0',
        'i1',
        'i2',
        'i3',
        'i4',
        'i5',
      ])
    }
  })

  it.each(instants)('%s sorts in its place', async moment => {
    const place = instants.indexOf(moment)
    const ids = instants.map((_, index) => `i${index}`)
    for (const path of ['moment', 'part/made']) {
      expect(await found(`$filter=${encodeURIComponent(`${path} ge ${moment}`)}`)).toEqual(ids.slice(place))
      expect(await found(`$filter=${encodeURIComponent(`${path} lt ${moment}`)}`)).toEqual(ids.slice(0, place))
    }
  })

  it.each(['moment', 'part/made'])('of %s are ordered by time', async path => {
    expect(await found(`$orderby=${path}`)).toEqual(instants.map((_, index) => `i${index}`))
  })

  it.each(sameInstant)('%s is returned in one notation', async moment => {
    for (const service of Object.values(both.services)) {
      const body = { id: 'new', name: 'n', moment, part: { made: moment } }
      const created = await service.request('/samples', { method: 'POST', body })
      expect(created.status, created.text).toBe(201)
      expect(created.text).toContain('"moment":"2024-02-29T23:59:59.5Z"')
      expect(created.text).toContain('"made":"2024-02-29T23:59:59.5Z"')
      expect((await service.request('/samples/new', { method: 'DELETE' })).status).toBe(204)
    }
  })
})

/** All characters outside ASCII with a letter case, with spaces between them, so that none changes another one. */
function textsWithCase(): readonly string[] {
  const characters: string[] = []
  for (let code = 0x80; code <= 0x1_ff_ff; code++) {
    const character = String.fromCodePoint(code)
    if (character.toLowerCase() !== character || character.toUpperCase() !== character) characters.push(character)
  }
  const size = 60
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(' '),
  )
}

describe('the letter case of all characters', () => {
  it.each(['sqlite', 'postgres'] as const)('is that of JavaScript on %s', async engine => {
    const all = textsWithCase()
    const both = await openBoth(
      sampleService(),
      all.map((text, index) => ({
        type: 'sample',
        properties: { id: String(index), name: String(index), note: text },
      })),
    )
    for (const [index, text] of all.entries()) {
      for (const [name, folded] of [
        ['tolower', text.toLowerCase()],
        ['toupper', text.toUpperCase()],
      ]) {
        const filter = encodeURIComponent(`id eq '${index}' and ${name}(note) eq '${folded}'`)
        const response = await both.services[engine].request(`/samples?$select=id&$filter=${filter}`)
        expect(idsOf(response), `${name} of ${text}`).toEqual([String(index)])
      }
    }
    await both.stop()
  })
})
