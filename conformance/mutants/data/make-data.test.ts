import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadSpecText, type Service } from '../../../spec/language/index.js'
import type { Item } from '../service/world/data.js'
import { makeData } from './make-data.js'
import { patternText } from './pattern-text.js'

function specOf(name: string): Service {
  const text = readFileSync(new URL(`../../../spec/${name}.yaml`, import.meta.url), 'utf8')
  const { service } = loadSpecText(text, `${name}.yaml`)
  if (service === undefined) throw new Error(`The spec ${name} has errors.`)
  return service
}

const directory = specOf('directory')
const library = specOf('library')

/** All items, contained ones included. */
function allItems(items: readonly Item[]): readonly Item[] {
  return items.flatMap(item => [item, ...allItems(Object.values(item.contained).flat())])
}

const itemsOf = (service: Service) => allItems(Object.values(makeData(service).sets).flat())

describe('made data', () => {
  it.each([directory, library])('of $name are the same each time', service => {
    expect(makeData(service)).toEqual(makeData(service))
    expect(makeData(service, { seed: 2 })).not.toEqual(makeData(service))
  })

  it.each([directory, library])('of $name have keys of their own', service => {
    for (const [set, items] of Object.entries(makeData(service, { awkwardKeys: true }).sets)) {
      const element = service.container.find(({ name }) => name === set)
      const keys = items.map(({ values }) => JSON.stringify(element?.type.key.map(({ name }) => values[name])))
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
    }
  })

  it('have texts of every awkward class', () => {
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

  it('have moments in one second with and without a fraction', () => {
    const messages = itemsOf(directory).filter(({ type }) => type === 'message')
    const moments = messages.map(({ values }) => values['receivedDateTime'])
    expect(moments).toEqual(expect.arrayContaining(['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.5Z']))
  })

  it('have nulls and values in each property that may be null', () => {
    const users = itemsOf(directory).filter(({ type }) => type === 'user')
    for (const { name } of directory.entityTypes
      .find(type => type.name === 'user')
      ?.properties.filter(({ nullable }) => nullable) ?? []) {
      expect(new Set(users.map(({ values }) => values[name] === null)).size, name).toBe(2)
    }
  })

  it('have groups in groups, and empty ones', () => {
    const data = makeData(directory)
    const groups = data.sets['groups'] ?? []
    expect(groups.some(({ links }) => (links['memberOf'] ?? []).length > 1)).toBe(true)
    expect(groups.some(({ links }) => (links['memberOf'] ?? []).length === 0)).toBe(true)
  })
})

describe('a text for a pattern', () => {
  it.each(['^[0-9]{8}$', '^97[89][0-9]{10}$', '^[A-Z0-9]+$', '^\\+?[0-9 ]+$', "^[!#-'*+\\-/0-9=?A-Z^-~]+$"])(
    '%s matches it',
    pattern => {
      fc.assert(
        fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), stream => {
          const text = patternText(pattern, () => stream.next().value ?? 0)
          expect(text).toMatch(new RegExp(pattern))
        }),
      )
    },
  )
})
