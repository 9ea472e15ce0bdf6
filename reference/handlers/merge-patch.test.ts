import { expect, it } from 'vitest'
import { loadSpec, type Property } from '../../spec/language/index.js'
import { InvalidValue } from '../store/write/item-values.js'
import { mergePatch } from './merge-patch.js'

async function edition(): Promise<Property> {
  const { service } = await loadSpec('spec/library.yaml')
  const property = service?.entityTypes
    .find(({ name }) => name === 'book')
    ?.properties.find(({ name }) => name === 'edition')
  if (property === undefined) throw new Error('The Library has no editions.')
  return property
}

const current = { number: 2, publisher: { name: 'P', seat: { street: 's', city: 'c' } } }

it.each([
  [current, { number: 3 }, { ...current, number: 3 }],
  [current, { publisher: { seat: null } }, { number: 2, publisher: { name: 'P', seat: null } }],
  [
    current,
    { publisher: { seat: { city: 'd' } } },
    { number: 2, publisher: { name: 'P', seat: { street: 's', city: 'd' } } },
  ],
  [current, null, null],
  [null, { publisher: { name: 'Q' } }, { publisher: { name: 'Q' } }],
])('%j patched with %j is %j', async (before, patch, merged) => {
  expect(mergePatch(before, patch, await edition(), () => undefined)).toEqual(merged)
})

it.each([[{ number: 1 }], [{ publisher: {} }], [{ publisher: { name: 'Q', seat: { city: 'c' } } }]])(
  'a complex value without a required member is rejected: %j',
  async patch => {
    const property = await edition()
    expect(() => mergePatch(null, patch, property, () => undefined)).toThrow(InvalidValue)
  },
)
