import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadSpecText, type Service } from '../../../spec/language/index.js'
import type { DataItem } from '../service/store.js'
import { type DataOptions, generateData } from './generate-data.js'
import { generateFromPattern } from './generate-value.js'

function loaded(text: string): Service {
  const { service, diagnostics } = loadSpecText(text, 'spec.yaml')
  if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return service
}

const specOf = (name: string): Service =>
  loaded(readFileSync(new URL(`../../../spec/${name}.yaml`, import.meta.url), 'utf8'))

const directory = specOf('directory')
const library = specOf('library')
const grades = loaded(`
specwright: 1
service: { name: grades, title: Grades, namespace: grades, version: v1 }
authentication: { scheme: none }
resources:
  grade: { kind: entityType, key: [letter], properties: { letter: { type: String, pattern: "^[A-C]$" } } }
container: { grades: { entitySet: grade } }
paths: { /grades: { get: { returns: collection } } }
errors: { notFound: { status: 404, code: notFound, message: None. } }
`)

/** All items, contained ones included. */
function allItems(items: readonly DataItem[]): readonly DataItem[] {
  return items.flatMap(item => [item, ...allItems(Object.values(item.contained).flat())])
}

const itemsOf = (service: Service) => allItems(Object.values(generateData(service).sets).flat())

/** Keys that come twice among items that are kept together. */
function repeatedKeys(service: Service, options: DataOptions): readonly string[] {
  const { sets } = generateData(service, options)
  const contained = allItems(Object.values(sets).flat()).flatMap(item => Object.values(item.contained))
  return [...Object.values(sets), ...contained].flatMap(items => {
    const seen = new Set<string>()
    return items.flatMap(({ type, values }) => {
      const names = service.entityTypes.find(({ name }) => name === type)?.key ?? []
      const key = JSON.stringify(names.map(({ name }) => values[name]))
      const isRepeated = seen.has(key)
      seen.add(key)
      return isRepeated ? [`${type} ${key}`] : []
    })
  })
}

describe('generated data', () => {
  it.each([directory, library])('of $name are deterministic', service => {
    expect(generateData(service)).toEqual(generateData(service))
    expect(generateData(service, { seed: 2 })).not.toEqual(generateData(service))
  })

  it.each<[string, Service, DataOptions]>([
    ['the directory', directory, { awkwardKeys: true }],
    ['the library', library, { awkwardKeys: true }],
    ['a large directory', directory, { rows: 1500 }],
    // This seed comes upon the code of a branch twice.
    ['a large library', library, { rows: 1500, seed: 4 }],
  ])('of %s have unique keys', (_, service, options) => {
    expect(repeatedKeys(service, options)).toEqual([])
  })

  it('have no more items than a pattern allows keys', () => {
    const { sets } = generateData(grades, { rows: 10 })
    expect(sets['grades']?.map(({ values }) => values['letter']).sort()).toEqual(['A', 'B', 'C'])
  })

  it('have strings of every edge case', () => {
    const texts = itemsOf(directory).flatMap(({ values }) =>
      Object.values(values).filter(value => typeof value === 'string'),
    )
    for (const mark of ["'", '"', '%', '_', '+', '&', '#', '\\', ';', 'É', '😀']) {
      expect(
        texts.some(text => text.includes(mark)),
        mark,
      ).toBe(true)
    }
    const folded = new Set(texts.filter(text => text !== text.toLowerCase()).map(text => text.toLowerCase()))
    expect(texts.some(text => folded.has(text))).toBe(true)
  })

  it('have timestamps within one second with and without a fraction', () => {
    const messages = itemsOf(directory).filter(({ type }) => type === 'message')
    const moments = messages.map(({ values }) => values['receivedDateTime'])
    expect(moments).toEqual(expect.arrayContaining(['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.5Z']))
  })

  it('have nulls and values in each nullable property', () => {
    const users = itemsOf(directory).filter(({ type }) => type === 'user')
    for (const { name } of directory.entityTypes
      .find(type => type.name === 'user')
      ?.properties.filter(({ nullable }) => nullable) ?? []) {
      expect(new Set(users.map(({ values }) => values[name] === null)).size, name).toBe(2)
    }
  })

  it('have nested groups and empty groups', () => {
    const data = generateData(directory)
    const groups = data.sets['groups'] ?? []
    expect(groups.some(({ links }) => (links['memberOf'] ?? []).length > 1)).toBe(true)
    expect(groups.some(({ links }) => (links['memberOf'] ?? []).length === 0)).toBe(true)
  })
})

describe('a text that is generated from a pattern', () => {
  it.each(['^[0-9]{8}$', '^97[89][0-9]{10}$', '^[A-Z0-9]+$', '^\\+?[0-9 ]+$', "^[!#-'*+\\-/0-9=?A-Z^-~]+$"])(
    '%s matches it',
    pattern => {
      fc.assert(
        fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), stream => {
          const text = generateFromPattern(pattern, () => stream.next().value ?? 0)
          expect(text).toMatch(new RegExp(pattern))
        }),
      )
    },
  )
})
