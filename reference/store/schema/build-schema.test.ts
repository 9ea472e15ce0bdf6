import { describe, expect, it } from 'vitest'
import { loadSpec, type Service } from '../../../spec/language/index.js'
import type { StoreSchema } from '../../../sql/schema/schema.js'
import { buildSchema, nameAllocator } from './build-schema.js'

async function serviceOf(name: string): Promise<Service> {
  const { service } = await loadSpec(`spec/${name}.yaml`)
  if (service === undefined) throw new Error(`${name} has errors.`)
  return service
}

/** How a relation is stored: its kind and its columns. */
function placeOf(schema: StoreSchema, path: string): string {
  const [typeName = '', name] = path.split('/')
  const navigation = schema.typeOf(typeName).navigation.find(candidate => candidate.name === name)
  if (navigation === undefined) throw new Error(`There is no ${path}.`)
  const relation = schema.relationOf(navigation)
  switch (relation.kind) {
    case 'link':
      return `link ${relation.table} ${relation.from}`
    case 'constraint':
      return `constraint ${relation.pairs.map(pair => `${pair.source.name}=${pair.target.name}`).join()} ${relation.dependent}`
    default:
      return `${relation.kind} ${relation.column}`
  }
}

describe('the schema of', () => {
  it.each([
    ['directory', 'user/manager', 'reference manager'],
    ['directory', 'user/messages', 'contained $owner.messages'],
    ['directory', 'user/memberOf', 'link directoryObject$memberOf from'],
    ['directory', 'group/members', 'link directoryObject$memberOf to'],
    ['directory', 'driveItem/parent', 'reference parent'],
    ['directory', 'driveItem/children', 'referenced parent'],
    ['library', 'book/copies', 'constraint isbn=isbn target'],
    ['library', 'copy/book', 'constraint isbn=isbn source'],
    ['library', 'loan/copy', 'constraint isbn=isbn,copyNumber=number source'],
    ['library', 'branch/subBranches', 'constraint code=parentCode target'],
    ['library', 'book/authors', 'link person$books to'],
    ['library', 'book/reviews', 'contained $owner.reviews'],
  ])('%s stores %s as %s', async (name, path, place) => {
    expect(placeOf(buildSchema(await serviceOf(name)), path)).toBe(place)
  })

  it.each([
    ['directory', 'directoryObject', 'user,group'],
    ['directory', 'message', 'message'],
    ['library', 'person', 'author,member'],
    ['library', 'book', 'book,audiobook'],
  ])('%s stores in %s the items of %s', async (name, table, types) => {
    const found = buildSchema(await serviceOf(name)).tables.find(candidate => candidate.name === table)
    expect(found?.types.map(type => type.name).join()).toBe(types)
  })
})

it('every name is unique on every engine', () => {
  const allocate = nameAllocator()
  const names = ['name', 'Name', 'name', 'é'.repeat(50), `${'é'.repeat(50)}x`].map(allocate)
  expect(names).toEqual(['name', 'Name$2', 'name$3', 'é'.repeat(20), `${'é'.repeat(20)}$2`])
})
