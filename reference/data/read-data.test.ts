import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { loadSpec, loadSpecText, type Service } from '../../spec/language/index.js'
import type { EntityRecord } from '../store/store.js'
import { readAll, readFrom, sampleSpec } from '../testing/data-sample.js'

function sample(): Service {
  const { service, diagnostics } = loadSpecText(sampleSpec, 's.yaml')
  if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return service
}

const service = sample()

/** A record as plain data, without empty members. */
function plain({ type, properties, links = {}, contained = {}, singleton }: EntityRecord): unknown {
  const nested = Object.entries(contained).map(([name, items]) => [name, items.map(plain)] as const)
  return {
    type,
    ...properties,
    ...(Object.keys(links).length === 0 ? {} : { links: { ...links } }),
    ...(nested.length === 0 ? {} : { contained: Object.fromEntries(nested) }),
    ...(singleton === undefined ? {} : { singleton }),
  }
}

describe('items read from data', () => {
  it.each<[rule: string, yaml: string, items: readonly unknown[]]>([
    [
      'computed properties are given, defaults filled in, stamps left to the store',
      'people: [{ id: a, name: Ann, login: ann }]',
      [{ type: 'person', id: 'a', name: 'Ann', login: 'ann', rank: 3 }],
    ],
    [
      'a relation is the key of its target, before or after it in the file',
      'people: [{ id: a, name: A, login: a, boss: b, teams: [t] }, { id: b, name: B, login: b, boss: null }]\nteams: [{ id: t, name: T }]',
      [
        { type: 'person', id: 'a', name: 'A', login: 'a', rank: 3, links: { boss: [['b']], teams: [['t']] } },
        { type: 'person', id: 'b', name: 'B', login: 'b', rank: 3 },
        { type: 'team', id: 't', name: 'T' },
      ],
    ],
    [
      'contained items are inside their owner, have numbers if they have no key, and link to one another',
      'people: [{ id: a, name: A, login: a, notes: [{ text: one, replies: [2] }, { text: two }] }]',
      [
        {
          type: 'person',
          id: 'a',
          name: 'A',
          login: 'a',
          rank: 3,
          contained: {
            notes: [
              { type: 'note', number: 1, text: 'one', links: { replies: [[2]] } },
              { type: 'note', number: 2, text: 'two' },
            ],
          },
        },
      ],
    ],
    [
      'a link fills in the properties that depend on it',
      'people: [{ id: a, name: A, login: a }]\nrooms: [{ floor: 1, door: x, tenant: a }]',
      [
        { type: 'person', id: 'a', name: 'A', login: 'a', rank: 3 },
        { type: 'room', floor: 1, door: 'x', owner: 'a', links: { tenant: [['a']] } },
      ],
    ],
    [
      'the properties that a relation depends on make the link',
      'people: [{ id: a, name: A, login: a }]\nrooms: [{ floor: 1, door: x, owner: a }]',
      [
        { type: 'person', id: 'a', name: 'A', login: 'a', rank: 3 },
        { type: 'room', floor: 1, door: 'x', owner: 'a', links: { tenant: [['a']] } },
      ],
    ],
    [
      'a key of several parts is an object',
      'rooms: [{ floor: 1, door: x, next: { door: y, floor: 1 } }, { floor: 1, door: y }]',
      [
        { type: 'room', floor: 1, door: 'x', links: { next: [[1, 'y']] } },
        { type: 'room', floor: 1, door: 'y' },
      ],
    ],
    [
      'a set of an abstract type says which type each item is of',
      'beings: [{ "@odata.type": "#sample.team", id: t, name: T }]',
      [{ type: 'team', id: 't', name: 'T' }],
    ],
    [
      'a singleton is one item',
      'rules: { id: r, limit: 4 }',
      [{ type: 'rules', id: 'r', limit: 4, singleton: 'rules' }],
    ],
    [
      'a file may be JSON',
      '{"rules":{"id":"r","limit":4}}',
      [{ type: 'rules', id: 'r', limit: 4, singleton: 'rules' }],
    ],
  ])('%s', async (_rule, yaml, items) => {
    const read = await readAll(service, yaml)
    expect(read.diagnostics).toEqual([])
    expect(read.items.map(plain)).toEqual(items)
  })

  it('generated keys depend on the path of the item and are stable', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => readAll(service, 'teams: [{ name: T }, { name: U }]')))
    const keys = first?.items.map(item => item.properties['id'])
    expect(keys).toEqual(second?.items.map(item => item.properties['id']))
    expect(new Set(keys).size).toBe(2)
    expect(String(keys?.[0])).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('an error in data', () => {
  it.each<[rule: string, yaml: string, diagnostics: readonly string[]]>([
    [
      'an unknown set',
      'poeple: []',
      [
        '1:1 error data/unknown-element: The service has no "poeple". Expected one of people, teams, beings, rooms, rules. Did you mean "people"?',
      ],
    ],
    [
      'data for whoever is signed in',
      'me: {}',
      [
        '1:1 error data/unknown-element: me is the signed-in caller and has no data of its own. Expected one of people, teams, beings, rooms, rules.',
      ],
    ],
    [
      'a set that is no list',
      'people: {}',
      ['1:9 error data/shape: people is an entity set. Expected a list of items.'],
    ],
    ['an item that is no object', 'teams: [7]', ['1:9 error data/shape: An item of type team must be an object.']],
    [
      'a file that is no object',
      '- 1',
      [
        '1:1 error data/shape: Expected an object that maps each entity set to a list of items, and each singleton to an item.',
      ],
    ],
    [
      'an empty file',
      '',
      ['1:1 error yaml/empty: The file is empty. Expected an object that maps each entity set to a list of items.'],
    ],
    [
      'a property that the type lacks',
      'teams: [{ id: t, nmae: T, name: T }]',
      ['1:18 error data/value: The property "nmae" does not exist on type team. Did you mean "name"?'],
    ],
    [
      'values that do not fit',
      'people: [{ id: a, name: a much too long name of somebody, login: a, rank: three, home: { city: 1 } }]',
      [
        '1:25 error data/value: name must have at most 20 characters.',
        '1:75 error data/value: rank must be an integer from -2147483648 to 2147483647.',
        '1:96 error data/value: home/city must be a string.',
      ],
    ],
    ['a property that must be given', 'people: [{ id: a, name: A }]', ['1:10 error data/value: login is required.']],
    [
      'a key that must be given',
      'rooms: [{ floor: 1 }]',
      ['1:9 error data/key: door is part of the key and is required.'],
    ],
    [
      'a key that is taken, across the types of a hierarchy',
      'people: [{ id: a, name: A, login: a }]\nteams: [{ id: a, name: T }]',
      [
        '2:9 error data/duplicate-key: A being with the key "a" already exists. Give each item its own key.',
        '1:10 note data/duplicate-key: first used here',
      ],
    ],
    [
      'a unique value that is taken',
      'people: [{ id: a, name: A, login: x }, { id: b, name: B, login: x }]',
      [
        '1:65 error data/duplicate-value: login is unique, but "x" is used twice.',
        '1:35 note data/duplicate-value: first used here',
      ],
    ],
    [
      'a link that leads nowhere',
      'people: [{ id: a, name: A, login: a, boss: zed }]',
      ['1:44 error data/unknown-target: There is no person with the key "zed" in the data. Add it or remove the link.'],
    ],
    [
      'a link to an item of another type',
      'people: [{ id: a, name: A, login: a, boss: t }]\nteams: [{ id: t, name: T }]',
      [
        '1:44 error data/wrong-target: The item with the key "t" is a team. Expected a person.',
        '2:9 note data/wrong-target: the item is here',
      ],
    ],
    [
      'a link to an item that is contained elsewhere',
      'people: [{ id: a, name: A, login: a, notes: [{ text: x }] }, { id: b, name: B, login: b, notes: [{ number: 5, text: y, replies: [1] }] }]',
      ['1:129 error data/unknown-target: There is no note with the key 1 in the data. Add it or remove the link.'],
    ],
    [
      'a link to many that is no list',
      'people: [{ id: a, name: A, login: a, teams: t }]\nteams: [{ id: t, name: T }]',
      ['1:45 error data/shape: teams is a collection. Expected a list.'],
    ],
    [
      'a key of several parts that is not whole',
      'rooms: [{ floor: 1, door: x, next: 1 }, { floor: 2, door: y, next: { floor: 1 } }]',
      [
        '1:36 error data/link: A room is identified by all parts of its key: { floor: …, door: … }.',
        '1:68 error data/link: The key of a room needs door.',
      ],
    ],
    [
      'a link and a property that contradict each other',
      'people: [{ id: a, name: A, login: a }]\nrooms: [{ floor: 1, door: x, owner: b, tenant: a }]',
      ['2:37 error data/contradiction: owner is "b", but its link says "a". Remove one of them.'],
    ],
    [
      'an item of an abstract type',
      'beings: [{ id: x, name: X }]',
      ['1:10 error data/abstract-type: being is abstract. Set "@odata.type" to one of person, team.'],
    ],
    [
      'an unknown type',
      'beings: [{ "@odata.type": tema, id: x, name: X }]',
      ['1:27 error data/unknown-type: "@odata.type" must be one of person, team; found "tema". Did you mean "team"?'],
    ],
    [
      'names that every object inherits',
      'constructor: []\nteams: [{ id: t, name: T, toString: x, hasOwnProperty: y }]',
      [
        '1:1 error data/unknown-element: The service has no "constructor". Expected one of people, teams, beings, rooms, rules.',
        '2:27 error data/value: The property "toString" does not exist on type team.',
        '2:40 error data/value: The property "hasOwnProperty" does not exist on type team.',
      ],
    ],
  ])('%s is reported with its location', async (_rule, yaml, diagnostics) => {
    const read = await readAll(service, yaml)
    expect(read.diagnostics).toEqual(diagnostics)
    expect(read.items).toEqual([])
  })
})

describe('JSON Lines', () => {
  it('contain the same items as one document', async () => {
    const lines =
      '{"people":{"id":"a","name":"A","login":"a","boss":"b"}}\n\n{"people":{"id":"b","name":"B","login":"b"}}\r\n'
    const document = '{"people":[{"id":"a","name":"A","login":"a","boss":"b"},{"id":"b","name":"B","login":"b"}]}'
    const fromLines = await readAll(service, lines, 'data.jsonl')
    expect(fromLines.diagnostics).toEqual([])
    expect(fromLines.items).toEqual((await readAll(service, document, 'data.json')).items)
  })

  it('may have characters that are split between two chunks', async () => {
    const name = '🚲'.repeat(9)
    const lines = Array.from({ length: 5_000 }, (_, index) => JSON.stringify({ teams: { id: `t${index}`, name } }))
    const { items, diagnostics } = await readAll(service, lines.join('\n'), 'data.jsonl')
    expect(diagnostics).toEqual([])
    expect(new Set(items.map(item => item.properties['name']))).toEqual(new Set([name]))
    expect(items).toHaveLength(5_000)
  })

  it.each<[rule: string, lines: string, diagnostics: readonly string[]]>([
    [
      'a line that is no JSON',
      '{"teams":',
      ['1:1 error data/line: This is not JSON. Expected one JSON object per line, {"set": {item}}.'],
    ],
    [
      'a line that is no object',
      '\n[1]',
      ['2:1 error data/line: This is not an object. Expected one JSON object per line, {"set": {item}}.'],
    ],
    ['a value', '{"teams":{"id":"t","name":1}}', ['1:1 error data/value: teams/name: name must be a string.']],
    [
      'a link that leads nowhere, once all has come',
      '{"people":{"id":"a","name":"A","login":"a","boss":"x"}}\n{"teams":{"id":"t","name":"T"}}',
      [
        '1:1 error data/unknown-target: people/boss: There is no person with the key "x" in the data. Add it or remove the link.',
      ],
    ],
    [
      'an unknown set',
      '{"team":{}}',
      [
        '1:1 error data/unknown-element: team: The service has no "team". Expected one of people, teams, beings, rooms, rules. Did you mean "teams"?',
      ],
    ],
  ])('%s is reported with its line', async (_rule, lines, diagnostics) => {
    expect((await readAll(service, lines, 'data.jsonl')).diagnostics).toEqual(diagnostics)
  })

  it('that are not UTF-8 are rejected', async () => {
    const { diagnostics } = await readAll(service, new Uint8Array([0x7b, 0xff, 0x7d]), 'data.jsonl')
    expect(diagnostics).toEqual(['1:1 error file/unreadable: The file is not UTF-8. Save it as UTF-8.'])
  })

  it.each(['missing.jsonl', 'missing.yaml'])('a missing file is reported: %s', async name => {
    const { diagnostics } = await readFrom(service, name)
    expect(diagnostics).toEqual([expect.stringContaining('There is no such file.')])
  })
})

describe('the data of the described services', () => {
  it.each([
    ['directory', 35],
    ['library', 29],
  ])('%s is valid', async (name, count) => {
    const loaded = await loadSpec(`spec/${name}.yaml`)
    if (loaded.service === undefined) throw new Error('The spec is sound.')
    const { items, diagnostics } = await readFrom(loaded.service, `spec/${name}.data.yaml`)
    expect(diagnostics).toEqual([])
    expect(items).toHaveLength(count)
  })

  it('uses example domains only', async () => {
    const text = await readFile('spec/directory.data.yaml', 'utf8')
    for (const [, domain] of text.matchAll(/[\w.-]+@([\w.-]+)/g))
      expect(domain).toMatch(/^(?:odata\.\w+|[\w-]+\.example)$/)
  })
})
