import { describe, expect, it } from 'vitest'
import type { Facets, PrimitiveTypeName, ValueType } from '../../spec/language/index.js'
import { brokenFacet, brokenListFacet, type FacetName, facetForm } from './facets.js'

const type = (name: PrimitiveTypeName): ValueType => ({ kind: 'primitive', name })

describe('a value', () => {
  it.each<[PrimitiveTypeName, Facets, unknown, FacetName | undefined]>([
    ['String', { maxLength: 3 }, 'abc', undefined],
    ['String', { maxLength: 3 }, 'abcd', 'maxLength'],
    ['String', { maxLength: 3 }, '👍👍👍', undefined],
    ['String', { minLength: 2 }, 'a', 'minLength'],
    ['String', { pattern: '^[A-Z]+$' }, 'AB', undefined],
    ['String', { pattern: '^[A-Z]+$' }, 'Ab', 'pattern'],
    ['String', { pattern: '(' }, 'Ab', undefined],
    ['Binary', { maxLength: 3 }, 'AQID', undefined],
    ['Binary', { maxLength: 2 }, 'AQID', 'maxLength'],
    ['Int32', { minimum: 1, maximum: 5 }, 0, 'minimum'],
    ['Int32', { minimum: 1, maximum: 5 }, 6, 'maximum'],
    ['Int32', { minimum: 1, maximum: 5 }, 5, undefined],
    ['Decimal', { scale: 2 }, '1.230', undefined],
    ['Decimal', { scale: 2 }, 1.234, 'scale'],
    ['Decimal', { precision: 3, scale: 2 }, '12.34', 'precision'],
    ['Decimal', { scale: 'variable' }, 1.234, undefined],
    ['DateTimeOffset', { precision: 3 }, '2024-01-31T09:30:00.1230Z', undefined],
    ['DateTimeOffset', { precision: 3 }, '2024-01-31T09:30:00.1234Z', 'precision'],
    ['String', { maxLength: 3 }, null, undefined],
  ])('of Edm.%s with %o that is %j', (name, facets, value, broken) => {
    expect(brokenFacet(value, { type: type(name), ...facets })).toBe(broken)
  })

  it('must meet the facets of its type definition, too', () => {
    const isbn = {
      kind: 'typeDefinition',
      name: 'isbn',
      qualifiedName: 'lib.isbn',
      underlying: 'String',
      maxLength: 4,
      location: { pointer: '' },
    } as const
    expect(brokenFacet('12345', { type: isbn })).toBe('maxLength')
    expect(brokenFacet('12345', { type: isbn, maxLength: 9 })).toBeUndefined()
    expect(facetForm('maxLength', { type: isbn })).toBe('a string of at most 4 characters')
  })
})

describe('a list', () => {
  it.each<[number, Facets, FacetName | undefined]>([
    [2, { minItems: 1, maxItems: 2 }, undefined],
    [3, { minItems: 1, maxItems: 2 }, 'maxItems'],
    [0, { minItems: 1 }, 'minItems'],
  ])('of %i items with %o', (length, facets, broken) => {
    expect(brokenListFacet(length, facets)).toBe(broken)
  })
})
