import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadSpec, loadSpecText, type Service } from '../../../spec/language/index.js'
import { createReferenceService } from '../../reference-service.js'
import { readAll, sampleSpec } from '../../testing/data-sample.js'
import { seedLines } from './seed-lines.js'
import { hashOf, parseRowCounts, type RowCounts, randomOf, SeedError } from './seed-rows.js'
import { patternTexts } from './seed-text.js'

function rows(text: string): RowCounts {
  const parsed = parseRowCounts(text)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

const services = new Map<string, Service>()
beforeAll(async () => {
  for (const name of ['directory', 'library', 'starter']) {
    const { service } = await loadSpec(`spec/${name}.yaml`)
    if (service !== undefined) services.set(name, service)
  }
  for (const name of ['northwind', 'trippin']) {
    const { service } = await loadSpec(`tests/import/fixtures/${name}.yaml`)
    if (service !== undefined) services.set(name, service)
  }
  const { service } = loadSpecText(sampleSpec, 'sample.yaml')
  if (service !== undefined) services.set('sample', service)
  const shared = loadSpecText(sharing, 'sharing.yaml').service
  if (shared !== undefined) services.set('sharing', shared)
})

function serviceOf(name: string): Service {
  const service = services.get(name)
  if (service === undefined) throw new Error(`${name} is sound.`)
  return service
}

const modelOf = (resources: string, container: string): string => `
specwright: 1
service: { name: model, namespace: model, version: v1 }
authentication: { scheme: none }
resources:
${resources.replace(/^ {2}/gm, '')}
container: { ${container} }
paths: { ${[...container.matchAll(/(\w+): \{/g)].map(([, name]) => `/${name}: { get: {} }`).join(', ')} }
errors: {}
`

/** Models whose data need care, each with what it has. */
const careful: Readonly<Record<string, string>> = {
  'sibling types with sets of their own': modelOf(
    `
    base: { kind: entityType, abstract: true, key: [id], properties: { id: { type: Int32 } } }
    one: { kind: entityType, base: base }
    two: { kind: entityType, base: base }
    three: { kind: entityType, base: two }`,
    'ones: { entitySet: one }, twos: { entitySet: two }',
  ),
  'a singleton of an abstract type': modelOf(
    `
    root: { kind: entityType, abstract: true, key: [id], properties: { id: { type: Int32 } } }
    leaf: { kind: entityType, base: root, properties: { name: { type: String, nullable: true } } }`,
    'top: { singleton: root }',
  ),
  'a contained relation with a partner': modelOf(
    `
    book: { kind: entityType, key: [id], properties: { id: { type: Int32 } }, navigation: { chapters: { to: chapter, collection: true, contained: true, partner: book } } }
    chapter: { kind: entityType, key: [id], properties: { id: { type: Int32 } }, navigation: { book: { to: book, partner: chapters } } }`,
    'books: { entitySet: book }',
  ),
  'two contained relations of one type': modelOf(
    `
    shelf: { kind: entityType, key: [id], properties: { id: { type: Int32 } }, navigation: { many: { to: part, collection: true, contained: true }, more: { to: part, collection: true, contained: true } } }
    part: { kind: entityType, key: [id], properties: { id: { type: Int32 } } }`,
    'shelves: { entitySet: shelf }',
  ),
  'constraints to properties that are no keys': modelOf(
    `
    flight: { kind: entityType, key: [id], properties: { id: { type: Int32 }, origin: { type: String, nullable: true }, goal: { type: String } }, navigation: { from: { to: port, nullable: true, constraint: { origin: code } }, to: { to: port, nullable: true, constraint: { goal: code } } } }
    port: { kind: entityType, key: [id], properties: { id: { type: Int32 }, code: { type: String } } }`,
    'flights: { entitySet: flight }, ports: { entitySet: port }',
  ),
  'a stream that is required': modelOf(
    '    photo: { kind: entityType, key: [id], properties: { id: { type: Int32 }, content: { type: Stream } } }',
    'photos: { entitySet: photo }',
  ),
  'a required relation to a derived type': modelOf(
    `
    person: { kind: entityType, key: [id], properties: { id: { type: Int32 } }, navigation: { boss: { to: manager, nullable: true } } }
    manager: { kind: entityType, base: person }
    clerk: { kind: entityType, base: person }
    leave: { kind: entityType, key: [id], properties: { id: { type: Int32 } }, navigation: { grantedBy: { to: manager } } }`,
    'people: { entitySet: person }, leaves: { entitySet: leave }',
  ),
  'a relation to itself by its key': modelOf(
    '    person: { kind: entityType, key: [id], properties: { id: { type: Int32 } }, navigation: { self: { to: person, nullable: true, constraint: { id: id } } } }',
    'people: { entitySet: person }',
  ),
}

/** Two sets and a singleton of the same type, and keys whose parts have few values. */
const sharing = `
specwright: 1
service: { name: sharing, title: Sharing, namespace: sharing, version: v1 }
authentication: { scheme: none }
resources:
  thing:
    kind: entityType
    key: [id, size, isNew, day]
    properties: { id: { type: Int32 }, size: { type: size }, isNew: { type: Boolean }, day: { type: Date }, name: { type: String } }
  size: { kind: enumType, members: { small: 0, large: 1 } }
container: { some: { entitySet: thing }, others: { entitySet: thing }, best: { singleton: thing } }
paths: { /some: { get: {} }, /others: { get: {} }, /best: { get: {} } }
errors: {}
`

const names = ['directory', 'library', 'starter', 'sample', 'northwind', 'trippin', 'sharing'] as const
const made = (name: string, text: string, seed = 's'): readonly string[] => [
  ...seedLines(serviceOf(name), { rows: rows(text), seed }),
]

describe('seeded data', () => {
  it.each(names)('of %s fits the model for any seed and number of rows', async name => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 8 }), fc.integer({ min: 1, max: 40 }), async (seed, count) => {
        const { diagnostics } = await readAll(serviceOf(name), made(name, String(count), seed).join('\n'), 'x.jsonl')
        expect(diagnostics).toEqual([])
      }),
      { numRuns: 15 },
    )
  })

  it.each(Object.keys(careful))('with %s is loaded', async what => {
    const { service, diagnostics } = loadSpecText(careful[what] ?? '', 'model.yaml')
    if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
    for (const count of ['3', '7', '25']) {
      const lines = [...seedLines(service, { rows: rows(count), seed: 's' })]
      const read = await readAll(service, lines.join('\n'), 'x.jsonl')
      expect(read.diagnostics).toEqual([])
      const reference = await createReferenceService({ spec: service, store: 'sqlite::memory:' })
      await reference.load(read.items)
      for (const { name } of service.container) {
        const response = await reference.fetch(new Request(`http://service.test/v1/${name}`))
        expect(response.status).toBe(200)
      }
      await reference.close()
    }
  })

  it.each(names)('of %s is the same for the same seed, and different for another', name => {
    expect(made(name, '20', 'a')).toEqual(made(name, '20', 'a'))
    expect(made(name, '20', 'a')).not.toEqual(made(name, '20', 'b'))
  })

  it('starts with the same items for any number of rows', () => {
    const users = (text: string) => made('directory', text).slice(0, 5)
    expect(users('50,groups=7')).toEqual(users('5,groups=7'))
  })

  it('has the requested number of items, in sets and inside items', async () => {
    const lines = made('directory', '12,groups=3,users/messages=4,users/messages/attachments=2')
    const { items } = await readAll(serviceOf('directory'), lines.join('\n'), 'x.jsonl')
    const users = items.filter(({ type }) => type === 'user')
    expect([users.length, items.filter(({ type }) => type === 'group').length]).toEqual([12, 3])
    const messages = users.flatMap(user => user.contained?.['messages'] ?? [])
    expect(messages).toHaveLength(48)
    for (const message of messages) expect(message.contained?.['attachments']).toHaveLength(2)
  })

  it('covers all variants of data', async () => {
    const { items } = await readAll(serviceOf('library'), made('library', '60').join('\n'), 'x.jsonl')
    const seen = new Set<string>()
    for (const { type, properties, links } of items) {
      seen.add(type)
      for (const [name, value] of Object.entries(properties)) {
        seen.add(`${type}.${name}`)
        if (value === null) seen.add(`${type}.${name} null`)
      }
      for (const name of Object.keys(links ?? {})) seen.add(`${type}.${name}`)
    }
    for (const what of [
      'audiobook',
      'audiobook.playingTime',
      'book.genres',
      'book.subtitle null',
      'book.prequel',
      'author.books',
      'member.favourites',
      'copy.book',
      'loan.member',
      'branch.floorPlan',
      'branch.parent',
      'lendingRules.finePerDay',
    ]) {
      expect(seen).toContain(what)
    }
  })

  it.each<[rule: string, name: string, text: string, message: string]>([
    ['an unknown name', 'directory', '1,user=2', 'Cannot generate rows for "user". Did you mean "users"?'],
    [
      'a set whose types have sets of their own',
      'directory',
      '1,directoryObjects=2',
      'Cannot generate rows for "directoryObjects". Expected one of users, groups, users/messages',
    ],
    [
      'a required relation without targets',
      'library',
      '1,members=0',
      'A loan needs a member as its member, but the data has no member. Request rows of member, or no rows of loan.',
    ],
    [
      'a key that belongs to others',
      'library',
      '1,books=0',
      'The key of a copy refers to a book. Request rows of book as well.',
    ],
  ])('is refused: %s', (_rule, name, text, message) => {
    expect(() => made(name, text)).toThrow(SeedError)
    expect(() => made(name, text)).toThrow(message)
  })
})

describe('row counts', () => {
  it.each<[text: string, parsed: unknown]>([
    ['10', { default: 10, exceptions: new Map() }],
    ['0', { default: 0, exceptions: new Map() }],
    [
      '10,a=2, b/c=3',
      {
        default: 10,
        exceptions: new Map([
          ['a', 2],
          ['b/c', 3],
        ]),
      },
    ],
    ['', '"" is not a number. Expected N or NAME=N.'],
    ['ten', '"ten" is not a number. Expected N or NAME=N.'],
    ['-1', '"-1" is not a number. Expected N or NAME=N.'],
    ['1,a=b', '"a=b" is not a number. Expected N or NAME=N.'],
    ['1,a=1=2', '"a=1=2" is not a number. Expected N or NAME=N.'],
    ['a=1', 'Expected the number of rows for all sets, such as 1000,groups=10.'],
  ])('%j', (text, parsed) => {
    expect(parseRowCounts(text)).toEqual(parsed)
  })
})

describe('texts of a pattern', () => {
  it.each<[pattern: string, least: number, most: number, count: number]>([
    ['^[0-9]{8}$', 8, 8, 10 ** 8],
    ['^97[89][0-9]{10}$', 0, 13, 2 * 10 ** 10],
    ['^[A-Z]{2}$', 2, 2, 26 ** 2],
    ['^[A-Z0-9]+$', 2, 8, 36 ** 6],
    ['^\\+?[0-9 ]+$', 0, 20, 10 ** 6],
    ["^[!#-'*+\\-/0-9=?A-Z^-~]+$", 1, 64, 36 ** 6],
    ['^(?:red|green)-\\d{2}$', 0, 9, 100],
    ['x', 0, 9, 1],
  ])('%s: %i to %i characters, a different text for each number', (pattern, least, most, count) => {
    const texts = patternTexts(pattern, least, most)
    expect(texts?.count).toBe(count)
    const some = Array.from({ length: Math.min(count, 500) }, (_, index) => texts?.text(index) ?? '')
    expect(new Set(some).size).toBe(some.length)
    for (const text of some) {
      expect(text).toMatch(new RegExp(pattern, 'u'))
      expect(text.length).toBeGreaterThanOrEqual(least)
      expect(text.length).toBeLessThanOrEqual(most)
    }
  })

  it.each(['^(?=a)b$', '^[äöü]+$', '^a{9}$', '^(a)\\1$'])('%s: none are found', pattern => {
    expect(patternTexts(pattern, 0, 5)).toBeUndefined()
  })
})

describe('pseudorandom numbers', () => {
  it('are the same on every machine', () => {
    const { below } = randomOf('seed/users/7')
    expect([below(100), below(100), below(100), hashOf('users')]).toMatchInlineSnapshot(`
      [
        43,
        4,
        52,
        153813894,
      ]
    `)
  })

  it('are evenly distributed', () => {
    const { below } = randomOf('even')
    const counts = Array.from({ length: 10 }, () => 0)
    for (let draw = 0; draw < 10_000; draw++) {
      const number = below(10)
      counts[number] = (counts[number] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })
})
